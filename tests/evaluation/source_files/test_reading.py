from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import (
    read_bytes,
    read_json,
    read_json_lines,
    read_text,
    sha256_of,
)
from evaluation.source_files.refusals import WrongKindOfFile


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n\t ", "the file is empty"),
        (b'{"a": 1,\n  oops}', "line 2: this is not JSON"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b"ok\n\xff\xfe", "line 2: this is not UTF-8 text"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" + b"9" * 5_000 + b"]", "a number has too many digits"),
        (gzip.compress(b'{"a": 1}', mtime=0)[:-6], "the gzip data is broken or cut short"),
        (b'"' + b"x" * 2000 + b'"', "larger than the limit of 1,000 bytes"),
        (gzip.compress(b" " * 100_000, mtime=0), "larger than the limit of 1,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_in_words(tmp_path, content, reason):
    limit = 1_000 if content[:1] != b"[" else 1_000_000
    path = write(tmp_path / "given.json", content)
    with pytest.raises(WrongKindOfFile, match=r"given\.json") as refusal:
        read_json(path, max_bytes=limit)
    assert reason in str(refusal.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(WrongKindOfFile, match="there is no such file"):
        read_bytes(tmp_path / "absent.json")
    with pytest.raises(WrongKindOfFile, match="a file is needed"):
        read_bytes(tmp_path)


def test_gzip_and_a_byte_order_mark_are_read_through(tmp_path):
    packed = write(tmp_path / "a.json.gz", gzip.compress(b'\xef\xbb\xbf{"a": [1]}'))
    assert read_json(packed) == {"a": [1]}
    plain = write(tmp_path / "a.json", b'\xef\xbb\xbf{"a": [1]}')
    assert sha256_of(packed) == sha256_of(plain)


def test_only_line_feeds_end_a_line(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"a":"x\u2028y"}\r\n\n{"a":1}\n{broken\n')
    lines = list(read_json_lines(path))
    assert [(line.number, line.value) for line in lines[:2]] == [
        (1, {"a": "x\u2028y"}),
        (3, {"a": 1}),
    ]
    assert lines[2].refusal is not None
    assert "line 4: this is not JSON" in str(lines[2].refusal)


def test_what_no_database_can_store_is_replaced_one_for_one(tmp_path):
    path = write(tmp_path / "a.json", r'{"a\u0000": ["x\ud83dy", "\ud83d\ude42", "\\u0000", 1]}')
    assert read_json(path) == {"a\ufffd": ["x\ufffdy", "🙂", "\\u0000", 1]}
    assert read_text(write(tmp_path / "a.md", b"a\0b")) == "a\ufffdb"


def test_a_json_node_names_its_place_when_it_refuses(tmp_path):
    node = JsonNode({"data": [{"qas": [{"id": True}]}]}, tmp_path / "f.json")
    question = node.field("data").each()[0].field("qas").each()[0]
    with pytest.raises(
        WrongKindOfFile, match=r"f\.json, data\[0\]\.qas\[0\]\.id: a text or number"
    ):
        question.field("id").label()
    with pytest.raises(WrongKindOfFile, match=r"the field “answer” is missing \(fields here: id\)"):
        question.field("answer")
    with pytest.raises(WrongKindOfFile, match="a list is needed here, not an object"):
        node.each()


@pytest.mark.parametrize(("value", "label"), [(7, "7"), (" a ", "a"), (2.5, "2.5")])
def test_a_label_is_a_text_or_a_number(tmp_path, value, label):
    assert JsonNode(value, tmp_path).label() == label


@pytest.mark.parametrize("value", [None, "", "  ", True, [], float("nan")])
def test_nothing_else_is_a_label(tmp_path, value):
    with pytest.raises(WrongKindOfFile):
        JsonNode(value, tmp_path).label()
