"""Votes in and out through the pages: for leads alone, with progress, refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, Campaign, Transfer, Unblinding, Vote
from annotation.services import transfer_files, transfers
from tests.annotation.toy_campaigns import NOW, make_campaign

pytestmark = pytest.mark.django_db
FOOD = "left,right,winner\nPizza,Sushi,left\nBurger,Pasta,right\nTacos,Pizza,tie\n"
HTMX = {"HX-Request": "true"}


def csv_file(text: str = FOOD, name: str = "food.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def posted(client: Client, **fields: object) -> Any:
    given = {"name": "Food", "format": "evalica", "file": csv_file(), **fields}
    return client.post(reverse("campaign_import"), given)


def text_of(reply: Any) -> str:
    return b"".join(reply.streaming_content).decode()


def test_votes_come_in_through_the_page_as_a_campaign_of_their_own(lead: Client) -> None:
    reply = posted(lead)
    transfer = Transfer.objects.get()
    assert reply.status_code == 302
    assert reply["Location"] == f"/transfers/{transfer.public_id}/"
    campaign = Campaign.objects.get(slug="food")
    assert campaign.origin == Campaign.IMPORTED
    assert campaign.created_by == transfer.made_by
    page = lead.get(reply["Location"]).content.decode()
    assert "3 votes of 1 rater on" in page
    assert "hx-trigger" not in page
    assert AuditEntry.objects.get(action="votes imported").campaign == campaign


def test_nothing_of_an_upload_stays_in_the_data_folder(lead: Client, data_folder: Path) -> None:
    posted(lead)
    posted(lead, name="Second", file=csv_file("left,right,winner\nA,B,maybe\n"))
    assert not list((data_folder / "transfers").iterdir())


def test_a_broken_row_is_named_beside_the_file_and_nothing_is_stored(lead: Client) -> None:
    broken = FOOD + "Pizza,Sushi,maybe\nPizza,,left\n"
    reply = posted(lead, file=csv_file(broken))
    assert reply.status_code == 400
    errors = " ".join(reply.context["form"].errors["file"])
    assert "row 5: unknown outcome “maybe”" in errors
    assert "row 6: “right” is empty" in errors
    assert not Campaign.objects.exists()
    assert not Transfer.objects.exists()


def test_a_campaign_that_exists_takes_no_votes_and_the_name_says_so(lead: Client) -> None:
    posted(lead)
    reply = posted(lead)
    assert reply.status_code == 400
    assert "exists already" in str(reply.context["form"].errors["name"])
    assert Campaign.objects.count() == 1


def test_several_files_come_in_together(lead: Client) -> None:
    items = [
        {"idx": 0, "cmp_key": "a_b", "instruction": "Say it.", "input": "", "annotator1": 1},
    ]
    judged = [{"idx": 0, "gpt_result": "2"}]
    files = [
        SimpleUploadedFile("testset-v1.json", json.dumps(items).encode()),
        SimpleUploadedFile("gpt-testset-v1.json", json.dumps(judged).encode()),
    ]
    assert posted(lead, format="pandalm", file=files).status_code == 302
    assert Vote.objects.count() == 2


def test_a_large_file_is_left_to_a_worker_whose_progress_is_asked_for(
    lead: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfers, "SMALL_IMPORT_BYTES", 10)
    monkeypatch.setattr(transfers, "hand_over", lambda transfer: None)
    address = posted(lead)["Location"]
    waiting = lead.get(address, headers=HTMX)
    assert "It waits for a worker" in waiting.content.decode()
    assert 'hx-trigger="every 2s"' in waiting.content.decode()
    assert "<html" not in waiting.content.decode()
    transfers.do_transfer(transfer_id=Transfer.objects.get().pk, now=NOW)
    done = lead.get(address, headers=HTMX).content.decode()
    assert "hx-trigger" not in done
    assert "Done." in done
    assert Vote.objects.count() == 3


def test_too_large_an_upload_is_refused(lead: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer_files, "MAX_FILE_BYTES", 20)
    reply = posted(lead)
    assert reply.status_code == 400
    assert "larger than the limit" in str(reply.context["form"].errors["file"])


def test_a_small_export_is_a_download_and_is_in_the_audit(lead: Client) -> None:
    posted(lead)
    reply = lead.post(reverse("campaign_export", args=["food"]), {"format": "csv"})
    assert reply["Content-Disposition"] == 'attachment; filename="food-votes.csv"'
    assert text_of(reply).count("\r\n") == 4
    entry = AuditEntry.objects.get(action="votes exported")
    assert entry.detail == {"format": "csv", "what": "votes", "n_rows": 3}
    assert not Unblinding.objects.exists()


def test_who_exports_an_open_campaign_is_not_blind_any_more(lead: Client) -> None:
    campaign = make_campaign()
    page = lead.get(reverse("campaign_export", args=["toy"])).content.decode()
    assert "The campaign is open." in page
    assert not Unblinding.objects.exists()
    lead.post(reverse("campaign_export", args=["toy"]), {"format": "jsonl"})
    assert Unblinding.objects.get().campaign == campaign
    assert "open" in AuditEntry.objects.get(action="votes exported").detail["note"]


def test_a_large_export_is_made_by_a_worker_and_then_offered(
    lead: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted(lead)
    monkeypatch.setattr(transfers, "SMALL_EXPORT_ROWS", 2)
    monkeypatch.setattr(transfers, "hand_over", lambda transfer: None)
    reply = lead.post(reverse("campaign_export", args=["food"]), {"format": "jsonl"})
    transfer = Transfer.objects.get(kind="export")
    assert reply["Location"] == f"/transfers/{transfer.public_id}/"
    file = reverse("transfer_file", args=[transfer.public_id])
    assert lead.get(file).status_code == 404
    transfers.do_transfer(transfer_id=transfer.pk, now=NOW)
    assert file in lead.get(reply["Location"]).content.decode()
    sent = lead.get(file)
    assert len(text_of(sent).splitlines()) == 3
    assert "food-votes.jsonl" in sent["Content-Disposition"]
    assert file in lead.get(reverse("campaign_export", args=["food"])).content.decode()


def test_checks_are_written_in_our_own_formats_only(lead: Client) -> None:
    make_campaign()
    reply = lead.post(reverse("campaign_export", args=["toy"]), {"format": "arena", "checks": "on"})
    assert reply.status_code == 400
    assert "csv or jsonl" in str(reply.context["form"].errors["format"])


@pytest.mark.parametrize(
    "address", ["/campaigns/nowhere/export/", "/transfers/nothing/", "/transfers/nothing/file/"]
)
def test_what_is_not_there_is_said_in_words(lead: Client, address: str) -> None:
    reply = lead.get(address)
    assert reply.status_code == 404
    assert "there is no" in reply.content.decode().lower()


@pytest.mark.parametrize(
    "address",
    ["/campaigns/import/", "/campaigns/toy/export/", "/transfers/any/", "/transfers/any/file/"],
)
def test_votes_in_and_out_are_for_leads_alone(viewer: Client, address: str) -> None:
    make_campaign()
    assert viewer.get(address).status_code == 403
    assert viewer.post(address).status_code in (403, 405)
    assert Client().get(address).status_code == 302


def test_the_empty_form_says_what_is_missing(lead: Client) -> None:
    assert lead.get("/campaigns/import/").status_code == 200
    reply = lead.post("/campaigns/import/", {})
    assert reply.status_code == 400
    assert set(reply.context["form"].errors) == {"name", "file", "format"}


def test_the_pages_cost_few_queries(lead: Client, django_assert_max_num_queries: object) -> None:
    posted(lead)
    transfer = Transfer.objects.get()
    for address in (
        "/campaigns/import/", "/campaigns/food/export/", f"/transfers/{transfer.public_id}/",
    ):  # fmt: skip
        with django_assert_max_num_queries(10):  # type: ignore[operator]
            assert lead.get(address).status_code == 200


def test_who_downloads_what_another_lead_exported_is_not_blind_any_more(
    lead: Client, django_user_model: type[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_campaign()
    monkeypatch.setattr(transfers, "SMALL_EXPORT_ROWS", -1)
    monkeypatch.setattr(transfers, "hand_over", lambda transfer: None)
    lead.post(reverse("campaign_export", args=["toy"]), {"format": "csv"})
    transfer = Transfer.objects.get()
    transfers.do_transfer(transfer_id=transfer.pk, now=NOW)
    other = django_user_model.objects.create_superuser("other")
    lead.force_login(other)
    assert text_of(lead.get(reverse("transfer_file", args=[transfer.public_id])))
    assert set(Unblinding.objects.values_list("user__username", flat=True)) == {"lead", "other"}
