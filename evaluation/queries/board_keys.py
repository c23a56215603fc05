"""Which benchmark, comparison key and judge a page shows, and what else could be chosen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, F, Sum

from evaluation.models import Benchmark, Run, RunJudge, RunVariant, ScoreVector
from evaluation.queries.choices import NotFound, UnknownChoice

MEAN_OF_JUDGES = "mean"
SHORTEST_PREFIX = 6
HOLDOUT = "holdout"
ALL_QUESTIONS = "all"


@dataclass(frozen=True, slots=True)
class BenchmarkHeading:
    """What stands over every page of a benchmark. ``revision`` is its hash."""

    slug: str
    title: str
    family: str
    revision: str
    licence: str
    citation: str
    source: str
    description: str
    is_generated: bool
    is_published_only: bool
    n_documents: int
    n_questions: int


@dataclass(frozen=True, slots=True)
class ProtocolChoice:
    """A comparison key with runs. ``is_complete``: some run of it has finished."""

    key: str
    question_set: str
    budget_mode: str
    synthesizer: str
    seed: int
    repeats: int
    n_variants: int
    n_runs: int
    is_complete: bool
    newest_run_at: dt.datetime
    benchmark_id: int
    is_active: bool = False

    @property
    def short_key(self) -> str:
        return self.key[:12]


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """A judge of the chosen comparison key; ``n_scored`` cells are scored by it. The key ``mean``
    stands for the mean of all judges over what all of them have scored."""

    key: str
    name: str
    is_proxy: bool
    n_scored: int
    is_active: bool = False

    @property
    def short_key(self) -> str:
        return self.key[:12]


@dataclass(frozen=True, slots=True)
class BoardKeys:
    """``protocol`` and ``judge`` are None where nothing has been measured yet."""

    benchmark: BenchmarkHeading
    benchmark_id: int
    protocol: ProtocolChoice | None
    protocols: tuple[ProtocolChoice, ...]
    judge: JudgeChoice | None
    judges: tuple[JudgeChoice, ...]

    @property
    def whole_set(self) -> ProtocolChoice | None:
        """The newest complete comparison key of the whole question set, where the page shows a
        part of it."""
        if self.protocol is None or self.protocol.question_set == ALL_QUESTIONS:
            return None
        whole = (one for one in self.protocols if one.question_set == ALL_QUESTIONS)
        return next((one for one in whole if one.is_complete), None)

    @property
    def judge_keys(self) -> tuple[str, ...]:
        """The keys whose scores the page reads: one, or all for their mean."""
        if self.judge is None:
            return ()
        if self.judge.key != MEAN_OF_JUDGES:
            return (self.judge.key,)
        return tuple(judge.key for judge in self.judges if judge.key != MEAN_OF_JUDGES)


def board_keys(
    slug: str, *, protocol: str = "", judge: str = "", synthesizer: str = ""
) -> BoardKeys:
    """The chosen or default keys of a benchmark's pages.

    ``protocol`` and ``judge`` are keys or prefixes of 6 characters and more, ``judge`` also a
    judge's name. By default the newest comparison key with a complete run, and the first judge of
    that key's newest run. Raises NotFound for the benchmark and UnknownChoice for the others.
    """
    revisions = list(Benchmark.objects.named(slug).newest_first())
    if not revisions:
        raise NotFound("benchmark", slug)
    protocols = _protocols(slug)
    fitting = [
        choice for choice in protocols if not synthesizer or choice.synthesizer == synthesizer
    ]
    if synthesizer and not fitting:
        known = sorted({choice.synthesizer for choice in protocols})
        raise UnknownChoice("synthesizer", synthesizer, known)
    active = _chosen_protocol(fitting, protocol)
    row = _revision(revisions, active)
    judges = _judges(active.key) if active else []
    chosen = _chosen_judge(judges, judge)
    return BoardKeys(
        benchmark=heading_of(row),
        benchmark_id=row.pk,
        protocol=active,
        protocols=tuple(active if active and one.key == active.key else one for one in protocols),
        judge=chosen,
        judges=tuple(chosen if chosen and one.key == chosen.key else one for one in judges),
    )


def heading_of(row: Benchmark) -> BenchmarkHeading:
    card: Mapping[str, Any] = row.card
    return BenchmarkHeading(
        slug=row.slug,
        title=row.title,
        family=row.family,
        revision=row.revision,
        licence=card.get("licence", ""),
        citation=card.get("citation", ""),
        source=card.get("source", ""),
        description=card.get("description", ""),
        is_generated=card.get("is_generated", False),
        is_published_only=row.is_published_only,
        n_documents=row.n_documents,
        n_questions=row.n_questions,
    )


def synthesizer_name(parts: Mapping[str, Any]) -> str:
    """How a protocol's synthesizer is named to readers."""
    return str(parts.get("synthesizer", {}).get("synthesizer", "unnamed"))


def _protocols(slug: str) -> list[ProtocolChoice]:
    """Newest first; those without a complete run after them, then what was imported, holdout
    questions last of all."""
    n_variants = dict(
        RunVariant.objects.filter(run__benchmark__slug=slug)
        .values_list("run__protocol")
        .annotate(n=Count("variant", distinct=True))
    )
    choices: dict[int, ProtocolChoice] = {}
    runs = Run.objects.filter(benchmark__slug=slug).newest_first()
    for run in runs.values(
        "protocol", "protocol__key", "protocol__parts", "protocol__question_set",
        "benchmark", "created_at", "finished_at", "cancelled_at",
    ):  # fmt: skip
        is_complete = run["finished_at"] is not None and run["cancelled_at"] is None
        known = choices.get(run["protocol"])
        if known is not None:
            choices[run["protocol"]] = replace(
                known, n_runs=known.n_runs + 1, is_complete=known.is_complete or is_complete
            )
            continue
        parts = run["protocol__parts"]
        choices[run["protocol"]] = ProtocolChoice(
            key=run["protocol__key"],
            question_set=run["protocol__question_set"],
            budget_mode=parts.get("budget_mode", ""),
            synthesizer=synthesizer_name(parts),
            seed=parts.get("seed", 0),
            repeats=parts.get("repeats", 1),
            n_variants=n_variants.get(run["protocol"], 0),
            n_runs=1,
            is_complete=is_complete,
            newest_run_at=run["created_at"],
            benchmark_id=run["benchmark"],
        )
    return sorted(
        choices.values(),
        key=lambda choice: (
            choice.question_set == HOLDOUT,
            choice.budget_mode == Run.IMPORTED,
            not choice.is_complete,
        ),
    )


def _chosen_protocol(protocols: Sequence[ProtocolChoice], asked: str) -> ProtocolChoice | None:
    if not asked:
        return replace(protocols[0], is_active=True) if protocols else None
    fitting = [one for one in protocols if is_key_of(asked, one.key)]
    if len(fitting) != 1:
        raise UnknownChoice("protocol", asked, [one.short_key for one in protocols])
    return replace(fitting[0], is_active=True)


def _revision(revisions: Sequence[Benchmark], protocol: ProtocolChoice | None) -> Benchmark:
    """The revision that the protocol's runs measured, else the newest that can be measured."""
    if protocol is not None:
        return next(row for row in revisions if row.pk == protocol.benchmark_id)
    return next((row for row in revisions if not row.is_published_only), revisions[0])


def _judges(protocol_key: str) -> list[JudgeChoice]:
    n_scored = dict(
        ScoreVector.objects.filter(run_variant__run__protocol__key=protocol_key)
        .values_list("judge__key")
        .annotate(n=Sum("n_scored"))
    )
    rows = (
        RunJudge.objects.filter(run__protocol__key=protocol_key)
        .order_by(F("run__finished_at").desc(nulls_last=True), "-run__pk", "position")
        .values_list("judge__key", "judge__name", "judge__is_proxy")
    )
    judges = [
        JudgeChoice(key, name, is_proxy, n_scored.get(key, 0))
        for key, name, is_proxy in dict.fromkeys(rows)
    ]
    if len(judges) > 1:
        fewest = min(judge.n_scored for judge in judges)
        judges.append(JudgeChoice(MEAN_OF_JUDGES, f"mean of {len(judges)} judges", False, fewest))
    return judges


def _chosen_judge(judges: Sequence[JudgeChoice], asked: str) -> JudgeChoice | None:
    if not asked:
        return replace(judges[0], is_active=True) if judges else None
    fitting = [one for one in judges if one.name == asked or is_key_of(asked, one.key)]
    if not fitting:
        raise UnknownChoice("judge", asked, [one.name for one in judges])
    return replace(fitting[0], is_active=True)


def is_key_of(asked: str, key: str) -> bool:
    return asked == key or (len(asked) >= SHORTEST_PREFIX and key.startswith(asked))
