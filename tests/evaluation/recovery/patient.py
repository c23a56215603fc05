"""A real site that is killed on purpose, and the runs it is made to finish all the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
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
        self.token = ""

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
        body = {
            "benchmark": BENCHMARK,
            "systems": ["bm25", "simple-rag", "base-model"],
            "tracks": ["native", "10k"],
            "embedder": "static",
            "questions": f"first:{N_QUESTIONS}",
            "synthesizer": f"stub:writer-{name}",
            "judges": [f"stub:judge-{name}"],
        }
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._site().port}/api/v1/runs/",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Token {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            run_id: str = json.load(reply)["run"]["public_id"]
        return run_id

    def prepare(self) -> None:
        """A site with the benchmark and somebody who may start runs."""
        self.start()
        self.manage("load_benchmark", BENCHMARK, "--size=small")
        self.manage("sign_in_link", "--user=starter", "--role=lead")
        self.token = self.manage("api_token", "starter").split()[-1]

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

    def exports(self, runs: Mapping[str, str]) -> dict[str, list[str]]:
        """The reproducible export of each named run, with its own model names made common."""
        self._python(
            "from pathlib import Path; from evaluation.services.exporting import export_results;"
            "from evaluation.services.runs import get_run;"
            "[export_results(run=get_run(run), format='jsonl', reproducible=True,"
            f" path=Path({str(self.folder)!r}) / f'{{run}}.jsonl')"
            f" for run in {list(runs.values())!r}]"
        )
        return {
            name: (self.folder / f"{run}.jsonl").read_text().replace(f"-{name}", "").splitlines()
            for name, run in runs.items()
        }

    def requests_of(self, name: str) -> int:
        return sum(self.stub.count.by_model[model] for model in (f"writer-{name}", f"judge-{name}"))

    def distinct_requests_of(self, name: str) -> int:
        return sum(
            body["model"] in (f"writer-{name}", f"judge-{name}")
            for body in self.stub.count.bodies.values()
        )

    def resent(self, runs: Mapping[str, str]) -> dict[str, int]:
        """How many requests the ledger says were sent again because their sender had died."""
        counted = self._python(
            "import json; from django.db.models import Sum;"
            "from evaluation.models import ModelRequest;"
            "rows = ModelRequest.objects.values('run_public_id').order_by('run_public_id');"
            "rows = rows.annotate(n=Sum('n_resent_after_death'));"
            "print(json.dumps({row['run_public_id']: row['n'] for row in rows}))"
        )
        by_run = json.loads(counted.splitlines()[-1])
        return {name: by_run[run] for name, run in runs.items()}

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
