"""Two campaigns may ask about the same answers: what one reveals, the other's raters must not
know."""

from __future__ import annotations

import pytest

from annotation.blinding import voting_page as stages
from annotation.models import Campaign, Reveal
from annotation.services.voting_refusals import VoteFrozen
from evaluation.models import Benchmark
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.webapp.laboratory import make_benchmark

pytestmark = pytest.mark.django_db


@pytest.fixture
def benchmark() -> Benchmark:
    return make_benchmark()


def campaign_about(benchmark: Benchmark, slug: str, **more: object) -> Campaign:
    campaign = make_campaign(slug=slug, n_pairs=2, **more)  # type: ignore[arg-type]
    campaign.benchmark = benchmark
    campaign.save()
    return campaign


def close(campaign: Campaign) -> None:
    campaign.closed_at = NOW
    campaign.save()


def test_the_end_tells_of_no_question_that_another_campaign_asks_until_that_closes(
    benchmark: Benchmark,
) -> None:
    first, second = campaign_about(benchmark, "first"), campaign_about(benchmark, "second")
    second.questions.filter(key="TQ2").update(key="TQ9")
    rater = ActingRater(first)
    rater.cast()
    rater.cast()
    done = rater.finish()
    assert [one.question_html for one in done.revealed] == [
        first.questions.get(key="TQ2").question_html
    ]
    assert "Others still vote on one of your pairs" in done.sentence
    close(first)
    assert len(rater.page().revealed) == 1
    close(second)
    assert len(rater.page().revealed) == 2
    assert rater.row.n_reveals_seen == Reveal.objects.count() == 2
    check_books(first)


def test_where_each_vote_is_revealed_such_a_pair_goes_on_at_once_and_is_told_at_the_end(
    benchmark: Benchmark,
) -> None:
    first = campaign_about(benchmark, "first", reveal="each")
    second = campaign_about(benchmark, "second")
    rater = ActingRater(first)
    assert rater.cast().stage == stages.REVEALED
    assert (rater.go_on().stage, Reveal.objects.exists()) == (stages.VOTING, False)
    with pytest.raises(VoteFrozen):
        rater.undo()
    close(second)
    rater.cast()
    assert len(rater.go_on().revealed) == 1
    assert len(rater.finish().revealed) == 2


@pytest.mark.parametrize("other", ["of another benchmark", "simulated", "draft"])
def test_a_campaign_that_keeps_nothing_back_holds_up_no_reveal(
    benchmark: Benchmark, other: str
) -> None:
    first = campaign_about(benchmark, "first")
    campaign_about(
        make_benchmark(slug="other") if other == "of another benchmark" else benchmark,
        "second",
        is_simulated=other == "simulated",
        is_open=other != "draft",
    )
    rater = ActingRater(first)
    rater.cast()
    assert len(rater.finish().revealed) == 1
