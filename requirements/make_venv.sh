#!/bin/sh
# Make .venv with a Python that MemJury runs on. PYTHON=… chooses one; otherwise the first that fits.
set -eu
cd "$(dirname "$0")/.."

fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))' 2>/dev/null; }

chosen=""
for candidate in ${PYTHON:-python3.11 python3.12 python3 python}; do
    if fits "$candidate"; then chosen=$candidate; break; fi
done
if [ -z "$chosen" ]; then
    found=$("${PYTHON:-python3}" -V 2>/dev/null || true)
    echo "MemJury needs Python 3.11 or 3.12, and there is none here (found: ${found:-no Python})." >&2
    echo "On Debian: apt-get install python3 python3-venv. Elsewhere: make PYTHON=/path/to/python3.11" >&2
    exit 1
fi
if ! "$chosen" -c 'import venv, ensurepip' 2>/dev/null; then
    echo "$("$chosen" -V) lacks the modules that make virtual environments." >&2
    echo "On Debian: apt-get install python3-venv" >&2
    exit 1
fi
echo "Making .venv with $("$chosen" -V)"
"$chosen" -m venv --clear .venv
