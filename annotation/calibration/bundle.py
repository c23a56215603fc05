"""The bundle: a report with the votes behind it, which anybody can compute again."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.calibration.data import BundleUnreadable, CalibrationData, column_names
from annotation.calibration.report import REPORT_VERSION, SECTIONS, compute_report
from annotation.calibration.settings import CalibrationSettings

FORMAT: Final = "memjury-calibration"
SAME_TO_WITHIN = 1e-9
"""Relative: sums over other chunks of a processor's registers differ in the last digits."""
PARTS: Final = (
    "format", "version", "code_version", "computed_at", "report_hash", "settings", "context",
    "context_hash", "report", "including_excluded", "data_hash", "column_hashes", "data",
    "data_including_excluded",
)  # fmt: skip


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
        "context_hash": context_hash_of(dict(context)),
        "report": dict(sections),
        "including_excluded": dict(including_excluded) if including_excluded else None,
        "data_hash": data.sha256,
        "column_hashes": column_hashes(data),
        "data": data.as_json(),
        "data_including_excluded": everyone.as_json() if everyone else None,
    }


def report_hash_of(
    settings: CalibrationSettings, *, judge_key: str, data_hash: str, numbers: Mapping[str, Any]
) -> str:
    """SHA-256 of settings, judge, data and every number; ``numbers`` holds the sections and
    ``including_excluded``."""
    hashed = json.dumps(
        [settings.as_json(), judge_key, data_hash, dict(numbers)], sort_keys=True, allow_nan=False
    )
    return hashlib.sha256(hashed.encode()).hexdigest()


def context_hash_of(context: Any) -> str:
    return hashlib.sha256(json.dumps(context, sort_keys=True).encode()).hexdigest()


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
    missing = [name for name in PARTS if name not in bundle]
    if missing:
        raise BundleUnreadable(f"the bundle cannot be read: it has no {', no '.join(missing)}")
    try:
        settings = CalibrationSettings.from_json(bundle["settings"])
    except (TypeError, ValueError) as error:
        raise BundleUnreadable(f"the bundle's settings cannot be read: {error}") from error
    data = CalibrationData.from_json(bundle["data"])
    findings = [
        f"{name} does not belong into a bundle, and nothing says what it should be"
        for name in bundle
        if name not in PARTS
    ]
    findings += _changed_hashes(bundle, settings, data)
    findings += _against_data(bundle["report"], data, settings, "report")
    findings += _including_excluded(bundle, settings)
    return tuple(findings)


def _changed_hashes(
    bundle: Mapping[str, Any], settings: CalibrationSettings, data: CalibrationData
) -> Iterator[str]:
    """What is not what its hash in the bundle was taken of."""
    hashes, context = bundle["column_hashes"], bundle["context"]
    known = hashes if isinstance(hashes, Mapping) else {}
    for name, value in column_hashes(data).items():
        if known.get(name) != value:
            yield f"data.{name} is not what the report was made from"
    if data.sha256 != bundle["data_hash"]:
        yield "the data do not have the data hash that the bundle states"
    if context_hash_of(context) != bundle["context_hash"]:
        yield "context is not what the report was made with"
    judge = context.get("judge") if isinstance(context, Mapping) else None
    report = bundle["report"]
    stated = report_hash_of(
        settings,
        judge_key=str(judge.get("key", "")) if isinstance(judge, Mapping) else "",
        data_hash=str(bundle["data_hash"]),
        numbers={
            **(report if isinstance(report, Mapping) else {}),
            "including_excluded": bundle["including_excluded"],
        },
    )
    if stated != bundle["report_hash"]:
        yield "settings, judge, data hash and numbers do not have the report hash that is stated"


def _including_excluded(bundle: Mapping[str, Any], settings: CalibrationSettings) -> Iterator[str]:
    said, everyone = bundle["including_excluded"], bundle["data_including_excluded"]
    if said is None and everyone is None:
        return
    if not isinstance(said, Mapping) or everyone is None:
        yield (
            "including_excluded and data_including_excluded belong together, and one of them is "
            "missing or unreadable"
        )
        return
    known = [name for name in said if name in SECTIONS]
    yield from _against_data(
        said, CalibrationData.from_json(everyone), settings, "including_excluded", only=known
    )


def _against_data(
    said: Any,
    data: CalibrationData,
    settings: CalibrationSettings,
    place: str,
    *,
    only: Sequence[str] = (),
) -> list[str]:
    try:
        computed = compute_report(data, settings, only=only)
    except ValueError as error:
        return [f"{place} cannot be computed from its data, which contradict themselves: {error}"]
    return differences(said, computed, place)


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
            if name not in said:
                yield f"{place}.{name} is missing in the file"
            elif name not in computed:
                yield f"{place}.{name} does not follow from the data"
            else:
                yield from _differences(said[name], computed[name], f"{place}.{name}")
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
