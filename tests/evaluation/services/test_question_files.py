from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.services.question_files import question_set, read_question_ids
from evaluation.services.run_options import InvalidRunOption
from evaluation.source_files.refusals import WrongKindOfFile


@pytest.mark.parametrize("asked", ["all", "holdout", "first:3", "stratified:20"])
def test_named_sets_are_passed_on(asked: str) -> None:
    assert question_set(asked=asked) == (asked, ())


def test_a_limit_takes_the_first_of_all_or_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_text("# the hard ones\nQ3\n\nQ1\nQ2\n")
    assert question_set(asked="all", limit=5) == ("first:5", ())
    assert question_set(asked=str(path), limit=2) == ("ids", ("Q3", "Q1"))
    with pytest.raises(InvalidRunOption, match="goes with all or a file"):
        question_set(asked="stratified:20", limit=2)


def test_ids_are_lines_or_a_json_list(tmp_path: Path) -> None:
    path = tmp_path / "ids.json"
    path.write_text('["Q1", 2]')
    assert read_question_ids(path=path) == ("Q1", "2")


@pytest.mark.parametrize(
    ("content", "reason"),
    [("Q1\nQ1\n", "stands in it twice"), ("# none\n", "no question id"), ("", "empty")],
)
def test_a_file_without_ids_or_with_one_twice_is_refused(
    tmp_path: Path, content: str, reason: str
) -> None:
    path = tmp_path / "ids.txt"
    path.write_text(content)
    with pytest.raises(WrongKindOfFile, match=reason):
        read_question_ids(path=path)


def test_an_unknown_set_lists_the_known_ones() -> None:
    with pytest.raises(InvalidRunOption, match="all, holdout, first:N, stratified:N"):
        question_set(asked="some")
    with pytest.raises(InvalidRunOption):
        question_set(asked="stratified:0")
