"""Pairs with a known winner."""

from __future__ import annotations

import re

import pytest

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, Pair
from annotation.services.campaign_checks import NoChecksPossible, n_checks
from evaluation.formats.rich_text import render_rich_text
from evaluation.models import Answer
from evaluation.services.contexts import ContextNotReproducible
from tests.annotation.services.measured_campaigns import (
    LABELS,
    answers_of,
    campaign_of,
    scored_run,
    spread_scores,
    tell_apart,
)
from tests.evaluation.toy_runs import measured_run

pytestmark = pytest.mark.django_db


def checks(campaign: Campaign) -> list[Pair]:
    rows = campaign.pairs.exclude(kind=Pair.VOTE).order_by("kind", "position")
    return list(rows.select_related("first_text", "second_text", "question"))


def htmls(pair: Pair) -> tuple[str, str]:
    """The winner's and the loser's."""
    assert pair.first_text is not None
    assert pair.second_text is not None
    both = (pair.first_text.html, pair.second_text.html)
    return both if pair.known_winner == "first" else both[::-1]


def number_in(html: str) -> str:
    found = re.search(r"(?:at|Paper) (\d+)", html)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (CampaignOptions(), (0, 0)),
        (CampaignOptions(n_qualification=5), (0, 5)),
        (CampaignOptions(n_pairs=90, attention_every=10), (10, 0)),
        (CampaignOptions(n_pairs=90, attention_every=10, votes_per_rater=25), (3, 0)),
        (CampaignOptions(n_pairs=100_000, attention_every=3), (60, 0)),
    ],
)
def test_as_many_checks_are_made_as_one_rater_can_meet(
    options: CampaignOptions, wanted: tuple[int, int]
) -> None:
    assert n_checks(options) == wanted


def test_a_check_is_won_by_an_answer_to_its_question_and_lost_by_one_to_another() -> None:
    run = scored_run()
    campaign = campaign_of(run, attention_every=3, n_qualification=4)
    found = checks(campaign)
    assert [pair.kind for pair in found].count(Pair.QUALIFICATION) == 4
    assert [pair.kind for pair in found].count(Pair.ATTENTION) == 5
    assert {pair.known_winner for pair in found} == {"first", "second"}
    for pair in found:
        winner, loser = htmls(pair)
        asked = pair.question.key.removeprefix("GQ")
        assert number_in(winner) == asked
        assert number_in(loser) != asked
        assert pair.n_wanted == 0
        assert pair.inclusion_probability is None
        assert pair.first_system is pair.second_system is None
        assert not pair.scores.exists()
    assert len({htmls(pair) for pair in found}) == 9
    assert campaign.sampling["checks"]["n_attention"] == 5


def test_checks_look_like_every_other_pair() -> None:
    campaign = campaign_of(scored_run(), n_pairs=36, n_qualification=6)
    texts = {render_rich_text(text) for text in Answer.objects.values_list("text", flat=True)}
    gold = {row.gold_html for row in campaign.questions.all()}
    for pair in checks(campaign):
        winner, loser = htmls(pair)
        assert loser in texts
        assert winner in texts | gold
    n_gold = sum(htmls(pair)[0] in gold for pair in checks(campaign))
    assert campaign.sampling["checks"]["n_gold_winners"] == n_gold


def test_without_a_good_answer_the_gold_answer_wins() -> None:
    scores = {label: [3.0] * 12 for label in spread_scores()}
    campaign = campaign_of(scored_run(scores), n_qualification=3)
    for pair in checks(campaign):
        assert htmls(pair)[0] == pair.question.gold_html
    assert campaign.sampling["checks"]["n_gold_winners"] == 3


def test_an_abstention_or_a_telling_text_is_in_no_check() -> None:
    run = scored_run()
    answers_of(run, "bm25").update(text="The context does not tell.")
    answers_of(run, "orrery@static").update(text="As Orrery, I say so.")
    campaign = campaign_of(run, n_qualification=6)
    shown = "".join("".join(htmls(pair)) for pair in checks(campaign))
    assert "does not tell" not in shown
    assert "Orrery" not in shown


def test_with_contexts_shown_checks_have_them_too() -> None:
    run = measured_run(systems=("bm25", "simple-rag"))
    tell_apart(run)
    campaign = campaign_of(run, n_pairs=4, show_context=True, n_qualification=2)
    assert campaign.pairs.count() == 6
    for pair in campaign.pairs.select_related("first_context", "second_context"):
        for context in (pair.first_context, pair.second_context):
            assert context is not None
            assert context.html.startswith("<pre>[1] ")


def test_contexts_that_cannot_be_shown_as_they_were_are_refused() -> None:
    with pytest.raises(ContextNotReproducible):
        campaign_of(scored_run(), show_context=True)


def test_checks_that_cannot_be_made_are_refused() -> None:
    run = scored_run()
    for label in LABELS:
        answers_of(run, label).update(text=f"All of it, {label[0]}: 1 2 3 4 5 6 7 8 9 10 11 12")
    with pytest.raises(NoChecksPossible, match="3 checks with a known winner are needed and 0"):
        campaign_of(run, n_qualification=3)
    assert not Campaign.objects.exists()
