"""What departs from the budget, said of a cell and of a variant at a track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_systems.base import Budget

TOLERANCE = 0.20
UNDER_FILLS = "under-fills"
OVER_FILLS = "over-fills"
IGNORES_KNOB = "ignores-knob"
EMPTY_CONTEXT = "empty-context"
STUB_MODEL = "stub-model"

SENTENCES: Mapping[str, str] = {
    UNDER_FILLS: "returns over 20 % less context than the track allows",
    OVER_FILLS: "returns over 20 % more context than the track asks for",
    IGNORES_KNOB: "returns the same volume whatever the track asks for",
    EMPTY_CONTEXT: "returned no context at all for some questions",
    STUB_MODEL: "its internal model was the stub: this shows that it runs, not its worth",
}


def cell_flags(*, budget: Budget, achieved_chars: int, n_units: int) -> tuple[str, ...]:
    flags = [EMPTY_CONTEXT] if n_units == 0 else []
    if budget.chars is not None:
        if achieved_chars < (1 - TOLERANCE) * budget.chars:
            flags.append(UNDER_FILLS)
        if achieved_chars > (1 + TOLERANCE) * budget.chars:
            flags.append(OVER_FILLS)
    return tuple(flags)


def track_flags(
    *, requested_chars: int | None, achieved_chars: Sequence[int], n_empty: int
) -> tuple[str, ...]:
    """Flags of one variant at one track from the mean of its achieved characters."""
    flags = [EMPTY_CONTEXT] if n_empty else []
    if requested_chars is not None and achieved_chars:
        mean = sum(achieved_chars) / len(achieved_chars)
        if mean < (1 - TOLERANCE) * requested_chars:
            flags.append(UNDER_FILLS)
        if mean > (1 + TOLERANCE) * requested_chars:
            flags.append(OVER_FILLS)
    return tuple(flags)


def ignores_knob(mean_by_requested: Mapping[int, float]) -> bool:
    """Whether the mean achieved characters barely move (by 5 % at most) while the largest request
    is at least 1.5 times the smallest. Needs two tracks in characters."""
    if len(mean_by_requested) < 2:
        return False
    requests = sorted(mean_by_requested)
    if requests[-1] < 1.5 * requests[0]:
        return False
    means = list(mean_by_requested.values())
    return min(means) > 0 and max(means) <= 1.05 * min(means)
