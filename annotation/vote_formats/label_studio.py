"""Label Studio's JSON export of tasks with a ``<Pairwise>`` or ``<Choices>`` control."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from annotation.vote_formats.pair_fields import question_of, two_systems
from annotation.vote_formats.rows import (
    BOTH_BAD,
    MODEL,
    PERSON,
    TIE,
    UNSCORED,
    A,
    B,
    ReadOptions,
    RowCollector,
    VoteFile,
    VoteRow,
    question_key,
    unknown_outcome,
)
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import is_finite_number, read_json

PAIRWISE: Final = {"left": A, "right": B}
CHOICES: Final = {
    "a": A, "left": A, "b": B, "right": B, "tie": TIE, "both_bad": BOTH_BAD, "both bad": BOTH_BAD,
}  # fmt: skip
DECIDING: Final = ("pairwise", "choices")


def read(paths: Sequence[Path], options: ReadOptions) -> VoteFile:
    """One row an annotation. A cancelled annotation is a skip and left out; one without a result
    is unscored: Pairwise has no tie. ``options.question`` chooses among several controls.
    Raises BrokenRows, WrongKindOfFile."""
    rows = RowCollector(paths[0])
    n_skipped = 0
    for path in paths:
        for task in JsonNode(read_json(path, max_bytes=options.max_bytes), path).each():
            for annotation in _annotations(rows, task):
                place = annotation.place if len(paths) == 1 else f"{path.name}, {annotation.place}"
                with rows.reading(place):
                    if annotation.fields().get("was_cancelled"):
                        n_skipped += 1
                        continue
                    rows.rows.append(_vote(task, annotation, options))
    return rows.finished(
        f"{n_skipped:,} cancelled annotations were skips and are left out" if n_skipped else ""
    )


def _annotations(rows: RowCollector, task: JsonNode) -> Iterator[JsonNode]:
    with rows.reading(task.place):
        yield from task.field("annotations").each()


def _vote(task: JsonNode, annotation: JsonNode, options: ReadOptions) -> VoteRow:
    data = task.field("data")
    left, right = two_systems(data, options.systems)
    key, text = question_of(data)
    results = annotation.field("result").each()
    return VoteRow(
        place=annotation.place,
        question=question_key(key or text or f"task {task.field('id').label()}"),
        question_text=text,
        left=left,
        right=right,
        choice=_choice(annotation, results, options.question),
        rater=_rater(annotation),
        voter=MODEL if options.models else PERSON,
        cast_at=_time(annotation),
        seconds=_seconds(annotation),
        comment="\n".join(_comments(results)),
        extra={"task": task.field("id").label()},
    )


def _choice(annotation: JsonNode, results: list[JsonNode], asked: str) -> str:
    deciding = [one for one in results if one.fields().get("type") in DECIDING]
    if asked:
        deciding = [one for one in deciding if one.fields().get("from_name") == asked]
    if not deciding:
        return UNSCORED
    if len(deciding) > 1:
        names = ", ".join(str(one.fields().get("from_name")) for one in deciding)
        raise annotation.refuse(f"it holds several decisions ({names}); say which is the vote")
    result = deciding[0]
    value = result.field("value")
    if result.fields()["type"] == "pairwise":
        said, known = value.field("selected").label(), PAIRWISE
    else:
        chosen = value.field("choices").each()
        if len(chosen) != 1:
            raise value.refuse(f"one choice is needed, not {len(chosen)}")
        said, known = chosen[0].label(), CHOICES
    if said.casefold() not in known:
        raise value.refuse(unknown_outcome(said, tuple(known)))
    return known[said.casefold()]


def _rater(annotation: JsonNode) -> str:
    """The person's id: names and addresses stay out."""
    who = annotation.find("completed_by")
    if who is None:
        return ""
    named = who.field("id") if isinstance(who.value, dict) else who
    return f"user {named.label()}" if isinstance(named.value, int) else named.label()


def _time(annotation: JsonNode) -> dt.datetime | None:
    at = annotation.find("created_at")
    if at is None:
        return None
    try:
        time = dt.datetime.fromisoformat(at.text())
    except ValueError as error:
        raise at.refuse(f"“{at.value}” is no ISO 8601 time") from error
    return time.replace(tzinfo=dt.UTC) if time.tzinfo is None else time.astimezone(dt.UTC)


def _seconds(annotation: JsonNode) -> float | None:
    taken = annotation.find("lead_time")
    if taken is None:
        return None
    if not is_finite_number(taken.value) or taken.value < 0:
        raise taken.refuse(f"“{taken.value}” is no number of seconds")
    return float(taken.value)


def _comments(results: list[JsonNode]) -> Iterator[str]:
    for result in results:
        if result.fields().get("type") == "textarea":
            for text in result.field("value").field("text").each():
                yield text.text()
