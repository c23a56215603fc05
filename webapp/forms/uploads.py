"""Forms that take a file: results made elsewhere, and benchmarks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from evaluation.benchmarks.registry import LOADERS
from evaluation.formats.results import READERS

OF_MANY_FILES = frozenset({"folder", "srb"})
GUESS = ("", "whichever takes the file")


class UploadForm(forms.Form):
    """``refuse`` puts a refusal beside the file, since it is what was wrong with it."""

    file = forms.FileField(help_text="It is read once and not kept. A .gz is unpacked.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    def refuse(self, refusal: Exception) -> None:
        self.add_error("file", str(refusal))


class ImportResultsForm(UploadForm):
    format = forms.ChoiceField(
        choices=[(name, name) for name in sorted(READERS)],
        initial="jsonl",
        help_text="Whose results these are; jsonl is MemJury's own export.",
    )
    benchmark = forms.ChoiceField(
        required=False, help_text="The loaded benchmark the answers belong to."
    )
    holdout = forms.BooleanField(
        required=False,
        label="The holdout alone",
        help_text="Takes the answers to holdout questions, which are left out otherwise.",
    )

    def __init__(self, *args: Any, benchmarks: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["benchmark"]
        if not isinstance(field, forms.ChoiceField):
            raise TypeError("benchmark is no field of choices")
        field.choices = [("", "the one that the file names"), *benchmarks]


class LoadBenchmarkForm(UploadForm):
    format = forms.ChoiceField(
        required=False,
        choices=[GUESS, *((name, name) for name in sorted(LOADERS.keys() - OF_MANY_FILES))],
        help_text="Layouts of several files (folder, srb) are loaded with the command.",
    )
    slug = forms.SlugField(
        max_length=80, help_text="Its name in addresses and commands, such as covidqa."
    )
    title = forms.CharField(required=False, max_length=200, help_text="Its name for people.")
    licence = forms.CharField(
        required=False, max_length=200, help_text="As the source of the data states it."
    )
