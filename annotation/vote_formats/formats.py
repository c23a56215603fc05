"""The formats of votes by name, and the doors to them: reading and rendering."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

from annotation.vote_formats.exported_votes import ExportedCheck, ExportedVote
from annotation.vote_formats.rows import ReadOptions, VoteFile
from evaluation.source_files.refusals import WrongKindOfFile

READERS: Final = {
    "evalica": "annotation.vote_formats.evalica",
    "arena": "annotation.vote_formats.arena",
    "pandalm": "annotation.vote_formats.pandalm",
    "alpaca-eval": "annotation.vote_formats.alpaca_eval",
    "label-studio": "annotation.vote_formats.label_studio",
    "potato": "annotation.vote_formats.potato",
    "csv": "annotation.vote_formats.votes_csv",
    "jsonl": "annotation.vote_formats.votes_jsonl",
}
WRITERS: Final = {
    "csv": "annotation.vote_formats.votes_csv",
    "jsonl": "annotation.vote_formats.votes_jsonl",
    "arena": "annotation.vote_formats.arena",
}
OWN: Final = ("csv", "jsonl")
ENDINGS: Final = {"csv": "csv", "jsonl": "jsonl", "arena": "json"}
DESCRIPTIONS: Final = {
    "evalica": "evalica: CSV with left, right, winner",
    "arena": "Chatbot arena: JSON or CSV with model_a, model_b, winner",
    "pandalm": "PandaLM: the test set, and its judges' files",
    "alpaca-eval": "AlpacaEval: annotations.json",
    "label-studio": "Label Studio: JSON export of Pairwise or Choices",
    "potato": "Potato: a zip of the project",
    "csv": "MemJury: CSV",
    "jsonl": "MemJury: JSON Lines",
}


class UnknownVoteFormat(WrongKindOfFile):
    """No format of this name can be read (or written); the message lists those that can."""

    def __init__(self, name: str, known: Iterable[str], verb: str) -> None:
        self.option = "format"
        self.known = tuple(known)
        listed = ", ".join(self.known)
        super().__init__(
            Path("votes"), f"no format is called “{name}”; they can be {verb} {listed}"
        )


def read_votes(
    paths: Sequence[Path], format: str, *, options: ReadOptions | None = None
) -> VoteFile:
    """Every vote of the files (gzip is unpacked). Raises UnknownVoteFormat, and WrongKindOfFile,
    often as BrokenRows, when a row cannot be taken or there is none."""
    chosen = options or ReadOptions()
    if not paths:
        raise WrongKindOfFile(Path("votes"), "a file is needed")
    if format not in READERS:
        raise UnknownVoteFormat(format, READERS, "read from")
    together = sum(path.stat().st_size for path in paths if path.is_file())
    if together > chosen.max_bytes:
        raise WrongKindOfFile(
            paths[0], f"larger than the limit of {chosen.max_bytes:,} bytes ({together:,})"
        )
    module = importlib.import_module(READERS[format])
    file: VoteFile = module.read(paths, chosen)
    return file


def render_votes(votes: Iterable[ExportedVote], format: str) -> Iterator[str]:
    """The votes as text, piece by piece. Raises UnknownVoteFormat at once."""
    chunks: Iterator[str] = _writer(format, WRITERS).render(votes)
    return chunks


def render_checks(checks: Iterable[ExportedCheck], format: str) -> Iterator[str]:
    """Votes on pairs with a known winner, in our own formats only."""
    module = _writer(format, {name: WRITERS[name] for name in OWN})
    chunks: Iterator[str] = (
        module.render(checks, of_checks=True) if format == "csv" else module.render(checks)
    )
    return chunks


def _writer(format: str, known: dict[str, str]) -> ModuleType:
    if format not in known:
        raise UnknownVoteFormat(format, known, "written as")
    return importlib.import_module(known[format])
