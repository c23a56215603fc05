from __future__ import annotations

import pytest

from evaluation.models import Run
from evaluation.services import demo
from evaluation.services.dispatch import works_kept_here
from evaluation.services.in_process import run_to_end

pytestmark = pytest.mark.django_db


def test_the_slow_run_of_the_demo_waits_for_the_fast_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "BENCHMARK", "toy-scientific")
    with works_kept_here():
        assert demo.prepare_demo() is False
        fast = Run.objects.get()
        assert fast.options["embedder"] == "static"
        assert demo.prepare_demo() is False
        assert Run.objects.count() == 1
        assert run_to_end(run=fast).finished_at, fast.works.open().values_list("key", "last_error")
        assert demo.prepare_demo() is True
        assert demo.prepare_demo() is True
    assert [run.options["embedder"] for run in Run.objects.order_by("pk")] == ["static", "minilm"]
