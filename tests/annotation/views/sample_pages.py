"""Pages as services hand them to the rater's views, with texts that are hard to show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from annotation.blinding.voting_page import (
    CLOSED,
    CONSENT,
    DONE,
    REVEALED,
    VOTING,
    WAITING,
    BlindCampaign,
    BlindPair,
    Progress,
    RevealedPair,
    VotingPage,
)
from annotation.campaign_options import DECISION, REASONS
from evaluation.formats.rich_text import render_rich_text

TOKEN = "sample-link"
LONG = "\n\n".join(
    f"**Step {number}.** The annealing schedule lowers the temperature by a factor of 0.9"
    f" after every {number} sweeps, which is slow enough for the lattice to settle and fast "
    "enough to finish overnight; the residual energy is read off the last plateau."
    for number in range(1, 15)
)
TABLE = """The three runs differ in one respect only:

| run | start (K) | end (K) | residual energy per site | remark about the schedule that was used |
|---|---|---|---|---|
| first | 1200 | 4.2 | $-1.437 \\pm 0.002$ | geometric, ratio 0.9 |
| second | 1200 | 4.2 | $-1.439 \\pm 0.002$ | linear, 4000 steps |

```python
temperature = start * ratio ** step  # a long line of code that does not fit into a narrow pane
```

1. Heat to 1200 K.
2. Hold for an hour.
"""
FORMULA = """It follows from detailed balance:

$$\\frac{P(a \\to b)}{P(b \\to a)} = \\exp\\left(-\\frac{E_b - E_a}{k_B T}\\right), \\quad
\\sum_{i=1}^{N} \\frac{\\partial^2 \\psi_i}{\\partial x_i^2} + \\int_0^\\infty e^{-\\beta t} \\, dt
= \\frac{\\hbar^2}{2 m} \\sqrt{\\alpha^2 + \\beta^2 + \\gamma^2}$$

so that $T \\to 0$ freezes the state. See
https://example.org/a/very/long/address/without/any/blank/that/has/to/break/somewhere.
"""
RIGHT_TO_LEFT = """التلدين هو تسخين المادة ثم تبريدها ببطء (4.2 K) حتى تستقر.

אחרי ההרפיה האנרגיה היא $E = -1.4$ לכל אתר.

And one English paragraph, with <script>alert(1)</script>
![pixel](https://example.org/p.png) as text."""
TEXTS = {
    "short": ("It anneals at 42 degrees.", "Nothing is known about it."),
    "long": (LONG, LONG[:2200]),
    "table": (TABLE, FORMULA),
    "rtl": (RIGHT_TO_LEFT, RIGHT_TO_LEFT[:60]),
}


def campaign(**changes: Any) -> BlindCampaign:
    made = BlindCampaign(
        token=TOKEN,
        name="Annealing, second round",
        decision=DECISION,
        instructions_html="<p>Judge <strong>content</strong>, not style.</p>",
        consent_html="<p>This study is run by the laboratory of glass.</p>",
        choices=("a", "b", "tie", "both_bad"),
        reasons=REASONS,
        asks_comment=True,
        asks_confidence=True,
        shows_context=False,
    )
    return replace(made, **changes)


def pair(texts: str = "short", **changes: Any) -> BlindPair:
    left, right = TEXTS[texts]
    made = BlindPair(
        assignment_id=f"assignment-{texts}",
        question_html=render_rich_text(
            "At how many degrees does $\\alpha$-sample 7 anneal, and why?"
        ),
        gold_html=render_rich_text(
            "It anneals at **42 degrees**, since the lattice settles there."
        ),
        facts=("It is 42 degrees.", "The lattice settles."),
        source_spans=("Sample 7 was annealed at 42 degrees\nuntil the lattice had settled.",),
        left_html=render_rich_text(left),
        right_html=render_rich_text(right),
    )
    return replace(made, **changes)


REVEALS = (
    RevealedPair(
        question_html=render_rich_text("At how many degrees does sample 7 anneal?"),
        left_system="simple-rag+bm25@static",
        right_system="theoria@static",
        choice="a",
        left_score="7.25",
        right_score="4.50",
    ),
    RevealedPair(
        question_html=render_rich_text("What does sample 8 do? " * 30),
        left_system="theoria@static",
        right_system="bm25",
        choice="both_bad",
        left_score="",
        right_score="1.00",
    ),
)


def page(stage: str, texts: str = "short", **changes: Any) -> VotingPage:
    """A page of each stage, filled as the services fill it."""
    made = VotingPage(
        stage=stage, campaign=campaign(), progress=Progress(7, 40), pseudonym="rater-0042"
    )
    by_stage: dict[str, dict[str, Any]] = {
        CLOSED: {"sentence": "This vote closed on 2 March 2026.", "pseudonym": ""},
        CONSENT: {"progress": Progress(0, 40), "pseudonym": ""},
        VOTING: {"pair": pair(texts), "can_undo": True},
        REVEALED: {"revealed": REVEALS[:1]},
        WAITING: {"can_undo": True},
        DONE: {
            "progress": Progress(40, 40),
            "revealed": REVEALS,
            "completion_code": "GLASS-7K2M-Q9",
        },
    }
    return replace(made, **{**by_stage[stage], **changes})
