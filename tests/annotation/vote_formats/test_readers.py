"""Each format of votes: what it says, what is refused, and that nothing is guessed."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from annotation.vote_formats.formats import UnknownVoteFormat, read_votes, render_checks
from annotation.vote_formats.rows import (
    BrokenRows,
    ReadOptions,
    VoteFile,
    question_key,
)
from evaluation.source_files.refusals import WrongKindOfFile
from tests.annotation.vote_formats.vote_files import only, said, written


class TestEvalica:
    def read(self, path: Path, **options: Any) -> VoteFile:
        return read_votes([path], "evalica", options=ReadOptions(**options))

    def test_the_other_columns_are_kept_with_each_vote(self, tmp_path: Path) -> None:
        path = written(tmp_path, "id,prompt,worker,winner,left,right\n7,8,58,tie,A,B\n")
        row = only(self.read(path))
        assert (row.question, row.rater, row.choice, row.extra) == ("8", "58", "tie", {"id": "7"})

    def test_a_byte_order_mark_crlf_and_unicode_names_change_nothing(self, tmp_path: Path) -> None:
        text = "left,right,winner\r\nمودل,模型 🦙,left\r\n\r\n模型 🦙,مودل,right\r\n"
        file = self.read(written(tmp_path, b"\xef\xbb\xbf" + text.encode()))
        assert said(file) == [("", "مودل", "模型 🦙", "a"), ("", "模型 🦙", "مودل", "b")]

    def test_gzip_is_unpacked(self, tmp_path: Path) -> None:
        packed = gzip.compress(b"left,right,winner\nA,B,left\n")
        assert only(self.read(written(tmp_path, packed, "votes.csv.gz"))).choice == "a"

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"", "the file is empty"),
            (b"left,right,winner\n", "it holds no vote"),
            (b"left,right\nA,B\n", "the column “winner” is missing"),
            (b"left,right,winner,left\nA,B,left,C\n", "the column “left” occurs twice"),
            (b"x" * 9_000, r"columns here: x{60}\)"),
            (b"\x89PNG\r\n\x1a\n\xff\xfe", "not UTF-8"),
            (b'left,right,winner\n"A"x,B,left\n', "this is not CSV"),
            (b'left,right,winner\n"A,B,left\n', "this is not CSV"),
        ],
    )
    def test_another_kind_of_file_is_refused(
        self, tmp_path: Path, content: bytes, reason: str
    ) -> None:
        with pytest.raises(WrongKindOfFile, match=reason):
            self.read(written(tmp_path, content))

    def test_every_broken_row_is_named_with_what_is_wrong(self, tmp_path: Path) -> None:
        rows = ["A,B,left", "A,B,NaN", "A,B", "A,,left", "A,B,", "A,B,model_a", "A,B,left,x"]
        path = written(tmp_path, "left,right,winner\n" + "\n".join(rows) + "\n")
        with pytest.raises(BrokenRows) as refused:
            self.read(path)
        assert [problem.partition(":")[0] for problem in refused.value.problems] == [
            "row 3", "row 4", "row 5", "row 6", "row 7", "row 8",
        ]  # fmt: skip
        assert "unknown outcome “NaN”; known: left, right, tie" in str(refused.value)
        assert "5 more such rows" in str(refused.value)

    def test_a_file_over_the_limit_is_refused(self, tmp_path: Path) -> None:
        path = written(tmp_path, "left,right,winner\nA,B,left\n")
        with pytest.raises(WrongKindOfFile, match="larger than the limit"):
            self.read(path, max_bytes=20)


class TestArena:
    BATTLE = {
        "question_id": "q1", "model_a": "gpt-4", "model_b": "llama", "winner": "model_b",
        "judge": "expert_3", "turn": 1, "language": "English", "tstamp": 1682351591.5,
        "conversation_a": [{"role": "user", "content": "hi"}],
    }  # fmt: skip

    def test_a_battle_keeps_its_judge_and_time(self, tmp_path: Path) -> None:
        row = only(read_votes([written(tmp_path, [self.BATTLE])], "arena"))
        assert (row.question, row.left, row.right, row.choice) == ("q1", "gpt-4", "llama", "b")
        assert (row.rater, row.voter, row.extra) == ("expert_3", "person", {"language": "English"})
        assert row.cast_at == dt.datetime(2023, 4, 24, 15, 53, 11, 500_000, tzinfo=dt.UTC)

    @pytest.mark.parametrize(
        ("winner", "choice"),
        [("model_a", "a"), ("tie", "tie"), ("tie (bothbad)", "both_bad"), ("both_bad", "both_bad")],
    )
    def test_outcomes_are_the_arenas(self, tmp_path: Path, winner: str, choice: str) -> None:
        lines = json.dumps(self.BATTLE | {"winner": winner})
        assert only(read_votes([written(tmp_path, lines)], "arena")).choice == choice

    def test_csv_says_the_same(self, tmp_path: Path) -> None:
        text = "question_id,model_a,model_b,winner,judge\nq1,x,y,tie (bothbad),j\n"
        assert said(read_votes([written(tmp_path, text)], "arena")) == [
            ("q1", "x", "y", "both_bad")
        ]

    def test_a_later_turn_is_a_question_of_its_own_and_a_listed_judge_a_model(
        self, tmp_path: Path
    ) -> None:
        battle = self.BATTLE | {"turn": 2, "judge": ["gpt-4", "pair-v2"]}
        row = only(read_votes([written(tmp_path, [battle])], "arena"))
        assert (row.question, row.rater, row.voter) == ("q1, turn 2", "gpt-4 pair-v2", "model")

    def test_unknown_outcomes_and_times_are_named(self, tmp_path: Path) -> None:
        battles = [
            self.BATTLE,
            self.BATTLE | {"winner": "model_c"},
            self.BATTLE | {"tstamp": "soon"},
            {"winner": "tie"},
        ]
        with pytest.raises(BrokenRows) as refused:
            read_votes([written(tmp_path, battles)], "arena")
        assert [problem.partition(":")[0] for problem in refused.value.problems] == [
            "[1]", "[2]", "[3]",
        ]  # fmt: skip

    def test_deep_nesting_and_nan_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(WrongKindOfFile, match="nested too deeply"):
            read_votes([written(tmp_path, "[" * 200_000)], "arena")
        with pytest.raises(WrongKindOfFile, match="NaN is not JSON"):
            read_votes([written(tmp_path, '[{"model_a": NaN}]')], "arena")


class TestPandaLM:
    def item(self, idx: int, key: str, **fields: Any) -> dict[str, Any]:
        votes = {"annotator1": 1, "annotator2": 0, "annotator3": 2}
        return {"idx": idx, "cmp_key": key, "instruction": "Go.", "input": "", **votes, **fields}

    def test_three_annotators_make_three_votes(self, tmp_path: Path) -> None:
        file = read_votes([written(tmp_path, [self.item(0, "bloom-7b_llama-7b")])], "pandalm")
        assert [(row.rater, row.choice) for row in file.rows] == [
            ("annotator1", "a"), ("annotator2", "tie"), ("annotator3", "b"),
        ]  # fmt: skip
        assert (file.rows[0].left, file.rows[0].right) == ("bloom-7b", "llama-7b")

    def test_names_with_underscores_are_split_where_other_keys_settle_it(
        self, tmp_path: Path
    ) -> None:
        keys = ["llama_opt", "my_model_llama", "my_model_opt"]
        items = [self.item(idx, key) for idx, key in enumerate(keys)]
        rows = read_votes([written(tmp_path, items)], "pandalm").rows
        assert [(row.left, row.right) for row in rows[::3]] == [
            ("llama", "opt"), ("my_model", "llama"), ("my_model", "opt"),
        ]  # fmt: skip

    @pytest.mark.parametrize("keys", [["my_model_llama"], ["llama_opt", "llama_my_model"], ["x"]])
    def test_a_key_that_could_be_split_in_two_ways_is_an_error(
        self, tmp_path: Path, keys: list[str]
    ) -> None:
        items = [self.item(idx, key) for idx, key in enumerate(keys)]
        with pytest.raises(BrokenRows, match="does not say where"):
            read_votes([written(tmp_path, items)], "pandalm")

    def test_what_a_judge_garbled_is_unscored_with_its_reply(self, tmp_path: Path) -> None:
        items = written(tmp_path, [self.item(n, "a_b") for n in range(4)], "testset-v1.json")
        replies = [{"idx": n, "gpt_result": said} for n, said in enumerate(["1", "Tie", 2, "no"])]
        judge = written(tmp_path, replies, "gpt-testset-v1.json")
        rows = [row for row in read_votes([judge, items], "pandalm").rows if row.voter == "model"]
        assert [row.choice for row in rows] == ["a", "tie", "b", "unscored"]
        assert rows[-1].extra["reply"] == "no"
        assert {row.rater for row in rows} == {"gpt"}

    def test_an_unknown_label_of_a_person_is_an_error(self, tmp_path: Path) -> None:
        path = written(tmp_path, [self.item(0, "a_b", annotator2=3), self.item(1, "a_b")])
        with pytest.raises(BrokenRows, match=r"annotator2: unknown outcome “3”"):
            read_votes([path], "pandalm")

    def test_a_judge_needs_its_test_set(self, tmp_path: Path) -> None:
        judge = written(tmp_path, [{"idx": 0, "gpt_result": "1"}])
        with pytest.raises(WrongKindOfFile, match="one test set"):
            read_votes([judge], "pandalm")


class TestAlpacaEval:
    def verdict(self, preference: Any) -> dict[str, Any]:
        return {
            "instruction": "Name a colour.", "output_1": "Red", "generator_1": "base",
            "output_2": "Blue", "generator_2": "mine", "annotator": "gpt4",
            "preference": preference,
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("preference", "choice"),
        [(1, "a"), (2.0, "b"), (1.5, "tie"), (0, "tie"), (1.49, "a"), (1.51, "b"),
         (None, "unscored")],
    )  # fmt: skip
    def test_a_preference_is_a_choice(self, tmp_path: Path, preference: Any, choice: str) -> None:
        path = written(tmp_path, [self.verdict(preference), self.verdict(1)])
        row = read_votes([path], "alpaca-eval").rows[0]
        assert (row.choice, row.left, row.right, row.voter) == (choice, "base", "mine", "model")
        assert row.extra == ({} if preference is None else {"preference": preference})

    @pytest.mark.parametrize("preference", [3, 0.5, -1, "1", True, [1]])
    def test_any_other_preference_is_an_error(self, tmp_path: Path, preference: Any) -> None:
        with pytest.raises(BrokenRows, match="preference"):
            read_votes([written(tmp_path, [self.verdict(preference)])], "alpaca-eval")


def test_an_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownVoteFormat, match="evalica, arena"):
        read_votes([written(tmp_path, "x")], "chess")
    with pytest.raises(UnknownVoteFormat, match="csv, jsonl"):
        render_checks([], "arena")


def test_long_questions_keep_apart_by_their_digest() -> None:
    one, other = "why " * 100 + "one", "why " * 100 + "other"
    assert len(question_key(one)) <= 200
    assert question_key(one) != question_key(other)
    assert question_key("a  short\none") == "a short one"
