"""Real files through the importer: exact counts, and the values that others published."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path

import evalica
import numpy as np
import pytest
from django.db.models import Count, Sum

from annotation.models import Campaign, Pair, Rater, Vote, VoteEvent
from annotation.queries.preferences import graded_preferences
from annotation.queries.vote_counts import VoteCounts, verdict_counts, vote_counts
from annotation.services.importing_votes import ImportedVotes, import_votes
from evaluation.statistics.calibration.preferences import preference_win_rate
from tests.annotation.services.real_votes import alpaca_eval, llmfao, pandalm
from tests.evaluation.real_files import real_file

NOW = dt.datetime(2026, 3, 2, 9, 0, tzinfo=dt.UTC)
pytestmark = pytest.mark.django_db


def imported(name: str, paths: list[Path], format: str) -> ImportedVotes:
    return import_votes(name=name, paths=paths, format=format, now=NOW)


def golden(name: str, algorithm: str) -> dict[str, float]:
    with real_file("data", "evalica", f"{name}-golden.csv").open(newline="") as stream:
        return {
            row["item"]: float(row["score"])
            for row in csv.DictReader(stream)
            if row["algorithm"] == algorithm
        }


def rated(counts: VoteCounts, rate: object, **options: object) -> dict[str, float]:
    """evalica's scores from the tables of wins and ties."""
    xs, ys, winners, weights = [], [], [], []
    for i, one in enumerate(counts.systems):
        for j, other in enumerate(counts.systems):
            for winner, n in (
                (evalica.Winner.X, counts.wins[i][j]),
                (evalica.Winner.Draw, counts.ties[i][j] if i < j else 0),
            ):
                if n:
                    xs.append(one)
                    ys.append(other)
                    winners.append(winner)
                    weights.append(n)
    return rate(xs, ys, winners, weights=weights, **options).scores.to_dict()  # type: ignore[operator]


def test_the_votes_of_llmfao_come_in_with_exact_counts() -> None:
    done = imported("LLMFAO", [llmfao()], "evalica")
    assert (done.n_votes, done.n_counted, done.n_systems, done.n_raters) == (8931, 8931, 59, 124)
    assert (done.n_questions, done.n_pairs, done.n_unscored) == (13, 2139, 0)
    votes = Vote.objects.filter(campaign=done.campaign)
    by_choice = dict(votes.values_list("choice").annotate(n=Count("pk")).order_by("choice"))
    assert by_choice == {"a": 2911, "b": 2549, "tie": 3471}
    sums = Pair.objects.filter(campaign=done.campaign).aggregate(
        tie=Sum("n_tie"), first=Sum("n_first"), second=Sum("n_second"), taken=Sum("n_taken")
    )
    assert sums["tie"] == 3471
    assert sums["first"] + sums["second"] + sums["tie"] == sums["taken"] == 8931
    raters = Rater.objects.filter(campaign=done.campaign)
    assert raters.aggregate(n=Sum("n_votes"))["n"] == 8931
    assert set(raters.values_list("kind", flat=True)) == {Rater.IMPORTED}
    tally = done.campaign.tally
    assert (tally.version, tally.n_votes, tally.n_counted) == (1, 8931, 8931)
    assert sum(tally.side_balance.values()) == 0


@pytest.mark.parametrize("name", ["llmfao", "food", "simple"])
def test_published_strengths_come_out_of_imported_votes(name: str) -> None:
    done = imported(name, [real_file("data", "evalica", f"{name}.csv")], "evalica")
    counts = vote_counts(done.campaign.slug)
    assert counts.n_votes == done.n_votes
    for algorithm, rate in (("bradley_terry", evalica.bradley_terry), ("newman", evalica.newman)):
        expected = golden(name, algorithm)
        found = rated(counts, rate, tolerance=1e-10, limit=10_000)
        if algorithm == "bradley_terry":
            # Strengths of Bradley and Terry have no scale: the published ones sum to 1.
            found = {system: score / sum(found.values()) for system, score in found.items()}
        assert found == pytest.approx(expected, rel=1e-8)


def test_first_and_second_have_nothing_to_do_with_the_sides() -> None:
    done = imported("LLMFAO", [llmfao()], "evalica")
    n_left_first = Vote.objects.filter(campaign=done.campaign, left_is_first=True).count()
    assert 0.45 < n_left_first / 8931 < 0.55


def test_pandalm_comes_in_with_three_people_and_its_judges() -> None:
    done = imported("PandaLM", pandalm("gpt-3.5-turbo", "pandalm-7b"), "pandalm")
    assert (done.n_pairs, done.n_counted, done.n_votes) == (999, 2997, 2997 + 2 * 999 - 25)
    assert (done.n_unscored, done.n_systems, done.n_questions) == (25, 5, 170)
    kinds = dict(
        Rater.objects.filter(campaign=done.campaign)
        .values_list("pseudonym", "kind")
        .order_by("pseudonym")
    )
    assert kinds == {
        "annotator1": "imported", "annotator2": "imported", "annotator3": "imported",
        "gpt-3.5-turbo": "model", "pandalm-7b": "model",
    }  # fmt: skip
    events = VoteEvent.objects.filter(campaign=done.campaign, action="unscored")
    assert events.count() == 25
    assert {event.vote["extra"]["reply"] for event in events} == {"garbage"}
    assert vote_counts(done.campaign.slug).n_votes == 2997
    assert verdict_counts(done.campaign.slug, rater="gpt-3.5-turbo").n_votes == 999 - 25


def test_the_majority_labels_of_pandalm_are_the_published_ones() -> None:
    done = imported("PandaLM", pandalm(), "pandalm")
    by_pair: dict[int, list[str]] = {}
    votes = Vote.objects.filter(campaign=done.campaign).values_list("pair_id", "choice")
    for pair, choice in votes:
        by_pair.setdefault(pair, []).append(choice)
    majorities = [max(sorted(set(said)), key=said.count) for said in by_pair.values()]
    split = sum(len(set(said)) == 3 for said in by_pair.values())
    assert split == 0
    assert [majorities.count(choice) for choice in ("tie", "a", "b")] == [105, 422, 472]


def test_the_verdicts_of_alpaca_eval_come_in_with_exact_counts(tmp_path: Path) -> None:
    done = imported("AlpacaEval", [alpaca_eval(tmp_path)], "alpaca-eval")
    assert done.n_votes + done.n_unscored == 44_270
    assert (done.n_unscored, done.n_counted, done.n_raters) == (20, 44_250 - 1_610, 4)
    assert Vote.objects.filter(campaign=done.campaign, not_counted="model").count() == 1_610
    assert any("805 times" in note for note in done.notes)
    assert any("805 pairs compare a system with itself" in note for note in done.notes)

    expected = {}
    with real_file("data", "alpaca_eval", "expected_win_rates.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row["win_rate_published"]:
                expected[row["judge"], row["system"], row["baseline"]] = row
    rates, errors = 0, 0
    for one in graded_preferences(done.campaign.slug):
        if (one.judge, one.system, one.baseline) not in expected:
            continue
        row = expected[one.judge, one.system, one.baseline]
        found = preference_win_rate(np.array([*one.values, *[np.nan] * one.n_missing]))
        rates += found.win_rate == pytest.approx(float(row["win_rate_published"]), abs=1e-4)
        errors += found.standard_error == pytest.approx(float(row["se_published"]), abs=1e-6)
    assert (rates, errors) == (51, 50)


def test_an_imported_campaign_is_closed_and_says_that_we_did_not_draw_it() -> None:
    done = imported("Food", [real_file("data", "evalica", "food.csv")], "evalica")
    campaign = Campaign.objects.get(slug="food")
    assert campaign.origin == Campaign.IMPORTED
    assert campaign.closed_at == NOW
    assert not Campaign.objects.embargoing(NOW).exists()
    assert campaign.sampling["drawn_by_us"] is False
    assert not done.campaign.pairs.exclude(inclusion_probability=None).exists()
    assert any("names no raters" in note for note in done.notes)
