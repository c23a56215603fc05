"""Run as a process of its own: takes FEW into a real package's memory, to be killed on the way.

Arguments: system, modality, folder, and the folder of installed systems. Each item's id is printed
when it is begun.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import cast

from evaluation.language_models.model_account import ModelAccount
from evaluation.language_models.model_proxy import ModelProxy
from evaluation.language_models.upstreams import open_upstream
from memory_systems.base import Modality
from tests.memory_systems.hashing_embedder import HashingEmbedder
from tests.memory_systems.native.installed import FEW, open_installed


def main(slug: str, modality: str, folder: str, systems: str) -> None:
    os.environ["MEMJURY_SYSTEMS"] = systems
    proxy = ModelProxy(ModelAccount(open_upstream("stub"), None), HashingEmbedder())
    memory = open_installed(slug, cast(Modality, modality), Path(folder), proxy)
    for item in FEW:
        print(item.id, flush=True)
        memory.ingest(item)
    memory.flush()
    memory.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
