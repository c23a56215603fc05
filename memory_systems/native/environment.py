"""What a worker finds in its environment: little, nothing secret, and nothing that phones home."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH")
_FIXED: Mapping[str, str] = {
    # Sets and hashes in the same order every time.
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONUTF8": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "DO_NOT_TRACK": "1",
    "TELEMETRY_DISABLED": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "POSTHOG_DISABLED": "1",
    "OTEL_SDK_DISABLED": "true",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # The endpoint is on this machine; no proxy of the network may stand between.
    "NO_PROXY": "127.0.0.1,localhost",
    "no_proxy": "127.0.0.1,localhost",
}


def worker_environment(
    home: Path, extra: Mapping[str, str], *, environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The whole environment of a worker whose home is ``home``, a folder of its memory; ``extra``
    are the system's own variables."""
    environ = os.environ if environ is None else environ
    kept = {name: environ[name] for name in _KEPT if name in environ}
    places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    return {**kept, **_FIXED, **places, **extra}
