"""Checks of the questions themselves: sources, stability, tiers, duplicates, prior knowledge."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping

from evaluation.benchmarks.audit.corpus import Corpus, items_of
from evaluation.benchmarks.audit.report import NO_CLASS, AuditCheck, AuditFinding
from evaluation.benchmarks.measures import RIGHT_FROM
from evaluation.records import Benchmark, Question

SOURCES = "source pointers"
STABILITY = "stable across two loads"
KNOWLEDGE = "answerable without the corpus"
TIERS = "tier against sources"
DUPLICATES = "duplicate questions"
NEAR_DUPLICATE = 0.9
_SOURCES_OF_TIER: Mapping[str, tuple[Callable[[int], bool], str]] = {
    "L1": (lambda n: n == 1, "one source"),
    "L2": (lambda n: 1 <= n <= 2, "one or two sources"),
    "L3": (lambda n: n >= 2, "two sources or more"),
}


def check_sources(benchmark: Benchmark, corpus: Corpus) -> AuditCheck:
    """Class B: a question that points at no source, at one outside the corpus, or is not asked."""
    findings = []
    for question in benchmark.questions:
        texts = corpus.texts_for(question.id)
        missing = [item_id for item_id in question.source_ids if item_id not in texts]
        if missing:
            sentence = f"its source {', '.join(missing)} is not in the corpus."
            findings.append(AuditFinding(SOURCES, "B", question.id, sentence))
        elif not question.source_ids and not _is_negative(question):
            sentence = "it names no source, so nothing shows that the corpus answers it."
            findings.append(AuditFinding(SOURCES, "B", question.id, sentence))
        if not corpus.is_asked(question.id):
            sentence = "no scenario asks it."
            findings.append(AuditFinding(SOURCES, NO_CLASS, question.id, sentence))
    description = "Every source that a question cites is in the corpus."
    return AuditCheck(SOURCES, description, len(benchmark.questions), tuple(findings))


def check_stability(benchmark: Benchmark, second_load: Benchmark | None) -> AuditCheck:
    """Class C: a question, or a text it cites, that another load gives otherwise."""
    description = "Loading the benchmark twice gives the same questions, gold and texts."
    if second_load is None:
        return AuditCheck(STABILITY, description, refusal="no second load was given")
    second = {question.id: question for question in second_load.questions}
    changed = _digests(benchmark).items() ^ _digests(second_load).items()
    changed_items = {item_id for (_, item_id, _), _ in changed}
    findings = []
    for question in benchmark.questions:
        if second.pop(question.id, None) != question:
            sentence = "its text, gold or facts differ in the second load."
            findings.append(AuditFinding(STABILITY, "C", question.id, sentence))
        elif touched := [one for one in question.source_ids if one in changed_items]:
            sentence = f"the text of its source {', '.join(touched)} differs in the second load."
            findings.append(AuditFinding(STABILITY, "C", question.id, sentence))
    findings += [
        AuditFinding(STABILITY, "C", question_id, "only the second load has it.")
        for question_id in second
    ]
    return AuditCheck(STABILITY, description, len(benchmark.questions), tuple(findings))


def check_knowledge(benchmark: Benchmark, scores: Mapping[str, float] | None) -> AuditCheck:
    """Class E: a question that a model without the corpus gets right (composite from RIGHT_FROM
    up). Negative questions are left out: without a corpus, not knowing is right by accident."""
    description = "A model that sees no corpus does not get the question right."
    if scores is None:
        return AuditCheck(KNOWLEDGE, description, refusal="no scores of a base model were given")
    asked = [q for q in benchmark.questions if q.id in scores and not _is_negative(q)]
    findings = [
        AuditFinding(
            KNOWLEDGE,
            "E",
            question.id,
            f"without the corpus it is answered with a score of {scores[question.id]:.1f} of 10.",
        )
        for question in asked
        if scores[question.id] >= RIGHT_FROM
    ]
    return AuditCheck(KNOWLEDGE, description, len(asked), tuple(findings))


def check_tiers(benchmark: Benchmark) -> AuditCheck:
    """L1 needs one source, L2 one or two, L3 two or more (the paper's schema)."""
    description = "The tier agrees with how many sources the question cites."
    tiered = [q for q in benchmark.questions if "tier" in q.slices and q.source_ids]
    if not tiered:
        return AuditCheck(TIERS, description, refusal="no question has a tier and sources")
    findings = []
    for question in tiered:
        for tier in question.slices["tier"]:
            agrees, wanted = _SOURCES_OF_TIER.get(tier, (lambda _: True, ""))
            n = len(set(question.source_ids))
            if not agrees(n):
                sentence = f"it is {tier}, which needs {wanted}, and cites {n}."
                findings.append(AuditFinding(TIERS, NO_CLASS, question.id, sentence))
    return AuditCheck(TIERS, description, len(tiered), tuple(findings))


def check_duplicates(benchmark: Benchmark) -> AuditCheck:
    """Questions whose words are the same as an earlier one's, or nearly (word sets that overlap
    by NEAR_DUPLICATE) with the same sources; and ids that occur twice."""
    findings: list[AuditFinding] = []
    earlier: list[tuple[Question, str, frozenset[str]]] = []
    ids: set[str] = set()
    for question in benchmark.questions:
        if question.id in ids:
            sentence = "its id occurs twice."
            findings.append(AuditFinding(DUPLICATES, NO_CLASS, question.id, sentence))
        ids.add(question.id)
        words = re.findall(r"\w+", question.text.casefold())
        text, word_set = " ".join(words), frozenset(words)
        for other, other_text, other_words in earlier:
            if set(question.source_ids) != set(other.source_ids):
                continue
            if text == other_text:
                findings.append(_duplicate(question, f"it repeats {other.id} word for word."))
            elif _overlap(word_set, other_words) >= NEAR_DUPLICATE and _same_gold(question, other):
                findings.append(_duplicate(question, f"it is nearly the same as {other.id}."))
        earlier.append((question, text, word_set))
    description = "No question is asked twice."
    return AuditCheck(DUPLICATES, description, len(benchmark.questions), tuple(findings))


def _duplicate(question: Question, sentence: str) -> AuditFinding:
    return AuditFinding(DUPLICATES, NO_CLASS, question.id, sentence)


def _overlap(some: frozenset[str], others: frozenset[str]) -> float:
    return len(some & others) / len(some | others) if some or others else 1.0


def _same_gold(question: Question, other: Question) -> bool:
    return {e.gold_answer for e in question.expectations.values()} == {
        e.gold_answer for e in other.expectations.values()
    }


def _is_negative(question: Question) -> bool:
    return any(expectation.abstain for expectation in question.expectations.values())


def _digests(benchmark: Benchmark) -> dict[tuple[str, str, int], str]:
    """Scenario, item and how many versions came before it → hash of its text."""
    digests: dict[tuple[str, str, int], str] = {}
    n_versions: Counter[tuple[str, str]] = Counter()
    for scenario_id, item in items_of(benchmark):
        version = n_versions[scenario_id, item.id]
        n_versions[scenario_id, item.id] += 1
        digest = hashlib.sha256(item.text.encode()).hexdigest()
        digests[scenario_id, item.id, version] = digest
    return digests
