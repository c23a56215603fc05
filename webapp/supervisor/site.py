"""The whole site in one terminal: broker, worker and web server."""

from __future__ import annotations

import http.client
import sys
from collections.abc import Callable
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import connections

from webapp.celery import app
from webapp.data_folder import address_file, local_address, reachable
from webapp.supervisor.broker import broker_problem, embedded_broker
from webapp.supervisor.child import Service
from webapp.supervisor.preflight import (
    CannotStart,
    check_port,
    check_space,
    check_writable,
    sole_supervisor,
)
from webapp.supervisor.preparation import (
    database_in_words,
    note_static_files,
    prepare_database,
    static_collection,
    static_files_changed,
)
from webapp.supervisor.supervisor import StopRequested, Supervisor
from webapp.supervisor.web_server import processes_and_threads

Say = Callable[[str, str], None]


def run_site(*, host: str, port: int, say: Say, announce: Callable[[str], None]) -> None:
    """Returns after a clean stop. ``announce`` is called once the site answers, with its address.

    Raises CannotStart, and ChildGaveUp when a part of it cannot be kept running.
    """
    data: Path = settings.MEMJURY_DATA
    check_writable(data)
    check_space(data)
    address = settings.MEMJURY_ADDRESS or local_address(host, port)
    with sole_supervisor(data, told=address):
        check_port(host, port)
        address_file(data).write_text(address + "\n")
        say("database", database_in_words())
        prepare_database()
        supervisor = Supervisor(folder=settings.BASE_DIR, log_folder=data / "logs", say=say)
        try:
            with supervisor:
                start_parts(supervisor, host=host, port=port)
                announce(address)
                supervisor.run()
        except StopRequested:
            say("site", "stopped")


def start_parts(supervisor: Supervisor, *, host: str, port: int) -> None:
    """The demo is measured while the static files are compressed, and the web server comes last."""
    if settings.MEMJURY_EMBEDDED_BROKER:
        url, broker = embedded_broker(settings.MEMJURY_DATA)
        app.conf.broker_url = url
        supervisor.start(broker)
        supervisor.wait_until(lambda: broker_problem(url), seconds=15, what="The embedded broker")
    elif problem := broker_problem(settings.CELERY_BROKER_URL):
        raise CannotStart(f"The broker of CELERY_BROKER_URL cannot be used: {problem}")
    supervisor.start(worker())
    queue_demo()
    if static_files_changed():
        supervisor.run_once(static_collection())
        note_static_files()
    supervisor.start(web(host=host, port=port))
    supervisor.wait_until(lambda: web_problem(host, port), seconds=60, what="The web server")


def worker() -> Service:
    """Warm shutdown ends with the tasks at hand; what a kill interrupts is delivered again."""
    return Service(
        name="worker",
        command=(
            # Pages come first while a run keeps every core busy.
            *("nice", "-n", "5"),
            *(sys.executable, "-m", "celery", "--app", "webapp", "worker"),
            *("--concurrency", str(settings.MEMJURY_WORKERS), "--loglevel", "INFO"),
            *("--without-gossip", "--without-mingle"),
        ),
        environment={"MEMJURY_EMBEDDED_WORKER": "1"} if settings.MEMJURY_EMBEDDED_BROKER else {},
        stop_seconds=20.0,
    )


def web(*, host: str, port: int) -> Service:
    processes, threads = processes_and_threads(settings.MEMJURY_WEB_THREADS)
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return Service(
        name="web",
        command=(
            *(sys.executable, "-m", "gunicorn", "webapp.wsgi:application"),
            *("--config", "python:webapp.supervisor.web_server"),
            *("--bind", address, "--workers", str(processes), "--threads", str(threads)),
        ),
    )


def web_problem(host: str, port: int) -> str | None:
    """Why /healthz does not answer with 200, in words; None when it does."""
    connection = http.client.HTTPConnection(reachable(host), port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return f"it does not answer ({error})"
    finally:
        connection.close()
    return None if status == http.client.OK else f"it answers with status {status}"


def queue_demo() -> None:
    """Ask the worker for the first demo where the database holds no benchmark yet."""
    if not settings.MEMJURY_DEMO:
        return
    try:
        is_empty = not apps.get_model("evaluation", "Benchmark").objects.exists()
    finally:
        connections.close_all()
    if is_empty:
        app.send_task("evaluation.tasks.prepare_demo")
        app.send_task("annotation.tasks.prepare_demo_campaign")
