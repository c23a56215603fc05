"""What a rater is refused, each in one sentence for them that names nobody and no system."""

from __future__ import annotations

from typing import Final

MAX_COMMENT_CHARS: Final = 5_000


class CampaignNotFound(LookupError):
    """No campaign has this link."""

    def __init__(self) -> None:
        super().__init__("There is no vote under this address.")


class VotingRefused(Exception):
    """Nothing was changed; the message is one sentence for the rater."""

    sentence: str = "That is not possible now."
    option: str = ""
    """The field of the form or request that is refused, where it is one."""

    def __init__(self, sentence: str = "", *, known: tuple[str, ...] = ()) -> None:
        super().__init__(sentence or self.sentence)
        self.known = known


class CampaignClosed(VotingRefused):
    """Not open yet, or not any more; the message says which."""


class RaterUnknown(VotingRefused):
    sentence = "This browser has no place in this vote; join it first."


class RaterBarred(VotingRefused):
    """The rater's part is over: excluded, withdrawn, not qualified, or no longer blind."""


class LinkMissing(VotingRefused):
    """Who has no account that may vote joins by the link, wherever the request comes from."""

    option = "link"
    sentence = (
        "Join by the link of the vote: send its token, which stands behind /vote/, as link. "
        "Or sign in with an account that may vote."
    )


class InvitationUnusable(VotingRefused):
    option = "seat"
    sentence = "This vote is by invitation; open it by the link that you were sent."


class AssignmentForeign(VotingRefused):
    """One answer for what is somebody else's, was never given, or was given back."""

    sentence = (
        "This pair is not on your page any more, so nothing was stored; decide the one that is."
    )


class ChoiceUnknown(VotingRefused):
    option = "choice"
    sentence = "There is no such choice in this vote, so nothing was stored."


class ReasonUnknown(VotingRefused):
    option = "reasons"
    sentence = "There is no such reason in this vote, so nothing was stored."


class ConfidenceUnknown(VotingRefused):
    option = "confidence"
    sentence = "Confidence goes from 1 to 5, so nothing was stored."


class CommentTooLong(VotingRefused):
    option = "comment"
    sentence = (
        f"A comment can have up to {MAX_COMMENT_CHARS:,} characters, so nothing was stored; "
        "shorten it and vote again."
    )


class AlreadyDecided(VotingRefused):
    sentence = (
        "You have decided this pair before, and that vote stands; to change it, undo it while it "
        "is your last one."
    )


class VoteFrozen(VotingRefused):
    sentence = "This vote cannot be changed any more."


class NothingToUndo(VotingRefused):
    sentence = "There is no vote to take back."
