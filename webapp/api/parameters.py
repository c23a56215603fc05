"""The query parameters, as the schema describes them."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter


def text(name: str, description: str, *, required: bool = False) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.STR, description=description, required=required)


def flag(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.STR, enum=["0", "1"], description=description)


def place(name: str, description: str) -> OpenApiParameter:
    return OpenApiParameter(name, OpenApiTypes.STR, OpenApiParameter.PATH, description=description)


SLUG = place("slug", "The benchmark.")
SYSTEM = place("slug", "The memory system.")
QUESTION_ID = place("question_id", "As in the index of questions; it may hold slashes.")
RUN = place("public_id", "The run's id.")
CAMPAIGN = place("slug", "The campaign.")
ASSIGNMENT = place("assignment_id", "The id of the pair as this rater was given it.")
PROTOCOL = text("protocol", "A comparison key or its first characters. Default: the newest.")
JUDGE = text("judge", "A judge's name or key, or mean. Default: the first judge of the run.")
MEASURE = text("measure", "One of the family's measures. Default: its main one.")
TRACK = text("track", "native, characters (30k), tokens (8kt) or units (k20).")
MODALITY = text("modality", "dense, lexical, hybrid, none or other; anchors always stay.")
SYNTHESIZER = text("synthesizer", "Only comparison keys with this synthesizer.")
SOURCE = text("source", "measured, published or all. Default: measured where anything is.")
SEARCH = text("search", "Only rows whose name or text has this.")
TIER = text("tier", "Only questions of this tier.")
TYPE = text(
    "type", "Only questions of this type. Every other slice of the benchmark is a parameter, too."
)
INTERNAL = flag("internal", "1 ranks systems that answer by themselves together with the others.")
RESOLUTION = flag(
    "resolution", "1 treats pairs closer than the judge's adopted resolution as not separated."
)
SORT = text("sort", "A column; unknown ones are refused with those known.")
ORDER = OpenApiParameter("order", OpenApiTypes.STR, enum=["up", "down"], description="Direction.")
PAGE = OpenApiParameter("page", OpenApiTypes.INT, description="From 1.")
AFTER = OpenApiParameter(
    "after", OpenApiTypes.INT, description="Where to go on; next holds it. Default: the start."
)
PAGE_SIZE = OpenApiParameter("page_size", OpenApiTypes.INT, description="1 to 500; default 50.")

KEYS = [PROTOCOL, JUDGE]
SLICES = [TIER, TYPE]
BOARD = [
    SLUG, *KEYS, MEASURE, TRACK, MODALITY, *SLICES, SYNTHESIZER, SOURCE, SEARCH, INTERNAL,
    RESOLUTION, SORT, ORDER,
]  # fmt: skip
SWEEP = [SLUG, *KEYS, MEASURE, MODALITY, TIER, SOURCE, SEARCH]
CONTRASTS = [SLUG, *KEYS, MEASURE, TRACK, MODALITY, *SLICES, SOURCE, RESOLUTION]
COMPARE = [
    SLUG,
    text("a", "A variant's label. Default: the first by name."),
    text("b", "Another variant's label."),
    *KEYS,
    MEASURE,
    TRACK,
]
QUESTIONS = [SLUG, *KEYS, MEASURE, TRACK, *SLICES, SEARCH, SORT, ORDER, PAGE]
QUESTION = [SLUG, QUESTION_ID, *KEYS, TRACK, text("phase", "When it is asked.")]
ANSWERS = [
    RUN,
    text("variant", "Only this variant: its label."),
    TRACK,
    text("question", "Only this question: its id."),
    flag("contexts", "1 adds the text of every retrieved context."),
    PAGE,
    PAGE_SIZE,
]
CALIBRATION = [
    place("slug", "The campaign."),
    text("judge", "A judge that scored its pairs. Default: the campaign's reference judge."),
    text("edges", "Lower edges of the buckets of score gaps. Default: 0, 2, 4."),
    text("level", "The decisive agreement that the resolution stands for. Default: 0.75."),
    text("width", "How narrow every bucket's interval should become. Default: 0.2."),
    flag("excluded", "1 counts the votes of excluded raters, too."),
]
