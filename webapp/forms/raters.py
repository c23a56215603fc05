"""Small forms about a campaign's raters: excluding one, inviting some."""

from __future__ import annotations

from django import forms

MOST_INVITATIONS = 1_000
EXCLUDE, RESTORE = "exclude", "restore"
SORTS = (
    ("votes", "most votes first"),
    ("newest", "newest first"),
    ("name", "by name"),
    ("too-fast", "most too fast first"),
    ("skips", "most skips first"),
)


class ExclusionForm(forms.Form):
    """Excluding needs a reason; counting again does not."""

    action = forms.ChoiceField(choices=[(EXCLUDE, EXCLUDE), (RESTORE, RESTORE)])
    reason = forms.CharField(
        required=False,
        max_length=500,
        label="Why is this rater excluded?",
        help_text="It is logged, and shown beside the rater.",
    )

    def clean(self) -> None:
        is_excluding = self.cleaned_data.get("action") == EXCLUDE
        if is_excluding and not self.cleaned_data.get("reason") and "reason" not in self.errors:
            self.add_error("reason", "An exclusion needs a reason.")

    @property
    def is_restoring(self) -> bool:
        return bool(self.cleaned_data["action"] == RESTORE)

    @property
    def reason_given(self) -> str:
        return str(self.cleaned_data["reason"])


class InvitationsForm(forms.Form):
    n = forms.IntegerField(min_value=1, max_value=MOST_INVITATIONS, label="How many")
    note = forms.CharField(required=False, max_length=200)

    @property
    def sentence(self) -> str:
        """What is wrong, for the page that follows."""
        wrong = [
            f"{self.fields[name].label or name}: {error}"
            for name, errors in self.errors.items()
            for error in errors
        ]
        return f"No invitation was made. {' '.join(wrong)}"
