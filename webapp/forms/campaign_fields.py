"""The fields of a campaign's form, and the folds they stand in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.campaign_options import CampaignOptions

DEFAULTS = CampaignOptions()
POLICY_LABELS = {
    "stratified": "stratified: equally over score gaps and pairs of systems",
    "uniform": "uniform: every pair with the same probability",
    "active": "active: more where intervals are wide, whoever won",
}
REVEAL_LABELS = (
    ("end", "on the end page"),
    ("each", "after each vote; it closes undo"),
    ("never", "never"),
)
MOMENT = "%Y-%m-%dT%H:%M"
MAIN = ("name", "track", "n_pairs", "overlap", "policy")
SECTIONS = {
    "How pairs are drawn, in detail": ("judge", "systems", "seed", "gap_edges"),
    "What raters read and are asked": (
        "decision", "instructions", "consent", "allow_both_bad", "reasons", "ask_comment",
        "ask_confidence", "show_context", "reveal",
    ),
    "Who may vote, and when": (
        "invite_only", "votes_per_rater", "gives_completion_code", "opens_at", "closes_at",
        "lock_minutes",
    ),
    "Checks and exclusion rules": (
        "n_qualification", "qualification_pass_share", "attention_every",
        "attention_exclude_below", "too_fast_share", "too_fast_floor_s",
        "exclude_too_fast_above",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    fields: list[forms.BoundField]
    is_open: bool


class Moment(forms.DateTimeField):
    """A time of UTC to the minute."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT)
        super().__init__(required=False, widget=widget, **options)


class Share(forms.FloatField):
    """From 0 to 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=1, **options)


class CampaignFields(forms.Form):
    """Every field, with one line on what it decides."""

    name = forms.CharField(
        max_length=200,
        help_text="Raters read it too: it must not name a system.",
    )
    track = forms.ChoiceField(
        help_text="Both answers of a pair were given at this budget.",
    )
    n_pairs = forms.IntegerField(
        initial=DEFAULTS.n_pairs, min_value=1, max_value=1_000_000, label="Pairs",
        help_text="How many pairs are drawn. It is recorded; results show planned and actual.",
    )  # fmt: skip
    overlap = forms.IntegerField(
        initial=DEFAULTS.overlap, min_value=1, max_value=1_000, label="Votes a pair",
        help_text="With 2 or more, raters can be compared with one another.",
    )  # fmt: skip
    policy = forms.ChoiceField(
        choices=list(POLICY_LABELS.items()),
        initial=DEFAULTS.policy, label="How pairs are drawn",
        help_text="Each pair stores the probability it was drawn with, and results weigh by it. "
        "Active looks at counts of votes and never at who won.",
    )  # fmt: skip
    judge = forms.ChoiceField(
        label="Reference judge",
        help_text="Whose scores make the buckets, and whom the votes will be compared with. It is "
        "frozen.",
    )
    systems = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="Systems",
        help_text="Every pair is of two of these. The base model answers without any memory and is "
        "left out by default.",
        error_messages={"required": "Choose at least two."},
    )
    seed = forms.IntegerField(
        initial=DEFAULTS.seed, min_value=0, max_value=2**31 - 1,
        help_text="The same seed over the same answers draws the same pairs.",
    )  # fmt: skip
    gap_edges = forms.CharField(
        initial="0, 2, 4", label="Buckets of score gaps",
        help_text="Lower edges in points of the composite, rising from 0; the last is open.",
    )  # fmt: skip
    decision = forms.CharField(
        initial=DEFAULTS.decision, max_length=300, label="The question to decide",
        help_text="One sentence above the two answers.",
    )  # fmt: skip
    instructions = forms.CharField(
        required=False, widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Markdown, shown before the first pair. Empty: what each choice means and how to "
        "decide.",
    )  # fmt: skip
    consent = forms.CharField(
        required=False, widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Markdown. Empty: what is stored, and how to withdraw.",
    )  # fmt: skip
    allow_both_bad = forms.BooleanField(
        required=False, initial=True, label="Offer “both bad”",
        help_text="It counts as a tie where judges are compared.",
    )  # fmt: skip
    reasons = forms.CharField(
        required=False, initial=", ".join(DEFAULTS.reasons),
        help_text="Tags to tick, separated by commas; at most 12. Empty: none.",
    )  # fmt: skip
    ask_comment = forms.BooleanField(
        required=False, initial=True, label="Offer a comment", help_text="Always optional."
    )
    ask_confidence = forms.BooleanField(
        required=False, label="Ask how sure they are", help_text="From 1 to 5, optional."
    )
    show_context = forms.BooleanField(
        required=False, label="Show the retrieved context before the vote",
        help_text="Its shape can tell the system: every result is then labelled “not blind to "
        "retrieval”.",
    )  # fmt: skip
    reveal = forms.ChoiceField(
        choices=REVEAL_LABELS, initial=DEFAULTS.reveal, label="Tell who wrote the answers",
        help_text="By an open link whoever has finished could join again as somebody else: until "
        "the campaign closes, the end page tells only of pairs that have all their votes. After "
        "each vote may sway the next ones; results then split by reveals seen.",
    )  # fmt: skip
    invite_only = forms.BooleanField(
        required=False, label="Only invited people",
        help_text="Each invitation is a link for one person; otherwise one link serves everybody, "
        "and nothing keeps a person from joining twice.",
    )  # fmt: skip
    votes_per_rater = forms.IntegerField(
        required=False, min_value=1, max_value=100_000, label="Votes a rater",
        help_text="After that many a rater is done. Empty: as many as they like.",
    )  # fmt: skip
    gives_completion_code = forms.BooleanField(
        required=False, label="Give a completion code",
        help_text="On the end page, when the work is done; for platforms that pay by code.",
    )  # fmt: skip
    opens_at = Moment(label="Opens at, UTC", help_text="Empty: when you open it.")
    closes_at = Moment(label="Closes at, UTC", help_text="Empty: when you close it.")
    n_qualification = forms.IntegerField(
        initial=0, min_value=0, max_value=50, label="Qualification pairs",
        help_text="Pairs with a known winner before the first vote. 0: none.",
    )  # fmt: skip
    qualification_pass_share = Share(
        initial=DEFAULTS.qualification_pass_share, label="Pass mark",
        help_text="The share of them to get right, from 0 to 1.",
    )  # fmt: skip
    attention_every = forms.IntegerField(
        required=False, min_value=3, max_value=1_000, label="An attention check every … votes",
        help_text="A pair with a known winner; never counted. Empty: none.",
    )  # fmt: skip
    attention_exclude_below = Share(
        required=False, label="Exclude below this share of checks right",
        help_text="From 0 to 1. Empty: checks exclude nobody.",
    )  # fmt: skip
    too_fast_share = Share(
        initial=DEFAULTS.too_fast_share, label="Too fast under this share of the reading time",
        help_text="The reading time is words / 250 a minute.",
    )  # fmt: skip
    too_fast_floor_s = forms.FloatField(
        initial=DEFAULTS.too_fast_floor_s, min_value=0, max_value=600,
        label="Too fast under, seconds", help_text="Whatever the length.",
    )  # fmt: skip
    exclude_too_fast_above = Share(
        required=False, label="Exclude above this share of votes too fast",
        help_text="From 0 to 1. Empty: speed excludes nobody.",
    )  # fmt: skip
    lock_minutes = forms.FloatField(
        initial=DEFAULTS.lock_minutes, min_value=0.01, max_value=24 * 60.0,
        label="Minutes a pair is held", help_text="Then somebody else may get it.",
    )  # fmt: skip

    @property
    def main(self) -> list[forms.BoundField]:
        """What a lead has to decide; everything else has a good default."""
        return [self[name] for name in MAIN if name in self.fields]

    @property
    def sections(self) -> list[Section]:
        """The rest, folded; a section with something wrong in it is open."""
        return [
            Section(
                title=title,
                fields=[self[name] for name in names if name in self.fields],
                is_open=any(name in self.errors for name in names),
            )
            for title, names in SECTIONS.items()
        ]
