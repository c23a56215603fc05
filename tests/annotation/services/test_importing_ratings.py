"""Ratings of items: published agreement comes out, and what is no rating is refused."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotation.models import RatingMetric, RatingStudy
from annotation.queries.ratings import MetricCounts, rating_counts
from annotation.services.importing_ratings import StudyUnnameable, import_ratings
from annotation.vote_formats.rows import BrokenRows
from evaluation.queries.choices import NotFound
from evaluation.source_files.refusals import WrongKindOfFile
from evaluation.statistics.calibration.alpha import Scale, krippendorff_alpha
from tests.evaluation.real_files import real_file

NOW = dt.datetime(2026, 3, 2, 9, 0, tzinfo=dt.UTC)
pytestmark = pytest.mark.django_db


def alpha(metric: MetricCounts) -> float:
    values = None if metric.level == "nominal" else [float(value) for value in metric.values]
    return krippendorff_alpha(
        np.array(metric.counts), scale=Scale(metric.level), values=values
    ).alpha


@pytest.mark.parametrize(
    ("file", "expected", "n_metrics"),
    [
        ("newsroom.json", "expected_newsroom.json", 4),
        ("meta_evaluation_recipes.json", "expected_recipe-crowd-sourcing-data.json", 6),
        ("dices_350_crowdsourced.json", "expected_dices-350-crowdsourced.json", 1),
    ],
)
def test_the_published_alphas_of_judge_bench_come_out(
    file: str, expected: str, n_metrics: int
) -> None:
    import_ratings(name="study", path=real_file("data", "judge_bench", file), now=NOW)
    published = json.loads(real_file("data", "judge_bench", expected).read_text())
    by_metric = next(iter(published.values()))
    study = rating_counts("study")
    assert len(study.metrics) == n_metrics
    for metric in study.metrics:
        assert alpha(metric) == pytest.approx(
            by_metric[metric.name]["krippendorff_alpha"], rel=1e-12
        )


@pytest.mark.parametrize(("file", "published"), [("codings", 904 / 1216), ("gcl", 0.08333333)])
def test_the_published_alphas_of_evalica_come_out(file: str, published: float) -> None:
    path = real_file("data", "evalica", f"{file}.csv")
    import_ratings(name=file, path=path, now=NOW, format="matrix")
    assert alpha(rating_counts(file).metrics[0]) == pytest.approx(published, rel=1e-6)


def study_file(folder: Path, scores: Any, **annotation: Any) -> Path:
    metric = {"metric": "m", "category": "graded", "worst": 1, "best": 5, **annotation}
    rated = {"m": {"individual_human_scores": scores}}
    body = {
        "dataset": "D", "annotations": [metric],
        "instances": [{"id": "i", "instance": "text", "annotations": rated}],
    }  # fmt: skip
    path = folder / "study.json"
    path.write_text(json.dumps(body))
    return path


def test_a_study_keeps_each_value_that_was_given(tmp_path: Path) -> None:
    done = import_ratings(name="My study", path=study_file(tmp_path, [3, 1, 3, None]), now=NOW)
    assert (done.n_items, done.n_metrics, done.n_ratings) == (1, 1, 3)
    metric = rating_counts("my-study").metrics[0]
    assert (metric.level, metric.values, metric.counts) == ("ordinal", (1, 3), ((1, 2),))
    assert RatingMetric.objects.get().ratings == [[3, 1, 3]]


@pytest.mark.parametrize(
    ("scores", "annotation", "level"),
    [
        (["No", "Yes"], {"category": "categorical", "labels_list": ["No", "Yes"]}, "nominal"),
        ([1.25, 4.5], {"category": "continuous"}, "interval"),
    ],
)
def test_the_category_is_the_level(
    tmp_path: Path, scores: list[Any], annotation: dict[str, Any], level: str
) -> None:
    import_ratings(name="s", path=study_file(tmp_path, scores, **annotation), now=NOW)
    assert rating_counts("s").metrics[0].level == level


@pytest.mark.parametrize(
    ("scores", "annotation", "reason"),
    [
        ([9], {}, "9 is not from 1 to 5"),
        (["x"], {}, "is no number"),
        ([True], {}, "is no number"),
        (["Maybe"], {"category": "categorical", "labels_list": ["No"]}, "none of the labels"),
        ([1], {"category": "vague"}, "category “vague” is unknown"),
        ([1], {"best": 1}, "two different numbers"),
        ([], {}, "no instance holds"),
    ],
)
def test_what_is_no_rating_is_refused_and_nothing_is_stored(
    tmp_path: Path, scores: list[Any], annotation: dict[str, Any], reason: str
) -> None:
    with pytest.raises(WrongKindOfFile, match=reason):
        import_ratings(name="s", path=study_file(tmp_path, scores, **annotation), now=NOW)
    assert not RatingStudy.objects.exists()


def test_a_study_is_made_once_and_needs_a_name(tmp_path: Path) -> None:
    path = study_file(tmp_path, [1, 2])
    import_ratings(name="s", path=path, now=NOW)
    with pytest.raises(StudyUnnameable, match="exists already"):
        import_ratings(name="S", path=path, now=NOW)
    with pytest.raises(StudyUnnameable):
        import_ratings(name="…", path=path, now=NOW)
    with pytest.raises(NotFound):
        rating_counts("other")


def test_a_ragged_matrix_names_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("1,2\n1\n3,x\n")
    with pytest.raises(BrokenRows) as refused:
        import_ratings(name="m", path=path, now=NOW, format="matrix", level="ordinal")
    assert refused.value.problems == (
        "row 2: it has 1 cells, the first has 2", "row 3, column 2: “x” is no number",
    )  # fmt: skip


def test_a_study_costs_two_queries(tmp_path: Path, django_assert_num_queries: Any) -> None:
    import_ratings(name="s", path=study_file(tmp_path, [1, 2]), now=NOW)
    with django_assert_num_queries(2):
        rating_counts("s")
