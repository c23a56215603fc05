"""Transfers: whole or not at all, once however often they are delivered, and resumed."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from annotation import tasks
from annotation.models import (
    AuditEntry,
    Campaign,
    CampaignSystem,
    Pair,
    Rater,
    Transfer,
    Vote,
)
from annotation.queries.exported_rows import WhatToExport
from annotation.queries.transfers import transfer_row
from annotation.services import (
    bulk_rows,
    imported_campaigns,
    importing_votes,
    transfer_files,
    transfers,
)
from annotation.services.importing_votes import CampaignUnnameable, import_votes
from annotation.services.transfer_files import Upload, remove_old_files
from annotation.services.transfers import (
    MOST_ATTEMPTS,
    do_transfer,
    resume_unfinished_transfers,
    start_export,
    start_import,
)
from annotation.vote_formats.formats import UnknownVoteFormat
from annotation.vote_formats.rows import BrokenRows
from tests.annotation.services.voted_campaigns import voted_campaign

NOW = dt.datetime(2026, 3, 2, 9, 0, tzinfo=dt.UTC)
FOOD = b"left,right,winner\nPizza,Sushi,left\nBurger,Pasta,right\nPizza,Sushi,tie\n"
pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """What ends a process is nothing that code catches."""


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Ids that were handed to workers."""
    ids: list[int] = []
    monkeypatch.setattr(transfers, "hand_over", lambda transfer: ids.append(transfer.pk))
    return ids


def waiting(monkeypatch: pytest.MonkeyPatch, content: bytes = FOOD) -> Transfer:
    """An import that is left to a worker."""
    monkeypatch.setattr(transfers, "SMALL_IMPORT_BYTES", 1)
    return start_import(
        name="Food", uploads=[Upload("food.csv", [content])], format="evalica", by=None, now=NOW
    )


def stored() -> tuple[int, ...]:
    tables = (Campaign, CampaignSystem, Pair, Rater, Vote)
    return tuple(table.objects.count() for table in tables)


def test_a_worker_imports_what_was_uploaded_once(
    monkeypatch: pytest.MonkeyPatch, sent: list[int], data_folder: Path
) -> None:
    transfer = waiting(monkeypatch)
    assert sent == [transfer.pk]
    assert transfer_row(transfer.public_id).state == "waiting"
    do_transfer(transfer_id=transfer.pk, now=NOW)
    row = transfer_row(transfer.public_id)
    assert (row.state, row.n_total, row.n_done, row.campaign) == ("finished", 3, 3, "food")
    assert "3 votes of 1 rater on 3 pairs of 4 systems" in row.outcome
    before = stored()
    do_transfer(transfer_id=transfer.pk, now=NOW)
    assert stored() == before == (1, 4, 3, 1, 3)
    assert not list((data_folder / "transfers").iterdir())


@pytest.mark.parametrize("after_tables", [0, 1, 2, 3, 4, 5])
def test_a_kill_in_mid_import_leaves_nothing_and_the_next_delivery_does_it(
    monkeypatch: pytest.MonkeyPatch, sent: list[int], after_tables: int
) -> None:
    transfer = waiting(monkeypatch)
    calls = 0
    insert = bulk_rows.insert_rows

    def killed(*arguments: Any) -> int:
        nonlocal calls
        calls += 1
        if calls > after_tables:
            raise Killed
        return insert(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(imported_campaigns, "insert_rows", killed)
        with pytest.raises(Killed), transaction.atomic():
            do_transfer(transfer_id=transfer.pk, now=NOW)
    assert stored() == (0, 0, 0, 0, 0)
    assert transfer_row(transfer.public_id).is_live
    do_transfer(transfer_id=transfer.pk, now=NOW)
    assert stored() == (1, 4, 3, 1, 3)


def test_what_ended_meanwhile_is_not_stored_a_second_time(
    monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    transfer = waiting(monkeypatch)

    def ended_by_another(*, campaign: Campaign, **_rest: Any) -> None:
        del campaign
        Transfer.objects.filter(pk=transfer.pk).update(finished_at=NOW)

    monkeypatch.setattr(importing_votes, "store_layout", ended_by_another)
    do_transfer(transfer_id=transfer.pk, now=NOW)
    # What was done here was undone with its transaction, the other's end included.
    assert stored() == (0, 0, 0, 0, 0)


def test_a_broken_file_ends_the_transfer_in_words(
    monkeypatch: pytest.MonkeyPatch, sent: list[int], data_folder: Path
) -> None:
    transfer = waiting(monkeypatch, FOOD + b"Pizza,Sushi,?\n")
    do_transfer(transfer_id=transfer.pk, now=NOW)
    row = transfer_row(transfer.public_id)
    assert row.state == "failed"
    assert "row 5: unknown outcome “?”" in row.outcome
    assert stored() == (0, 0, 0, 0, 0)
    assert not list((data_folder / "transfers").iterdir())


def test_what_nobody_expected_ends_the_transfer_and_is_raised(
    monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    transfer = waiting(monkeypatch)

    def broken(**_arguments: Any) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr(transfers, "import_votes", broken)
    with pytest.raises(RuntimeError):
        do_transfer(transfer_id=transfer.pk, now=NOW)
    assert transfer_row(transfer.public_id).state == "failed"


def test_a_transfer_that_keeps_killing_its_worker_is_given_up(
    monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    transfer = waiting(monkeypatch)

    def killed(**_arguments: Any) -> None:
        raise Killed

    monkeypatch.setattr(transfers, "import_votes", killed)
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(Killed):
            tasks.do_transfer(transfer.pk)
    tasks.do_transfer(transfer.pk)
    assert "given up" in transfer_row(transfer.public_id).outcome


def test_unfinished_transfers_are_handed_out_again(
    monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    transfer = waiting(monkeypatch)
    tasks.resume_unfinished_transfers()
    assert sent == [transfer.pk, transfer.pk]
    do_transfer(transfer_id=transfer.pk, now=NOW)
    resume_unfinished_transfers()
    assert len(sent) == 2


def test_a_worker_without_the_file_says_so(
    monkeypatch: pytest.MonkeyPatch, sent: list[int]
) -> None:
    transfer = waiting(monkeypatch)
    transfer_files.remove_files(transfer)
    do_transfer(transfer_id=transfer.pk, now=NOW)
    assert "not in this machine's data folder" in transfer_row(transfer.public_id).outcome


def test_an_export_is_written_with_progress_and_kept_for_a_week(
    monkeypatch: pytest.MonkeyPatch, sent: list[int], data_folder: Path
) -> None:
    voted_campaign()
    monkeypatch.setattr(transfers, "SMALL_EXPORT_ROWS", 1)
    monkeypatch.setattr("annotation.queries.exported_rows.BATCH", 10)
    transfer = start_export(slug="toy", what=WhatToExport("csv"), by=None, now=NOW)
    assert isinstance(transfer, Transfer)
    told: list[int] = []
    tell = transfers._tell

    def noted(of: Transfer, **counts: Any) -> None:
        told.append(counts["n_done"])
        tell(of, **counts)

    monkeypatch.setattr(transfers, "_tell", noted)
    do_transfer(transfer_id=transfer.pk, now=NOW)
    do_transfer(transfer_id=transfer.pk, now=NOW)
    assert told == [10, 20, 30, 40, 42]
    row = transfer_row(transfer.public_id)
    assert (row.state, row.n_total, row.n_done, row.has_file) == ("finished", 42, 42, True)
    remove_old_files(now=NOW + dt.timedelta(days=6))
    assert transfer_row(transfer.public_id).has_file
    remove_old_files(now=NOW + dt.timedelta(days=8))
    assert not transfer_row(transfer.public_id).has_file
    assert not list((data_folder / "transfers").iterdir())


def test_imports_and_exports_are_in_the_audit_with_who_made_them(sent: list[int]) -> None:
    user = User.objects.create_user("ida")
    upload = Upload("food.csv", [FOOD])
    start_import(name="Food", uploads=[upload], format="evalica", by=user, now=NOW)
    start_export(slug="food", what=WhatToExport("arena"), by=user, now=NOW)
    entries = AuditEntry.objects.order_by("pk")
    assert [(entry.action, entry.actor_name) for entry in entries] == [
        ("votes imported", "ida"), ("votes exported", "ida"),
    ]  # fmt: skip
    assert entries[0].detail["files"][0]["file"] == "food.csv"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("", "1 to 200"), ("x" * 201, "1 to 200"), ("import", "a word of the site"), ("\0", "")],
)
def test_a_name_that_no_campaign_can_have_is_refused(
    tmp_path: Path, name: str, reason: str
) -> None:
    path = tmp_path / "food.csv"
    path.write_bytes(FOOD)
    if name == "\0":
        assert import_votes(name=name, paths=[path], format="evalica", now=NOW).campaign.slug
        return
    with pytest.raises(CampaignUnnameable, match=reason):
        import_votes(name=name, paths=[path], format="evalica", now=NOW)


def test_a_name_in_another_alphabet_has_an_address_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "food.csv"
    path.write_bytes(FOOD)
    campaign = import_votes(name="голоса 投票", paths=[path], format="evalica", now=NOW).campaign
    assert campaign.name == "голоса 投票"
    assert campaign.slug.startswith("campaign-")


def test_nothing_is_kept_of_what_is_refused_at_once(sent: list[int], data_folder: Path) -> None:
    for uploads, format, refusal in (
        ([Upload("a.csv", [b"left,right,winner\nA,B,?\n"])], "evalica", BrokenRows),
        ([Upload("a.csv", [FOOD])], "chess", UnknownVoteFormat),
    ):
        with pytest.raises(refusal):
            start_import(name="Food", uploads=uploads, format=format, by=None, now=NOW)
    assert not Transfer.objects.exists()
    folder = data_folder / "transfers"
    assert not folder.exists() or not list(folder.iterdir())


def test_mail_addresses_of_raters_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "food.csv"
    path.write_text("left,right,winner,worker\nA,B,left,ann@example.org\nA,B,tie,bob\n")
    campaign = import_votes(name="m", paths=[path], format="evalica", now=NOW).campaign
    pseudonyms = set(campaign.raters.values_list("pseudonym", flat=True))
    assert pseudonyms == {"address 1 (hidden)", "bob"}
