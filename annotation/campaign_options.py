"""What a lead decides about a campaign before it opens; frozen from then on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any, Final, Self

POLICIES: Final = ("uniform", "stratified", "active")
REVEALS: Final = ("end", "each", "never")
DECISION: Final = "Which answer is more correct and complete against the reference?"
REASONS: Final = (
    "more correct",
    "more complete",
    "more specific",
    "fewer unsupported claims",
    "clearer",
)


class InvalidCampaignOption(ValueError):
    """An option is unknown or out of its range; ``option`` names it."""

    def __init__(self, option: str, sentence: str, known: tuple[str, ...] = ()) -> None:
        super().__init__(f"{option}: {sentence}")
        self.option = option
        self.known = known


@dataclass(frozen=True, slots=True)
class CampaignOptions:
    """Shares are from 0 to 1, times in seconds or minutes as named; None switches a thing off."""

    policy: str = "stratified"
    n_pairs: int = 100
    seed: int = 1
    overlap: int = 1
    votes_per_rater: int | None = None
    gap_edges: tuple[float, ...] = (0.0, 2.0, 4.0)
    decision: str = DECISION
    instructions: str = ""
    consent: str = ""
    allow_both_bad: bool = True
    reasons: tuple[str, ...] = REASONS
    ask_comment: bool = True
    ask_confidence: bool = False
    show_context: bool = False
    n_qualification: int = 0
    qualification_pass_share: float = 0.75
    attention_every: int | None = None
    attention_exclude_below: float | None = None
    too_fast_share: float = 0.15
    too_fast_floor_s: float = 3.0
    exclude_too_fast_above: float | None = None
    gives_completion_code: bool = False
    invite_only: bool = False
    reveal: str = "end"
    lock_minutes: float = 20.0

    def __post_init__(self) -> None:
        for option, known in (("policy", POLICIES), ("reveal", REVEALS)):
            if getattr(self, option) not in known:
                raise InvalidCampaignOption(option, f"one of {', '.join(known)}.", known)
        for option, least, most in (
            ("n_pairs", 1, 1_000_000),
            ("overlap", 1, 1_000),
            ("n_qualification", 0, 50),
        ):
            _check_range(option, getattr(self, option), least, most)
        for option, least, most in (("votes_per_rater", 1, 100_000), ("attention_every", 3, 1_000)):
            if getattr(self, option) is not None:
                _check_range(option, getattr(self, option), least, most)
        for option in ("qualification_pass_share", "too_fast_share"):
            _check_range(option, getattr(self, option), 0.0, 1.0)
        for option in ("attention_exclude_below", "exclude_too_fast_above"):
            if getattr(self, option) is not None:
                _check_range(option, getattr(self, option), 0.0, 1.0)
        _check_range("too_fast_floor_s", self.too_fast_floor_s, 0.0, 600.0)
        _check_range("lock_minutes", self.lock_minutes, 0.01, 24 * 60.0)
        _check_edges(self.gap_edges)
        if not self.decision.strip():
            raise InvalidCampaignOption("decision", "one sentence to decide by is needed.")
        if len(self.reasons) > 12 or any(not 0 < len(reason) <= 60 for reason in self.reasons):
            raise InvalidCampaignOption("reasons", "at most 12 tags of 1 to 60 characters each.")

    @property
    def choices(self) -> tuple[str, ...]:
        """What a vote may be."""
        return ("a", "b", "tie", "both_bad") if self.allow_both_bad else ("a", "b", "tie")

    @property
    def reveal_in_words(self) -> str:
        """When raters are told who wrote what, and what an open link makes of it."""
        if self.reveal == "never":
            return "Raters are never told who wrote the answers."
        if self.reveal == "each":
            told = "After each vote raters are told who wrote the pair, which may sway the next."
            joins = " By the open link they could join again and vote knowing it."
            return told if self.invite_only else told + joins
        if self.invite_only:
            return "On the end page raters are told who wrote the pairs they decided."
        return (
            "On the end page raters are told who wrote those of their pairs that have all their "
            "votes, and of the others once the campaign has closed: by the open link anybody "
            "could join again."
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Raises InvalidCampaignOption for an option that does not exist."""
        known = tuple(field.name for field in fields(cls))
        for option in stored:
            if option not in known:
                raise InvalidCampaignOption(option, "there is no such option.", known)
        lists = {
            option: tuple(stored[option]) for option in ("gap_edges", "reasons") if option in stored
        }
        return cls(**{**stored, **lists})


def _check_range(option: str, value: float, least: float, most: float) -> None:
    if isinstance(value, bool) or not (math.isfinite(value) and least <= value <= most):
        raise InvalidCampaignOption(option, f"from {least:g} to {most:g}, not {value}.")


def _check_edges(edges: tuple[float, ...]) -> None:
    rising = all(low < high for low, high in pairwise(edges))
    if not edges or edges[0] != 0 or not rising or edges[-1] > 10:
        raise InvalidCampaignOption(
            "gap_edges", "the lower edges of the buckets of score gaps rise from 0 to at most 10."
        )
    if any(abs(edge * 100 - round(edge * 100)) > 1e-9 for edge in edges):
        raise InvalidCampaignOption("gap_edges", "edges are whole hundredths.")
