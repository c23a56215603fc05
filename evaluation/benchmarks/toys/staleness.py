"""One small world that forks: what was derived before the fork may be stale after it.

Events, a definition and a consent, then the questions (phase ``before``), then one branch a
shift. GOLD says what is right: each question's answer in each phase, None where the right answer
is that it is not known. What must come out, by shift and item class:

- a reader that follows every change: ``update`` and ``stability`` 1 everywhere;
- one that answers everything as before the fork: ``update`` 0, ``stability`` 1;
- one that never answers: ``update`` 1 for deletion and consent (saying nothing is right there),
  0 for revision and redefinition; ``stability`` 0.

Branches ``none``, ``writer`` and ``export`` change no item and have no ``update``. ``deletion``
has a second checkpoint after one more event, so that its first state must be kept.
"""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.benchmarks.toys.gold import answered, card, stated, term, unknown
from evaluation.records import (
    Ask,
    Benchmark,
    Consent,
    Define,
    Delete,
    Expectation,
    ExportMemory,
    Fact,
    Fork,
    ImportMemory,
    Ingest,
    Question,
    Revise,
    Scenario,
    SetWriter,
    Step,
)
from memory_systems.base import SourceItem


def _event(name: str, day: str, text: str) -> SourceItem:
    return SourceItem(id=name, text=text, kind="event", timestamp=day)


MEETING = _event("mail-1", "2031-06-02T08:00:00", "Mira writes: the review is on Tuesday.")
MEETING_MOVED = _event("mail-1", "2031-06-09T08:00:00", "Mira writes: the review is on Thursday.")
DENTIST = _event("calendar-1", "2031-06-02T09:00:00", "The dentist appointment is on 14 June.")
ALLERGY = _event("health-1", "2031-06-03T10:00:00", "Jon is allergic to walnuts.")
LETTERS = _event(
    "outbox-1",
    "2031-06-04T20:00:00",
    "This month Jon wrote to Kim twice. This month Jon wrote to Lee once.",
)
RAIN = _event("note-1", "2031-06-12T20:00:00", "It rained in the afternoon.")

FRIENDS_V1 = "A close friend is a person to whom Jon wrote at least twice this month."
FRIENDS_V2 = "A close friend is a person to whom Jon wrote at least once this month."

SHIFTS: Mapping[str, tuple[Step, ...]] = {
    "none": (),
    "revision": (Revise(MEETING_MOVED),),
    "deletion": (Delete("calendar-1"),),
    "redefinition": (Define("close-friends", FRIENDS_V2),),
    "consent": (Consent("health", False),),
    "writer": (SetWriter("writer-b"),),
    "export": (ExportMemory(), ImportMemory()),
}
QUESTIONS: Mapping[str, tuple[str, str, str]] = {
    "S1": ("On which day is the review?", "source", "revision"),
    "S2": ("When is the dentist appointment?", "source", "deletion"),
    "S3": ("Who are Jon's close friends?", "definition", "redefinition"),
    "S4": ("What is Jon allergic to?", "restricted", "consent"),
}
"""Question id → its text, its item class and the shift that changes its answer."""

_AS_BEFORE = {"S1": "Tuesday", "S2": "14 June", "S3": "Kim", "S4": "walnuts"}
PHASES = ("before", *(f"{shift}/w1" for shift in SHIFTS), "deletion/w2")
GOLD: Mapping[str, Mapping[str, str | None]] = dict.fromkeys(PHASES, _AS_BEFORE) | {
    "revision/w1": _AS_BEFORE | {"S1": "Thursday"},
    "deletion/w1": _AS_BEFORE | {"S2": None},
    "deletion/w2": _AS_BEFORE | {"S2": None},
    "redefinition/w1": _AS_BEFORE | {"S3": "Kim and Lee"},
    "consent/w1": _AS_BEFORE | {"S4": None},
}
_FACTS: Mapping[str, tuple[Fact, ...]] = {
    "Tuesday": (stated(MEETING, MEETING.text, term("Tuesday")),),
    "Thursday": (stated(MEETING_MOVED, MEETING_MOVED.text, term("Thursday")),),
    "14 June": (stated(DENTIST, DENTIST.text, term("14 June", "June 14")),),
    "Kim": (stated(LETTERS, "This month Jon wrote to Kim twice.", term("Kim")),),
    "Kim and Lee": (stated(LETTERS, LETTERS.text, term("Kim"), term("Lee")),),
    "walnuts": (stated(ALLERGY, ALLERGY.text, term("walnuts", "walnut")),),
}
_SOURCES = {"S1": ("mail-1",), "S2": ("calendar-1",), "S3": ("outbox-1",), "S4": ("health-1",)}


def toy_staleness() -> Benchmark:
    """One scenario: a trunk with the questions asked once, then seven branches."""
    questions = tuple(
        Question(
            id=question_id,
            text=text,
            expectations={phase: _expected(question_id, phase) for phase in PHASES},
            slices={"item_class": (item_class,), "shift": (changed_by,)},
            source_ids=_SOURCES[question_id],
        )
        for question_id, (text, item_class, changed_by) in QUESTIONS.items()
    )
    trunk: tuple[Step, ...] = (
        Ingest(MEETING),
        Ingest(DENTIST),
        Consent("health", True),
        Ingest(ALLERGY),
        Define("close-friends", FRIENDS_V1),
        SetWriter("writer-a"),
        Ingest(LETTERS),
        *_asks("before"),
    )
    branches = {shift: (*change, *_asks(f"{shift}/w1")) for shift, change in SHIFTS.items()}
    branches["deletion"] += (Ingest(RAIN), *_asks("deletion/w2"))
    return Benchmark(
        card=card(
            "toy-staleness",
            "Toy: stale derived memory",
            "toy-memshift",
            "One world that forks into seven branches; four questions at nine checkpoints.",
        ),
        scenarios=(Scenario("world-1", (*trunk, Fork(branches))),),
        questions=questions,
    )


def _asks(phase: str) -> tuple[Step, ...]:
    return tuple(Ask(question_id, phase) for question_id in QUESTIONS)


def _expected(question_id: str, phase: str) -> Expectation:
    value, before = GOLD[phase][question_id], _AS_BEFORE[question_id]
    if value is None:
        return unknown("That is not known any more.", stale=(before,))
    is_new = value != before and before not in value
    return answered(f"{value}.", *_FACTS[value], stale=(before,) if is_new else ())
