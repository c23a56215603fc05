"""The must-have facts of a line of ``questions.jsonl`` (see ``folder``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from evaluation.benchmarks.assembly import span_of
from evaluation.benchmarks.fact_keys import WordRarity, derive_keys, statement_keys
from evaluation.benchmarks.span_search import MISSING, Placement, place_anywhere
from evaluation.records import Fact, Key, Span
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import is_finite_number
from memory_systems.base import SourceItem

_KEY_FIELDS = ("aliases", "kind", "tolerance", "unit", "value")
_FACT_FIELDS = ("keys", "quotes", "text")


def facts_of(
    node: JsonNode,
    *,
    gold: str,
    abstain: bool,
    source_ids: Sequence[str],
    items: Mapping[str, SourceItem],
    rarity: WordRarity,
) -> tuple[tuple[Fact, ...], list[Placement]]:
    """The facts and where their quotes were placed. Without ``facts`` the gold answer is the one
    fact (none where the right answer is to abstain); it is looked for in the sources, but is no
    quote: not finding it is no problem."""
    given = node.find("facts")
    if given is None:
        if abstain:
            return (), []
        placed = [(name, place_anywhere(items[name].text, gold)) for name in source_ids]
        spans = tuple(span for name, placement in placed for span in span_of(name, placement))
        kept = [placement for _, placement in placed if placement.status != "missing"]
        return (Fact(gold, derive_keys(gold, rarity), spans),), kept
    facts: list[Fact] = []
    placements: list[Placement] = []
    for fact in given.each():
        if isinstance(fact.value, str):
            facts.append(Fact(fact.label(), statement_keys(fact.label(), rarity)))
            continue
        _check_fields(fact, _FACT_FIELDS)
        text = fact.field("text").label()
        spans_found: list[Span] = []
        quotes = fact.find("quotes")
        for quote in quotes.each() if quotes is not None else ():
            name, placement = _placed(quote, source_ids, items)
            placements.append(placement)
            spans_found.extend(span_of(name, placement))
        keys = fact.find("keys")
        given_keys = statement_keys(text, rarity) if keys is None else tuple(map(_key, keys.each()))
        facts.append(Fact(text, given_keys, tuple(dict.fromkeys(spans_found))))
    return tuple(facts), placements


def _placed(
    quote: JsonNode, source_ids: Sequence[str], items: Mapping[str, SourceItem]
) -> tuple[str, Placement]:
    if isinstance(quote.value, str):
        places: Sequence[str] = source_ids or tuple(items)
        text = quote.text()
    else:
        document = quote.field("document").label()
        if document not in items:
            raise quote.refuse(f"the document “{document}” is not among the documents")
        places, text = (document,), quote.field("quote").text()
    for name in places:
        placement = place_anywhere(items[name].text, text)
        if placement.status != "missing":
            return name, placement
    return "", MISSING


def _key(node: JsonNode) -> Key:
    _check_fields(node, _KEY_FIELDS)
    value = node.field("value").label()
    unit, tolerance, aliases = node.find("unit"), node.find("tolerance"), node.find("aliases")
    unit_text = unit.text().strip() if unit is not None else ""
    tolerance_value = _tolerance(tolerance) if tolerance is not None else 0.0
    alias_texts = tuple(alias.label() for alias in aliases.each()) if aliases is not None else ()
    match node.field("kind").value:
        case "number":
            if not _is_decimal(value):
                raise node.refuse(f"the number “{value}” is not a decimal")
            return Key("number", value, unit_text, tolerance_value, alias_texts)
        case "term":
            return Key("term", value, aliases=alias_texts)
    raise node.field("kind").refuse("a key is of kind “number” or “term”")


def _is_decimal(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _tolerance(node: JsonNode) -> float:
    if not is_finite_number(node.value) or node.value < 0:
        raise node.refuse("a tolerance is a number from 0 up (0.01 is 1 %)")
    return float(node.value)


def _check_fields(node: JsonNode, known: Sequence[str]) -> None:
    if unknown := sorted(set(node.fields()) - set(known)):
        raise node.refuse(f"unknown field “{unknown[0]}” (known: {', '.join(known)})")
