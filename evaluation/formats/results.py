"""The formats of results by name, and the two doors to them: reading and rendering."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from evaluation.formats.result_rows import ResultFile, ResultRow
from evaluation.source_files.reading import MAX_FILE_BYTES

READERS = {
    "jsonl": "evaluation.formats.answers_jsonl",
    "agent-memory-benchmark": "evaluation.formats.agent_memory_benchmark",
    "memorybench": "evaluation.formats.memorybench",
    "inspect": "evaluation.formats.inspect_log",
}
WRITERS = {
    "jsonl": "evaluation.formats.answers_jsonl",
    "csv": "evaluation.formats.answers_csv",
}


class UnknownResultFormat(ValueError):
    """No format of this name can be read (or written); the message lists those that can."""


def read_results(path: Path, format: str, *, max_bytes: int = MAX_FILE_BYTES) -> ResultFile:
    """The results in a file (gzip is unpacked). Rows that cannot be taken are named in its
    problems. Raises UnknownResultFormat, and WrongKindOfFile when there is nothing to take."""
    module = _module(READERS, format, "read")
    result: ResultFile = module.read(path, max_bytes=max_bytes)
    return result


def render_results(rows: Iterable[ResultRow], format: str, *, reproducible: bool = False) -> str:
    """The rows as text in canonical order; ``reproducible`` leaves out what was measured (run
    ids, costs, times). Raises UnknownResultFormat."""
    module = _module(WRITERS, format, "written")
    text: str = module.render(rows, reproducible=reproducible)
    return text


def _module(table: dict[str, str], name: str, verb: str) -> ModuleType:
    if name not in table:
        known = ", ".join(sorted(table))
        other = READERS if table is WRITERS else WRITERS
        hint = f"“{name}” cannot be {verb}" if name in other else f"no format is called “{name}”"
        raise UnknownResultFormat(f"{hint}; results can be {verb} as {known}")
    return importlib.import_module(table[name])
