"""Words of pages: rich text, help beside a doubt, the version, and addresses that keep state."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from evaluation.formats.rich_text import render_rich_text, show_controls

register = template.Library()

HELP: dict[str, tuple[str, str, str]] = {
    "rank-interval": (
        "Rank interval",
        "The places a row can hold given what the data can separate: 2–4 means that one row is "
        "significantly better and the rest, from fifth down, significantly worse. Rows that "
        "cannot be separated share places; their order in the table is not a result.",
        "statistics#on-the-board",
    ),
    "score": (
        "Score",
        "The mean over questions of the judge's composite, 0 to 10, with its 95 % interval from a "
        "bootstrap over questions. The interval says how far the mean would move with other "
        "questions of the same kind.",
        "statistics#on-the-board",
    ),
    "unscored": (
        "Unscored",
        "An answer whose grade is missing or unreadable is left out of the mean; it is never "
        "counted as wrong. A variant is ranked from 95 % scored, and its mean is also shown as it "
        "would be if all missing answers had scored 0 or 10.",
        "statistics#on-the-board",
    ),
    "achieved": (
        "Achieved characters",
        "The mean length of the text that the synthesizer really read, headers and separators "
        "included. The track says what was asked for; this says what came.",
        "protocol#budgets",
    ),
    "track": (
        "Track",
        "How much context a system may return for a question: 30k is 30,000 characters of rendered "
        "context; native leaves every system its own setting. Native is never ranked beside a "
        "budget.",
        "protocol#budgets",
    ),
    "anchor": (
        "Anchor",
        "A control that marks the floor or the ceiling: no memory at all, the right sources handed "
        "over, everything in context. Anchors are shown on every track and never ranked.",
        "protocol#anchors",
    ),
    "null-line": (
        "Δ to the null line",
        "The difference to plain retrieval over chunks, without any architecture, on common "
        "questions with a 95 % interval. A memory system should beat it before anything else is "
        "claimed.",
        "statistics#on-the-board",
    ),
    "family": (
        "Simultaneous interval",
        "Wide enough that all contrasts of the table hold together at 95 %. Whether two rows are "
        "separated follows this one; the thick line is the interval of the pair alone.",
        "statistics#on-the-board",
    ),
    "router": (
        "Router headroom",
        "What could be won by choosing a system for each question. The oracle knows the scores and "
        "cannot be reached; the tier router chooses by tier from the other questions only.",
        "statistics#on-the-other-pages",
    ),
    "modality": (
        "Modality",
        "Dense retrieval compares embeddings, lexical retrieval counts words (BM25), hybrid fuses "
        "both ranks. Comparing across modalities is allowed, and marked.",
        "protocol#keys",
    ),
    "protocol": (
        "Comparison key",
        "The hash of everything that must be the same for rows to share a table: benchmark, "
        "questions, budget mode, synthesizer, prompts, seed, repeats. Another key is another "
        "table.",
        "protocol#keys",
    ),
    "budget-mode": (
        "Budget mode",
        "Capped packs ranked units until the budget is full and cuts the last one. Targeted sets "
        "the system's own knob and takes what comes.",
        "protocol#budgets",
    ),
    "spread": (
        "Spread and drop",
        "Spread is the best minus the worst ranked variant on this question. Drop is what the "
        "variants lose on average from the largest budget to the smallest.",
        "statistics#on-the-other-pages",
    ),
    "inclusion": (
        "Inclusion probability",
        "How likely the pair was to be drawn, before anything was drawn. Overall figures weigh "
        "each pair by its inverse, so that pairs of a kind that was drawn more often do not count "
        "for more.",
        "statistics#in-calibration",
    ),
    "left-share": (
        "Left share",
        "Of the votes for one side, those for the left one, with Wilson's 95 % interval. Sides are "
        "drawn in balance, so a careful rater comes near a half.",
        "statistics#in-calibration",
    ),
    "too-fast": (
        "Too fast",
        "Votes that took less than a share of the estimated reading time (250 words a minute), or "
        "less than a floor in seconds; both were set before the campaign opened.",
        "statistics#in-calibration",
    ),
    "agreement": (
        "Agreement with others",
        "Of a rater's counted votes on pairs that others voted on too, those that say what the "
        "majority of the others says (no majority is a tie), with Wilson's 95 % interval.",
        "statistics#in-calibration",
    ),
    "decisive": (
        "Decisive agreement",
        "Of the pairs in which more than half of the votes are for one side, the share in which "
        "the judge scores that side higher. Tied pairs are left out; a gap of 0 prefers no "
        "side and does not agree.",
        "statistics#in-calibration",
    ),
    "gap": (
        "Score gap",
        "The judge's score of one answer minus its score of the other, in points of 0 to 10. Pairs "
        "are sorted by its size; a lower edge belongs to its own bucket.",
        "statistics#in-calibration",
    ),
    "tau": (
        "τ and τ*",
        "The judge calls a tie where its gap is at most τ points; then judge and voters agree when "
        "they give the same of three outcomes. τ* is the tolerance at which they agree most often.",
        "statistics#in-calibration",
    ),
    "resolution": (
        "Resolution",
        "The smallest gap between two answers from which the judge agrees with the voters often "
        "enough. Many easy pairs do not improve it; close ones tell it. It speaks of two single "
        "answers: a mean over many questions can tell smaller differences apart.",
        "statistics#in-calibration",
    ),
    "strength": (
        "Strength",
        "One scale on which the difference of two systems gives the odds that one wins. It exists "
        "only where wins and ties lead from every system to every other.",
        "statistics#in-calibration",
    ),
    "alpha": (
        "α and κ",
        "Agreement of raters beyond chance: 1 is perfect, 0 is what chance gives, below 0 is "
        "worse. Labels are of the two answers, whichever side each was shown on.",
        "statistics#in-calibration",
    ),
    "judges-bias": (
        "Bias",
        "The mean of the second judge's score minus the first's, in points, with an interval that "
        "resamples questions. A judge that is stricter everywhere can still rank alike.",
        "statistics#in-calibration",
    ),
}


@register.inclusion_tag("parts/help.html")
def help_note(name: str) -> dict[str, str]:
    """A "?" that opens two sentences and a link."""
    title, text, place = HELP[name]
    document, _, anchor = place.partition("#")
    return {"title": title, "text": text, "document": document, "anchor": anchor}


@register.filter
def rich(text: str) -> SafeString:
    """An answer's Markdown with LaTeX as safe HTML."""
    return mark_safe(render_rich_text(text))  # noqa: S308 (cleaned by an allow-list)


@register.filter
def visible(text: str) -> str:
    """Plain text with its invisible controls written out."""
    return show_controls(text)


@register.filter
def breakable(label: str) -> SafeString:
    """A variant's label that a narrow cell may break before its embedder and its parameters."""
    pieces = re.split(r"(?=[+@])|(?<=,)", show_controls(label))
    return format_html_join(mark_safe("<wbr>"), "{}", ((piece,) for piece in pieces))


@register.filter
def spoken(name: str) -> str:
    """``hallucination_avoidance`` as a reader says it."""
    return name.replace("_", " ")


@register.filter
def entry(mapping: dict[str, Any], key: str) -> Any:
    """``mapping[key]``, None where it has none."""
    return mapping.get(key)


@register.simple_tag
@lru_cache(maxsize=1)
def version() -> str:
    project = Path(settings.BASE_DIR) / "pyproject.toml"
    return str(tomllib.loads(project.read_text())["project"]["version"])
