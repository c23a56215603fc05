"""One episode of facts that depend on each other: a move changes what follows from the address.

Sessions come in time order; each question is asked before the move, at its position, and again
at the end. What must come out of ``real_pass``:

- a reader that follows the rules over all sessions: D1, D2, D3 right in both phases, 1 each;
- one that goes on telling what was said first (ferry, Dr Sousa): D1 and D2 are right before and
  wrong after, 0; D3 is 1; ``after_pass`` is the same;
- one that never knew: 0 everywhere, but D2 is right *after* (it says "not known"), so that
  ``after_pass`` of D2 is 1 and its ``real_pass`` 0: a trivial pass.
"""

from __future__ import annotations

from evaluation.benchmarks.toys.gold import answered, card, stated, term, unknown
from evaluation.records import Ask, Benchmark, Ingest, Question, Scenario
from memory_systems.base import SourceItem

BEFORE, AFTER = "before", "after"


def _session(number: int, day: str, text: str) -> SourceItem:
    return SourceItem(id=f"session-{number}", text=text, kind="session", timestamp=day)


ADDRESS = _session(
    1,
    "2031-03-02T18:00:00",
    "Ada: I have moved to Lisbon, and I take the ferry to work.\n"
    "Ada: If I ever move to Turin, I will take the tram to work.\n",
)
DENTIST = _session(
    2,
    "2031-03-20T18:00:00",
    "Ada: My dentist is Dr Sousa.\n"
    "Ada: Dr Sousa only treats people who live in Lisbon.\n"
    "Ada: My cat is called Pixel.\n",
)
WEATHER = _session(3, "2031-04-11T18:00:00", "Ada: It has been raining all week.\n")
MOVE = _session(4, "2031-05-05T18:00:00", "Ada: I have moved to Turin.\n")
GARDEN = _session(5, "2031-05-30T18:00:00", "Ada: The basil on the balcony is growing well.\n")


def toy_dependency() -> Benchmark:
    """One scenario of five sessions: two before the first questions, the move among the rest."""
    ferry = stated(
        ADDRESS, "Ada: I have moved to Lisbon, and I take the ferry to work.", term("ferry")
    )
    tram = stated(
        ADDRESS, "Ada: If I ever move to Turin, I will take the tram to work.", term("tram")
    )
    dentist = stated(DENTIST, "Ada: My dentist is Dr Sousa.", term("Dr Sousa", "Sousa"))
    cat = stated(DENTIST, "Ada: My cat is called Pixel.", term("Pixel"))
    questions = (
        Question(
            id="D1",
            text="How does Ada get to work?",
            expectations={
                BEFORE: answered("By ferry.", ferry),
                AFTER: answered("By tram.", tram, stale=("ferry",)),
            },
            slices={"task": ("cascade",), "domain": ("household",)},
            source_ids=("session-1", "session-4"),
        ),
        Question(
            id="D2",
            text="Who is Ada's dentist now?",
            expectations={
                BEFORE: answered("Dr Sousa.", dentist),
                AFTER: unknown("That is not known since she moved away.", stale=("Dr Sousa",)),
            },
            slices={"task": ("absence",), "domain": ("household",)},
            source_ids=("session-2", "session-4"),
        ),
        Question(
            id="D3",
            text="What is Ada's cat called?",
            expectations={BEFORE: answered("Pixel.", cat), AFTER: answered("Pixel.", cat)},
            slices={"task": ("exact recall",), "domain": ("household",)},
            source_ids=("session-2",),
        ),
    )
    before = [Ask(question.id, BEFORE) for question in questions]
    after = [Ask(question.id, AFTER) for question in questions]
    early = [Ingest(item) for item in (ADDRESS, DENTIST)]
    late = [Ingest(item) for item in (WEATHER, MOVE, GARDEN)]
    return Benchmark(
        card=card(
            "toy-dependency",
            "Toy: facts that depend on each other",
            "toy-meme",
            "One episode of five sessions; three questions asked before and after a move.",
        ),
        scenarios=(Scenario("household", (*early, *before, *late, *after)),),
        questions=questions,
    )
