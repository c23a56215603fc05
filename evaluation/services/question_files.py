"""Question sets named on a command line, and files of question ids."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from evaluation.services.run_options import InvalidRunOption
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import parse_json, read_text
from evaluation.source_files.refusals import WrongKindOfFile

MAX_BYTES = 16 * 1024 * 1024
NAMED = ("all", "holdout")
COUNTED = ("first", "stratified")


def question_set(*, asked: str, limit: int | None = None) -> tuple[str, tuple[str, ...]]:
    """(name of the set, its ids or none) for all, holdout, first:N, stratified:N or a file.

    ``limit`` keeps the first N of all or of a file. Raises InvalidRunOption, WrongKindOfFile.
    """
    name = asked.strip()
    kind, _, count = name.partition(":")
    if name in NAMED or (kind in COUNTED and count.isdecimal() and int(count) > 0):
        if limit is None:
            return name, ()
        if name == "all":
            return f"first:{limit}", ()
        raise InvalidRunOption(
            "questions", f"a limit of questions goes with all or a file, not with {name}"
        )
    path = Path(name)
    if not path.exists():
        raise InvalidRunOption(
            "questions",
            f"unknown question set '{asked}': use all, holdout, first:N, stratified:N, or a file "
            "with a question id a line",
        )
    return "ids", read_question_ids(path=path)[:limit]


def read_question_ids(*, path: Path) -> tuple[str, ...]:
    """The ids in a file: one a line (lines with # are remarks), or a JSON list.

    Raises WrongKindOfFile, also for an id that stands there twice.
    """
    text = read_text(path, max_bytes=MAX_BYTES)
    if text.lstrip().startswith("["):
        ids = [node.label() for node in JsonNode(parse_json(text, path), path).each()]
    else:
        lines = [line.strip() for line in text.splitlines()]
        ids = [line for line in lines if line and not line.startswith("#")]
    if not ids:
        raise WrongKindOfFile(path, "there is no question id in it")
    repeated = next((one for one, times in Counter(ids).items() if times > 1), None)
    if repeated is not None:
        raise WrongKindOfFile(path, f"the question “{repeated}” stands in it twice")
    return tuple(ids)
