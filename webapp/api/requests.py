"""What is posted, checked field by field; what the registries know is refused by the service."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from evaluation.formats.results import READERS
from evaluation.services.run_options import DEFAULT_SEED, RunOptions

LONGEST = 200
MOST_NAMES = 100
MOST_QUESTIONS = 100_000
DEFAULTS = RunOptions(benchmark="", systems=())


def _names(**options: Any) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=LONGEST), max_length=MOST_NAMES, **options
    )


class KnownFieldsOnly(serializers.Serializer[Any]):
    """Refuses what it has no field for: a misspelt option would be ignored otherwise."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError(
                {unknown[0]: f"unknown field; known: {', '.join(self.fields)}"}
            )
        return super().to_internal_value(data)


class RunRequest(KnownFieldsOnly):
    """A run to start. Everything but benchmark and systems has a default."""

    benchmark = serializers.CharField(max_length=LONGEST)
    systems = _names(allow_empty=False, help_text="slugs; with +bm25 for a hybrid")
    tracks = _names(default=list(DEFAULTS.tracks), allow_empty=False)
    modalities = _names(default=list(DEFAULTS.modalities))
    synthesizer = serializers.CharField(default=DEFAULTS.synthesizer, max_length=LONGEST)
    judges = _names(default=list(DEFAULTS.judges), allow_empty=False)
    budget_mode = serializers.CharField(default=DEFAULTS.budget_mode, max_length=LONGEST)
    embedder = serializers.CharField(default=DEFAULTS.embedder, max_length=LONGEST)
    seed = serializers.IntegerField(default=DEFAULT_SEED, min_value=0, max_value=2**53)
    questions = serializers.CharField(
        default=DEFAULTS.questions,
        max_length=LONGEST,
        help_text="all, holdout, first:N or stratified:N; question_ids go before it",
    )
    question_ids = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST), default=list, max_length=MOST_QUESTIONS
    )
    repeats = serializers.IntegerField(default=DEFAULTS.repeats, min_value=1, max_value=20)
    spending_limit_usd = serializers.FloatField(default=None, allow_null=True, min_value=0)
    force = serializers.BooleanField(default=False, help_text="go on whatever the doctor finds")
    parameters = serializers.DictField(
        child=serializers.DictField(), default=dict, help_text="system → its parameters"
    )

    def options(self) -> RunOptions:
        """The checked values; lists become tuples, and ids that are given are the questions."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in self.validated_data.items()
        }
        if values["question_ids"]:
            values["questions"] = "ids"
        return RunOptions(**values)


class ResumeRequest(serializers.Serializer[None]):
    retry_errored = serializers.BooleanField(
        default=False, help_text="try errored cells again; their earlier attempts are kept"
    )
    force = serializers.BooleanField(
        default=False, help_text="go on despite what the doctor found; the findings stay on it"
    )


class RejudgeRequest(serializers.Serializer[None]):
    judge = serializers.CharField(max_length=LONGEST)
    question_ids = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST), default=None, allow_null=True
    )


class ImportRequest(serializers.Serializer[None]):
    file = serializers.FileField(help_text="gzip is unpacked")
    format = serializers.CharField(default="jsonl", help_text=", ".join(sorted(READERS)))
    benchmark = serializers.CharField(
        default="", allow_blank=True, help_text="the loaded benchmark the answers belong to"
    )
    holdout = serializers.BooleanField(
        default=False,
        help_text="take the answers to holdout questions alone; otherwise they are left out",
    )
