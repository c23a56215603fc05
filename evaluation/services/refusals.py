"""What a person can put right: every exception whose message is one sentence for them."""

from __future__ import annotations

from evaluation.benchmarks.cards import SlugUnusable
from evaluation.benchmarks.families import UnknownFamily
from evaluation.benchmarks.question_sets import UnknownQuestionSet
from evaluation.benchmarks.registry import UnknownBenchmark, UnknownFormat, UnknownOption
from evaluation.benchmarks.scholia.generator import UnknownCorpus
from evaluation.formats.results import READERS, UnknownResultFormat
from evaluation.language_models.errors import (
    EndpointMisconfigured,
    EndpointUnknown,
    KeyMissing,
)
from evaluation.protocol.tracks import UnknownTrack
from evaluation.queries.choices import NotFound, UnknownChoice
from evaluation.scoring.registry import UnknownJudge
from evaluation.services.benchmarks import BenchmarkNotLoaded
from evaluation.services.exporting import NothingToExport
from evaluation.services.importing import ResultsAlreadyImported
from evaluation.services.judging import NothingToJudge
from evaluation.services.loading import CannotLoadAgain
from evaluation.services.run_control import RunCannotChange
from evaluation.services.run_options import InvalidRunOption
from evaluation.services.runs import RunNotFound
from evaluation.source_files.refusals import WrongKindOfFile
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.synthesis.registry import UnknownSynthesizer
from memory_systems.base import SystemRefused
from memory_systems.embedding import KNOWN_EMBEDDERS, UnknownEmbedder
from memory_systems.registry import UnknownSystem, system_slugs

MISSING: tuple[type[Exception], ...] = (BenchmarkNotLoaded, NotFound, RunNotFound)
"""What is named does not exist."""

IN_THE_WAY: tuple[type[Exception], ...] = (
    CannotLoadAgain,
    NothingToExport,
    NothingToJudge,
    ResultsAlreadyImported,
    RunCannotChange,
)
"""What is asked for makes sense, but not in the state that things are in."""

UNUSABLE: tuple[type[Exception], ...] = (
    EndpointMisconfigured,
    EndpointUnknown,
    InvalidRunOption,
    KeyMissing,
    SlugUnusable,
    UnknownBenchmark,
    UnknownCorpus,
    UnknownFamily,
    UnknownFormat,
    UnknownJudge,
    UnknownOption,
    UnknownQuestionSet,
    UnknownSynthesizer,
    StatisticUndefined,
    SystemRefused,
    UnknownChoice,
    UnknownResultFormat,
    UnknownTrack,
    WrongKindOfFile,
)
"""What is asked for is not known, or cannot be read."""

REFUSALS = MISSING + IN_THE_WAY + UNUSABLE


def field_of(error: Exception) -> str:
    """The option or filter that is refused; empty where it is not said."""
    return str(getattr(error, "field", "") or getattr(error, "option", ""))


def known_for(error: Exception) -> tuple[str, ...]:
    """What could have been said instead, where the known ones can be listed."""
    if isinstance(error, UnknownSystem):
        return system_slugs()
    if isinstance(error, UnknownEmbedder):
        return KNOWN_EMBEDDERS
    if isinstance(error, UnknownResultFormat):
        return tuple(sorted(READERS))
    return tuple(getattr(error, "known", ()))
