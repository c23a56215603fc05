"""The bundle: a report with the votes behind it, which anybody can compute again."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from annotation.calibration.data import BundleUnreadable, CalibrationData, column_names
from annotation.calibration.report import REPORT_VERSION, compute_report
from annotation.calibration.settings import CalibrationSettings, InvalidCalibrationSetting

FORMAT: Final = "memjury-calibration"
SAME_TO_WITHIN = 1e-9
"""Relative: sums over other chunks of a processor's registers differ in the last digits."""
MOST_FINDINGS = 50


def make_bundle(
    *,
    settings: CalibrationSettings,
    context: Mapping[str, Any],
    data: CalibrationData,
    sections: Mapping[str, Any],
    everyone: CalibrationData | None,
    including_excluded: Mapping[str, Any] | None,
    report_hash: str,
    computed_at: str,
    code_version: str,
) -> dict[str, Any]:
    """``everyone``: the data of ``including_excluded``, where raters were excluded. Raters stand
    by their pseudonyms."""
    return {
        "format": FORMAT,
        "version": REPORT_VERSION,
        "code_version": code_version,
        "computed_at": computed_at,
        "report_hash": report_hash,
        "settings": settings.as_json(),
        "context": dict(context),
        "report": dict(sections),
        "including_excluded": dict(including_excluded) if including_excluded else None,
        "data_hash": data.sha256,
        "column_hashes": column_hashes(data),
        "data": data.as_json(),
        "data_including_excluded": everyone.as_json() if everyone else None,
    }


def verify_bundle(bundle: Mapping[str, Any]) -> tuple[str, ...]:
    """Every difference between what the bundle says and what follows from its data, one sentence
    each; empty where all of it follows. Raises BundleUnreadable for another kind of file, and
    StatisticUndefined never."""
    if not isinstance(bundle, Mapping) or bundle.get("format") != FORMAT:
        raise BundleUnreadable("this is not the JSON bundle of a calibration report")
    if bundle.get("version") != REPORT_VERSION:
        raise BundleUnreadable(
            f"the bundle is of report version {bundle.get('version')}; this program computes "
            f"version {REPORT_VERSION}"
        )
    try:
        settings = CalibrationSettings.from_json(bundle["settings"])
        data = CalibrationData.from_json(bundle["data"])
        said, said_hash, hashes = bundle["report"], bundle["data_hash"], bundle["column_hashes"]
        everyone = bundle.get("data_including_excluded")
    except (KeyError, TypeError, InvalidCalibrationSetting) as error:
        raise BundleUnreadable(f"the bundle cannot be read: {error}") from error
    findings = [
        f"data.{name} is not what the report was made from"
        for name, value in column_hashes(data).items()
        if hashes.get(name) != value
    ]
    if data.sha256 != said_hash:
        findings.append("the data do not have the data hash that the bundle states")
    findings += differences(said, compute_report(data, settings), "report")
    if everyone is not None:
        again = compute_report(
            CalibrationData.from_json(everyone),
            settings,
            only=[name for name in bundle["including_excluded"] if name != "counts"],
        )
        findings += differences(bundle["including_excluded"], again, "including_excluded")
    return tuple(findings[:MOST_FINDINGS])


def column_hashes(data: CalibrationData) -> dict[str, str]:
    """Column → SHA-256 of its values, so that a changed one can be named."""
    named = {name: list(getattr(data, name)) for name in ("systems", "questions", "raters")}
    columns = {name: getattr(data, name).tolist() for name in column_names()}
    return {
        name: hashlib.sha256(repr(values).encode()).hexdigest()
        for name, values in {**named, **columns}.items()
    }


def differences(said: Any, computed: Any, place: str) -> list[str]:
    """Where two trees of plain values differ, one sentence a place."""
    return list(_differences(said, computed, place))


def _differences(said: Any, computed: Any, place: str) -> Iterator[str]:
    if isinstance(said, Mapping) and isinstance(computed, Mapping):
        for name in dict.fromkeys([*said, *computed]):
            yield from _differences(said.get(name), computed.get(name), f"{place}.{name}")
    elif isinstance(said, list) and isinstance(computed, list) and len(said) == len(computed):
        for number, (one, other) in enumerate(zip(said, computed, strict=True)):
            yield from _differences(one, other, f"{place}[{number}]")
    elif not _is_same(said, computed):
        yield f"{place} is {_shown(said)} in the file and {_shown(computed)} from its data"


def _is_same(said: Any, computed: Any) -> bool:
    numbers = (int, float)
    if isinstance(said, bool) or isinstance(computed, bool):
        return said is computed
    if isinstance(said, numbers) and isinstance(computed, numbers):
        return math.isclose(said, computed, rel_tol=SAME_TO_WITHIN, abs_tol=SAME_TO_WITHIN)
    return bool(said == computed)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
