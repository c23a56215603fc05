"""Statements that are written once give what Django's own would."""

from __future__ import annotations

from contextlib import nullcontext, suppress

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction
from django.db.models import F

from annotation.models import CampaignTally, Pair, Vote
from annotation.services import server_statements, statements
from annotation.services.statements import Prepared, Slot, change, held_writes
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import make_campaign

pytestmark = pytest.mark.django_db


def on_a_server() -> bool:
    return bool(connection.vendor == "postgresql")


def test_a_prepared_row_is_what_the_queryset_gives() -> None:
    campaign = make_campaign(n_pairs=3)

    def build():
        place = Slot("position", Pair._meta.get_field("position"))
        pairs = Pair.objects.filter(position__gte=place).order_by("position")
        return pairs.annotate(twice=F("position") * 2).select_related("question", "first_text")

    prepared: Prepared[Pair] = Prepared(build)
    for position in (2, 0):
        pair = prepared.first(position=position)
        stored = Pair.objects.get(campaign=campaign, position=position)
        assert pair is not None
        for field in Pair._meta.concrete_fields:
            assert getattr(pair, field.attname) == getattr(stored, field.attname)
        assert pair.twice == 2 * position  # type: ignore[attr-defined]
        assert (pair.question, pair.first_text) == (stored.question, stored.first_text)
    assert prepared.first(position=9) is None


def test_a_change_adds_and_puts_in_one_row() -> None:
    tally = make_campaign().tally
    change(CampaignTally, tally.pk, add={"n_votes": 2}, put={"side_balance": {"1": -1}})
    change(CampaignTally, tally.pk)
    tally.refresh_from_db()
    assert (tally.n_votes, tally.side_balance) == (2, {"1": -1})


@pytest.mark.django_db(transaction=True)
def test_held_writes_are_sent_before_anything_else_is_asked() -> None:
    tally = make_campaign().tally
    with transaction.atomic(), held_writes() if on_a_server() else nullcontext():
        change(CampaignTally, tally.pk, add={"n_votes": 2})
        change(CampaignTally, tally.pk, put={"side_balance": {"1": -1}})
        kept = CampaignTally.objects.get(pk=tally.pk)
        assert (kept.n_votes, kept.side_balance) == (2, {"1": -1})
        change(CampaignTally, tally.pk, add={"n_votes": 1})
    tally.refresh_from_db()
    assert tally.n_votes == 3


@pytest.mark.django_db(transaction=True)
def test_a_row_that_is_written_twice_keeps_both_writes() -> None:
    tally = make_campaign().tally
    with transaction.atomic(), held_writes() if on_a_server() else nullcontext():
        for by in (1, 2, 4):
            change(CampaignTally, tally.pk, add={"n_votes": by})
            change(CampaignTally, tally.pk, put={"side_balance": {"1": by}})
    tally.refresh_from_db()
    assert (tally.n_votes, tally.side_balance) == (7, {"1": 4})


def test_votes_go_on_where_a_server_is_to_keep_fewer_statements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_statements, "MOST_KEPT", 4)
    rater = ActingRater(make_campaign(n_pairs=6))
    for _ in range(4):
        rater.cast()
    assert Vote.objects.count() == 4


def test_a_refusal_of_the_database_is_djangos() -> None:
    pair = make_campaign(n_pairs=1).pairs.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        change(Pair, pair.pk, put={"inclusion_probability": 2.0})
    assert Pair.objects.get(pk=pair.pk).inclusion_probability != 2.0


def test_a_vote_takes_three_questions_and_seven_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    rater = ActingRater(make_campaign(n_pairs=12, overlap=3))
    for _ in range(3):
        rater.cast()
    page = rater.page()
    asked: list[str] = []
    ask = statements._asked

    def count(statements, **more):
        asked.extend(sql for sql, _ in statements)
        return ask(statements, **more)

    monkeypatch.setattr(statements, "_asked", count)

    def refuse(execute, sql, params, many, context):
        assert "SAVEPOINT" in sql, sql
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        rater.cast(on=page)
    kinds = [sql.split()[0] for sql in asked]
    assert kinds.count("SELECT") == 3
    assert len(kinds) - 3 == 7
    assert Vote.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_a_commit_that_stores_nothing_is_an_error() -> None:
    if not on_a_server():
        pytest.skip("writes are held back for a server only")
    pair = make_campaign(n_pairs=1).pairs.get()
    with pytest.raises(OperationalError, match="nothing of it was stored"):
        pass_an_error_over(pair)
    assert Pair.objects.get(pk=pair.pk).n_taken == pair.n_taken


def pass_an_error_over(pair: Pair) -> None:
    with transaction.atomic(), held_writes():
        change(Pair, pair.pk, add={"n_taken": 1})
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")
