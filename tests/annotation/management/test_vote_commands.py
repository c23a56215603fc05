"""Votes in and out through the shell: what is said where, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotation.models import AuditEntry, Campaign, RatingStudy
from tests.annotation.services.voted_campaigns import COMMENTS, voted_campaign
from tests.evaluation.management.commands_run import Outcome, run_command

pytestmark = pytest.mark.django_db
FOOD = "left,right,winner,worker\nPizza,Sushi,left,a\nBurger,Pasta,right,b\n"


def run(name: str, *arguments: str) -> Outcome:
    return run_command(name, *arguments, app="annotation")


@pytest.fixture
def food(tmp_path: Path) -> str:
    path = tmp_path / "food.csv"
    path.write_text(FOOD)
    return str(path)


def test_an_import_says_what_came_in(food: str) -> None:
    done = run("import_votes", "Food", food, "--format", "evalica")
    assert (done.code, done.out) == (
        0, "2 votes of 2 raters on 2 pairs of 4 systems imported as food.\n",
    )  # fmt: skip
    assert "names no questions" in done.err
    assert AuditEntry.objects.get().actor_name == "a command"


def test_raters_may_be_language_models_which_is_said(food: str) -> None:
    done = run("import_votes", "Food", food, "--format", "evalica", "--models")
    assert "All raters are language models" in done.err
    campaign = Campaign.objects.get()
    assert set(campaign.raters.values_list("kind", flat=True)) == {"model"}
    assert (campaign.tally.n_votes, campaign.tally.n_counted) == (2, 2)


def test_every_broken_row_is_named_and_the_exit_code_is_1(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(FOOD + "A,B,?,c\nA,B,!,c\n")
    refused = run("import_votes", "Bad", str(path), "--format", "evalica")
    assert refused.code == 1
    assert "not taken: row 4: unknown outcome “?”" in refused.err
    assert "not taken: row 5: unknown outcome “!”" in refused.err
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("--format", "chess"), 1, "no format is called “chess”"),
        ((), 2, "--format"),
        (("--format", "potato", "--systems", "one"), 2, "two names of fields"),
    ],
)
def test_wrong_use_is_refused_in_words(
    food: str, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    refused = run("import_votes", "Food", food, *arguments)
    assert refused.code == code
    assert sentence in refused.err


def test_a_file_that_is_not_there_is_refused_in_one_sentence() -> None:
    refused = run("import_votes", "Food", "/nowhere/votes.csv", "--format", "csv")
    assert (refused.code, refused.err.strip()) == (1, "votes.csv: there is no such file")


def test_an_export_goes_to_a_file_or_to_standard_output(tmp_path: Path) -> None:
    voted_campaign()
    path = tmp_path / "votes.jsonl"
    done = run("export_votes", "toy", "--format", "jsonl", "--output", str(path))
    assert f"{3 * len(COMMENTS)} rows" in done.err
    assert run("export_votes", "toy", "--format", "jsonl").out == path.read_bytes().decode()
    checks = run("export_votes", "toy", "--format", "jsonl", "--checks").out
    assert len([json.loads(line) for line in checks.splitlines()]) == 2
    assert AuditEntry.objects.filter(action="votes exported").count() == 3


def test_an_export_of_nothing_known_is_refused() -> None:
    assert "there is no campaign 'nope'" in run("export_votes", "nope").err
    voted_campaign()
    assert "csv, jsonl" in run("export_votes", "toy", "--format", "arena", "--checks").err
    assert not AuditEntry.objects.exists()


def test_ratings_come_in_as_a_study(tmp_path: Path) -> None:
    path = tmp_path / "codings.csv"
    path.write_text("1,2\n1,3\n")
    done = run("import_ratings", "codings", str(path), "--format", "matrix")
    assert done.out == "4 ratings of 2 items on 1 metric imported as codings.\n"
    assert RatingStudy.objects.get().slug == "codings"
    again = run("import_ratings", "codings", str(path), "--format", "matrix")
    assert (again.code, "exists already" in again.err) == (1, True)
