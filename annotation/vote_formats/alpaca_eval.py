"""AlpacaEval's annotations: verdicts of a language model on an answer against the baseline's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from annotation.vote_formats.rows import (
    MODEL,
    TIE,
    UNSCORED,
    A,
    B,
    ReadOptions,
    RowCollector,
    VoteFile,
    VoteRow,
    kept_fields,
    question_key,
)
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import is_finite_number, read_json

USED = frozenset({"instruction", "output_1", "generator_1", "output_2", "generator_2", "annotator"})


def read(paths: Sequence[Path], options: ReadOptions) -> VoteFile:
    """``preference`` goes from 1 (the first answer wins) to 2; 1.5 and 0 are draws, null is
    unscored; its number is kept with each verdict. Answers' texts are left out.
    Raises BrokenRows, WrongKindOfFile."""
    rows = RowCollector(paths[0])
    for path in paths:
        for node in JsonNode(read_json(path, max_bytes=options.max_bytes), path).each():
            place = node.place if len(paths) == 1 else f"{path.name}, {node.place}"
            with rows.reading(place):
                rows.rows.append(_verdict(place, node))
    return rows.finished()


def _verdict(place: str, node: JsonNode) -> VoteRow:
    text = node.field("instruction").text()
    return VoteRow(
        place=place,
        question=question_key(text),
        question_text=text,
        left=node.field("generator_1").label(),
        right=node.field("generator_2").label(),
        choice=_choice(node),
        rater=node.field("annotator").label(),
        voter=MODEL,
        extra=kept_fields(node.fields(), USED),
    )


def _choice(node: JsonNode) -> str:
    if "preference" not in node.fields():
        raise node.refuse("the field “preference” is missing")
    preference = node.fields()["preference"]
    if preference is None:
        return UNSCORED
    if not is_finite_number(preference) or not (preference == 0 or 1 <= preference <= 2):
        raise node.refuse(f"preference “{preference}” is neither from 1 to 2, nor 0, nor null")
    if preference in (0, 1.5):
        return TIE
    return A if preference < 1.5 else B
