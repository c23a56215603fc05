"""Speed of voting: ``python -m performance.voting [--votes N] [--seconds S] [--only DATABASE]``.

One vote is one POST that stores it and returns the next pair, sent by 16 clients over HTTP to the
site's own web server, with fsync on and the throttle off; a bare Django view that inserts one row
is measured in the same run, before and after. Then the median time of the rater's page and of the
lead's, with a million votes stored. SQLite, and PostgreSQL where its server is installed. Ends
with status 1 when a limit is exceeded.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from performance._voting_clients import Client, join, unblind
from tests.conftest import bare_environment
from tests.servers import postgresql, postgresql_programs
from webapp.data_folder import free_port

ROOT = Path(__file__).resolve().parent.parent
N_CLIENTS = 16
N_OPEN = 12_000
LEAST_VOTES_A_SECOND = {"SQLite": 40, "PostgreSQL": 100}
LEAST_SHARE_OF_BARE = 0.4
MOST_P99_S = 0.4
MOST_MEDIAN_S = 0.06
LEAD_PAGES = (
    "/campaigns/",
    "/campaigns/load/",
    "/campaigns/load/votes/",
    "/campaigns/load/votes/?question=Q7",
    "/campaigns/load/votes/?system=system-2",
    "/campaigns/load/votes/?choice=both_bad",
    "/campaigns/load/votes/?comment=1",
    "/campaigns/load/votes/?status=surplus",
    "/campaigns/load/raters/",
    "/campaigns/load/raters/old-5/",
    "/campaigns/load/pairs/",
    "/campaigns/load/pairs/?answers=1",
    "/campaigns/load/pairs/?question=Q7",
    "/campaigns/load/pairs/?state=on-vote",
    "/campaigns/load/pairs/?state=complete",
    "/campaigns/load/pairs/?state=checks",
)
"""The votes are shown to a lead who said that they may be unblinded."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--votes", type=int, default=1_000_000, help="stored before")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--only", choices=list(LEAST_VOTES_A_SECOND))
    asked = parser.parse_args()
    exceeded = 0
    for name in LEAST_VOTES_A_SECOND:
        if asked.only not in (None, name):
            continue
        programs = postgresql_programs()
        if name == "SQLite":
            exceeded += measure(name, {}, asked.votes, asked.seconds)
        elif programs is None:
            print("PostgreSQL: not measured, no server is installed")
        else:
            with postgresql(programs, is_durable=True) as url:
                exceeded += measure(name, {"DATABASE_URL": url}, asked.votes, asked.seconds)
    return 1 if exceeded else 0


def measure(name: str, database: Mapping[str, str], n_votes: int, seconds: float) -> int:
    """Print what was measured; how many limits were exceeded."""
    with tempfile.TemporaryDirectory(prefix="memjury-voting-") as folder:
        environment = bare_environment() | {
            **database,
            "MEMJURY_DATA": folder,
            "MEMJURY_THROTTLE": "off",
            "DJANGO_SETTINGS_MODULE": "performance._bare_settings",
            "PORT": str(free_port()),
        }
        began = time.perf_counter()
        made = run(environment, "-m", "performance._voting_campaign", str(n_votes), str(N_OPEN))
        run(environment, "manage.py", "collectstatic", "--no-input", "-v", "0")
        print(
            f"{name}: {n_votes:,} votes stored in {time.perf_counter() - began:.0f} s", flush=True
        )
        with web_server(environment) as port:
            for what in ("bare", "vote"):
                clients(environment, port, 3.0, what)
            before = clients(environment, port, seconds / 2, "bare")
            votes = clients(environment, port, seconds, "vote")
            after = clients(environment, port, seconds / 2, "bare")
            exceeded = report(name, before, votes, after)
            return exceeded + pages(port, made.split()[-1])


def report(name: str, before: Mapping, votes: Mapping, after: Mapping) -> int:
    per_second = len(votes["latencies"]) / votes["took"]
    bare = [len(each["latencies"]) / each["took"] for each in (before, after)]
    share = per_second / statistics.mean(bare)
    p99 = statistics.quantiles(votes["latencies"], n=100)[98]
    median = statistics.median(votes["latencies"])
    least = LEAST_VOTES_A_SECOND[name]
    limits = (
        (per_second >= least, f"{per_second:.0f} votes a second (at least {least})"),
        (share >= LEAST_SHARE_OF_BARE,
         f"{share:.2f} of a bare insert, {bare[0]:.0f} and {bare[1]:.0f} a second "
         f"(at least {LEAST_SHARE_OF_BARE})"),
        (p99 < MOST_P99_S, f"p99 {p99 * 1000:.0f} ms (under {MOST_P99_S * 1000:.0f})"),
    )  # fmt: skip
    for is_kept, sentence in limits:
        print(f"  {'' if is_kept else 'OVER THE LIMIT: '}{sentence}")
    print(f"  median {median * 1000:.0f} ms, longest {max(votes['latencies']) * 1000:.0f} ms")
    return sum(not is_kept for is_kept, _ in limits)


def pages(port: int, session: str) -> int:
    """Median times of pages, one client at a time; how many limits were exceeded."""
    rater, lead = Client(port), Client(port)
    join(rater)
    lead.cookies["sessionid"] = session
    unblind(lead, "/campaigns/load/votes/")
    exceeded = 0
    for client, path in ((rater, "/vote/load/"), *((lead, path) for path in LEAD_PAGES)):
        taken = []
        for _ in range(21):
            began = time.perf_counter()
            client.send("GET", path)
            taken.append(time.perf_counter() - began)
        median = statistics.median(taken)
        is_kept = median <= MOST_MEDIAN_S
        exceeded += not is_kept
        print(f"  {'' if is_kept else 'OVER THE LIMIT: '}{path} median {median * 1000:.0f} ms")
    return exceeded


def clients(environment: Mapping[str, str], port: int, seconds: float, what: str) -> dict:
    command = ["-m", "performance._voting_clients", str(port), str(N_CLIENTS), str(seconds), what]
    return dict(json.loads(run(environment, *command)))


def run(environment: Mapping[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], env=dict(environment), cwd=ROOT, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{arguments} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


@contextmanager
def web_server(environment: Mapping[str, str]) -> Iterator[int]:
    """The site's web server as ``manage.py up`` starts it; its port."""
    port = int(environment["PORT"])
    command = [sys.executable, "-m", "gunicorn", "webapp.wsgi:application"]
    command += ["--config", "python:webapp.supervisor.web_server", "--workers", "8"]
    command += ["--bind", f"127.0.0.1:{port}"]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, env=dict(environment), cwd=ROOT, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _wait_for(port, process)
            yield port
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    give_up_at = time.monotonic() + 60
    while True:
        try:
            Client(port).send("GET", "/healthz")
        except (OSError, RuntimeError):
            if time.monotonic() > give_up_at or process.poll() is not None:
                raise
            time.sleep(0.2)
            continue
        return


if __name__ == "__main__":
    sys.exit(main())
