"""The form of a campaign. It names the field that is wrong and judges nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.campaign_options import CampaignOptions, InvalidCampaignOption
from annotation.queries.campaign_choices import CampaignChoices, Draft
from annotation.queries.campaigns import CampaignHead
from annotation.services.campaign_checks import NoChecksPossible
from annotation.services.campaign_drawing import TooFewPairs
from evaluation.protocol.tracks import UnknownTrack
from webapp.forms.campaign_fields import CampaignFields, Moment

BASE_MODEL = "base-model"


class CampaignForm(CampaignFields):
    """``choices`` are what the chosen runs offer; ``arguments()`` is what a valid form asks for,
    without the systems ``left_out`` because they have no answer at the chosen track."""

    head: CampaignHead | None = None
    left_out: Sequence[str] = ()

    def __init__(self, *args: Any, choices: CampaignChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.measured = {one.name: one.systems for one in choices.tracks}
        self._offer(
            "track",
            [(one.name, f"{one.name}: {len(one.systems)} systems") for one in choices.tracks],
        )
        self._offer("judge", [(name, name) for name in choices.judges])
        self._offer("systems", [(label, self._described(label)) for label in choices.systems])
        # The track in front is the one chosen at first; what has no answer at it is not chosen.
        answered = choices.tracks[0].systems if choices.tracks else ()
        self.initial.setdefault("systems", [label for label in answered if label != BASE_MODEL])

    def _described(self, label: str) -> SafeString:
        """With the tracks it has answers at, where these are not all."""
        tracks = [track for track, systems in self.measured.items() if label in systems]
        if len(tracks) == len(self.measured):
            return format_html("<span>{}</span>", label)
        return format_html(
            "<span>{} <small>answered at {} only</small></span>", label, " and ".join(tracks)
        )

    def _offer(self, name: str, choices: Any) -> None:
        field = self.fields[name]
        if not isinstance(field, forms.ChoiceField):
            raise TypeError(f"{name} is no field of choices")
        field.choices = choices

    def arguments(self) -> dict[str, Any]:
        """What the service is asked for besides the runs. Raises InvalidCampaignOption."""
        asked = self.cleaned_data
        return {
            "name": asked["name"],
            "track": asked["track"],
            "judge": asked["judge"],
            "systems": self._systems(),
            "opens_at": asked["opens_at"],
            "closes_at": asked["closes_at"],
            "options": self.options(),
        }

    def clean_systems(self) -> list[str]:
        """Those of the chosen that were measured at the track; raises ValidationError."""
        track = self.cleaned_data.get("track")
        if track is None:
            return []
        asked = self.cleaned_data["systems"]
        chosen = [one for one in asked if one in self.measured[track]]
        self.left_out = [one for one in asked if one not in self.measured[track]]
        if len(chosen) < 2:
            raise forms.ValidationError(f"Choose at least two that were measured at {track}.")
        return chosen

    def _systems(self) -> list[str] | None:
        """None for the default, so that the service can tell variants of one label apart."""
        asked = self.cleaned_data
        default = set(self.measured[asked["track"]]) - {BASE_MODEL}
        return None if set(asked["systems"]) == default else list(asked["systems"])

    def options(self) -> CampaignOptions:
        """Raises InvalidCampaignOption for what only the whole can judge."""
        asked = self.cleaned_data
        return CampaignOptions(
            **{name: asked[name] for name in PLAIN},
            gap_edges=_edges(asked["gap_edges"]),
            reasons=_words(asked["reasons"]),
        )

    def refuse(self, refusal: Exception) -> None:
        """Say what the campaign was refused for, beside the field that is wrong."""
        option = str(getattr(refusal, "option", ""))
        named = FIELD_OF.get(type(refusal), option)
        if isinstance(refusal, NoChecksPossible):
            named = "n_qualification" if self.cleaned_data["n_qualification"] else "attention_every"
        sentence = str(refusal).removeprefix(f"{option}: ")
        field = named if named in self.fields else None
        self.add_error(field, sentence[:1].upper() + sentence[1:])


class DraftForm(CampaignForm):
    """A draft's form: what it is made from is fixed, everything else can still be changed."""

    def __init__(self, *args: Any, draft: Draft, **kwargs: Any) -> None:
        self.head = draft.head
        initial = {
            **initial_of(draft.head.options),
            "name": draft.head.name,
            "opens_at": draft.head.opens_at,
            "closes_at": draft.head.closes_at,
        }
        super().__init__(*args, choices=draft.choices, initial=initial, **kwargs)
        for name in FIXED:
            del self.fields[name]

    def arguments(self) -> dict[str, Any]:
        asked = self.cleaned_data
        kept = {name: asked[name] for name in ("name", "opens_at", "closes_at")}
        return {**kept, "options": self.options()}


class TimesForm(forms.Form):
    """When an open campaign opens and closes."""

    opens_at = Moment(label="Opens at, UTC", help_text="Empty: at once.")
    closes_at = Moment(label="Closes at, UTC", help_text="Empty: when you close it.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


FIXED = ("track", "judge", "systems")
PLAIN = (
    "policy", "n_pairs", "seed", "overlap", "votes_per_rater", "decision", "instructions",
    "consent", "allow_both_bad", "ask_comment", "ask_confidence", "show_context",
    "n_qualification", "qualification_pass_share", "attention_every", "attention_exclude_below",
    "too_fast_share", "too_fast_floor_s", "exclude_too_fast_above", "gives_completion_code",
    "invite_only", "reveal", "lock_minutes",
)  # fmt: skip
FIELD_OF: dict[type[Exception], str] = {TooFewPairs: "n_pairs", UnknownTrack: "track"}


def initial_of(options: CampaignOptions) -> dict[str, Any]:
    """What the form shows for options that were chosen before."""
    return {
        **{name: getattr(options, name) for name in PLAIN},
        "gap_edges": ", ".join(f"{edge:g}" for edge in options.gap_edges),
        "reasons": ", ".join(options.reasons),
    }


def _edges(text: str) -> tuple[float, ...]:
    """Raises InvalidCampaignOption."""
    try:
        return tuple(float(word) for word in _words(text))
    except ValueError as error:
        raise InvalidCampaignOption(
            "gap_edges", "numbers separated by commas, such as 0, 2, 4."
        ) from error


def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
