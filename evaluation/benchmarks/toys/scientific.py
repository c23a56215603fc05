"""Three tiny papers and four questions.

What must come out, with any memory that returns all three papers and a reader that quotes them:
every question scored, T1 and T2 right from one paper each, T3 only from two, T4 only by saying
that it is not reported. A reader without context can answer none of T1 to T3. The holdout TH1 is
never asked unless asked for.
"""

from __future__ import annotations

from evaluation.benchmarks.toys.gold import answered, card, stated, term, unknown
from evaluation.records import (
    MAIN_PHASE,
    Ask,
    Benchmark,
    Expectation,
    Ingest,
    Key,
    Question,
    Scenario,
)
from memory_systems.base import SourceItem

TIN = SourceItem(
    id="tin",
    title="Tin Cabinet",
    text=(
        "# Tin Cabinet\n\nTin Cabinet files letters by sender. It reaches a recall of 61.5 % with "
        "handwritten letters. It reaches a recall of 74.0 % with typed letters. A letter is "
        "archived after 30 days.\n"
    ),
)
OAK = SourceItem(
    id="oak",
    title="Oak Cabinet",
    text=(
        "# Oak Cabinet\n\nOak Cabinet files letters by date, because senders change their names. "
        "Oak Cabinet reaches a recall of 68.2 % with typed letters. Tin Cabinet reaches a recall "
        "of 74.0 % with typed letters.\n"
    ),
)
ASH = SourceItem(
    id="ash",
    title="Ash Cabinet",
    text="# Ash Cabinet\n\nAsh Cabinet keeps maps. It has nothing to do with letters.\n",
)


def toy_scientific() -> Benchmark:
    """One scenario: three documents, then the questions."""
    papers = (TIN, OAK, ASH)
    questions = (
        _question(
            "T1",
            "What recall does Tin Cabinet reach with handwritten letters?",
            "L1",
            ("quantitative", "conditional"),
            ("tin",),
            answered(
                "61.5 %",
                stated(
                    TIN,
                    "It reaches a recall of 61.5 % with handwritten letters.",
                    Key("number", "61.5", "%", 0.01),
                ),
            ),
        ),
        _question(
            "T2",
            "Why does Oak Cabinet file letters by date?",
            "L1",
            ("mechanistic",),
            ("oak",),
            answered(
                "Because senders change their names.",
                stated(
                    OAK,
                    "Oak Cabinet files letters by date, because senders change their names.",
                    term("senders change their names"),
                ),
            ),
        ),
        _question(
            "T3",
            "Which reaches the higher recall with typed letters, Tin Cabinet or Oak Cabinet?",
            "L2",
            ("cross-document", "quantitative"),
            ("tin", "oak"),
            answered(
                "Tin Cabinet, with 74.0 % against 68.2 %.",
                stated(
                    TIN,
                    "It reaches a recall of 74.0 % with typed letters.",
                    Key("number", "74.0", "%", 0.01),
                ),
                stated(
                    OAK,
                    "Oak Cabinet reaches a recall of 68.2 % with typed letters.",
                    Key("number", "68.2", "%", 0.01),
                ),
            ),
        ),
        _question(
            "T4",
            "How much electricity does Tin Cabinet use?",
            "L1",
            ("negative",),
            ("tin",),
            unknown("This is not reported."),
        ),
        _question(
            "TH1",
            "After how many days does Tin Cabinet archive a letter?",
            "L1",
            ("factual",),
            ("tin",),
            answered(
                "After 30 days.",
                stated(TIN, "A letter is archived after 30 days.", Key("number", "30", "days")),
            ),
            holdout=True,
        ),
    )
    steps = [Ingest(paper) for paper in papers]
    return Benchmark(
        card=card(
            "toy-scientific",
            "Toy: three tiny papers",
            "scientific",
            "Three documents, four questions and one in the holdout; every answer can be checked "
            "by eye.",
        ),
        scenarios=(Scenario("toy", (*steps, *(Ask(question.id) for question in questions))),),
        questions=questions,
    )


def _question(
    question_id: str,
    text: str,
    tier: str,
    types: tuple[str, ...],
    source_ids: tuple[str, ...],
    expectation: Expectation,
    *,
    holdout: bool = False,
) -> Question:
    return Question(
        id=question_id,
        text=text,
        expectations={MAIN_PHASE: expectation},
        slices={"tier": (tier,), "type": types},
        source_ids=source_ids,
        holdout=holdout,
    )
