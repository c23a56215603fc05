"""The rubric judge: no model, must-have facts matched against the answer and the context.

It is a proxy: it reads numbers, units and names, not meaning. Its rules were written and fixed
before any benchmark was run through it.
"""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.records import Expectation, Fact, Judgment
from evaluation.scoring.assertions import (
    Assertions,
    denies_that_it_is_told,
    read_assertions,
    says_not_told,
)
from evaluation.scoring.fact_matching import (
    FactMatch,
    ReadAnswer,
    makes_claim,
    match_fact,
    names_value,
    read_answer,
)
from evaluation.scoring.grounding import check_grounding
from evaluation.scoring.limits import MAX_ANSWER_CHARS

VERSION = 1
FULL = 10.0


class RubricJudge:
    """Four dimensions, 0–10, and their mean over those scored.

    completeness: share of must-have facts found. accuracy: right / (right + contradicted values +
    penalties), 0 when nothing right or wrong is asserted. specificity: share of keys met exactly
    (value within the key's tolerance and its unit written; a term by its name or an alias),
    unscored without keys. hallucination avoidance: share of the answer's numbers and names that
    context or gold hold, unscored when it asserts none.

    Where the right answer is that the thing is not reported, the first three are 10 for saying so
    and else 0 (accuracy is lowered by penalties). An empty answer, or a refusal where there is an
    answer, is 0.
    """

    name = "rubric"
    is_proxy = True

    @property
    def key_parts(self) -> Mapping[str, str | int | float | None]:
        return {"judge": self.name, "version": VERSION}

    def judge(
        self,
        question_text: str,
        expectation: Expectation,
        answer_text: str,
        context_text: str,
        *,
        repeat: int = 0,  # noqa: ARG002 - the same every time
    ) -> Judgment:
        facts = _facts_of(expectation)
        if not facts and not expectation.abstain:
            return Judgment(
                None, unscored_reason="the question has neither facts nor a gold answer"
            )
        answer_text = answer_text[:MAX_ANSWER_CHARS]
        assertions = read_assertions(answer_text)
        if not assertions.clauses:
            return _nothing(facts, "the answer is empty")
        if expectation.abstain:
            scores, reason = _judge_negative(question_text, expectation, assertions)
        elif assertions.is_refusal and not any(says_not_told(fact.text) for fact in facts):
            return _nothing(facts, "the answer refuses a question that has an answer")
        else:
            scores, reason = _judge_facts(question_text, expectation, facts, assertions)
        grounding = check_grounding(
            answer_text,
            context_text=context_text,
            gold_text="\n".join([expectation.gold_answer, *(_written(fact) for fact in facts)]),
            question_text=question_text,
        )
        if grounding.n_items:
            missing = len(grounding.ungrounded)
            scores["hallucination_avoidance"] = FULL * (1 - missing / grounding.n_items)
            if missing:
                named = ", ".join(grounding.ungrounded[:5])
                reason += f" Neither in the context nor in the gold answer: {named}."
        return Judgment(sum(scores.values()) / len(scores), scores, reason=reason)


def _judge_facts(
    question_text: str, expectation: Expectation, facts: tuple[Fact, ...], assertions: Assertions
) -> tuple[dict[str, float], str]:
    answer = read_answer(assertions)
    numbers = tuple(key for fact in facts for key in fact.keys if key.kind == "number")
    matches = [match_fact(fact, answer, question_text, numbers) for fact in facts]
    penalties = _penalties(expectation, facts, answer)
    contradictions = [wrong for match in matches for wrong in match.contradictions]
    right = sum(match.is_found for match in matches)
    wrong = len(contradictions) + len(penalties)
    scores = {
        "completeness": FULL * right / len(matches),
        "accuracy": FULL * right / (right + wrong) if right + wrong else 0.0,
    }
    n_keys = sum(match.n_keys for match in matches)
    if n_keys:
        scores["specificity"] = FULL * sum(match.n_keys_exact for match in matches) / n_keys
    return scores, _reason(facts, matches, contradictions, penalties)


def _judge_negative(
    question_text: str, expectation: Expectation, assertions: Assertions
) -> tuple[dict[str, float], str]:
    says_so = denies_that_it_is_told(assertions, question_text, expectation.gold_answer)
    penalties = _penalties(expectation, (), read_answer(assertions))
    mark = FULL if says_so else 0.0
    scores = {"completeness": mark, "accuracy": mark / (1 + len(penalties)), "specificity": mark}
    reason = (
        "It says that this is not reported, as is right."
        if says_so
        else "It does not say that this is not reported."
    )
    return scores, reason + _listed(" It makes a claim it must not: ", penalties)


def _penalties(expectation: Expectation, facts: tuple[Fact, ...], answer: ReadAnswer) -> list[str]:
    right = tuple(form for fact in facts for key in fact.keys for form in (key.value, *key.aliases))
    right = (*right, expectation.gold_answer)
    claims = [claim for claim in expectation.penalties if makes_claim(claim, answer)]
    stale = [value for value in expectation.stale_values if names_value(value, answer, right)]
    return claims + stale


def _facts_of(expectation: Expectation) -> tuple[Fact, ...]:
    if expectation.facts or not expectation.gold_answer.strip():
        return expectation.facts
    return (Fact(text=expectation.gold_answer),)


def _written(fact: Fact) -> str:
    keys = [f"{form} {key.unit}" for key in fact.keys for form in (key.value, *key.aliases)]
    return "\n".join([fact.text, *keys])


def _nothing(facts: tuple[Fact, ...], why: str) -> Judgment:
    scores = {"completeness": 0.0, "accuracy": 0.0}
    if any(fact.keys for fact in facts):
        scores["specificity"] = 0.0
    return Judgment(0.0, scores, reason=f"{why[:1].upper()}{why[1:]}.")


def _reason(
    facts: tuple[Fact, ...],
    matches: list[FactMatch],
    contradictions: list[str],
    penalties: list[str],
) -> str:
    missing = [fact.text for fact, match in zip(facts, matches, strict=True) if not match.is_found]
    return (
        f"{len(facts) - len(missing)} of {len(facts)} facts found."
        + _listed(" Missing: ", missing)
        + _listed(" Contradicted: ", contradictions)
        + _listed(" It makes a claim it must not: ", penalties)
    )


def _listed(opening: str, items: list[str]) -> str:
    return f"{opening}{'; '.join(item[:160].rstrip('.') for item in items[:5])}." if items else ""
