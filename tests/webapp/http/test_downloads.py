"""Tables as files."""

from __future__ import annotations

import csv
import io

import orjson

from evaluation.queries.choices import Flag
from webapp.http.downloads import csv_response, json_response


def test_a_csv_survives_a_round_trip() -> None:
    rows = [{"name": 'quote " comma , newline \n emoji 🙂 שלום', "score": 7.25, "empty": None}]
    body = csv_response(["name", "score", "empty"], rows, "t.csv").content.decode()
    assert list(csv.DictReader(io.StringIO(body, newline=""))) == [
        {"name": rows[0]["name"], "score": "7.25", "empty": ""}
    ]


def test_a_text_cannot_become_a_formula() -> None:
    for text in ("=1+1", "+1", "-1", "@SUM(A1)"):
        body = csv_response(["name"], [{"name": text}], "t.csv").content.decode()
        assert body.splitlines()[1].strip('"').startswith("'")


def test_a_negative_number_stays_a_number() -> None:
    body = csv_response(["delta"], [{"delta": -0.5}], "t.csv").content.decode()
    assert body.splitlines()[1] == "-0.5"


def test_json_is_plain_and_never_nan() -> None:
    reply = json_response(Flag("x", "y"))
    assert orjson.loads(reply.content) == {"code": "x", "sentence": "y"}
    assert orjson.loads(json_response({"a": float("nan")}).content) == {"a": None}
