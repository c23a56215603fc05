"""The schema, its page, and what holds for every address."""

from __future__ import annotations

import io
import math
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from rest_framework.renderers import JSONRenderer
from rest_framework.test import APIClient
from rest_framework.throttling import AnonRateThrottle

from tests.evaluation.management.commands_run import run_command
from webapp.api.documentation import operations, shapes, type_in_words, whole_schema
from webapp.sign_in.links import make_user

ADDRESSES = {
    "/api/v1/benchmarks/", "/api/v1/benchmarks/{slug}/leaderboard/",
    "/api/v1/benchmarks/{slug}/sweep/", "/api/v1/benchmarks/{slug}/contrasts/",
    "/api/v1/benchmarks/{slug}/compare/", "/api/v1/benchmarks/{slug}/questions/",
    "/api/v1/benchmarks/{slug}/questions/{question_id}/", "/api/v1/runs/",
    "/api/v1/benchmarks/{slug}/audit/", "/api/v1/systems/", "/api/v1/systems/{slug}/",
    "/api/v1/runs/import/", "/api/v1/runs/{public_id}/", "/api/v1/runs/{public_id}/answers/",
    "/api/v1/runs/{public_id}/resume/", "/api/v1/runs/{public_id}/pause/",
    "/api/v1/runs/{public_id}/cancel/", "/api/v1/runs/{public_id}/rejudge/",
    "/api/v1/campaigns/", "/api/v1/campaigns/{slug}/", "/api/v1/campaigns/{slug}/open/",
    "/api/v1/campaigns/{slug}/close/", "/api/v1/campaigns/{slug}/votes/",
    "/api/v1/campaigns/{slug}/assignments/", "/api/v1/campaigns/{slug}/undo/",
    "/api/v1/campaigns/{slug}/continue/", "/api/v1/campaigns/{slug}/finish/",
    "/api/v1/campaigns/{slug}/withdraw/", "/api/v1/assignments/{assignment_id}/vote/",
    "/api/v1/assignments/{assignment_id}/skip/",
}  # fmt: skip


def test_the_schema_is_generated_and_valid_without_warnings() -> None:
    out = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert "openapi: 3.1.0" in out.getvalue()


def test_every_address_is_in_the_schema() -> None:
    assert set(whole_schema()["paths"]) >= ADDRESSES


def test_every_operation_says_what_it_does_and_what_it_answers() -> None:
    for operation in operations(whole_schema()):
        assert operation.summary, operation.address
        assert operation.description, operation.address
        assert operation.answers[0].status in ("200", "201")
        assert all(field.description for field in operation.parameters), operation.address


def test_rows_of_the_board_are_described_field_by_field() -> None:
    found = {shape.name: shape for shape in shapes(whole_schema())}
    fields = {field.name: field.type_name for field in found["LeaderboardRow"].fields}
    assert fields["score"] == "number or null"
    assert fields["flags"] == "list of Flag"
    assert fields["by_tier"] == "object of number or null"
    assert {"protocol", "judge", "question_set", "rows"} <= {
        field.name for field in found["Leaderboard"].fields
    }


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer"}, "whole number"),
        ({"type": ["string", "null"]}, "text or null"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Flag"}}, "list of Flag"),
        ({"type": "array", "prefixItems": [{"type": "string"}, {}]}, "[text, anything]"),
        ({"enum": ["0", "1"], "type": "string"}, "0 or 1"),
        ({}, "anything"),
    ],
)  # fmt: skip
def test_types_are_said_in_words(schema: dict[str, Any], words: str) -> None:
    assert type_in_words(schema) == words


@pytest.mark.django_db
def test_the_page_shows_every_address_without_a_script_of_its_own(client: Client) -> None:
    response = client.get("/api/docs/")
    text = response.content.decode()
    assert response.status_code == 200
    for address in ADDRESSES:
        assert address in text
    assert "cdn" not in text
    assert "<script>" not in text
    assert "style=" not in text
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_the_schema_is_served_as_json(passer_by: APIClient) -> None:
    response = passer_by.get("/api/schema/", {"format": "json"})
    assert response.status_code == 200
    assert set(response.json()["paths"]) >= ADDRESSES


@pytest.mark.django_db
def test_an_unknown_address_and_a_wrong_method_are_refused(passer_by: APIClient) -> None:
    assert passer_by.get("/api/v1/nothing/").status_code == 404
    response = passer_by.delete("/api/v1/benchmarks/")
    assert response.status_code in (401, 405)
    assert set(response.json()) == {"detail", "field", "known"}


@pytest.mark.django_db
def test_too_many_requests_are_slowed_down(
    passer_by: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AnonRateThrottle, "get_rate", lambda _self: "2/min")
    statuses = [passer_by.get("/api/v1/benchmarks/").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    response = passer_by.get("/api/v1/benchmarks/")
    assert int(response.headers["Retry-After"]) > 0
    assert "throttled" in response.json()["detail"]


@pytest.mark.django_db
def test_nobody_gets_a_new_allowance_by_naming_another_address(
    passer_by: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AnonRateThrottle, "get_rate", lambda _self: "2/min")
    statuses = [
        passer_by.get("/api/v1/benchmarks/", headers={"X-Forwarded-For": f"9.9.9.{n}"}).status_code
        for n in range(3)
    ]
    assert statuses == [200, 200, 429]


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_no_undefined_number_is_ever_sent(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        JSONRenderer().render({"score": number})


@pytest.mark.django_db
def test_a_token_is_printed_replaced_and_revoked() -> None:
    make_user(name="ada", role="lead")

    def token(*options: str) -> str:
        return run_command("api_token", "ada", *options, app="webapp").out.strip()

    first = token()
    assert len(first) == 40
    assert token() == first
    assert token("--new") != first
    assert "no token" in token("--revoke")


@pytest.mark.django_db
def test_a_token_for_nobody_is_refused() -> None:
    outcome = run_command("api_token", "nobody", app="webapp")
    assert outcome.code == 1
    assert "sign_in_link" in outcome.err
