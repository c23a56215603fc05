"""PandaLM's test set (three annotators an item) and, beside it, the files of its judges."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from annotation.vote_formats.rows import (
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
from evaluation.source_files.reading import read_json
from evaluation.source_files.refusals import WrongKindOfFile

OUTCOMES: Final = {1: A, 2: B, 0: TIE}
READABLE: Final = {"1": A, "2": B, "0": TIE, "tie": TIE}
ANNOTATOR = re.compile(r"annotator\d+")
RESULT = re.compile(r".+_result")
_SET_NAME = re.compile(r"-testset-v\d+$")


def read(paths: Sequence[Path], options: ReadOptions) -> VoteFile:
    """One test set and any number of judge files, whose ``idx`` point into it.

    A judge is named by its file. What a judge wrote that is neither 1, 2 nor a tie is unscored.
    Raises BrokenRows, WrongKindOfFile.
    """
    files = [JsonNode(read_json(path, max_bytes=options.max_bytes), path) for path in paths]
    sets = [file for file in files if not _is_of_a_judge(file)]
    if len(sets) != 1:
        found = "none is here" if not sets else f"here are {len(sets)}"
        raise WrongKindOfFile(
            paths[0], f"one test set (with cmp_key and annotator1 …) is needed; {found}"
        )
    rows = RowCollector(sets[0].path)
    items = _items(rows, sets[0])
    for file in files:
        if file is not sets[0]:
            _read_judge(rows, file, items)
    return rows.finished()


def _is_of_a_judge(file: JsonNode) -> bool:
    nodes = file.each()
    if not nodes:
        raise file.refuse("the list is empty")
    fields = nodes[0].fields()
    return "cmp_key" not in fields and any(RESULT.fullmatch(name) for name in fields)


def _items(rows: RowCollector, file: JsonNode) -> dict[int, VoteRow]:
    """The items by idx, as rows that nobody decided; the annotators' votes go to ``rows``."""
    split = _splits([node.fields().get("cmp_key") for node in file.each()])
    items: dict[int, VoteRow] = {}
    for node in file.each():
        with rows.reading(node.place):
            item = _item(node, split)
            idx = node.field("idx").whole_number()
            if idx in items:
                raise node.refuse(f"idx {idx} occurs twice")
            items[idx] = item
            names = sorted(filter(ANNOTATOR.fullmatch, node.fields()))
            if not names:
                raise node.refuse("no annotator1, annotator2 … is here")
            for name in names:
                choice = _choice(node.field(name))
                rows.rows.append(_decided(item, node.place, choice, name, PERSON))
    return items


def _item(node: JsonNode, split: Mapping[str, tuple[str, str]]) -> VoteRow:
    key = node.field("cmp_key").label()
    if key not in split:
        raise node.refuse(
            f"cmp_key “{key}” does not say where the first model's name ends and the second begins"
        )
    instruction, given = node.field("instruction").text(), node.find("input")
    text = f"{instruction}\n\n{given.text()}" if given and given.value else instruction
    extra = {"idx": node.field("idx").whole_number()}
    return VoteRow(
        place=node.place,
        question=question_key(text),
        question_text=text,
        left=split[key][0],
        right=split[key][1],
        choice=UNSCORED,
        rater="",
        extra=extra,
    )


def _decided(item: VoteRow, place: str, choice: str, rater: str, voter: str) -> VoteRow:
    return VoteRow(
        place=f"{place}.{rater}" if voter == PERSON else place,
        question=item.question,
        question_text=item.question_text,
        left=item.left,
        right=item.right,
        choice=choice,
        rater=rater,
        voter=voter,
        extra=item.extra,
    )


def _choice(node: JsonNode) -> str:
    value = node.value
    if isinstance(value, bool) or value not in OUTCOMES:
        raise node.refuse(unknown_outcome(value, ("1", "2", "0")))
    return OUTCOMES[value]


def _read_judge(rows: RowCollector, file: JsonNode, items: Mapping[int, VoteRow]) -> None:
    name = _SET_NAME.sub("", file.path.stem)
    for node in file.each():
        place = f"{file.path.name}, {node.place}"
        with rows.reading(place):
            idx = node.field("idx").whole_number()
            if idx not in items:
                raise rows.refuse(place, f"the test set has no item with idx {idx}")
            results = [field for field in node.fields() if RESULT.fullmatch(field)]
            if len(results) != 1:
                raise rows.refuse(place, "one field …_result is needed")
            said = str(node.fields()[results[0]]).strip()
            choice = READABLE.get(said.casefold(), UNSCORED)
            row = _decided(items[idx], place, choice, name, MODEL)
            rows.rows.append(row if choice != UNSCORED else _with_reply(row, said))


def _with_reply(row: VoteRow, said: str) -> VoteRow:
    return VoteRow(
        place=row.place, question=row.question, question_text=row.question_text, left=row.left,
        right=row.right, choice=UNSCORED, rater=row.rater, voter=MODEL,
        extra={**row.extra, "reply": said[:200]},
    )  # fmt: skip


def _splits(keys: Sequence[object]) -> dict[str, tuple[str, str]]:
    """``m1_m2`` → (m1, m2), for every key that can be told.

    Names may hold underscores themselves. A key with several is split where both halves are names
    that other keys settle, or where one half is and the other stands beside settled names in two
    keys or more; a key that more than one such cut fits is left out.
    """
    options = {key.strip(): _cuts(key.strip()) for key in keys if isinstance(key, str)}
    while True:
        names = {name for cuts in options.values() if len(cuts) == 1 for name in cuts[0]}
        open_keys = {key: cuts for key, cuts in options.items() if len(cuts) > 1}
        beside = Counter(
            name
            for cuts in open_keys.values()
            for cut in cuts
            for name, other in (cut, cut[::-1])
            if name not in names and other in names
        )
        known = names | {name for name, n_keys in beside.items() if n_keys > 1}
        settled = {
            key: fitting
            for key, cuts in open_keys.items()
            if len(fitting := [cut for cut in cuts if known.issuperset(cut)]) == 1
        }
        if not settled:
            return {key: cuts[0] for key, cuts in options.items() if len(cuts) == 1}
        options |= settled


def _cuts(text: str) -> list[tuple[str, str]]:
    places = [place for place, letter in enumerate(text) if letter == "_"]
    cuts = [(text[:place], text[place + 1 :]) for place in places]
    return [cut for cut in cuts if all(cut)]
