"""What is exported and imported again is the same campaign, to the letter."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Campaign, Pair, Vote
from annotation.queries.exported_rows import WhatToExport, n_rows
from annotation.services.exporting_votes import export_votes, exported_texts
from annotation.services.importing_votes import ImportedVotes, import_votes
from annotation.vote_formats.exported_votes import VOTE_FIELDS
from annotation.vote_formats.rows import BrokenRows
from annotation.vote_formats.spreadsheet import cell_of, text_of
from evaluation.source_files.refusals import WrongKindOfFile
from tests.annotation.services.voted_campaigns import COMMENTS, voted_campaign

NOW = dt.datetime(2026, 4, 2, 9, 0, tzinfo=dt.UTC)
OWN = ("csv", "jsonl")


def exported(campaign: Campaign, format: str, *, checks: bool = False) -> str:
    return "".join(exported_texts(campaign=campaign, what=WhatToExport(format, checks)))


def brought_in(text: str, format: str, folder: Path, name: str = "Again") -> ImportedVotes:
    path = folder / f"votes.{format}"
    path.write_bytes(text.encode())
    return import_votes(name=name, paths=[path], format=format, now=NOW)


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line]


def without_name(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if not name.startswith("campaign")}


def lines_of(text: str) -> list[dict[str, Any]]:
    return [without_name(json.loads(line)) for line in text.split("\n") if line]


@pytest.mark.django_db
@pytest.mark.parametrize("format", OWN)
def test_export_and_import_give_the_same_campaign(tmp_path: Path, format: str) -> None:
    campaign = voted_campaign()
    before = lines_of(exported(campaign, "jsonl"))
    done = brought_in(exported(campaign, format), format, tmp_path)
    assert lines_of(exported(done.campaign, "jsonl")) == before
    assert {record["comment"] for record in before} == set(COMMENTS)
    assert done.campaign.track == campaign.track
    assert done.n_votes == 3 * len(COMMENTS)


@pytest.mark.django_db
def test_the_counts_of_the_new_campaign_are_those_of_its_votes(tmp_path: Path) -> None:
    done = brought_in(exported(voted_campaign(), "csv"), "csv", tmp_path)
    votes = Vote.objects.filter(campaign=done.campaign)
    assert done.n_counted == votes.counted().count() == done.campaign.tally.n_counted
    for pair in done.campaign.pairs.all():
        counted = votes.counted().filter(pair=pair)
        assert pair.n_taken == pair.n_wanted == counted.count()
        assert pair.n_first + pair.n_second + pair.n_tie + pair.n_both_bad == counted.count()
    for rater in done.campaign.raters.all():
        assert rater.n_votes == votes.filter(rater=rater).count()
        assert rater.n_left == votes.filter(rater=rater, choice="a").count()
    excluded = done.campaign.raters.get(pseudonym="=rater,1")
    assert (excluded.excluded_reason, excluded.n_counted) == ("too\nfast", 0)


@pytest.mark.django_db
def test_no_cell_of_the_csv_is_a_formula() -> None:
    rows = list(csv.reader(io.StringIO(exported(voted_campaign(), "csv"), newline="")))
    assert rows[0] == list(VOTE_FIELDS)
    for row in rows[1:]:
        assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for cell in row)


@pytest.mark.django_db
@pytest.mark.parametrize("format", [*OWN, "arena"])
def test_simulated_votes_stay_simulated(tmp_path: Path, format: str) -> None:
    text = exported(voted_campaign(is_simulated=True), format)
    done = brought_in(text, format, tmp_path)
    assert done.campaign.is_simulated
    assert set(done.campaign.raters.values_list("kind", flat=True)) == {"simulated"}


@pytest.mark.django_db
def test_simulated_and_real_rows_never_share_a_campaign(tmp_path: Path) -> None:
    real = exported(voted_campaign(), "jsonl")
    simulated = exported(voted_campaign("other", is_simulated=True), "jsonl")
    with pytest.raises(BrokenRows, match="simulated and real votes"):
        brought_in(real + simulated.replace('"other"', '"toy"'), "jsonl", tmp_path)
    assert Campaign.objects.count() == 2


@pytest.mark.django_db
def test_checks_are_in_an_export_of_their_own(tmp_path: Path) -> None:
    campaign = voted_campaign()
    assert "check" not in {
        record["not_counted"] for record in lines_of(exported(campaign, "jsonl"))
    }
    checks = records(exported(campaign, "jsonl", checks=True))
    assert [(check["known_winner"], check["preferred"], check["right"]) for check in checks] == [
        ("first", "first", True), ("first", "second", False),
    ]  # fmt: skip
    assert n_rows(campaign=campaign, what=WhatToExport("csv", checks=True)) == 2
    with pytest.raises(WrongKindOfFile, match="export of checks"):
        brought_in(exported(campaign, "jsonl", checks=True), "jsonl", tmp_path)


@pytest.mark.django_db
def test_the_arenas_format_holds_counted_votes_alone(tmp_path: Path) -> None:
    campaign = voted_campaign()
    battles = json.loads(exported(campaign, "arena"))
    assert len(battles) == len(COMMENTS)
    assert {battle["winner"] for battle in battles} == {
        "model_a", "model_b", "tie", "tie (bothbad)",
    }  # fmt: skip
    done = brought_in(exported(campaign, "arena"), "arena", tmp_path)
    before = Vote.objects.filter(campaign=campaign).counted().order_by("pk")
    after = Vote.objects.filter(campaign=done.campaign).order_by("pk")
    assert [(vote.choice, vote.cast_at) for vote in after] == [
        (vote.choice, vote.cast_at) for vote in before
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("choice", "maybe", "unknown outcome “maybe”"),
        ("left", "middle", "left “middle” is unknown"),
        ("preferred", "second", "preferred is “second”"),
        ("left_system", "nobody", "left_system is “nobody”"),
        ("slot", None, "a vote has a slot, or says in not_counted"),
        ("slot", 0, "slot 0 is not from 1"),
        ("slot", True, "a whole number is needed"),
        ("not_counted", "lost", "not_counted “lost” is unknown"),
        ("cast_at", "yesterday", "is no ISO 8601 time"),
        ("cast_at", "2026-03-02T09:00:00", "does not say its time zone"),
        ("seconds", -1, "seconds “-1” is out of its range"),
        ("inclusion_probability", 0, "over 0"),
        ("voter", "robot", "voter “robot” is unknown"),
        ("voter", "model", "never counts beside people's votes"),
        ("not_counted", "model", "does not fit a vote of a person"),
        ("simulated", True, "simulated and real"),
        ("pair", -1, "pair -1 is not from 0"),
        ("rater", "", "the rater is empty"),
        ("campaign", "other", "the first row of"),
        ("confidence", 99_999, "confidence 99999"),
        ("reasons", "none", "a list is needed"),
        ("first_system", "x" * 201, "has more than 200 characters"),
    ],
)
def test_a_row_that_contradicts_itself_is_named(
    tmp_path: Path, field: str, value: Any, reason: str
) -> None:
    rows = records_of(voted_campaign())
    rows[3][field] = value
    if value == "model" and field == "not_counted":
        rows[3]["slot"] = rows[3]["counted"] = None
    if field == "first_system":
        rows[3]["left_system"] = rows[3]["right_system"] = None
    text = "\n".join(json.dumps(row) for row in rows)
    with pytest.raises(BrokenRows, match=reason) as refused:
        brought_in(text, "jsonl", tmp_path)
    assert "line 4" in refused.value.problems[0]
    assert Campaign.objects.count() == 1


@pytest.mark.django_db
def test_rows_that_contradict_each_other_are_named(tmp_path: Path) -> None:
    rows = records_of(voted_campaign())
    doubled = [*rows, rows[0], {**rows[3], "pair": 0, "rater": "new"}]
    with pytest.raises(BrokenRows) as refused:
        brought_in("\n".join(json.dumps(row) for row in doubled), "jsonl", tmp_path)
    assert "has voted on pair 0 before" in refused.value.problems[0]
    assert "pair 0 has another question" in refused.value.problems[1]


def records_of(campaign: Campaign) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(campaign, "jsonl").split("\n") if line]


@pytest.mark.django_db
def test_an_export_replaces_its_file_whole_or_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = voted_campaign()
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / "votes.csv"
    path.write_text("older")
    told: list[int] = []
    monkeypatch.setattr("annotation.queries.exported_rows.BATCH", 10)

    def stop(n_done: int) -> None:
        told.append(n_done)
        if n_done > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_votes(campaign=campaign, what=WhatToExport("csv"), path=path, on_progress=stop)
    assert told == [10, 20, 30]
    assert path.read_text() == "older"
    assert list(folder.iterdir()) == [path]
    done = export_votes(campaign=campaign, what=WhatToExport("csv"), path=path)
    assert (done.n_rows, done.n_bytes) == (3 * len(COMMENTS), path.stat().st_size)


@pytest.mark.django_db
def test_reading_an_export_costs_a_query_for_each_batch(
    django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = voted_campaign()
    monkeypatch.setattr("annotation.queries.exported_rows.BATCH", 30)
    with django_assert_num_queries(1 + 2 + 1 + 1):
        exported(campaign, "csv")


@pytest.mark.django_db
def test_a_campaign_without_votes_is_exported_as_an_empty_table() -> None:
    campaign = voted_campaign()
    Vote.objects.all().delete()
    assert exported(campaign, "csv").count("\r\n") == 1
    assert exported(campaign, "jsonl") == ""
    assert json.loads(exported(campaign, "arena")) == []
    assert not Pair.objects.filter(votes__isnull=False).exists()


@given(st.text())
def test_a_cell_comes_back_as_it_was_and_never_starts_a_formula(text: str) -> None:
    assert text_of(cell_of(text)) == text
    assert not cell_of(text).startswith(tuple("=+-@\t\r\n"))
