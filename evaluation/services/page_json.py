"""Pages as JSON, for the API and for commands: their rows with the keys they belong to on top."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from typing import Any, get_type_hints

from evaluation.queries.board_keys import BoardKeys, JudgeChoice, ProtocolChoice
from evaluation.services.plain_json import plain


@dataclass(frozen=True, slots=True)
class Keys:
    """Whose numbers these are: one benchmark revision, one comparison key, one judge. Empty where
    nothing has been measured. ``protocols`` and ``judges`` are what can be chosen instead."""

    benchmark: str
    revision: str
    protocol: str
    question_set: str
    judge: str
    judge_key: str
    protocols: tuple[ProtocolChoice, ...]
    judges: tuple[JudgeChoice, ...]


def with_keys(page: type, name: str) -> type:
    """The type of ``page_json(page)``: the page's fields, its ``keys`` spread out on top."""
    hints = {**get_type_hints(Keys), **get_type_hints(page)}
    names = [field.name for field in (*fields(Keys), *fields(page)) if field.name != "keys"]
    made = make_dataclass(name, [(each, hints[each]) for each in names], frozen=True)
    made.__doc__ = page.__doc__
    return made


def page_json(page: Any) -> dict[str, Any]:
    """A page that has ``keys`` as plain values."""
    values = plain(page)
    del values["keys"]
    return {**plain(keys_of(page.keys)), **values}


def keys_of(keys: BoardKeys) -> Keys:
    protocol, judge = keys.protocol, keys.judge
    return Keys(
        benchmark=keys.benchmark.slug,
        revision=keys.benchmark.revision,
        protocol=protocol.key if protocol else "",
        question_set=protocol.question_set if protocol else "",
        judge=judge.name if judge else "",
        judge_key=judge.key if judge else "",
        protocols=keys.protocols,
        judges=keys.judges,
    )
