"""Battles of the chatbot arena: JSON (a list, or one object a line) or CSV with
``question_id, model_a, model_b, winner`` and, where known, judge, turn, language, tstamp."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from annotation.vote_formats.exported_votes import ExportedVote
from annotation.vote_formats.rows import (
    BOTH_BAD,
    MODEL,
    PERSON,
    SIMULATED,
    TIE,
    A,
    B,
    ReadOptions,
    RowCollector,
    VoteFile,
    VoteRow,
    kept_fields,
    question_key,
    unknown_outcome,
)
from annotation.vote_formats.tables import read_table
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import parse_json, read_json_lines, read_text
from evaluation.source_files.refusals import WrongKindOfFile

OUTCOMES: Final = {
    "model_a": A, "model_b": B, "tie": TIE, "tie (bothbad)": BOTH_BAD, "both_bad": BOTH_BAD,
}  # fmt: skip
WRITTEN: Final = {A: "model_a", B: "model_b", TIE: "tie", BOTH_BAD: "tie (bothbad)"}
USED = frozenset({"question_id", "model_a", "model_b", "winner", "judge", "turn", "tstamp"})
SIMULATED_FIELD = "simulated"


def read(paths: Sequence[Path], options: ReadOptions) -> VoteFile:
    """A judge that is a list (a model with the name of its prompt) is a language model; a text is
    a person, unless ``options.models``. A later turn is a question of its own.
    Raises BrokenRows, WrongKindOfFile."""
    rows = RowCollector(paths[0])
    for path in paths:
        for node, refusal in _battles(path, options.max_bytes):
            place = node.place if len(paths) == 1 else f"{path.name}, {node.place}"
            with rows.reading(place):
                if refusal:
                    raise rows.refuse(place, refusal)
                rows.rows.append(_vote(place, node, options))
    return rows.finished()


def _battles(path: Path, max_bytes: int) -> Iterator[tuple[JsonNode, str]]:
    """Each battle, and why it cannot be read where it cannot."""
    text = read_text(path, max_bytes=max_bytes)
    start = text.lstrip()[:1]
    if start == "[":
        for node in JsonNode(parse_json(text, path), path).each():
            yield node, ""
    elif start == "{":
        for line in read_json_lines(path, max_bytes=max_bytes):
            refusal = line.refusal.reason if line.refusal else ""
            yield JsonNode(line.value, path, line.place), refusal
    else:
        table = read_table(path, needed=("model_a", "model_b", "winner"), max_bytes=max_bytes)
        for row in table.rows:
            filled = {name: cell for name, cell in row.cells.items() if cell.strip()}
            yield JsonNode(filled, path, row.place), row.refusal


def _vote(place: str, node: JsonNode, options: ReadOptions) -> VoteRow:
    left, right = node.field("model_a").label(), node.field("model_b").label()
    outcome = node.field("winner").label()
    if outcome.casefold() not in OUTCOMES:
        raise node.refuse(unknown_outcome(outcome, tuple(OUTCOMES)))
    rater, voter = _judge(node)
    asked = node.find("question_id")
    question, turn = (asked.label() if asked else ""), node.find("turn")
    if question and turn and turn.label() not in ("0", "1"):
        question = f"{question}, turn {turn.label()}"
    is_simulated = str(node.fields().get(SIMULATED_FIELD, "")).casefold() == "true"
    return VoteRow(
        place=place,
        question=question_key(question),
        left=left,
        right=right,
        choice=OUTCOMES[outcome.casefold()],
        rater=rater,
        voter=SIMULATED if is_simulated else MODEL if options.models else voter,
        cast_at=_time(node),
        extra=kept_fields(node.fields(), USED | {SIMULATED_FIELD})
        | ({"turn": turn.value} if turn and not question else {}),
    )


def _judge(node: JsonNode) -> tuple[str, str]:
    judge = node.find("judge")
    if judge is None:
        return "", PERSON
    if isinstance(judge.value, list):
        return " ".join(part.label() for part in judge.each()), MODEL
    return judge.label(), PERSON


def _time(node: JsonNode) -> dt.datetime | None:
    stamp = node.find("tstamp")
    if stamp is None:
        return None
    try:
        return dt.datetime.fromtimestamp(float(stamp.label()), dt.UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise node.refuse(f"tstamp “{stamp.value}” is no time in seconds since 1970") from error


def render(votes: Iterable[ExportedVote]) -> Iterator[str]:
    """A JSON list of the votes, an object a line; the format knows no flags, so the caller gives
    counted votes alone."""
    yield "["
    separator = "\n"
    for vote in votes:
        yield separator + json.dumps(_battle(vote), ensure_ascii=False, allow_nan=False)
        separator = ",\n"
    yield "\n]\n"


def _battle(vote: ExportedVote) -> Mapping[str, Any]:
    if vote.choice not in WRITTEN:
        raise WrongKindOfFile(Path("arena"), f"“{vote.choice}” is no vote")
    battle: dict[str, Any] = {
        "question_id": vote.question,
        "model_a": vote.left_system,
        "model_b": vote.right_system,
        "winner": WRITTEN[vote.choice],
        "judge": [vote.rater] if vote.voter == MODEL else vote.rater,
        "turn": 1,
        "tstamp": vote.cast_at.timestamp() if vote.cast_at else None,
    }
    return battle | ({SIMULATED_FIELD: True} if vote.simulated else {})
