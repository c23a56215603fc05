"""``make test``: the same tests on SQLite and PostgreSQL, the browser once, and what was left out.

PostgreSQL is the one of TEST_DATABASE_URL, else a throwaway cluster of the installed server; Redis
likewise (TEST_REDIS_URL). With ``--nothing-missing`` a part that did not run is a failure. Other
arguments go to pytest: ``make test TEST_OPTIONS=tests/house``.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from tests.outcomes import VARIABLE, Outcomes, read
from tests.servers import postgresql, postgresql_programs, redis_server

ROOT = Path(__file__).resolve().parent.parent
LONGEST_PASS_S = 25 * 60
NO_TESTS_COLLECTED = 5
STRICT = "--nothing-missing"


def run_pass(name: str, *options: str, environment: Mapping[str, str]) -> tuple[Outcomes, bool]:
    """One pass of pytest; whether it succeeded is the second value."""
    print(f"\n== {name}", flush=True)
    started = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", *options]
    with tempfile.TemporaryDirectory(prefix="memjury-outcomes-") as folder:
        file = Path(folder) / "outcomes.jsonl"
        try:
            code = subprocess.run(
                command,
                cwd=ROOT,
                env={**environment, VARIABLE: str(file)},
                stdin=subprocess.DEVNULL,
                timeout=LONGEST_PASS_S,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            print(f"stopped after {LONGEST_PASS_S / 60:.0f} minutes", flush=True)
            code = 1
        outcomes = read(file)
    print(f"== {name}: {outcomes.counts} in {time.monotonic() - started:.0f} s", flush=True)
    return outcomes, code in {0, NO_TESTS_COLLECTED}


def main(arguments: list[str]) -> int:
    # Ended from outside, it still stops the servers that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped by SIGTERM"))
    missing: list[str] = []
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MEMJURY_") and name not in {"DATABASE_URL", "CELERY_BROKER_URL"}
    }
    with ExitStack() as stack:
        if "TEST_REDIS_URL" not in environment:
            program = shutil.which("redis-server")
            if program:
                environment["TEST_REDIS_URL"] = stack.enter_context(redis_server(program))
            else:
                missing.append("the tests with Redis: install redis-server or set TEST_REDIS_URL")
        database = environment.get("TEST_DATABASE_URL")
        programs = postgresql_programs()
        if database is None and programs is not None:
            database = stack.enter_context(postgresql(programs))
        if database is None:
            missing.append("the tests on PostgreSQL: install postgresql or set TEST_DATABASE_URL")
        options = [argument for argument in arguments if argument != STRICT]
        passes = run_passes(options, environment, database=database, missing=missing)
    return report(passes, missing=missing, strict=STRICT in arguments)


def run_passes(
    options: list[str],
    environment: Mapping[str, str],
    *,
    database: str | None,
    missing: list[str],
) -> dict[str, tuple[Outcomes, bool]]:
    """Each pass that can be run here, by name; what cannot be run is added to ``missing``."""
    parallel = ("-n", str(os.cpu_count() or 1), "--dist", "loadgroup")
    rest = ("-m", "not browser", *parallel, *options)
    passes = {"SQLite": run_pass("SQLite", *rest, environment=environment)}
    second = dict(environment)
    if database is not None:
        second["DATABASE_URL"] = database
        passes["PostgreSQL"] = run_pass("PostgreSQL", *rest, environment=second)
    if os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome"):
        passes["browser"] = run_pass("browser", "-m", "browser", *options, environment=second)
    else:
        missing.append("the browser tests: install chromium or set CHROMIUM to its program")
    return passes


def report(passes: Mapping[str, tuple[Outcomes, bool]], *, missing: list[str], strict: bool) -> int:
    """Print the summary; 0 when everything that ran passed and nothing required was left out."""
    failed = [name for name, (_, succeeded) in passes.items() if not succeeded]
    print("\n== Summary")
    for name, (outcomes, _) in passes.items():
        print(f"{name}: {outcomes.counts}")
        for reason, count in sorted(outcomes.reasons.items()):
            print(f"  {count} skipped: {reason}")
    if "PostgreSQL" in passes:
        ids = [set(passes[name][0].by_id) for name in ("SQLite", "PostgreSQL")]
        if ids[0] == ids[1]:
            print(f"The same {len(ids[0])} test ids ran on SQLite and on PostgreSQL.")
        else:
            failed.append("test ids")
            print("The test ids differ between SQLite and PostgreSQL:")
            for test_id in sorted(ids[0] ^ ids[1])[:20]:
                print(f"  only on {'SQLite' if test_id in ids[0] else 'PostgreSQL'}: {test_id}")
    print("Did not run: " + ("nothing was left out." if not missing else ""))
    for what in missing:
        print(f"  {what}")
    if failed:
        print(f"Failed: {', '.join(failed)}")
    return 1 if failed or (strict and missing) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
