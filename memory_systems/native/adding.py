"""Adding an item part by part, and what is reported of it: counted from outside, for packages lose
things silently."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_systems.base import IngestOutcome, SourceItem
from memory_systems.item_digest import digest_of
from memory_systems.model_address import ModelAddress, ModelUsage
from memory_systems.native.process import PackageFailed

STORED_NOTHING = "stored nothing"


@dataclass(slots=True)
class Added:
    """What came of an item's parts. ``failures`` are the package's exceptions, ``remarks`` what the
    worker noticed without one."""

    handles: list[str] = field(default_factory=list)
    n_units: int = 0
    failures: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def add_parts(
    item: SourceItem,
    parts: Sequence[str],
    address: ModelAddress,
    call: Callable[[Mapping[str, Any], str], Any],
) -> Added:
    """Part after part; one that the package refuses does not stop the others. ``call`` is given the
    worker's arguments and the seed of its identifiers. Raises WorkerFailed where it is gone."""
    added = Added()
    for number, text in enumerate(parts if item.text.strip() else ()):
        address.begin(f"{item.id}#{number}")
        given = {
            "item_id": item.id,
            "part": number,
            "text": text,
            "title": item.title,
            "timestamp": item.timestamp,
        }
        place = f"part {number + 1} of {len(parts)}: " if len(parts) > 1 else ""
        try:
            gave = call(given, f"{item.id}#{number}#{digest_of(item)}")
        except PackageFailed as failure:
            added.failures.append(f"{place}{failure}")
            continue
        added.handles += [str(handle) for handle in gave["handles"]]
        added.n_units += int(gave["units"])
        added.remarks += [f"{place}{remark}" for remark in gave.get("remarks", [])]
    return added


def outcome_of(
    item: SourceItem, added: Added, before: ModelUsage, after: ModelUsage
) -> IngestOutcome:
    """Units, calls, tokens and cost between two readings of the model's address. Model calls that
    failed and a text that left nothing are errors, whether the package said so or not."""
    errors = [*added.failures, *added.remarks]
    calls = after.calls - before.calls
    n_failed = after.failures - before.failures
    if n_failed:
        errors.append(f"{n_failed} of {calls + n_failed} model calls failed: {after.last_failure}")
    if not added.n_units and item.text.strip() and not added.failures:
        errors.append(
            f"{STORED_NOTHING}: the package reported no failure, but {len(item.text):,} characters "
            f"gave 0 units after {calls} model calls"
        )
    return IngestOutcome(
        units=added.n_units,
        model_calls=calls,
        tokens=after.tokens - before.tokens,
        errors=tuple(errors),
        cost_usd=_cost_between(before.cost_usd, after.cost_usd),
    )


def _cost_between(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before
