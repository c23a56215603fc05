from __future__ import annotations

from celery import current_app

from evaluation.services.workers import workers_answering


def test_nobody_answers_where_no_worker_runs() -> None:
    assert workers_answering(within_seconds=0.1) == 0


def test_nobody_answers_where_no_broker_runs(monkeypatch: object) -> None:
    connection = current_app.connection_for_write

    def unreachable(*_args: object, **_options: object) -> object:
        return connection("redis://127.0.0.1:1/0")

    monkeypatch.setattr(current_app, "connection_for_write", unreachable)  # type: ignore[attr-defined]
    assert workers_answering(within_seconds=0.2) == 0
