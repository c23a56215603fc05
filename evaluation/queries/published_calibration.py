"""What the papers print about their judges: votes by score gap, correlations, scores under two
judges. Intervals are computed here from the printed counts; nothing is mixed with measurements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.benchmarks.published.records import (
    PublishedCalibration,
    PublishedJudgePair,
    PublishedSideBySide,
)
from evaluation.benchmarks.published.tables import (
    published_calibration,
    published_judges,
    published_sxs,
)
from evaluation.models import Benchmark
from evaluation.queries.choices import NotFound
from evaluation.statistics.wilson import RateInterval, wilson_interval

RATES = ("share_within_1_point", "overall_agreement")
ROUTER = "router_"
LABELS = {
    "spearman_system_rank": "Spearman of system ranks",
    "share_within_1_point": "Cells within 1 point",
    "pearson_per_cell": "Pearson, cell by cell",
    "slope": "Slope of the second on the first",
    "intercept": "Intercept, points",
    "router_oracle_three_hybrids": "Oracle over the three hybrids, score",
    "router_oracle_six": "Oracle over six systems, score",
    "router_oracle_dense_top": "Oracle over the top dense systems, score",
    "router_tier_leave_one_out": "Tier router, leave one question out, score",
}


@dataclass(frozen=True, slots=True)
class PublishedBucket:
    label: str
    n_decisive: int
    n_agree: int
    rate: RateInterval


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """``rate``: Wilson's interval where the figure is a share with a printed n. ``is_share``: the
    value lies from 0 to 1."""

    label: str
    judge: str
    other: str
    value: float
    is_share: bool
    n: int | None
    place: str
    rate: RateInterval | None

    @property
    def printed(self) -> str:
        """With the decimals of the paper."""
        return f"{100 * self.value:g} %" if self.is_share else f"{self.value:g}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class PublishedCalibrationPage:
    """``title`` and ``slug`` of the benchmark; ``is_loaded``: it has a page here."""

    slug: str
    title: str
    is_loaded: bool
    paper: str
    buckets: tuple[PublishedBucket, ...]
    bucket_judge: str
    bucket_place: str
    figures: tuple[PublishedFigure, ...]
    routers: tuple[PublishedFigure, ...]
    judges: tuple[PublishedJudgePair, ...]


@dataclass(frozen=True, slots=True)
class PublishedSource:
    slug: str
    title: str
    paper: str
    n_votes: int


def published_calibrations() -> tuple[PublishedSource, ...]:
    """Benchmarks whose papers print something about their judges."""
    papers = {
        **{row.benchmark: row.paper for row in published_calibration()},
        **{row.benchmark: row.paper for row in published_judges()},
        **{row.benchmark: row.paper for row in published_sxs()},
    }
    titles = _titles(papers)
    return tuple(
        PublishedSource(
            slug,
            titles.get(slug, slug),
            paper,
            sum(row.n_decisive for row in published_sxs() if row.benchmark == slug),
        )
        for slug, paper in sorted(papers.items())
    )


def published_calibration_page(slug: str) -> PublishedCalibrationPage:
    """Raises NotFound where no paper prints anything about the benchmark's judges."""
    printed = [row for row in published_calibration() if row.benchmark == slug]
    buckets = [row for row in published_sxs() if row.benchmark == slug]
    judges = [row for row in published_judges() if row.benchmark == slug]
    if not (printed or buckets or judges):
        raise NotFound("published calibration", slug)
    titles = _titles([slug])
    return PublishedCalibrationPage(
        slug=slug,
        title=titles.get(slug, slug),
        is_loaded=slug in titles,
        paper=next(row.paper for rows in (printed, buckets, judges) for row in rows),
        buckets=tuple(_bucket(row) for row in buckets),
        bucket_judge=buckets[0].judge if buckets else "",
        bucket_place=buckets[0].place if buckets else "",
        figures=tuple(_figure(row) for row in printed if not row.measure.startswith(ROUTER)),
        routers=tuple(_figure(row) for row in printed if row.measure.startswith(ROUTER)),
        judges=tuple(judges),
    )


def _titles(slugs: Iterable[str]) -> dict[str, str]:
    rows = Benchmark.objects.filter(slug__in=slugs).order_by("loaded_at", "pk")
    return dict(rows.values_list("slug", "title"))


def _bucket(row: PublishedSideBySide) -> PublishedBucket:
    end = "+" if row.gap_high is None else f"–{row.gap_high:g}"
    return PublishedBucket(
        f"{row.gap_low:g}{end}",
        row.n_decisive,
        row.n_agree,
        wilson_interval(row.n_agree, row.n_decisive),
    )


def _figure(row: PublishedCalibration) -> PublishedFigure:
    is_share = row.measure.startswith(RATES)
    rate = (
        wilson_interval(round(row.value * row.n), row.n) if is_share and row.n is not None else None
    )
    return PublishedFigure(
        _label(row.measure), row.judge, row.other, row.value, is_share, row.n, row.place, rate
    )


def _label(measure: str) -> str:
    if measure.startswith("bias_"):
        return f"Mean difference at {measure.removeprefix('bias_')}, points"
    if measure.startswith("overall_agreement_tau_"):
        return f"Overall agreement at τ = {measure.rpartition('_')[2]}"
    return LABELS.get(measure, measure.replace("_", " "))
