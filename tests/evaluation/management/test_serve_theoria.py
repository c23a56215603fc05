"""``serve_theoria`` serves a copy: what is observed there never reaches the measured memory."""

from __future__ import annotations

import json
import socket
import threading
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from evaluation.models import Scenario
from evaluation.services.stores import lifetime_of
from evaluation.services.theoria_copies import get_theoria_variant
from memory_systems.adapters.theoria.server import TheoriaServer
from tests.evaluation.management.commands_run import run_command
from tests.evaluation.toy_runs import measured_run, planned_run

FINDING = "Zyphron crystals glow at 40 kelvin because their lattice vibrates."


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the served memory answers to a finding; then it is stopped as by Ctrl-C."""
    answers: list[dict[str, Any]] = []

    def serve(server: TheoriaServer, poll_interval: float = 0.5) -> None:
        thread = threading.Thread(target=_ask, args=(server.server_address[1], answers))
        thread.start()
        server.handle_request()
        thread.join()
        raise KeyboardInterrupt

    monkeypatch.setattr(TheoriaServer, "serve_forever", serve)
    return answers


def _ask(port: int, answers: list[dict[str, Any]]) -> None:
    body = json.dumps({"finding": FINDING}).encode()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/observe", body, timeout=30) as reply:
        answers.append(json.load(reply))


@pytest.mark.django_db
def test_a_runs_memory_is_served_as_a_copy_that_is_kept(asked: list[dict[str, Any]]) -> None:
    run = measured_run(systems=("theoria", "bm25"), tracks=("native",))
    outcome = run_command("serve_theoria", run.public_id, "--port", "0")
    assert outcome.code == 130
    assert outcome.out.startswith("http://127.0.0.1:")
    assert asked[0]["is_new"]
    run_command("serve_theoria", run.public_id, "--port", "0", "--variant", "theoria@static")
    assert not asked[1]["is_new"]
    run_variant = get_theoria_variant(run=run.public_id)
    scenario = Scenario.objects.get(benchmark=run.benchmark)
    lifetime = lifetime_of(run_variant=run_variant, scenario=scenario)
    memory = lifetime.open_memory(lifetime.folder_of("@head"))
    assert asked[0]["id"] not in memory.stored_item_ids()
    memory.close()


def test_a_memory_of_ones_own_is_made_where_there_is_none(
    asked: list[dict[str, Any]], tmp_path: Path
) -> None:
    arguments = ("--folder", str(tmp_path / "own"), "--embedder", "static", "--port", "0")
    assert run_command("serve_theoria", *arguments).code == 130
    assert asked[0]["seeded"][0]["confidence"] == "low"
    run_command("serve_theoria", *arguments)
    assert not asked[1]["is_new"]


@pytest.mark.django_db
def test_what_cannot_be_served_is_refused_in_a_sentence(tmp_path: Path) -> None:
    run = planned_run(systems=("theoria",), tracks=("native",))
    for arguments, code, told in (
        ((), 2, "name a RUN or a --folder"),
        ((run.public_id, "--folder", str(tmp_path)), 2, "name a RUN or a --folder"),
        (("nosuchrun",), 1, "there is no run 'nosuchrun'"),
        ((run.public_id, "--variant", "theoria@minilm"), 1, "it has: theoria@static"),
        ((run.public_id, "--scenario", "x"), 1, "has no scenario 'x'"),
        ((run.public_id,), 1, "has not built theoria@static on this machine"),
    ):
        outcome = run_command("serve_theoria", *arguments)
        assert (outcome.code, told in outcome.err) == (code, True), outcome.err


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        outcome = run_command(
            "serve_theoria", "--folder", str(tmp_path), "--embedder", "static", "--port", port
        )
    assert outcome.code == 1
    assert f"port {port} is taken" in outcome.err


def test_the_command_explains_itself() -> None:
    outcome = run_command("serve_theoria", "--help")
    assert outcome.code == 0
    assert "examples:" in outcome.out
