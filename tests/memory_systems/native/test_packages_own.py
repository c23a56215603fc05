"""What a model is asked by the packages that ask for much, and how Graphiti's store is queried."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from evaluation.language_models.endpoints import LONGEST_TIMEOUT_S
from evaluation.language_models.model_account import ModelAccount
from evaluation.language_models.model_proxy import ModelProxy
from evaluation.language_models.retry import RetryPolicy
from evaluation.language_models.upstreams import StubUpstream
from memory_systems.adapters.hindsight.adapter import Hindsight
from memory_systems.base import SystemConfig
from memory_systems.native.installation import find_installation
from memory_systems.registry import checked_parameters, open_system
from tests.evaluation.language_models.memory_ledger import MemoryLedger
from tests.memory_systems.hashing_embedder import HashingEmbedder
from tests.memory_systems.native.installed import FEW, ROOT, SYSTEMS_FOLDER, why_skipped


class Recording(StubUpstream):
    def __init__(self) -> None:
        self.most_tokens: list[int] = []

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        self.most_tokens.append(body.get("max_completion_tokens") or body["max_tokens"])
        return super().reply(body)


@pytest.mark.parametrize(
    ("slug", "given", "most"),
    [
        pytest.param(
            slug,
            given,
            most,
            marks=pytest.mark.skipif(bool(why_skipped(slug)), reason=why_skipped(slug) or "-"),
        )
        for slug, given, most in (
            ("graphiti", {}, 16_384),
            ("graphiti", {"max_output_tokens": 900}, 900),
            ("hindsight", {"observations": False, "max_output_tokens": 900}, 900),
        )
    ],
)
def test_no_reply_is_asked_for_that_is_longer_than_the_parameter_says(
    slug: str,
    given: dict[str, int | float | str | bool],
    most: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("MEMJURY_SYSTEMS", str(SYSTEMS_FOLDER))
    upstream, embedder = Recording(), HashingEmbedder()
    proxy = ModelProxy(ModelAccount(upstream, MemoryLedger()), embedder)
    config = SystemConfig("other", embedder, checked_parameters(slug, given), model=proxy)
    memory = open_system(slug, config, tmp_path)
    assert memory.ingest(FEW[0]).errors == ()
    memory.close()
    assert max(upstream.most_tokens) == most


def test_hindsight_waits_longer_for_a_reply_than_the_proxy_may() -> None:
    waits_s = float(Hindsight.VARIABLES["HINDSIGHT_API_LLM_TIMEOUT"])
    assert waits_s > RetryPolicy().last_sending_s + LONGEST_TIMEOUT_S


@pytest.mark.skipif(bool(why_skipped("graphiti")), reason=why_skipped("graphiti") or "-")
def test_a_query_is_never_split_among_threads(tmp_path: Path) -> None:
    """Kuzu's full-text search fails or hangs now and then where it is."""
    code = (
        "import pathlib, sys; sys.path.insert(0, sys.argv[1]); import worker\n"
        "client = worker._open_driver(pathlib.Path(sys.argv[2])).client\n"
        "asked = \"CALL current_setting('threads') RETURN *\"\n"
        "print([one.execute(asked).get_next() for one in client.connections])"
    )
    installed = find_installation("graphiti", SYSTEMS_FOLDER)
    assert installed
    worker = ROOT / "memory_systems" / "adapters" / "graphiti"
    command = [installed.python, "-W", "ignore", "-c", code, worker, tmp_path / "graph.kuzu"]
    told = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    assert told.stdout.strip() == "[['1']]"
