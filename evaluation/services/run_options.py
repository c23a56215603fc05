"""What a person asks a run for, checked in words before anything is made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.protocol.tracks import parse_tracks
from memory_systems.registry import parse_variant_slug, system_info

DEFAULT_SEED = 20260101
BUDGET_MODES = ("capped", "targeted")
LARGEST_PARAMETER = 2**53
MODALITIES = ("dense", "lexical", "hybrid", "none", "other")


class InvalidRunOption(ValueError):
    """``option`` names the field; the message says what is wrong and what is known."""

    def __init__(self, option: str, sentence: str) -> None:
        super().__init__(sentence)
        self.option = option


@dataclass(frozen=True, slots=True)
class RunOptions:
    """``questions``: all, holdout, first:N, stratified:N, or ids with ``question_ids`` given.
    ``parameters``: system slug → its options."""

    benchmark: str
    systems: tuple[str, ...]
    tracks: tuple[str, ...] = ("native", "10k", "30k", "50k")
    modalities: tuple[str, ...] = ()
    synthesizer: str = "extractive"
    judges: tuple[str, ...] = ("rubric",)
    budget_mode: str = "capped"
    embedder: str = "minilm"
    seed: int = DEFAULT_SEED
    questions: str = "all"
    question_ids: tuple[str, ...] = ()
    repeats: int = 1
    spending_limit_usd: float | None = None
    force: bool = False
    parameters: dict[str, dict[str, Any]] = field(default_factory=dict)

    def checked(self) -> RunOptions:
        """Self, or InvalidRunOption. Registries check the rest by opening what is named."""
        if not self.systems:
            raise InvalidRunOption("systems", "name at least one memory system")
        if not self.tracks:
            raise InvalidRunOption("tracks", "name at least one track, such as native or 30k")
        if not self.judges:
            raise InvalidRunOption("judges", "name at least one judge, such as rubric")
        if self.budget_mode not in BUDGET_MODES:
            raise InvalidRunOption(
                "budget_mode",
                f"unknown budget mode '{self.budget_mode}': use {' or '.join(BUDGET_MODES)}",
            )
        unknown = [name for name in self.modalities if name not in MODALITIES]
        if unknown:
            raise InvalidRunOption(
                "modalities",
                f"unknown modality '{unknown[0]}': use {', '.join(MODALITIES)}",
            )
        if not 1 <= self.repeats <= 20:
            raise InvalidRunOption("repeats", "repeats must be from 1 to 20")
        limit = self.spending_limit_usd
        if limit is not None and not math.isfinite(limit):
            raise InvalidRunOption("spending_limit_usd", "the spending limit must be a number")
        if limit is not None and limit < 0:
            raise InvalidRunOption("spending_limit_usd", "the spending limit cannot be negative")
        _check_parameters(self.parameters, self.systems)
        parse_tracks(list(self.tracks))
        return self


def _check_parameters(parameters: Mapping[str, Mapping[str, Any]], systems: Sequence[str]) -> None:
    """That they are of systems of the run and plain values; the registry knows the rest."""
    chosen = {parse_variant_slug(name)[0] for name in systems}
    for system, values in parameters.items():
        if system not in chosen:
            raise InvalidRunOption(
                "parameters",
                f"parameters are given for '{system}', which is no system of this run: "
                f"{', '.join(sorted(chosen))}",
            )
        for name, value in values.items():
            if not (_is_plain(name) and _is_plain(value)):
                raise InvalidRunOption(
                    "parameters",
                    f"the parameter {name!a} of '{system}' takes a number, a word, true or "
                    f"false; got {ascii(value)[:100]}",
                )


def _is_plain(value: object) -> bool:
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, int):
        return abs(value) <= LARGEST_PARAMETER
    return isinstance(value, float) and math.isfinite(value)


def chosen_variants(systems: Sequence[str], modalities: Sequence[str]) -> list[tuple[str, str]]:
    """(system, modality) of every variant that the names and modalities stand for, each once.

    ``simple-rag+bm25`` names its hybrid. A plain name gives each asked modality that the system
    has, or its plain form where it has none of them. Raises UnknownSystem, ModalityNotSupported.
    """
    chosen: dict[tuple[str, str], None] = {}
    for name in systems:
        system, modality = parse_variant_slug(name)
        info = system_info(system)
        if modality != info.modalities[0]:
            chosen[system, modality] = None
            continue
        wanted = [one for one in info.modalities if one in modalities]
        for one in wanted or [info.modalities[0]]:
            chosen[system, one] = None
    return list(chosen)
