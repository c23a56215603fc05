"""Whether an answer states a must-have fact, how exactly, and whether it contradicts it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from evaluation.records import Fact, Key
from evaluation.scoring.assertions import Assertions, says_not_told
from evaluation.scoring.normalisation import contains_sequence, content_stems, stems
from evaluation.scoring.quantities import (
    Quantity,
    is_rounding_of,
    multiply,
    read_number,
    read_quantities,
)
from evaluation.scoring.units import canonical_unit

# A fact is found when this share of its keys, or without keys of its own words (those that the
# question does not already hold), stands in the answer: one in three may be put otherwise.
FACT_COVERAGE = 2 / 3
EXACT = 2
# A penalty takes marks away, so it must be nearly the claim itself.
PENALTY_COVERAGE = 0.8
_NEGATIONS = frozenset(("no", "not", "never", "neither", "nor", "without", "cannot", "t"))


@dataclass(frozen=True, slots=True)
class FactMatch:
    """``n_keys_exact`` of ``n_keys`` were met exactly; ``contradictions`` are wrong values stated
    in place of the right one, each in words."""

    is_found: bool
    n_keys_exact: int
    n_keys: int
    contradictions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """An answer read once and matched against many facts. ``told`` leaves out the clauses that
    say a thing is not reported: a value named there is not asserted."""

    assertions: Assertions
    told_stems: tuple[str, ...]
    clause_stems: tuple[frozenset[str], ...]
    quantities: tuple[Quantity, ...]


def read_answer(assertions: Assertions) -> ReadAnswer:
    return ReadAnswer(
        assertions=assertions,
        told_stems=stems(assertions.told_text),
        clause_stems=tuple(frozenset(stems(clause)) for clause in assertions.told),
        quantities=tuple(read_quantities(assertions.told_text)),
    )


def match_fact(
    fact: Fact, answer: ReadAnswer, question_text: str, right_values: tuple[Key, ...]
) -> FactMatch:
    """``right_values`` are the number keys of all facts: a value right for another fact of the
    same question contradicts none. ValueError where a number key holds no number."""
    if says_not_told(fact.text):
        answer = _only_not_told(answer)
    if not fact.keys:
        return FactMatch(states_text(fact.text, answer, question_text), 0, 0)
    strengths = [key_strength(key, answer) for key in fact.keys]
    wrong = tuple(
        sentence
        for key, strength in zip(fact.keys, strengths, strict=True)
        if strength == 0 and (sentence := _contradiction(key, answer, question_text, right_values))
    )
    n_exact = sum(strength == EXACT for strength in strengths)
    return FactMatch(_is_found(fact, strengths, question_text), n_exact, len(fact.keys), wrong)


def _is_found(fact: Fact, strengths: list[int], question_text: str) -> bool:
    """Of the numbers and of the terms, each on their own, FACT_COVERAGE must be met at least
    loosely (of one or two: all). A term that the question already names need not be repeated."""
    asked = stems(question_text)
    met: dict[str, list[bool]] = {"number": [], "term": []}
    implied: list[bool] = []
    for key, strength in zip(fact.keys, strengths, strict=True):
        if key.kind == "term" and _names_term(key, asked):
            implied.append(strength > 0)
        else:
            met[key.kind].append(strength > 0)
    if not met["number"] and not met["term"]:
        return all(implied)
    return all(_covers(sum(group), len(group)) for group in met.values())


def _covers(n_met: int, n: int) -> bool:
    return n_met >= ceil(FACT_COVERAGE * n - 1e-9)


def states_text(text: str, answer: ReadAnswer, question_text: str) -> bool:
    """Whether the answer covers a text without keys: its numbers all, its own words mostly."""
    if not all(
        any(_equals(stated, wanted.base_value) for stated in answer.quantities)
        for wanted in read_quantities(text)
        if not wanted.is_word
    ):
        return False
    words = set(content_stems(text))
    own = words - set(content_stems(question_text)) or words
    said = set(answer.told_stems)
    if not own:
        return contains_sequence(answer.told_stems, stems(text))
    return _covers(len(own & said), len(own))


def makes_claim(claim: str, answer: ReadAnswer) -> bool:
    """Whether one clause of the answer makes the claim, affirmed or negated as the claim is."""
    words, all_words = set(content_stems(claim)), frozenset(stems(claim))
    numbers = [wanted for wanted in read_quantities(claim) if not wanted.is_word]
    if not all(
        any(_equals(stated, wanted.base_value) for stated in answer.quantities)
        for wanted in numbers
    ):
        return False
    return any(
        len(words & said) >= PENALTY_COVERAGE * len(words) - 1e-9
        and bool(said & _NEGATIONS) == bool(all_words & _NEGATIONS)
        for said in answer.clause_stems
        if words
    )


def names_value(value: str, answer: ReadAnswer, right_values: tuple[str, ...]) -> bool:
    """Whether the answer names ``value`` elsewhere than inside one of ``right_values``."""
    text = f" {' '.join(answer.told_stems)} "
    for right in sorted((stems(one) for one in right_values), key=len, reverse=True):
        if right and len(right) > len(stems(value)):
            text = text.replace(f" {' '.join(right)} ", " \0 ")
    return contains_sequence(tuple(text.split()), stems(value))


def _only_not_told(answer: ReadAnswer) -> ReadAnswer:
    clauses = answer.assertions.not_told
    text = "\n".join(clauses)
    return ReadAnswer(
        answer.assertions,
        stems(text),
        tuple(frozenset(stems(clause)) for clause in clauses),
        tuple(read_quantities(text)),
    )


def key_strength(key: Key, answer: ReadAnswer) -> int:
    """2 = met exactly, 1 = met loosely (no unit, rounded, or other word order), 0 = not met."""
    if key.kind == "number":
        return max((_number_strength(key, stated) for stated in answer.quantities), default=0)
    if _names_term(key, answer.told_stems):
        return 2
    for form in (key.value, *key.aliases):
        words = set(content_stems(form))
        if len(words) > 1 and any(words <= said for said in answer.clause_stems):
            return 1
    return 0


def _names_term(key: Key, words: tuple[str, ...]) -> bool:
    return any(contains_sequence(words, stems(form)) for form in (key.value, *key.aliases))


def _number_strength(key: Key, stated: Quantity) -> int:
    value = read_number(key.value)
    unit, factor = canonical_unit(key.unit)
    tolerance = Decimal(str(key.tolerance))
    if not unit:
        exact = _within(stated.value, value, tolerance) or _within(
            stated.base_value, value, tolerance
        )
        return 2 if exact else int(is_rounding_of(stated.value, value))
    if stated.has_unit(unit):
        stated_factor = stated.factor if stated.unit == unit else Decimal(1)
        in_key_unit = multiply(stated.value, stated_factor) / factor
        if _within(in_key_unit, value, tolerance):
            return 2
        return int(stated_factor == factor and is_rounding_of(stated.value, value))
    if stated.unit:
        return 0
    return int(
        _within(stated.value, value, tolerance)
        or (unit == "1" and _within(stated.value / factor, value, tolerance))
    )


def _within(stated: Decimal, value: Decimal, tolerance: Decimal) -> bool:
    return abs(stated - value) <= multiply(tolerance, abs(value))


def _equals(stated: Quantity, base_value: Decimal) -> bool:
    return stated.base_value == base_value or stated.value == base_value


def _contradiction(
    key: Key, answer: ReadAnswer, question_text: str, right_values: tuple[Key, ...]
) -> str:
    if key.kind != "number":
        return ""
    unit, _ = canonical_unit(key.unit)
    if not unit:
        return ""
    asked = {one.base_value for one in read_quantities(question_text)}
    for stated in answer.quantities:
        if not stated.has_unit(unit) or stated.base_value in asked:
            continue
        if not any(_number_strength(other, stated) for other in right_values):
            return f"{stated.value.normalize():f} for {key.value} {key.unit}"
    return ""
