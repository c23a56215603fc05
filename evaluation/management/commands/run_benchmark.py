"""``manage.py run_benchmark B --systems …``: measure memory systems."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from evaluation.management.door import Door, whole_number, words
from evaluation.management.waiting import add_waiting, check_waiting, follow
from evaluation.models import Run
from evaluation.services.dispatch import works_kept_here
from evaluation.services.question_files import question_set
from evaluation.services.run_control import resume_run
from evaluation.services.run_options import DEFAULT_SEED, MODALITIES, RunOptions
from evaluation.services.runs import create_run, get_run
from memory_systems.registry import system_slugs

DEFAULTS = RunOptions(benchmark="", systems=())


class Command(Door):
    help = (
        "Start a run: every chosen memory system reads the benchmark's documents once, then every "
        "question is asked at every track, answered and judged. The run's protocol is frozen; "
        "what is done is never done twice. Without --wait the workers do it and the command prints "
        "the run's id."
    )
    examples = (
        "run_benchmark scholia-prose --systems bm25,simple-rag,simple-rag+bm25 --embedder static",
        "run_benchmark scholia-prose --systems simple-rag --modalities dense,hybrid --tracks 10k",
        "run_benchmark covidqa --systems bm25,direct-read --questions stratified:200 --wait",
        "run_benchmark scholia-prose --systems bm25 --wait --in-process",
        "run_benchmark --resume 3fa9c2d41e --wait",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "benchmark", nargs="?", metavar="B", help="the slug of a loaded benchmark"
        )
        parser.add_argument(
            "--systems",
            type=words,
            metavar="a,b",
            help=f"known: {', '.join(system_slugs())}; with +bm25 for a hybrid",
        )
        parser.add_argument(
            "--tracks",
            type=words,
            default=DEFAULTS.tracks,
            metavar="T,…",
            help="native, characters (10k), tokens (8kt) or units (k20); "
            f"default {','.join(DEFAULTS.tracks)}",
        )
        parser.add_argument(
            "--modalities",
            type=words,
            default=(),
            metavar="M,…",
            help=f"{', '.join(MODALITIES)}; default: each system's plain form",
        )
        parser.add_argument(
            "--synthesizer",
            default=DEFAULTS.synthesizer,
            metavar="S",
            help=f"who writes the answers (default {DEFAULTS.synthesizer}; openai:MODEL …)",
        )
        parser.add_argument(
            "--judges",
            type=words,
            default=DEFAULTS.judges,
            metavar="J,…",
            help=f"default {','.join(DEFAULTS.judges)}; the first is the board's default",
        )
        parser.add_argument(
            "--budget-mode",
            default=DEFAULTS.budget_mode,
            metavar="MODE",
            help="capped (default): never over the budget; targeted: by the system's own knob",
        )
        parser.add_argument(
            "--embedder",
            default=DEFAULTS.embedder,
            metavar="E",
            help=f"minilm, static or openai:MODEL (default {DEFAULTS.embedder})",
        )
        parser.add_argument(
            "--questions",
            default=DEFAULTS.questions,
            metavar="Q",
            help="all (default), holdout, first:N, stratified:N, or a file of question ids",
        )
        parser.add_argument("--limit-questions", type=whole_number(least=1), metavar="N")
        parser.add_argument(
            "--seed", type=int, default=DEFAULT_SEED, help=f"default {DEFAULT_SEED}"
        )
        parser.add_argument(
            "--repeats",
            type=whole_number(least=1, most=20),
            default=DEFAULTS.repeats,
            metavar="N",
            help="ask everything N times (default 1)",
        )
        parser.add_argument(
            "--spending-limit", type=float, metavar="USD", help="pause before it is passed"
        )
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="SYSTEM.NAME=VALUE",
            help="a parameter of a system, as simple-rag.chunk_chars=500",
        )
        parser.add_argument(
            "--force", action="store_true", help="go on even where the doctor finds a failure"
        )
        parser.add_argument("--resume", metavar="RUN", help="go on with this run instead")
        add_waiting(parser)

    def enter(self, options: dict[str, Any]) -> None:
        check_waiting(options)
        with works_kept_here():
            run = self.resumed(options) if options["resume"] else self.created(options)
        follow(self, run=run, options=options)

    def resumed(self, options: dict[str, Any]) -> Run:
        if options["benchmark"] or options["systems"]:
            raise CommandError("--resume takes no benchmark and no systems", returncode=2)
        run = get_run(options["resume"])
        resume_run(run=run)
        return run

    def created(self, options: dict[str, Any]) -> Run:
        if not options["benchmark"] or not options["systems"]:
            raise CommandError("name a benchmark and --systems, or --resume RUN", returncode=2)
        questions, ids = question_set(asked=options["questions"], limit=options["limit_questions"])
        return create_run(
            options=RunOptions(
                benchmark=options["benchmark"],
                systems=options["systems"],
                tracks=options["tracks"],
                modalities=options["modalities"],
                synthesizer=options["synthesizer"],
                judges=options["judges"],
                budget_mode=options["budget_mode"],
                embedder=options["embedder"],
                seed=options["seed"],
                questions=questions,
                question_ids=ids,
                repeats=options["repeats"],
                spending_limit_usd=options["spending_limit"],
                force=options["force"],
                parameters=parameters(options["set"]),
            )
        )


def parameters(given: list[str]) -> dict[str, dict[str, Any]]:
    """``["simple-rag.chunk_chars=500"]`` by system. Values are JSON where they can be."""
    found: dict[str, dict[str, Any]] = {}
    for text in given:
        name, equals, value = text.partition("=")
        system, dot, parameter = name.rpartition(".")
        if not equals or not dot or not system or not parameter:
            raise CommandError(f"--set takes SYSTEM.NAME=VALUE, not {text!r}", returncode=2)
        try:
            read: Any = json.loads(value)
        except ValueError:
            read = value
        found.setdefault(system, {})[parameter] = read
    return found
