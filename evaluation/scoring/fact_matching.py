"""Whether an answer states a must-have fact, how exactly, and whether it contradicts it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from evaluation.records import Fact, Key
from evaluation.scoring.assertions import Assertions, read_assertions
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
class ReadText:
    """Some clauses of an answer, read once and matched against many facts."""

    stems: tuple[str, ...]
    clause_stems: tuple[frozenset[str], ...]
    quantities: tuple[Quantity, ...]


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """``told`` leaves out the clauses that say a thing is not reported: a value named there is not
    asserted. ``not_told`` is those alone, ``whole`` is both."""

    told: ReadText
    not_told: ReadText
    whole: ReadText


def read_answer(assertions: Assertions) -> ReadAnswer:
    told, not_told = assertions.told, assertions.not_told
    return ReadAnswer(_read(told), _read(not_told), _read((*told, *not_told)))


def _read(clauses: tuple[str, ...]) -> ReadText:
    text = "\n".join(clauses)
    return ReadText(
        stems=stems(text),
        clause_stems=tuple(frozenset(stems(clause)) for clause in clauses),
        quantities=tuple(read_quantities(text)),
    )


def _part_about(fact: Fact, answer: ReadAnswer) -> ReadText:
    """A fact that a thing is not reported is stated by saying so; one that says this of a part of
    it may be stated anywhere; any other is stated where something is asserted."""
    stated = read_assertions(fact.text)
    if not stated.not_told:
        return answer.told
    return answer.whole if stated.told else answer.not_told


def match_fact(
    fact: Fact, answer: ReadAnswer, question_text: str, right_values: tuple[Key, ...]
) -> FactMatch:
    """``right_values`` are the number keys of all facts: a value right for another fact of the
    same question contradicts none. ValueError where a number key holds no number."""
    said = _part_about(fact, answer)
    if not fact.keys:
        return FactMatch(_states_text(fact.text, said, question_text), 0, 0)
    strengths = [key_strength(key, said) for key in fact.keys]
    wrong = tuple(
        sentence
        for key, strength in zip(fact.keys, strengths, strict=True)
        if strength == 0
        and (sentence := _contradiction(key, answer.told, question_text, right_values))
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


def _states_text(text: str, said: ReadText, question_text: str) -> bool:
    """Whether these clauses cover a text without keys: its numbers all, its own words mostly."""
    if not all(
        any(_equals(stated, wanted.base_value) for stated in said.quantities)
        for wanted in read_quantities(text)
        if not wanted.is_word
    ):
        return False
    words = set(content_stems(text))
    own = words - set(content_stems(question_text)) or words
    own_said = own & set(said.stems)
    if not own:
        return contains_sequence(said.stems, stems(text))
    return _covers(len(own_said), len(own))


def makes_claim(claim: str, answer: ReadAnswer) -> bool:
    """Whether one clause of the answer makes the claim, affirmed or negated as the claim is."""
    words, all_words = set(content_stems(claim)), frozenset(stems(claim))
    numbers = [wanted for wanted in read_quantities(claim) if not wanted.is_word]
    if not all(
        any(_equals(stated, wanted.base_value) for stated in answer.told.quantities)
        for wanted in numbers
    ):
        return False
    return any(
        len(words & said) >= PENALTY_COVERAGE * len(words) - 1e-9
        and bool(said & _NEGATIONS) == bool(all_words & _NEGATIONS)
        for said in answer.told.clause_stems
        if words
    )


def names_value(value: str, answer: ReadAnswer, right_values: tuple[str, ...]) -> bool:
    """Whether the answer names ``value`` elsewhere than inside one of ``right_values``."""
    text = f" {' '.join(answer.told.stems)} "
    for right in sorted((stems(one) for one in right_values), key=len, reverse=True):
        if right and len(right) > len(stems(value)):
            text = text.replace(f" {' '.join(right)} ", " \0 ")
    return contains_sequence(tuple(text.split()), stems(value))


def key_strength(key: Key, said: ReadText) -> int:
    """2 = met exactly, 1 = met loosely (no unit, rounded, or other word order), 0 = not met."""
    if key.kind == "number":
        return max((_number_strength(key, stated) for stated in said.quantities), default=0)
    if _names_term(key, said.stems):
        return 2
    for form in (key.value, *key.aliases):
        words = set(content_stems(form))
        if len(words) > 1 and any(words <= clause for clause in said.clause_stems):
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
    key: Key, said: ReadText, question_text: str, right_values: tuple[Key, ...]
) -> str:
    if key.kind != "number":
        return ""
    unit, _ = canonical_unit(key.unit)
    if not unit:
        return ""
    asked = {one.base_value for one in read_quantities(question_text)}
    for stated in said.quantities:
        if not stated.has_unit(unit) or stated.base_value in asked:
            continue
        if not any(_number_strength(other, stated) for other in right_values):
            return f"{stated.value.normalize():f} for {key.value} {key.unit}"
    return ""
