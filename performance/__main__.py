"""``make bench``: every measurement of this folder, one after another, each in its own process."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    """0 when every measurement kept its limits."""
    exceeded = []
    for path in sorted(FOLDER.glob("[!_]*.py")):
        print(f"\n== {path.stem}", flush=True)
        began = time.monotonic()
        command = [sys.executable, "-m", f"performance.{path.stem}"]
        if subprocess.run(command, cwd=FOLDER.parent, check=False).returncode != 0:
            exceeded.append(path.stem)
        print(f"== {path.stem}: {time.monotonic() - began:.0f} s", flush=True)
    print("\n" + (f"Over their limits: {', '.join(exceeded)}" if exceeded else "All within limits"))
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
