"""A calibration report as a file: html to print, md to read, csv and json to compute with."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from django.template.loader import render_to_string

from annotation.calibration.bundle import make_bundle
from annotation.models import Campaign
from annotation.services.calibration import KeptReport, bundle_data
from evaluation.formats.answers_csv import formula_safe
from evaluation.formats.rich_text import show_controls
from evaluation.queries.choices import UnknownChoice
from webapp.http.report_blocks import Block, report_blocks
from webapp.http.report_sections import Table
from webapp.templatetags.words import version


@dataclass(frozen=True, slots=True)
class ReportFile:
    name: str
    content_type: str
    content: bytes


def calibration_file(campaign: Campaign, report: KeptReport, name: str) -> ReportFile:
    """Raises UnknownChoice for a format that is not in FORMATS."""
    if name not in FORMATS:
        raise UnknownChoice("format", name, tuple(FORMATS))
    content_type, make = FORMATS[name]
    return ReportFile(f"{report.campaign}-calibration.{name}", content_type, make(campaign, report))


def _html(_campaign: Campaign, report: KeptReport) -> bytes:
    context = {"report": report, "blocks": report_blocks(report), "version": version()}
    return render_to_string("exports/calibration.html", context).encode()


def _md(_campaign: Campaign, report: KeptReport) -> bytes:
    title = report.body["context"]["name"]
    lines = [f"# Calibration: {_plain(title)}", ""]
    lines += [f"As of {report.computed_at.isoformat(timespec='seconds')}, MemJury {version()}.", ""]
    for block in report_blocks(report):
        lines += _md_block(block)
    return "\n".join(lines).encode()


def _md_block(block: Block) -> Iterator[str]:
    yield from (f"## {_plain(block.title)}", "")
    for sentence in filter(None, (*block.sentences, block.undefined)):
        yield from (_plain(sentence), "")
    for table in block.tables:
        yield from (*_md_table(table), "")


def _md_table(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(table.columns)} |"
    yield f"|{'---|' * len(table.columns)}"
    for row in table.rows:
        yield f"| {' | '.join(_plain(cell) for cell in row)} |"


def _plain(text: str) -> str:
    """One line that Markdown does not read, its invisible controls written out: labels and names
    are data."""
    flat = show_controls(" ".join(str(text).split()))
    return "".join(f"\\{char}" if char in "\\|`*_<>[]#" else char for char in flat)


def _csv(_campaign: Campaign, report: KeptReport) -> bytes:
    """Tidy: every number of the report on a line of its own, to the last digit."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("section", "place", "measure", "value"))
    for place, value in leaves(report.body):
        section, _, rest = place.partition(".")
        where, _, measure = rest.rpartition(".")
        writer.writerow((section, where, measure, _cell(value)))
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return ""
    return value if isinstance(value, int | float) else formula_safe(str(value))


def leaves(tree: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """``decisive.buckets.0.n_agree`` and its value, for every value of the tree."""
    if isinstance(tree, Mapping):
        items = [(str(name), one) for name, one in tree.items()]
    elif isinstance(tree, list):
        items = [(str(number), one) for number, one in enumerate(tree)]
    else:
        yield place, tree
        return
    for name, one in items:
        yield from leaves(one, f"{place}.{name}" if place else name)


def _json(campaign: Campaign, report: KeptReport) -> bytes:
    data, everyone = bundle_data(campaign=campaign, report=report)
    held = {"context", "including_excluded"}
    bundle = make_bundle(
        settings=report.settings,
        context=report.body["context"],
        data=data,
        sections={name: of for name, of in report.body.items() if name not in held},
        everyone=everyone,
        including_excluded=report.body["including_excluded"],
        report_hash=report.report_hash,
        computed_at=report.computed_at.isoformat(),
        code_version=version(),
    )
    return orjson.dumps(bundle)


FORMATS: Final[Mapping[str, tuple[str, Callable[[Campaign, KeptReport], bytes]]]] = {
    "html": ("text/html; charset=utf-8", _html),
    "md": ("text/markdown; charset=utf-8", _md),
    "csv": ("text/csv; charset=utf-8", _csv),
    "json": ("application/json", _json),
}
