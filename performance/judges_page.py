"""Speed of the page of judges: ``python -m performance.judges_page [--judgments N]``.

Two judges on the same half a million answers, in SQLite: the time of the first look, which reads
every judgment, and the median of later ones. Ends with status 1 when a limit is exceeded.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from typing import Any

MOST_FIRST_S = 2.0
MOST_KEPT_S = 0.1
N_LOOKS = 15
PAGE = "/benchmarks/load/judges/"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judgments", type=int, default=1_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memjury-bench-") as folder:
        os.environ.update(DJANGO_SETTINGS_MODULE="webapp.settings", MEMJURY_DATA=folder)
        from performance import _judged_cells

        print(f"storing {asked.judgments:,} judgments …", flush=True)
        _judged_cells.main(asked.judgments)
        return measure()


def measure() -> int:
    from django.core.management import call_command
    from django.test import Client

    call_command("collectstatic", interactive=False, verbosity=0)
    client: Any = Client(SERVER_NAME="localhost")
    client.get("/calibration/")  # so that every page's code is imported
    first, *later = (seconds_of(client) for _ in range(N_LOOKS))
    kept = statistics.median(later)
    lines = [
        f"  {'OVER THE LIMIT: ' if took > most else ''}{name} {took * 1000:.0f} ms "
        f"(at most {most * 1000:.0f})"
        for name, took, most in (
            ("the first look", first, MOST_FIRST_S),
            ("a later look", kept, MOST_KEPT_S),
        )
    ]
    print("\n".join(lines))
    return int(first > MOST_FIRST_S or kept > MOST_KEPT_S)


def seconds_of(client: Any) -> float:
    began = time.perf_counter()
    reply = client.get(PAGE)
    took = time.perf_counter() - began
    if reply.status_code != 200 or b"judge-1" not in reply.content:
        raise SystemExit(f"{PAGE} answered {reply.status_code} without its judges")
    return took


if __name__ == "__main__":
    sys.exit(main())
