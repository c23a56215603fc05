"""The form that starts a run. It names the field that is wrong and judges nothing else."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evaluation.benchmarks.question_sets import UnknownQuestionSet
from evaluation.protocol.tracks import UnknownTrack
from evaluation.queries.run_choices import OfferedVariant, RunChoices
from evaluation.services.run_options import DEFAULT_SEED, InvalidRunOption, RunOptions
from memory_systems.base import SystemRefused

DEFAULT_TRACKS = "native, 10k, 30k, 50k"
MODES = (
    ("capped", "capped: packed until the budget is full, the last unit cut"),
    ("targeted", "targeted: the system's own knob is set, and what comes is reported"),
)


class NewRunForm(forms.Form):
    """``choices`` are what this machine offers; ``options()`` is what a valid form asks for."""

    benchmark = forms.ChoiceField(help_text="Its newest loaded revision is measured.")
    systems = forms.MultipleChoiceField(
        label="Memory systems and anchors",
        widget=forms.CheckboxSelectMultiple,
        help_text="simple-rag and its hybrid are the null lines: without them nothing says what "
        "plain retrieval reaches.",
        error_messages={"required": "Choose at least one."},
    )
    tracks = forms.CharField(
        initial=DEFAULT_TRACKS,
        help_text="native, characters (30k), tokens (8kt) or units (k20), separated by commas.",
    )
    embedder = forms.ChoiceField(
        help_text="minilm reads meaning and is slow here; static is quick and coarser.",
    )
    embedder_model = forms.CharField(
        required=False, help_text="Only for openai:MODEL: the model's name."
    )
    synthesizer = forms.CharField(
        initial="extractive",
        help_text="Who writes the answers: extractive (no model), or ENDPOINT:MODEL.",
    )
    judges = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        required=False,
        initial=["rubric"],
        help_text="The first is the board's default. rubric matches facts, numbers and names: a "
        "proxy that needs no model.",
    )
    model_judges = forms.CharField(
        required=False, help_text="More judges as ENDPOINT:MODEL, separated by commas."
    )
    questions = forms.CharField(initial="all", help_text="all, stratified:N, first:N or holdout.")
    budget_mode = forms.ChoiceField(choices=MODES, help_text="How a budget is kept.")
    seed = forms.IntegerField(
        initial=DEFAULT_SEED, min_value=0, max_value=2**31 - 1,
        help_text="Part of the comparison key: rows with another seed get another table.",
    )  # fmt: skip
    repeats = forms.IntegerField(
        initial=1, min_value=1, max_value=20, help_text="Answers a question, 1 to 20."
    )
    spending_limit_usd = forms.FloatField(
        required=False, min_value=0, label="Spending limit, US dollars",
        help_text="The run pauses before it would pay more. Empty: no limit.",
    )  # fmt: skip
    force = forms.BooleanField(
        required=False, label="Go on where the doctor warns",
        help_text="Undeclared departures from the protocol stop a run unless this is set.",
    )  # fmt: skip

    def __init__(self, *args: Any, choices: RunChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.endpoints = choices.endpoints
        self._set("benchmark", choices.benchmarks)
        self._set("embedder", [(name, name) for name in choices.embedders])
        self._set("judges", [(name, name) for name in choices.judges])
        self._set(
            "systems", [(one.slug, _label(one)) for one in choices.variants if not one.refusal]
        )
        self.initial.setdefault("systems", [one.slug for one in choices.variants if one.is_default])
        self.refused_systems = [one for one in choices.variants if one.refusal]

    def _set(self, name: str, choices: Any) -> None:
        field = self.fields[name]
        if not isinstance(field, forms.ChoiceField):
            raise TypeError(f"{name} is no field of choices")
        field.choices = choices

    def options(self) -> RunOptions:
        asked = self.cleaned_data
        embedder = asked["embedder"]
        if embedder.endswith(":MODEL"):
            embedder = embedder.removesuffix("MODEL") + asked["embedder_model"]
        return RunOptions(
            benchmark=asked["benchmark"],
            systems=tuple(asked["systems"]),
            tracks=_words(asked["tracks"]),
            synthesizer=asked["synthesizer"],
            judges=(*asked["judges"], *_words(asked["model_judges"])),
            budget_mode=asked["budget_mode"],
            embedder=embedder,
            seed=asked["seed"],
            questions=asked["questions"],
            repeats=asked["repeats"],
            spending_limit_usd=asked["spending_limit_usd"],
            force=asked["force"],
        )

    def refuse(self, refusal: Exception) -> None:
        """Say what the run was refused for, beside the field that is wrong."""
        field = None
        if isinstance(refusal, InvalidRunOption) and refusal.option in self.fields:
            field = refusal.option
        elif isinstance(refusal, UnknownTrack):
            field = "tracks"
        elif isinstance(refusal, SystemRefused):
            field = "systems"
        elif isinstance(refusal, UnknownQuestionSet):
            field = "questions"
        sentence = str(refusal)
        self.add_error(field, sentence[:1].upper() + sentence[1:])


def _label(one: OfferedVariant) -> SafeString:
    kind = "anchor. " if one.is_anchor else ""
    return format_html("<span>{}<small>{}{}</small></span>", one.slug, kind, one.description)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
