"""Pairs in which the answer scan found something, and a lead's word on them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from annotation.models import AuditEntry, Campaign, Pair
from annotation.services.review import PairHasVotes, PairNotFound, accept_pair, reject_pair
from evaluation.models import Question, SourceItem
from evaluation.services.storage import pack_text
from tests.annotation.services.measured_campaigns import (
    LATER,
    NOW,
    answers_of,
    campaign_of,
    scored_run,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def leaky() -> Campaign:
    """Every answer of one system speaks of itself."""
    run = scored_run()
    answers_of(run, "orrery@static").update(text="As Orrery, I say that it anneals [chunk 12].")
    return campaign_of(run, n_pairs=36, overlap=2)


def test_planted_leaks_wait_for_review_and_want_no_votes(leaky: Campaign) -> None:
    waiting = leaky.pairs.filter(needs_review=True)
    assert waiting.count() == 24
    assert set(waiting.values_list("n_wanted", flat=True)) == {0}
    assert set(leaky.pairs.filter(needs_review=False).values_list("n_wanted", flat=True)) == {2}
    for pair in waiting.select_related("first_system"):
        assert pair.first_system is not None
        side = "first" if pair.first_system.label == "orrery@static" else "second"
        found = {(one["side"], one["kind"], one["found"]) for one in pair.scan}
        assert found >= {(side, "name", "Orrery"), (side, "harness marker", "chunk 12")}


def test_names_from_the_sources_are_counted_and_do_not_hold_a_pair_back() -> None:
    run = scored_run()
    body = pack_text("Orrery, a glass works, and its [chunk 12] were founded in Murano.")
    SourceItem.objects.create(
        benchmark=run.benchmark, item_id="works", kind="document", sha256="w", n_chars=1, body=body,
        position=0,
    )  # fmt: skip
    for question in Question.objects.all():
        question.data["source_ids"] = ["works"]
        question.save(update_fields=["data"])
    answers_of(run, "orrery@static").update(text="By Orrery [chunk 12].")
    campaign = campaign_of(run, n_pairs=36)
    assert not campaign.pairs.filter(needs_review=True).exists()
    counted = [one for pair in campaign.pairs.all() for one in pair.scan]
    assert {(one["found"], one["is_topic"]) for one in counted} == {
        ("Orrery", True), ("chunk 12", True),
    }  # fmt: skip


def test_an_accepted_pair_wants_votes_and_a_rejected_one_never_does(leaky: Campaign) -> None:
    lead = User.objects.create_user("lena")
    one, other = leaky.pairs.filter(needs_review=True).order_by("pk")[:2]
    accept_pair(campaign=leaky, pair_id=one.pk, by=lead, now=NOW)
    reject_pair(campaign=leaky, pair_id=other.pk, by=lead, now=LATER)
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.n_wanted, one.needs_review, one.reviewed_by, one.reviewed_at) == (
        2, False, lead, NOW,
    )  # fmt: skip
    assert (other.n_wanted, other.needs_review, other.is_rejected) == (0, False, True)
    assert one.scan
    told = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(told)[-2:] == ["pair accepted", "pair rejected"]
    accept_pair(campaign=leaky, pair_id=other.pk, by=lead, now=LATER)
    other.refresh_from_db()
    assert (other.n_wanted, other.is_rejected) == (2, False)


def test_a_pair_with_votes_a_check_or_a_foreign_pair_is_not_rejected(leaky: Campaign) -> None:
    pair = leaky.pairs.order_by("pk")[0]
    Pair.objects.filter(pk=pair.pk).update(n_taken=1)
    with pytest.raises(PairHasVotes, match="has votes or is being decided"):
        reject_pair(campaign=leaky, pair_id=pair.pk, by=None, now=NOW)
    Pair.objects.filter(pk=pair.pk).update(n_taken=0, kind=Pair.ATTENTION)
    with pytest.raises(PairNotFound):
        accept_pair(campaign=leaky, pair_id=pair.pk, by=None, now=NOW)
    other = campaign_of(leaky.runs.get())
    with pytest.raises(PairNotFound, match=f"has no pair {pair.pk + 1}"):
        accept_pair(campaign=other, pair_id=pair.pk + 1, by=None, now=NOW)
