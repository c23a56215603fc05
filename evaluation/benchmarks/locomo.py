"""Loader of LoCoMo: ``[{sample_id, conversation{session_N[], session_N_date_time}, qa[]}]``.

Each conversation is a scenario: its sessions in order, then its questions. Item ids are
``<sample_id>/session_<N>``, question ids ``<sample_id>/q<n>`` (from 1, in file order). The category
stays the integer it is (slice ``category``): tools disagree on its names. An unanswered question
of category 5 asks for what was never said: the right answer is to abstain, and its adversarial
answer is a penalty. Evidence names turns (``D1:3``); the fact's spans are those turns' lines.
Evidence that is written otherwise is read as far as it can be, and reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.benchmarks.assembly import LoadedQuestion, LoadedScenario, SpanCounts, assemble
from evaluation.benchmarks.cards import card_for
from evaluation.benchmarks.conversations import Session, Turn, render_session
from evaluation.benchmarks.fact_keys import WordRarity, derive_keys
from evaluation.records import MAIN_PHASE, Benchmark, Expectation, Fact, Question, Span
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import MAX_FILE_BYTES, read_json

FORMAT = "locomo"
NEVER_SAID = "This is not mentioned in the conversation."
CATEGORIES = (1, 2, 3, 4, 5)
UNANSWERABLE = 5
_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)")
_CITATION = (
    "Maharana et al.: Evaluating Very Long-Term Conversational Memory of LLM Agents. ACL 2024"
)


@dataclass(frozen=True, slots=True)
class _Conversation:
    id: str
    sessions: tuple[Session, ...]
    turns: Mapping[tuple[int, int], Span]
    questions: tuple[JsonNode, ...]


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
    a conversation without sessions, duplicate ids, an answerable question without an answer."""
    root = JsonNode(read_json(path, max_bytes=max_bytes), path)
    if not isinstance(root.value, list):
        raise root.refuse("this is not LoCoMo: a list of conversations is needed")
    problems: list[str] = []
    conversations = [_conversation(node, problems) for node in root.each()]
    rarity = WordRarity(session.item.text for talk in conversations for session in talk.sessions)
    scenarios = [
        LoadedScenario(
            talk.id,
            tuple(session.item for session in talk.sessions),
            tuple(
                _question(node, number, talk, rarity, problems)
                for number, node in enumerate(talk.questions, start=1)
            ),
        )
        for talk in conversations
    ]
    card = card_for(
        path,
        family="conversational",
        format_name="LoCoMo",
        files=[path],
        slug=slug,
        title=title,
        licence=licence,
        citation=_CITATION,
        slice_file=slice_file,
        max_bytes=max_bytes,
    )
    return assemble(card, scenarios, path=path, problems=problems, slice_file=slice_file)


def _conversation(node: JsonNode, problems: list[str]) -> _Conversation:
    talk_id = node.field("sample_id").label()
    conversation = node.field("conversation")
    numbers = sorted(
        int(match.group(1))
        for name in conversation.fields()
        if (match := _SESSION.fullmatch(name)) and conversation.find(name) is not None
    )
    if not numbers:
        raise conversation.refuse("it has no session (session_1, session_2 …)")
    speakers = [
        speaker.label()
        for name in ("speaker_a", "speaker_b")
        if (speaker := conversation.find(name)) is not None
    ]
    sessions: list[Session] = []
    turns: dict[tuple[int, int], Span] = {}
    for number in numbers:
        item_id = f"{talk_id}/session_{number}"
        turn_nodes = conversation.field(f"session_{number}").each()
        date = conversation.find(f"session_{number}_date_time")
        session = render_session(
            item_id,
            f"{' and '.join(speakers)}, session {number}" if speakers else f"session {number}",
            date.text() if date is not None else "",
            [_turn(turn) for turn in turn_nodes],
        )
        if not session.item.timestamp:
            problems.append(f"{conversation.place}: session {number} has no readable date")
        for turn, (start, end) in zip(turn_nodes, session.turn_spans, strict=True):
            if match := _TURN.fullmatch(turn.field("dia_id").text().strip()):
                key = (int(match.group(1)), int(match.group(2)))
                turns.setdefault(key, Span(item_id, start, end))
        sessions.append(session)
    return _Conversation(talk_id, tuple(sessions), turns, tuple(node.field("qa").each()))


def _turn(node: JsonNode) -> Turn:
    caption = node.find("blip_caption")
    return Turn(
        node.field("speaker").label(),
        node.field("text").text(),
        caption.text() if caption is not None else "",
    )


def _question(
    node: JsonNode, number: int, talk: _Conversation, rarity: WordRarity, problems: list[str]
) -> LoadedQuestion:
    category = node.field("category").whole_number()
    if category not in CATEGORIES:
        raise node.refuse(f"the category {category} is not one of 1 to 5")
    answer, adversarial = node.find("answer"), node.find("adversarial_answer")
    abstain = answer is None and category == UNANSWERABLE
    if answer is None and not abstain:
        raise node.refuse("this question has no gold answer (“answer” is missing)")
    gold = NEVER_SAID if answer is None else answer.label()
    wanted = _evidence(node, problems)
    spans = [talk.turns[turn] for turn in wanted if turn in talk.turns]
    lost = [f"D{session}:{turn}" for session, turn in wanted if (session, turn) not in talk.turns]
    if lost:
        problems.append(f"{node.place}: the evidence {', '.join(lost)} is not in the conversation")
    facts = () if abstain else (Fact(gold, derive_keys(gold, rarity), tuple(spans)),)
    penalties = (adversarial.label(),) if adversarial is not None else ()
    question = Question(
        id=f"{talk.id}/q{number}",
        text=node.field("question").label(),
        expectations={MAIN_PHASE: Expectation(gold, facts, penalties, abstain)},
        slices={"category": (str(category),)},
        source_ids=tuple(dict.fromkeys(span.item_id for span in spans)),
    )
    return LoadedQuestion(question, node.place, SpanCounts(len(spans), 0, 0, len(lost)))


def _evidence(node: JsonNode, problems: list[str]) -> list[tuple[int, int]]:
    evidence = node.find("evidence")
    wanted: dict[tuple[int, int], None] = {}
    for piece in evidence.each() if evidence is not None else ():
        text = piece.value if isinstance(piece.value, str) else str(piece.value)
        turns = [(int(session), int(turn)) for session, turn in _TURN.findall(text)]
        if not re.fullmatch(r"\s*D\d+:\d+\s*", text):
            read = ", ".join(f"D{session}:{turn}" for session, turn in turns) or "nothing"
            problems.append(f"{piece.place}: the evidence “{text}” is malformed; read as {read}")
        wanted.update(dict.fromkeys(turns))
    return list(wanted)
