"""Making a campaign from finished runs, and changing a draft."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign
from evaluation.models import Answer, Run
from tests.webapp.laboratory import Scores, make_run

FORM = {
    "name": "First look", "track": "30k", "n_pairs": "20", "overlap": "2", "policy": "stratified",
    "judge": "rubric", "systems": ["bm25", "simple-rag@static", "simple-rag+bm25@static"],
    "seed": "7", "gap_edges": "0, 2, 4", "decision": "Which is better?", "instructions": "",
    "consent": "", "allow_both_bad": "on", "reasons": "clearer, more correct, clearer",
    "reveal": "end", "n_qualification": "0", "qualification_pass_share": "0.75",
    "too_fast_share": "0.15", "too_fast_floor_s": "3", "lock_minutes": "20",
}  # fmt: skip


@pytest.fixture
def run(measured: object) -> Run:
    """A finished run whose systems did not write the same text everywhere."""
    for answer in Answer.objects.select_related("cell__run_variant__variant", "cell__question"):
        answer.text = f"It anneals after {answer.pk} seconds."
        answer.save(update_fields=["text"])
    return Run.objects.get()


def _address(run: Run) -> str:
    return f"/campaigns/new/?run={run.public_id}"


def test_without_a_run_chosen_the_runs_are_offered(lead: Client, run: Run) -> None:
    text = lead.get("/campaigns/new/").content.decode()
    assert f'value="{run.public_id}"' in text
    assert "simple-rag@static" in text


def test_without_any_run_the_page_says_what_to_do(lead: Client, db: None) -> None:
    assert "No run is finished yet." in lead.get("/campaigns/new/").content.decode()


def test_the_form_offers_what_the_run_has(lead: Client, run: Run) -> None:
    text = lead.get(_address(run)).content.decode()
    for offered in ("10k: 3 systems", "30k: 3 systems", "rubric", "simple-rag+bm25@static"):
        assert offered in text
    assert (
        f"/campaigns/new/?run={run.public_id}"
        in lead.get(f"/runs/{run.public_id}/").content.decode()
    )


def test_a_lead_makes_a_draft_and_lands_on_it(lead: Client, run: Run) -> None:
    reply = lead.post(_address(run), FORM)
    campaign = Campaign.objects.get()
    assert reply["Location"] == f"/campaigns/{campaign.slug}/"
    assert (campaign.name, campaign.track, campaign.pairs.count()) == ("First look", "30k", 20)
    assert campaign.options["reasons"] == ["clearer", "more correct"]
    assert campaign.options["gap_edges"] == [0.0, 2.0, 4.0]
    assert campaign.options["votes_per_rater"] is None
    assert campaign.created_by is not None
    text = lead.get(reply["Location"]).content.decode()
    assert "Open it for votes" in text


def test_what_has_no_answer_at_the_first_track_is_not_chosen_and_says_where_it_has(
    lead: Client, run: Run
) -> None:
    text = lead.get(_address(run)).content.decode()
    chosen = {
        label: "checked" in box
        for box in re.findall(r'<input type="checkbox" name="systems"[^>]*>', text)
        for label in re.findall(r'value="([^"]*)"', box)
    }
    assert chosen["direct-read"] is False
    assert {label for label, is_chosen in chosen.items() if is_chosen} == set(FORM["systems"])
    assert "direct-read <small>answered at native only</small>" in text
    assert "bm25 <small>" not in text


def test_systems_that_were_not_measured_at_the_track_are_left_out_in_words(
    lead: Client, run: Run
) -> None:
    asked = {**FORM, "systems": [*FORM["systems"], "direct-read"]}
    made = lead.post(_address(run), asked, follow=True).content.decode()
    assert "Left out, because it has no answers at 30k: direct-read." in made
    labels = set(Campaign.objects.get().systems.values_list("label", flat=True))
    assert labels == set(FORM["systems"])


def test_only_the_chosen_systems_are_compared(lead: Client, run: Run) -> None:
    lead.post(_address(run), {**FORM, "systems": ["bm25", "simple-rag@static"]})
    labels = set(Campaign.objects.get().systems.values_list("label", flat=True))
    assert labels == {"bm25", "simple-rag@static"}


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"name": "x" * 201}, "name", "at most 200"),
        ({"track": "99k"}, "track", "Select a valid choice"),
        ({"n_pairs": "0"}, "n_pairs", "greater than or equal to 1"),
        ({"n_pairs": "5000"}, "n_pairs", "5,000 pairs are asked for"),
        ({"overlap": "many"}, "overlap", "Enter a whole number."),
        ({"policy": "whim"}, "policy", "Select a valid choice"),
        ({"systems": []}, "systems", "Choose at least two."),
        ({"systems": ["bm25", "direct-read"]}, "systems", "measured at 30k"),
        ({"gap_edges": "2, 4"}, "gap_edges", "rise from 0"),
        ({"gap_edges": "0, wide"}, "gap_edges", "separated by commas"),
        ({"gap_edges": "0, nan"}, "gap_edges", "rise from 0"),
        ({"decision": " "}, "decision", "This field is required."),
        ({"reasons": ",".join("abcdefghijklmn")}, "reasons", "at most 12"),
        ({"qualification_pass_share": "75"}, "qualification_pass_share", "less than or equal"),
        ({"too_fast_floor_s": "nan"}, "too_fast_floor_s", "Enter a number."),
        ({"attention_every": "2"}, "attention_every", "greater than or equal to 3"),
        ({"closes_at": "tomorrow"}, "closes_at", "Enter a valid date/time."),
        (
            {"opens_at": "2031-05-02T12:00", "closes_at": "2031-05-01T12:00"},
            "closes_at",
            "after it opens, not before",
        ),
        ({"name": "Is bm25 good?"}, "name", "names the system"),
    ],
)
def test_a_wrong_field_is_named_and_what_was_typed_is_kept(
    lead: Client, run: Run, change: dict[str, Any], field: str, sentence: str
) -> None:
    reply = lead.post(_address(run), {**FORM, **change})
    text = reply.content.decode()
    assert reply.status_code == 400
    assert f'id="id_{field}_error"' in text
    assert sentence in text
    assert "The campaign was not made." in text
    assert "First look" in text or "name" in change
    assert not Campaign.objects.exists()


def test_a_fold_with_something_wrong_in_it_is_open(lead: Client, run: Run) -> None:
    text = lead.post(_address(run), {**FORM, "lock_minutes": "x"}).content.decode()
    assert text.count('<details class="fold section" open>') == 1


def test_runs_of_different_keys_are_refused_with_the_reason(
    lead: Client, run: Run, scores: Scores
) -> None:
    other = make_run(run.benchmark, scores, seed=2)
    reply = lead.get(f"/campaigns/new/?run={run.public_id}&run={other.public_id}")
    assert reply.status_code == 400
    assert "different comparison keys" in reply.content.decode()


def test_a_run_that_is_not_there_is_a_404(lead: Client, db: None) -> None:
    assert lead.get("/campaigns/new/?run=nothing").status_code == 404


def test_a_viewer_may_not_make_one(viewer: Client, run: Run) -> None:
    assert viewer.get(_address(run)).status_code == 403
    assert viewer.post(_address(run), FORM).status_code == 403
    assert "Make a campaign" not in viewer.get(f"/runs/{run.public_id}/").content.decode()


def test_a_draft_is_changed_and_shows_what_was_chosen(lead: Client, run: Run) -> None:
    address = lead.post(_address(run), FORM)["Location"]
    text = lead.get(f"{address}edit/").content.decode()
    assert 'value="First look"' in text
    assert 'value="clearer, more correct"' in text
    assert 'name="track"' not in text
    reply = lead.post(f"{address}edit/", {**FORM, "name": "Second look", "n_pairs": "12"})
    assert reply["Location"] == address
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.pairs.count()) == ("Second look", 12)


def test_an_open_campaign_refuses_the_change_in_words(lead: Client, run: Run) -> None:
    address = lead.post(_address(run), FORM)["Location"]
    lead.post(f"{address}state/open/")
    reply = lead.post(f"{address}edit/", {**FORM, "name": "Late"})
    assert reply.status_code == 400
    assert "was opened" in reply.content.decode()


def test_the_form_costs_few_queries(
    lead: Client, run: Run, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(14):
        lead.get(_address(run))
