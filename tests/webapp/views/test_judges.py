"""Judges beside each other on the same cells."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign
from evaluation.models import Benchmark, Judgment, Run
from evaluation.queries.judges_page import judges_page, kept_pairs
from evaluation.services.aggregates import refresh_run
from evaluation.statistics.calibration.judges import Line
from evaluation.statistics.correlation import Correlation
from tests.annotation.toy_campaigns import make_campaign
from tests.webapp.laboratory import STARTED, Scores, make_run
from tests.webapp.views.test_calibration import figures, words

ADDRESS = "/benchmarks/glass/judges/"
JUDGES = ("rubric", "second", "third")


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    kept_pairs.clear()


@pytest.fixture
def judged(glass: Benchmark, scores: Scores) -> Run:
    """The second judge is stricter by one point, the third by two at L3 alone."""
    run = make_run(glass, scores, judges=JUDGES)
    graded = list(
        Judgment.objects.exclude(judge__name="rubric").select_related(
            "judge", "answer__cell__question"
        )
    )
    for one in graded:
        is_hard = one.answer.cell.question.slices["tier"] == ["L3"]
        stricter = 1.0 if one.judge.name == "second" else 2.0 * is_hard
        one.composite = max(0.0, round((one.composite or 0.0) - stricter, 3))
    Judgment.objects.bulk_update(graded, ["composite"])
    refresh_run(run=run)
    return run


def test_every_two_judges_have_a_row(client: Client, judged: Run) -> None:
    page = judges_page("glass")
    assert [(pair.first, pair.second) for pair in page.pairs] == [
        ("rubric", "second"), ("rubric", "third"), ("second", "third"),
    ]  # fmt: skip
    text = words(client.get(ADDRESS).content.decode())
    assert "rubric, second" in text
    assert "Who is stricter" in text


def test_scores_of_another_run_are_left_out(glass: Benchmark, scores: Scores, judged: Run) -> None:
    counted = judges_page("glass").pairs[0].comparison
    assert counted is not None
    newest = make_run(glass, scores, judges=JUDGES, created_at=STARTED + dt.timedelta(days=1))
    Judgment.objects.filter(answer__cell__run_variant__run=judged).update(composite=0.0)
    page = judges_page("glass")
    assert page.runs[0] == newest.public_id
    comparison = page.pairs[0].comparison
    assert comparison is not None
    assert comparison.n_shared == counted.n_shared
    assert {(point.x, point.y) for point in page.pairs[0].points} != {(0.0, 0.0)}
    assert comparison.bias.mean == pytest.approx(0.0)
    Judgment.objects.filter(judge__name="second", answer__cell__run_variant__run=newest).update(
        composite=None, unscored_reason="unreadable"
    )
    kept_pairs.clear()
    alone = judges_page("glass").pairs[0]
    assert alone.comparison is None
    assert "no scored cell in common" in alone.undefined


def test_a_judge_that_is_stricter_by_a_point_has_that_bias_and_the_same_ranks(judged: Run) -> None:
    comparison = judges_page("glass").pairs[0].comparison
    assert comparison is not None
    assert comparison.n_shared == 3 * 3 * 24 + 2 * 24
    assert comparison.bias.mean == pytest.approx(-1.0)
    assert comparison.within_one_point.rate == 1.0
    assert isinstance(comparison.line, Line)
    assert (comparison.line.slope, comparison.line.intercept) == pytest.approx((1.0, -1.0))
    for one in comparison.ranks_by_track:
        assert isinstance(one.value, Correlation)
        assert one.value.coefficient == pytest.approx(1.0)
    assert [one.track for one in comparison.ranks_by_track] == ["10k", "30k", "native"]


def test_the_bias_is_split_by_tier(judged: Run) -> None:
    comparison = judges_page("glass", second="third").pairs[1].comparison
    assert comparison is not None
    by_tier = {one.label: round(one.mean, 1) for one in comparison.bias_by_tier}
    assert (by_tier["L1"], by_tier["L2"]) == (0.0, 0.0)
    assert by_tier["L3"] < -1.5


def test_the_pair_to_look_at_comes_from_the_address(client: Client, judged: Run) -> None:
    html = client.get(ADDRESS, {"first": "second", "second": "third"}).content.decode()
    assert "second against third" in words(html)
    scatter = figures(html)["scatter-chart-figure"]
    assert scatter["layout"]["xaxis"]["title"]["text"] == "second"


def test_no_single_answer_is_named(client: Client, judged: Run) -> None:
    html = client.get(ADDRESS).content.decode()
    assert "GQ1" not in html
    drawn = figures(html)
    assert set(drawn) == {"scatter-chart-figure", "heat-chart-figure"}
    assert sum(int(text.split()[-2]) for text in _hovers(drawn)) == 3 * 3 * 24 + 2 * 24


def _hovers(drawn: dict[str, Any]) -> list[str]:
    return [text.rpartition("<br>")[2] for text in drawn["scatter-chart-figure"]["data"][0]["text"]]


def test_many_points_are_counted_on_a_grid(judged: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.queries.judges_page.SHOWN_DISTINCT", 5)
    pair = judges_page("glass").pairs[0]
    assert pair.is_binned
    assert all((4 * point.x) % 1 == 0 for point in pair.points)
    assert sum(point.n for point in pair.points) == 3 * 3 * 24 + 2 * 24


def test_an_open_campaign_leaves_the_figures_over_many_cells_open(
    client: Client, judged: Run
) -> None:
    campaign: Campaign = make_campaign()
    campaign.benchmark = judged.benchmark
    campaign.save()
    assert client.get(ADDRESS).status_code == 200


def test_one_judge_alone_says_how_to_add_another(client: Client, measured: Benchmark) -> None:
    text = words(client.get(ADDRESS).content.decode())
    assert "Only rubric has judged these answers." in text
    assert f"rejudge {Run.objects.get().public_id} --judges" in text


def test_without_a_run_it_says_how_to_start_one(client: Client, glass: Benchmark) -> None:
    text = words(client.get(ADDRESS).content.decode())
    assert "Nothing has been judged here yet." in text
    assert "run_benchmark glass" in text


def test_judges_without_a_shared_cell_say_so(client: Client, judged: Run) -> None:
    Judgment.objects.filter(judge__name="second").update(
        composite=None, unscored_reason="the reply could not be read"
    )
    refresh_run(run=judged)
    text = words(client.get(ADDRESS).content.decode())
    assert "The two judges have no scored cell in common." in text


def test_constant_scores_have_no_correlation_and_no_line(client: Client, judged: Run) -> None:
    Judgment.objects.filter(judge__name="rubric").update(composite=5.0)
    refresh_run(run=judged)
    text = words(client.get(ADDRESS).content.decode())
    assert "A correlation does not exist: all values on one side are the same." in text
    assert "The first judge gave one and the same score everywhere." in text
    assert "nan" not in text.lower().split()


@pytest.mark.parametrize("params", [{"first": "nobody"}, {"second": "rubric"}, {"protocol": "x"}])
def test_what_is_unknown_is_refused_with_what_is_known(
    client: Client, judged: Run, params: dict[str, str]
) -> None:
    assert client.get(ADDRESS, params).status_code == 400
    assert client.get("/benchmarks/nothing/judges/").status_code == 404


def test_the_partial_comes_alone(client: Client, judged: Run) -> None:
    text = client.get(ADDRESS, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in text
    assert 'aria-label="Judges pair by pair"' in text


def test_the_queries_do_not_grow_with_cells_and_are_fewer_once_kept(
    judged: Run, django_assert_num_queries: Any
) -> None:
    n_pairs = 3
    with django_assert_num_queries(6 + 5 * n_pairs):
        judges_page("glass")
    with django_assert_num_queries(6 + n_pairs):
        judges_page("glass")
