"""Forms of votes that come in and go out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotation.queries.exported_rows import WhatToExport
from annotation.services.transfer_files import Upload
from annotation.vote_formats.formats import DESCRIPTIONS, OWN, WRITERS
from annotation.vote_formats.rows import ReadOptions

EXPORTS = {
    "csv": "CSV, safe in a spreadsheet",
    "jsonl": "JSON Lines",
    "arena": "Chatbot arena JSON, counted votes only",
}


class ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """One or more files, all of which are checked as one."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        given = data if isinstance(data, list | tuple) else [data]
        return [super(ManyFilesField, self).clean(file, initial) for file in given or [None]]


class ImportVotesForm(forms.Form):
    """``refuse`` puts a refusal beside the field that it names, else beside the file."""

    name = forms.CharField(
        max_length=200, label="Campaign", help_text="The name of the new campaign."
    )
    file = ManyFilesField(
        label="File",
        help_text="Up to 100 MB; a .gz is unpacked. PandaLM takes its judges' files with it.",
    )
    format = forms.ChoiceField(choices=list(DESCRIPTIONS.items()), initial="csv")
    systems = forms.CharField(
        required=False,
        max_length=200,
        label="Fields of the two systems",
        help_text="Label Studio and Potato only, such as model_a, model_b; known names are found.",
    )
    question = forms.CharField(
        required=False,
        max_length=200,
        label="Question on a pair",
        help_text="Label Studio and Potato only: which of several is the vote.",
    )
    models = forms.BooleanField(
        required=False,
        label="The raters are language models",
        help_text="Their verdicts never count beside people's votes.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    def clean_systems(self) -> tuple[str, str] | None:
        names = [name.strip() for name in self.cleaned_data["systems"].split(",")]
        if names == [""]:
            return None
        if len(names) != 2 or not all(names):
            raise forms.ValidationError("Give two names with a comma between them.")
        return names[0], names[1]

    def uploads(self) -> list[Upload]:
        return [Upload(file.name or "", file.chunks()) for file in self.cleaned_data["file"]]

    def read_options(self) -> ReadOptions:
        asked = self.cleaned_data
        return ReadOptions(
            systems=asked["systems"], question=asked["question"], models=asked["models"]
        )

    def refuse(self, refusal: Exception) -> None:
        field = getattr(refusal, "option", "file")
        problems = getattr(refusal, "problems", ())
        self.add_error(field, [str(refusal), *problems[1:20]])


class ExportVotesForm(forms.Form):
    format = forms.ChoiceField(choices=[(name, EXPORTS[name]) for name in WRITERS], initial="csv")
    checks = forms.BooleanField(
        required=False,
        label="Checks instead of votes",
        help_text="Votes on attention and qualification checks are in no other export.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    def clean(self) -> dict[str, Any]:
        asked = super().clean() or self.cleaned_data
        if asked.get("checks") and asked.get("format") not in OWN:
            self.add_error("format", f"Checks are written as {' or '.join(OWN)}.")
        return asked

    def what(self) -> WhatToExport:
        return WhatToExport(self.cleaned_data["format"], self.cleaned_data["checks"])
