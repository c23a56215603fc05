from __future__ import annotations

import pytest

from evaluation.services.uploads import safe_name, uploaded_file


def test_an_upload_lies_under_its_name_while_it_is_read() -> None:
    with uploaded_file(chunks=[b"one ", b"two"], original_name="my answers.jsonl") as path:
        assert path.name == "my answers.jsonl"
        assert path.read_bytes() == b"one two"
    assert not path.parent.exists()


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\data\\scores.csv", "scores.csv"),
        ("a\nb<c>.json", "a_b_c_.json"),
        ("..", "upload"),
        ("", "upload"),
        ("x" * 300 + ".json.gz", "x" * 92 + ".json.gz"),
        ("größe.json", "größe.json"),
    ],
)
def test_its_name_cannot_lead_elsewhere(given: str, name: str) -> None:
    assert safe_name(given) == name
