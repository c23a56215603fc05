"""Judges that only look: is the gold value in the answer?"""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.records import Expectation, Fact, Judgment
from evaluation.scoring.assertions import denies_that_it_is_told, read_assertions
from evaluation.scoring.fact_matching import EXACT, key_strength, names_value, read_answer
from evaluation.scoring.limits import MAX_ANSWER_CHARS
from evaluation.scoring.normalisation import contains_sequence, stems

VERSION = 1
FULL = 10.0


class SubstringJudge:
    """10 when every must-have value stands in the answer word for word after normalisation (or
    the gold answer, where there are no facts), else 0; ``share_found`` is the part that stands
    there. A value that is outdated makes it 0. Where nothing is known, 10 for saying so."""

    name = "substring"
    is_proxy = True

    @property
    def key_parts(self) -> Mapping[str, str | int | float | None]:
        return {"judge": self.name, "version": VERSION}

    def judge(
        self,
        question_text: str,
        expectation: Expectation,
        answer_text: str,
        context_text: str,  # noqa: ARG002 - only the answer is looked at
        *,
        repeat: int = 0,  # noqa: ARG002 - the same every time
    ) -> Judgment:
        answer_text = answer_text[:MAX_ANSWER_CHARS]
        assertions = read_assertions(answer_text)
        if expectation.abstain:
            says_so = denies_that_it_is_told(assertions, question_text, expectation.gold_answer)
            score = FULL if says_so else 0.0
            reason = "It says that this is not known." if says_so else "It does not say so."
            return Judgment(score, {"all_found": score}, reason=reason)
        wanted = _wanted(expectation)
        if not wanted:
            return Judgment(
                None, unscored_reason="the question has neither facts nor a gold answer"
            )
        answer = read_answer(assertions)
        right = tuple(form for forms in wanted for form in forms)
        for value in expectation.stale_values:
            if names_value(value, answer, right):
                return Judgment(0.0, {"all_found": 0.0}, reason=f"An outdated value: {value}.")
        found = self._n_found(expectation, answer_text, wanted)
        share = found / len(wanted)
        scores = {"all_found": FULL * (share == 1), "share_found": FULL * share}
        reason = f"{found} of {len(wanted)} values found."
        return Judgment(scores["all_found"], scores, reason=reason)

    def _n_found(
        self,
        expectation: Expectation,  # noqa: ARG002 - the words alone decide
        answer_text: str,
        wanted: tuple[tuple[str, ...], ...],
    ) -> int:
        said = stems(answer_text)
        return sum(any(contains_sequence(said, stems(form)) for form in forms) for forms in wanted)


class TypedJudge(SubstringJudge):
    """As ``substring``, but a number is compared as a number: within the key's tolerance, in any
    unit that converts, and its unit must be written."""

    name = "typed"

    def _n_found(
        self, expectation: Expectation, answer_text: str, wanted: tuple[tuple[str, ...], ...]
    ) -> int:
        keys = [key for fact in expectation.facts for key in fact.keys]
        if not keys:
            return super()._n_found(expectation, answer_text, wanted)
        answer = read_answer(read_assertions(answer_text))
        without_keys = Expectation("", tuple(fact for fact in expectation.facts if not fact.keys))
        return sum(key_strength(key, answer.told) == EXACT for key in keys) + super()._n_found(
            without_keys, answer_text, _wanted(without_keys)
        )


def _wanted(expectation: Expectation) -> tuple[tuple[str, ...], ...]:
    """The forms of each value that must stand in the answer."""
    if expectation.facts:
        return tuple(forms for fact in expectation.facts for forms in _forms(fact))
    gold = expectation.gold_answer.strip()
    return ((gold,),) if gold else ()


def _forms(fact: Fact) -> tuple[tuple[str, ...], ...]:
    if not fact.keys:
        return ((fact.text,),)
    return tuple((key.value, *key.aliases) for key in fact.keys)
