"""Votes that give hardly any number: each page says why, and what would help, in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from django.test import Client

from annotation.calibration.settings import CalibrationSettings
from annotation.models import Campaign, Pair, PairScore, Rater
from annotation.services import calibration
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.views.test_calibration import figures, read, words
from webapp.forms import calibration as forms

NO_NUMBER = re.compile(r"\b(nan|NaN|inf|Infinity|infinity|None)\b")


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "DEFAULT", CalibrationSettings(n_resamples=200))
    monkeypatch.setattr(calibration, "SLOW_SECONDS", 600.0)


def pairs_of(campaign: Campaign) -> Sequence[Pair]:
    return list(campaign.pairs.filter(kind=Pair.VOTE).order_by("pk"))


def vote_for(rater: Rater, pair: Pair, label: str) -> None:
    """Whoever wrote the answer with this label wins."""
    first = pair.first_system
    add_vote(rater, pair, "a" if first is not None and first.label == label else "b")


def no_votes() -> Campaign:
    return make_campaign()


def only_ties() -> Campaign:
    campaign = make_campaign(n_pairs=8)
    for place, pair in enumerate(pairs_of(campaign)):
        add_vote(add_rater(campaign, f"r{place % 2}{place}"), pair, "tie")
    return campaign


def one_rater() -> Campaign:
    campaign = make_campaign(n_pairs=12)
    rater = add_rater(campaign, "alone")
    for place, pair in enumerate(pairs_of(campaign)):
        add_vote(rater, pair, "ab"[place % 2])
    return campaign


def two_systems_one_winner() -> Campaign:
    campaign = make_campaign(n_pairs=12, n_systems=2)
    for place, pair in enumerate(pairs_of(campaign)):
        vote_for(add_rater(campaign, f"r{place}"), pair, "simple-rag@static")
    return campaign


def constant_scores() -> Campaign:
    campaign = one_rater()
    PairScore.objects.update(first_hundredths=500, second_hundredths=500)
    return campaign


def never_wins() -> Campaign:
    campaign = make_campaign(n_pairs=30, n_systems=3)
    for place, pair in enumerate(pairs_of(campaign)):
        named = {one.label for one in (pair.first_system, pair.second_system) if one}
        winner = sorted(named - {"bm25"})[place // 3 % len(named - {"bm25"})]
        vote_for(add_rater(campaign, f"r{place}"), pair, winner)
    return campaign


def disconnected() -> Campaign:
    campaign = make_campaign(n_pairs=60, n_systems=4)
    for place, pair in enumerate(pairs_of(campaign)):
        labels = {one.label for one in (pair.first_system, pair.second_system) if one}
        if labels in ({"simple-rag@static", "simple-rag+bm25@static"}, {"bm25", "theoria@static"}):
            add_vote(add_rater(campaign, f"r{place}"), pair, "ab"[place % 2])
    return campaign


def no_judgments() -> Campaign:
    campaign = one_rater()
    PairScore.objects.all().delete()
    return campaign


def one_pair() -> Campaign:
    campaign = make_campaign(n_pairs=1, n_systems=2)
    add_vote(add_rater(campaign, "ann"), pairs_of(campaign)[0], "a")
    return campaign


CASES: Sequence[tuple[Callable[[], Campaign], Sequence[str]]] = (
    (no_votes, ["There is no counted vote yet.", "This page fills itself while votes arrive."]),
    (
        only_ties,
        ["Every pair here is tied; a rate needs pairs with a majority for one side.",
         "Votes for one side would help", "only ties",
         "No vote prefers a side, so no side can be preferred too often."],
    ),
    (
        one_rater,
        ["There is only one rater; a second one on the same pairs would help.",
         "The resolution needs at least 30 pairs"],
    ),
    (
        two_systems_one_winner,
        ["simple-rag+bm25@static never won, nor tied", "Whether judge and people rank alike"],
    ),
    (
        constant_scores,
        ["prefers the same one in 0 of 12 pairs", "Whether judge and people rank alike"],
    ),
    (never_wins, ["bm25 never won, nor tied, so no strength fits everyone."]),
    (
        disconnected,
        ["The systems fall into 2 groups that no pair connects",
         "Pairs across the groups would connect them."],
    ),
    (
        no_judgments,
        ["No voted pair has a judge's score on both answers.",
         "Judging the answers of the campaign would help.", "Won Lost Tied"],
    ),
    (one_pair, ["1 counted vote of people on 1 pair", "on 1 question"]),
)  # fmt: skip


@pytest.mark.parametrize(("make", "sentences"), CASES, ids=[make.__name__ for make, _ in CASES])
def test_what_cannot_be_computed_is_said_in_words(
    viewer: Client, db: None, make: Callable[[], Campaign], sentences: Sequence[str]
) -> None:
    html = read(viewer, make())
    text = words(html)
    assert [one for one in sentences if one not in text] == []
    assert NO_NUMBER.findall(text.replace("None.", "")) == []


@pytest.mark.parametrize("make", [make for make, _ in CASES], ids=lambda make: make.__name__)
def test_no_plot_is_empty_and_each_has_its_table(
    viewer: Client, db: None, make: Callable[[], Campaign]
) -> None:
    html = read(viewer, make())
    for name, figure in figures(html).items():
        assert figure["data"], name
        assert all(trace["x"] and trace["y"] for trace in figure["data"]), name
    assert html.count('data-figure="') == len(figures(html))
    assert html.count("<table") >= len(figures(html))


@pytest.mark.parametrize("role", ["viewer", "lead"])
def test_imported_votes_without_scores_say_what_would_help_and_what_would_not(
    request: pytest.FixtureRequest, db: None, role: str
) -> None:
    campaign = no_judgments()
    Campaign.objects.update(origin=Campaign.IMPORTED, judge=None, closed_at=NOW)
    text = read(request.getfixturevalue(role), campaign)
    assert "no judge can be compared with them" in text
    assert "manage.py import_results" in text
    assert "Which systems people prefer" in text
    for useless in ("Judging the answers of the campaign", "would help most", "both scored"):
        assert useless not in text
    assert ('href="/campaigns/new/"' in text) == (role == "lead")


def test_graded_verdicts_have_win_rates_with_their_errors(viewer: Client, db: None) -> None:
    campaign = make_campaign(n_pairs=6, n_systems=2)
    campaign.systems.exclude(label="simple-rag@static").update(label="bm25")
    judge = add_rater(campaign, "gpt", kind=Rater.MODEL)
    for place, pair in enumerate(pairs_of(campaign)[:4]):
        grade = (1.0, 1.2, 1.9, 2.0)[place]
        choice, graded = "a" if grade < 1.5 else "b", {"preference": grade}
        is_left = pair.first_system is not None and pair.first_system.label == "bm25"
        add_vote(judge, pair, choice, left_is_first=is_left, extra=graded)
    add_vote(judge, pairs_of(campaign)[4], "a", extra={"preference": 7})  # no grade from 1 to 2
    Campaign.objects.update(origin=Campaign.IMPORTED, closed_at=NOW)
    text = words(read(viewer, campaign))
    assert "Win rates from graded verdicts" in text
    # Mean 0.525; the sample deviation of 0, 0.2, 0.9 and 1 over the root of 4.
    assert "52.50 24.96 2 2 0 4 0" in text


def test_votes_of_people_have_no_graded_win_rates(viewer: Client, db: None) -> None:
    assert "graded verdicts" not in read(viewer, one_rater())
