"""Votes from the tools that people annotate with: what is said, what is refused."""

from __future__ import annotations

import datetime as dt
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotation.vote_formats.formats import read_votes
from annotation.vote_formats.rows import (
    BrokenRows,
    ReadOptions,
    VoteFile,
)
from evaluation.source_files.refusals import WrongKindOfFile
from tests.annotation.vote_formats.vote_files import only, said, written


class TestLabelStudio:
    def task(self, *results: Any, **annotation: Any) -> dict[str, Any]:
        made = {
            "completed_by": {"id": 4, "email": "rater@example.org"}, "result": list(results),
            "was_cancelled": False, "lead_time": 4.25, "created_at": "2026-03-01T10:00:00+01:00",
        }  # fmt: skip
        data = {"prompt": "Why?", "model_a": "x", "model_b": "y"}
        return {"id": 9, "data": data, "annotations": [made | annotation]}

    def chosen(self, *choices: str, name: str = "better") -> dict[str, Any]:
        return {"type": "choices", "from_name": name, "value": {"choices": list(choices)}}

    def read(self, path: Path, **options: Any) -> VoteFile:
        return read_votes([path], "label-studio", options=ReadOptions(**options))

    def test_a_pairwise_selection_is_a_vote(self, tmp_path: Path) -> None:
        selected = {"type": "pairwise", "value": {"selected": "right"}}
        comment = {"type": "textarea", "value": {"text": ["It is shorter."]}}
        row = only(self.read(written(tmp_path, [self.task(selected, comment)])))
        assert (row.question, row.left, row.right, row.choice) == ("Why?", "x", "y", "b")
        assert (row.rater, row.seconds, row.comment) == ("user 4", 4.25, "It is shorter.")
        assert row.cast_at == dt.datetime(2026, 3, 1, 9, 0, tzinfo=dt.UTC)

    @pytest.mark.parametrize(
        ("label", "choice"), [("A", "a"), ("B", "b"), ("Tie", "tie"), ("both bad", "both_bad")]
    )
    def test_choices_carry_ties(self, tmp_path: Path, label: str, choice: str) -> None:
        row = only(self.read(written(tmp_path, [self.task(self.chosen(label))])))
        assert row.choice == choice

    def test_no_result_is_not_a_tie_and_a_skip_is_no_vote(self, tmp_path: Path) -> None:
        tasks = [self.task(), self.task(self.chosen("A"), was_cancelled=True)]
        file = self.read(written(tmp_path, tasks))
        assert [row.choice for row in file.rows] == ["unscored"]
        assert "1 cancelled" in file.notes[0]

    def test_several_questions_need_one_to_be_named(self, tmp_path: Path) -> None:
        two = self.task(self.chosen("A"), self.chosen("tie", name="fluency"))
        path = written(tmp_path, [two])
        with pytest.raises(BrokenRows, match="better, fluency"):
            self.read(path)
        assert only(self.read(path, question="fluency")).choice == "tie"

    def test_what_cannot_be_a_vote_is_named(self, tmp_path: Path) -> None:
        tasks = [self.task(self.chosen("C")), self.task(self.chosen("A", "B"))]
        del (nameless := self.task(self.chosen("A")))["data"]["model_a"]
        with pytest.raises(BrokenRows) as refused:
            self.read(written(tmp_path, [*tasks, nameless]))
        assert [problem.partition(":")[0] for problem in refused.value.problems] == [
            "[0].annotations[0].result[0].value",
            "[1].annotations[0].result[0].value",
            "[2].data",
        ]


class TestPotato:
    ITEMS = [
        {"id": "i1", "responses": ["a", "b"], "models": ["x", "y"], "prompt": "Why?"},
        {"id": "i2", "responses": ["a", "b"], "models": ["y", "z"], "prompt": "How?"},
    ]

    def project(self, folder: Path, **users: Any) -> Path:
        (folder / "data").mkdir(parents=True)
        lines = "\n".join(json.dumps(item) for item in self.ITEMS)
        (folder / "data" / "items.jsonl").write_text(lines)
        for user, labels in users.items():
            at = folder / "annotation_output" / user
            at.mkdir(parents=True)
            state = {"user_id": user, "instance_id_to_label_to_value": labels}
            (at / "user_state.json").write_text(json.dumps(state))
        return folder

    def test_both_ways_of_writing_labels_are_votes(self, tmp_path: Path) -> None:
        listed = [[{"schema": "preference", "name": "selection"}, "tie"]]
        folder = self.project(
            tmp_path / "p",
            ann={"i1": {"preference": {"selection": "A"}}, "i2": listed},
            bob={"i1": {"preference": {"selection": "B"}}},
        )
        file = read_votes([folder], "potato")
        assert [row.rater for row in file.rows] == ["ann", "ann", "bob"]
        assert said(file) == [
            ("Why?", "x", "y", "a"), ("How?", "y", "z", "tie"), ("Why?", "x", "y", "b"),
        ]  # fmt: skip

    def test_a_zip_of_the_project_says_the_same(self, tmp_path: Path) -> None:
        folder = self.project(tmp_path / "p", ann={"i1": {"preference": {"selection": "A"}}})
        packed = tmp_path / "p.zip"
        with zipfile.ZipFile(packed, "w") as archive:
            for file in folder.rglob("*.json*"):
                archive.write(file, f"p/{file.relative_to(folder)}")
        assert read_votes([packed], "potato").rows[0].choice == "a"

    def test_unknown_selections_and_instances_are_named(self, tmp_path: Path) -> None:
        folder = self.project(
            tmp_path / "p",
            ann={"i1": {"q": {"selection": "C"}}, "i9": {"q": {"selection": "A"}}},
        )
        with pytest.raises(BrokenRows) as refused:
            read_votes([folder], "potato")
        assert "instance i1: unknown outcome “C”" in refused.value.problems[0]
        assert "instance i9: no item of this id" in refused.value.problems[1]

    def test_a_file_that_is_no_zip_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(WrongKindOfFile, match="not a zip"):
            read_votes([written(tmp_path, "hello")], "potato")
