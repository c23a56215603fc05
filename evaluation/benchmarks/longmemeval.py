"""Loader of LongMemEval: a list of questions, each with its own haystack of chat sessions.

Each question is a scenario of its own: its sessions in time order, then the question. Item ids
are ``<question_id>/<session_id>``. The day a question is asked on is part of its text, since many
questions count from it. An id that ends in ``_abs`` asks for what was never said: the right
answer is to abstain, and the gold answer tells why. The slice ``type`` is the file's
``question_type``. The fact's spans are the turns marked ``has_answer``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from evaluation.benchmarks.assembly import LoadedQuestion, LoadedScenario, SpanCounts, assemble
from evaluation.benchmarks.cards import card_for
from evaluation.benchmarks.conversations import Session, Turn, iso_date, render_session
from evaluation.benchmarks.fact_keys import WordRarity, derive_keys
from evaluation.records import MAIN_PHASE, Benchmark, Expectation, Fact, Question, Span
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import MAX_FILE_BYTES, read_json

FORMAT = "longmemeval"
ABSTENTION_SUFFIX = "_abs"
_HAYSTACK = ("haystack_sessions", "haystack_session_ids", "haystack_dates")
_QUESTION_FIELDS = {"question", "query", "answer", "gold_answers", "question_type"}
_CITATION = (
    "Wu et al.: LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive Memory. "
    "ICLR 2025"
)


def load(
    path: Path,
    *,
    slug: str | None = None,
    title: str | None = None,
    licence: str | None = None,
    slice_file: Path | None = None,
    max_bytes: int = MAX_FILE_BYTES,
) -> Benchmark:
    """The benchmark in this file. Raises WrongKindOfFile naming the JSON path: another layout,
    questions without their sessions, duplicate question ids, a question without an answer."""
    root = JsonNode(read_json(path, max_bytes=max_bytes), path)
    if not isinstance(root.value, list):
        raise root.refuse("this is not LongMemEval: a list of questions is needed")
    nodes = root.each()
    for node in nodes:
        _check_haystack(node)
    problems: list[str] = []
    haystacks = [_sessions(node, problems) for node in nodes]
    rarity = WordRarity(
        {session.item.text for sessions in haystacks for session, _ in sessions.values()}
    )
    scenarios = [
        _scenario(node, sessions, rarity, problems)
        for node, sessions in zip(nodes, haystacks, strict=True)
    ]
    card = card_for(
        path,
        family="conversational",
        format_name="LongMemEval",
        files=[path],
        slug=slug,
        title=title,
        licence=licence,
        citation=_CITATION,
        slice_file=slice_file,
        max_bytes=max_bytes,
    )
    return assemble(card, scenarios, path=path, problems=problems, slice_file=slice_file)


def _check_haystack(node: JsonNode) -> None:
    fields = node.fields()
    missing = [name for name in _HAYSTACK if name not in fields]
    if not missing:
        return
    if "haystack_sessions" in missing and _QUESTION_FIELDS & fields.keys():
        raise node.refuse(
            "these are questions without the conversations they ask about (no haystack_sessions); "
            "load the full LongMemEval file, such as longmemeval_s.json"
        )
    raise node.refuse(f"this is not LongMemEval: the field “{missing[0]}” is missing")


_Sessions = dict[str, tuple[Session, tuple[int, ...]]]


def _sessions(node: JsonNode, problems: list[str]) -> _Sessions:
    """The haystack by session id in time order (in file order where a date is unreadable), each
    session with the numbers of its turns that hold the answer."""
    question_id = node.field("question_id").label()
    ids = [name.label() for name in node.field("haystack_session_ids").each()]
    dates = [date.label() for date in node.field("haystack_dates").each()]
    talks = node.field("haystack_sessions").each()
    if not len(ids) == len(dates) == len(talks):
        raise node.refuse(
            f"the haystack has {len(talks)} sessions, {len(ids)} ids and {len(dates)} dates"
        )
    if not talks:
        raise node.field("haystack_sessions").refuse("the haystack is empty")
    seen: Counter[str] = Counter()
    sessions: _Sessions = {}
    for session_id, date, talk in zip(ids, dates, talks, strict=True):
        seen[session_id] += 1
        name = session_id
        if seen[session_id] > 1:
            name = f"{session_id}#{seen[session_id]}"
            problems.append(
                f"{talk.place}: the session “{session_id}” occurs again; kept as {name}"
            )
        turns = talk.each()
        rendered = [
            Turn(turn.field("role").label(), turn.field("content").text()) for turn in turns
        ]
        title = f"session of {date}"
        session = render_session(f"{question_id}/{name}", title, date, rendered)
        marked = tuple(
            number for number, turn in enumerate(turns) if turn.fields().get("has_answer") is True
        )
        sessions[name] = (session, marked)
    if all(session.item.timestamp for session, _ in sessions.values()):
        by_time = sorted(sessions.items(), key=lambda entry: entry[1][0].item.timestamp)
        return dict(by_time)
    problems.append(f"{node.place}: a session has no readable date; the file's order is kept")
    return sessions


def _scenario(
    node: JsonNode, sessions: _Sessions, rarity: WordRarity, problems: list[str]
) -> LoadedScenario:
    question_id = node.field("question_id").label()
    abstain = question_id.endswith(ABSTENTION_SUFFIX)
    answer = node.find("answer")
    if answer is None:
        raise node.refuse(f"question “{question_id}” has no gold answer (“answer” is missing)")
    gold = answer.label()
    source_ids = _sources(node, sessions, problems)
    spans = tuple(
        Span(session.item.id, *session.turn_spans[number])
        for session, marked in sessions.values()
        for number in marked
    )
    facts = () if abstain else (Fact(gold, derive_keys(gold, rarity), spans),)
    text = node.field("question").label()
    asked_on = node.find("question_date")
    if asked_on is not None:
        text = f"{text} (Asked on {_day(asked_on.label())}.)"
    question = Question(
        id=question_id,
        text=text,
        expectations={MAIN_PHASE: Expectation(gold, facts, abstain=abstain)},
        slices={"type": (node.field("question_type").label(),)},
        source_ids=source_ids,
    )
    items = tuple(session.item for session, _ in sessions.values())
    counts = SpanCounts(found=0 if abstain else len(spans))
    return LoadedScenario(question_id, items, (LoadedQuestion(question, node.place, counts),))


def _sources(node: JsonNode, sessions: _Sessions, problems: list[str]) -> tuple[str, ...]:
    evidence = node.find("answer_session_ids")
    names = [name.label() for name in evidence.each()] if evidence is not None else []
    lost: Sequence[str] = [name for name in names if name not in sessions]
    if lost:
        problems.append(f"{node.place}: the evidence {', '.join(lost)} is not in the haystack")
    return tuple(dict.fromkeys(sessions[name][0].item.id for name in names if name in sessions))


def _day(date: str) -> str:
    return iso_date(date)[:10] or date
