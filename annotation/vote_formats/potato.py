"""Potato's project: ``annotation_output/<user>/user_state.json`` and the items that were shown,
in a folder or a zip of it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from annotation.vote_formats.pair_fields import question_of, two_systems
from annotation.vote_formats.rows import (
    MODEL,
    PERSON,
    TIE,
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
from evaluation.source_files.reading import decode, parse_json
from evaluation.source_files.refusals import WrongKindOfFile

OUTCOMES: Final = {"a": A, "b": B, "tie": TIE}
STATE = "user_state.json"
LABELS = "instance_id_to_label_to_value"
SELECTION = "selection"
MOST_FILES = 20_000


@dataclass(frozen=True, slots=True)
class _File:
    name: PurePosixPath
    content: bytes


def read(paths: Sequence[Path], options: ReadOptions) -> VoteFile:
    """One row a rater and instance. The items (.json, .jsonl) say which systems an instance
    compares; ``options.question`` chooses among several pairwise questions.
    Raises BrokenRows, WrongKindOfFile."""
    path = paths[0]
    if len(paths) > 1:
        raise WrongKindOfFile(path, "one folder, or one zip of it, is needed")
    states: list[_File] = []
    items: dict[str, JsonNode] = {}
    for file in _files(path, options.max_bytes):
        if file.name.name == STATE:
            states.append(file)
        elif file.name.suffix in (".json", ".jsonl"):
            items |= _items(file, path)
    if not states:
        raise WrongKindOfFile(path, f"it holds no annotation_output/<user>/{STATE}")
    rows = RowCollector(path)
    for file in sorted(states, key=lambda one: str(one.name)):
        with rows.reading(str(file.name)):
            _read_rater(rows, file, items, options)
    return rows.finished()


def _files(path: Path, max_bytes: int) -> Iterator[_File]:
    """Every JSON file below, at most ``max_bytes`` together."""
    n_bytes = 0
    for n_files, file in enumerate(_of_folder(path) if path.is_dir() else _of_zip(path, max_bytes)):
        n_bytes += len(file.content)
        if n_bytes > max_bytes or n_files >= MOST_FILES:
            raise WrongKindOfFile(
                path, f"it is larger than the limit of {max_bytes:,} bytes or {MOST_FILES:,} files"
            )
        yield file


def _of_folder(path: Path) -> Iterator[_File]:
    for file in sorted(path.rglob("*.json*")):
        if file.is_file() and file.resolve().is_relative_to(path.resolve()):
            yield _File(PurePosixPath(file.relative_to(path).as_posix()), file.read_bytes())


def _of_zip(path: Path, max_bytes: int) -> Iterator[_File]:
    try:
        with zipfile.ZipFile(path) as packed:
            for entry in packed.infolist():
                name = PurePosixPath(entry.filename)
                if entry.is_dir() or not name.suffix.startswith(".json"):
                    continue
                with packed.open(entry) as stream:
                    yield _File(name, stream.read(max_bytes + 1))
    except FileNotFoundError as error:
        raise WrongKindOfFile(path, "there is no such file") from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
        raise WrongKindOfFile(path, f"this is not a zip that can be read: {error}") from error


def _items(file: _File, path: Path) -> dict[str, JsonNode]:
    """Objects with an id; files of other content hold none."""
    text = decode(file.content, path)
    try:
        whole = json.loads(text)
        values = whole if isinstance(whole, list) else [whole]
    except (ValueError, RecursionError):
        lines = [line for line in text.split("\n") if line.strip()]
        try:
            values = [parse_json(line, path) for line in lines]
        except WrongKindOfFile:
            return {}
    return {
        str(value["id"]): JsonNode(value, path, f"{file.name}, item {value['id']}")
        for value in values
        if isinstance(value, dict) and "id" in value
    }


def _read_rater(
    rows: RowCollector, file: _File, items: Mapping[str, JsonNode], options: ReadOptions
) -> None:
    value = parse_json(decode(file.content, rows.path), rows.path, place=str(file.name))
    state = JsonNode(value, rows.path, str(file.name))
    named = state.find("user_id")
    rater = named.label() if named else file.name.parent.name
    for instance, labels in state.field(LABELS).fields().items():
        place = f"{file.name}, instance {instance}"
        with rows.reading(place):
            said = _selection(JsonNode(labels, rows.path, place), options.question)
            if said is None:
                continue
            if said.casefold() not in OUTCOMES:
                raise rows.refuse(place, unknown_outcome(said, ("A", "B", "tie")))
            if instance not in items:
                raise rows.refuse(place, "no item of this id is in the files beside")
            left, right = two_systems(items[instance], options.systems)
            key, text = question_of(items[instance])
            rows.rows.append(
                VoteRow(
                    place=place,
                    question=question_key(key or text or instance),
                    question_text=text,
                    left=left,
                    right=right,
                    choice=OUTCOMES[said.casefold()],
                    rater=rater,
                    voter=MODEL if options.models else PERSON,
                    extra={"instance": instance},
                )
            )


def _selection(labels: JsonNode, asked: str) -> str | None:
    """What was selected; None where the instance holds no pairwise answer."""
    found = {
        schema: value
        for schema, name, value in _labels(labels)
        if name == SELECTION and (not asked or schema == asked)
    }
    if not found:
        return None
    if len(found) > 1:
        names = ", ".join(sorted(found))
        raise labels.refuse(f"it answers several questions ({names}); say which is the vote")
    return str(next(iter(found.values()))).strip()


def _labels(labels: JsonNode) -> Iterator[tuple[str, str, Any]]:
    """(schema, name, value), from ``{schema: {name: value}}`` or ``[[{schema, name}, value]]``."""
    if isinstance(labels.value, dict):
        for schema, names in labels.value.items():
            if isinstance(names, dict):
                yield from ((str(schema), str(name), value) for name, value in names.items())
        return
    for pair in labels.each():
        parts = pair.each()
        if len(parts) != 2:
            raise pair.refuse("a label and its value are needed here")
        label = parts[0]
        yield label.field("schema").label(), label.field("name").label(), parts[1].value
