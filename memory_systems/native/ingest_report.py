"""What an item's ingest is reported as: counted from outside, for packages lose things silently."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_systems.base import IngestOutcome, ModelUsage, SourceItem

STORED_NOTHING = "stored nothing"


@dataclass(slots=True)
class Added:
    """What came of an item's parts. ``failures`` are the package's exceptions, ``remarks`` what the
    worker noticed without one."""

    handles: list[str] = field(default_factory=list)
    n_units: int = 0
    failures: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


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
