"""Contexts in little room: units that are spans of the benchmark's items are kept as offsets,
other unit texts once by hash; rendering them again gives the very text that was read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from evaluation.models import Benchmark, Cell, Retrieval, SourceItem, UnitText
from evaluation.protocol.cells import RestoredContext
from evaluation.protocol.packing import TEMPLATE_VERSION, render
from evaluation.records import Context, PlacedUnit
from evaluation.services.storage import pack_json, pack_text, unpack_json, unpack_text

VERBATIM = "verbatim"
"""The template of an imported context: its text as it is, without a header of ours."""


class ContextNotReproducible(Exception):
    """The stored layout does not render to the stored number of characters."""


def save_retrieval(*, cell: Cell, benchmark: Benchmark, restored: RestoredContext) -> Retrieval:
    """Store what the cell's context is made of; an earlier one of the same cell is replaced."""
    layout, texts = _layout(benchmark, restored.context.units)
    UnitText.objects.bulk_create(
        [UnitText(sha256=sha256, body=pack_text(text)) for sha256, text in sorted(texts.items())],
        ignore_conflicts=True,
        batch_size=200,
    )
    retrieval, _ = Retrieval.objects.update_or_create(
        cell=cell,
        defaults={
            "achieved_chars": restored.context.achieved_chars,
            "n_units": len(restored.context.units),
            "knobs": dict(restored.knobs),
            "flags": list(restored.flags),
            "layout": pack_json({"template": TEMPLATE_VERSION, "units": layout}),
            "retrieve_ms": restored.retrieve_ms,
        },
    )
    return retrieval


def foreign_layout(*, text: str | None) -> tuple[bytes, list[UnitText]]:
    """The layout of an imported context and the texts to store with it: its text as one unit that
    stands verbatim, or nothing where only its size is known."""
    if text is None:
        return b"", []
    entries, texts = _layout(None, [PlacedUnit(text=text, kind="context", source_id="")])
    layout = pack_json({"template": VERBATIM, "units": entries})
    return layout, [UnitText(sha256=sha256, body=pack_text(one)) for sha256, one in texts.items()]


def stored_context(*, retrieval: Retrieval) -> Context:
    """The context rendered again; an empty one where an imported context's text was not kept.
    Raises ContextNotReproducible."""
    if not retrieval.layout:
        return Context(units=(), text="")
    layout = unpack_json(retrieval.layout)
    entries = layout["units"]
    hashes = {entry["text"] for entry in entries if "text" in entry}
    texts = {
        row.sha256: unpack_text(row.body) for row in UnitText.objects.filter(sha256__in=hashes)
    }
    units = tuple(_placed(entry, texts) for entry in entries)
    is_verbatim = layout["template"] == VERBATIM
    text = "".join(unit.text for unit in units) if is_verbatim else render(units)
    context = Context(units=units, text=text)
    if context.achieved_chars != retrieval.achieved_chars:
        raise ContextNotReproducible(
            f"the stored context of cell {retrieval.cell_id} renders to "
            f"{context.achieved_chars} characters, not {retrieval.achieved_chars}"
        )
    return context


def context_of(*, cell: Cell) -> Context:
    """The context that the cell's stored answer was written from, an empty one where its system
    has none. Raises ContextNotReproducible."""
    retrieval = getattr(cell, "retrieval", None)
    return Context(units=(), text="") if retrieval is None else stored_context(retrieval=retrieval)


def _layout(
    benchmark: Benchmark | None, units: Sequence[PlacedUnit]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    layout, texts = [], {}
    for unit in units:
        entry: dict[str, Any] = {
            "kind": unit.kind,
            "source": unit.source_id,
            "start": unit.start,
            "end": unit.end,
        }
        if unit.is_cut:
            entry["cut"] = True
        item = _item_version(benchmark, unit)
        if item is not None:
            entry["item"] = item
        else:
            sha256 = hashlib.sha256(unit.text.encode("utf-8", "surrogatepass")).hexdigest()
            entry["text"] = sha256
            texts[sha256] = unit.text
        layout.append(entry)
    return layout, texts


def _item_version(benchmark: Benchmark | None, unit: PlacedUnit) -> str | None:
    """The hash of the item version that the unit is a span of, if it is one."""
    if unit.start < 0 or benchmark is None:
        return None
    for sha256 in _versions(benchmark.pk, benchmark.revision, unit.source_id):
        if _item_text(sha256)[unit.start : unit.end] == unit.text:
            return sha256
    return None


def _placed(entry: dict[str, Any], texts: dict[str, str]) -> PlacedUnit:
    if "item" in entry:
        text = _item_text(entry["item"])[entry["start"] : entry["end"]]
    else:
        text = texts[entry["text"]]
    return PlacedUnit(
        text=text,
        kind=entry["kind"],
        source_id=entry["source"],
        start=entry["start"],
        end=entry["end"],
        is_cut=entry.get("cut", False),
    )


@lru_cache(maxsize=20_000)
def _versions(benchmark_pk: int, revision: str, item_id: str) -> tuple[str, ...]:  # noqa: ARG001
    """Cached by revision as well, since a primary key may come again after a roll-back."""
    rows = SourceItem.objects.filter(benchmark_id=benchmark_pk, item_id=item_id)
    return tuple(rows.order_by("position").values_list("sha256", flat=True))


@lru_cache(maxsize=512)
def _item_text(sha256: str) -> str:
    bodies = SourceItem.objects.filter(sha256=sha256).order_by("pk")
    return unpack_text(bodies.values_list("body", flat=True)[0])
