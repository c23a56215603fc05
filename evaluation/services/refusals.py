"""What a person can put right: every exception whose message is one sentence for them."""

from __future__ import annotations

from evaluation.benchmarks.cards import SlugUnusable
from evaluation.formats.results import UnknownResultFormat
from evaluation.protocol.tracks import UnknownTrack
from evaluation.queries.choices import NotFound, UnknownChoice
from evaluation.services.benchmarks import BenchmarkNotLoaded
from evaluation.services.judging import NothingToJudge
from evaluation.services.run_options import InvalidRunOption
from evaluation.services.runs import RunCannotChange, RunNotFound
from evaluation.source_files.refusals import WrongKindOfFile
from evaluation.statistics.refusals import StatisticUndefined
from memory_systems.base import SystemRefused

MISSING: tuple[type[Exception], ...] = (BenchmarkNotLoaded, NotFound, RunNotFound)
"""What is named does not exist."""

IN_THE_WAY: tuple[type[Exception], ...] = (NothingToJudge, RunCannotChange)
"""What is asked for makes sense, but not in the state that things are in."""

UNUSABLE: tuple[type[Exception], ...] = (
    InvalidRunOption,
    SlugUnusable,
    StatisticUndefined,
    SystemRefused,
    UnknownChoice,
    UnknownResultFormat,
    UnknownTrack,
    WrongKindOfFile,
)
"""What is asked for is not known, or cannot be read."""

REFUSALS = MISSING + IN_THE_WAY + UNUSABLE
