"""A real site that is killed on purpose, and the runs it is made to finish all the same."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from evaluation.language_models.stub_server import StubServer
from tests.house.site_process import ROOT, SiteProcess

KILLER = Path(__file__).parent / "killer"
BENCHMARK = "scholia-prose"
N_QUESTIONS = 3
LONGEST_RUN_S = 120


class Patient:
    """One data folder with a site on it; ``stub`` serves its models."""

    def __init__(self, environment: Mapping[str, str], stub: StubServer, folder: Path) -> None:
        self.stub = stub
        self.order = folder / "kill-order"
        self.folder = folder
        self.environment = {
            **environment,
            **stub.environ,
            "PYTHONPATH": str(KILLER),
            "KILL_ORDER": str(self.order),
            "MEMJURY_WORKERS": "2",
        }
        self.site: SiteProcess | None = None

    def start(self) -> SiteProcess:
        if self.site is not None:
            self.site.clean_up()
        self.site = SiteProcess(self.environment)
        self.site.wait_until_running()
        return self.site

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN_S,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"{arguments} failed:\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def begin_run(self, name: str) -> str:
        """Start a run whose models are its own, so that no earlier reply answers it."""
        out = self.manage(
            "run_benchmark",
            BENCHMARK,
            "--systems=bm25,simple-rag,base-model",
            "--tracks=native,10k",
            "--embedder=static",
            f"--limit-questions={N_QUESTIONS}",
            f"--synthesizer=stub:writer-{name}",
            f"--judges=stub:judge-{name}",
        )
        found = re.search(r"\b[0-9a-f]{10}\b", out)
        if found is None:
            raise AssertionError(f"no run id in: {out}")
        return found[0]

    def kill_worker(self) -> None:
        """Every process of the worker at once; the supervisor stays."""
        for pid in self._site().find("celery"):
            _kill(pid)

    def kill_everything(self) -> None:
        site = self._site()
        for pid in site.processes():
            _kill(pid)
        site.process.wait(timeout=10)
        site.wait_until_gone()

    def wait_until_finished(self, run: str) -> None:
        give_up_at = time.monotonic() + LONGEST_RUN_S
        while time.monotonic() < give_up_at:
            try:
                state = json.loads(self._site().get(f"/api/v1/runs/{run}/")[1])["run"]["state"]
            except OSError:
                state = "unreachable"
            if state == "finished":
                return
            time.sleep(1)
        raise AssertionError(f"run {run} is still {state}; {self._site().output}")

    def export(self, run: str, name: str) -> list[str]:
        """The reproducible export, with the run's own model names made common."""
        path = self.folder / f"{run}.jsonl"
        self.manage("export_results", run, "--format=jsonl", "--reproducible", f"--output={path}")
        return path.read_text().replace(f"-{name}", "").splitlines()

    def requests_of(self, name: str) -> int:
        return sum(self.stub.count.by_model[model] for model in (f"writer-{name}", f"judge-{name}"))

    def distinct_requests_of(self, name: str) -> int:
        return sum(
            body["model"] in (f"writer-{name}", f"judge-{name}")
            for body in self.stub.count.bodies.values()
        )

    def resent(self, run: str) -> int:
        """How many requests the ledger says were sent again after their sender died."""
        return int(
            self._python(
                "from evaluation.models import ModelRequest; from django.db.models import Sum;"
                f"rows = ModelRequest.objects.filter(run_public_id={run!r});"
                "print(rows.aggregate(n=Sum('n_resent_after_death'))['n'] or 0)"
            )
        )

    def deliver_again(self, run: str) -> None:
        """One more message for each of the run's works, done or not."""
        self._python(
            "from evaluation.models import Work; from evaluation.services.dispatch import TASKS;"
            "from webapp.celery import app;"
            f"[app.send_task(TASKS[work.kind], args=[work.pk]) "
            f"for work in Work.objects.filter(run__public_id={run!r})]"
        )

    def _python(self, code: str) -> str:
        return self.manage("shell", "--no-imports", "-c", code).strip()

    def _site(self) -> SiteProcess:
        if self.site is None:
            raise AssertionError("the site was not started")
        return self.site


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
