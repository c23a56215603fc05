"""Where a rater stands, as the one page that says so."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from django.utils.crypto import salted_hmac

from annotation.blinding import voting_page as stages
from annotation.blinding.voting_page import (
    BlindCampaign,
    BlindPair,
    Progress,
    RevealedPair,
    VotingPage,
)
from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, Rater, Vote
from annotation.services.choosing import choose_next, has_done_all, is_waiting, n_asked, n_decided
from annotation.services.end_reveals import reveal_at_end
from annotation.services.last_votes import can_undo, is_revealed, last_vote
from annotation.services.revealed_pairs import as_revealed, revealed_pairs
from annotation.services.serving import blind_pair, current_assignment, next_pair, renew_lock
from annotation.services.standing import barred_sentence, closed_sentence
from annotation.services.tallying import change_rater
from annotation.services.turns import Turn
from evaluation.formats.rich_text import render_rich_text

HAS_DONE_ALL: Final = "Thank you: you have decided everything that was asked of you."
NOTHING_LEFT: Final = "Thank you: there is no pair left for you to decide."
STOPPED: Final = "Thank you: your votes are stored."
WAIT: Final = (
    "Everything that is left is being decided by others just now; look again in a few minutes."
)
NOT_REVEALED: Final = "This pair is not revealed."
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def closed_page(
    campaign: Campaign, options: CampaignOptions, sentence: str, rater: Rater | None = None
) -> VotingPage:
    return _page(stages.CLOSED, campaign, options, rater, sentence=sentence)


def consent_page(campaign: Campaign, options: CampaignOptions) -> VotingPage:
    return _page(stages.CONSENT, campaign, options, None)


def pair_page(
    campaign: Campaign, options: CampaignOptions, rater: Rater, pair: BlindPair, *, undo: bool
) -> VotingPage:
    return replace(_page(stages.VOTING, campaign, options, rater, can_undo=undo), pair=pair)


def page_of(turn: Turn, rater: Rater) -> VotingPage:
    """The page that is due; gives the next pair where the rater has none."""
    campaign, options = turn.campaign, turn.options
    sentence = barred_sentence(rater)
    if sentence:
        return closed_page(campaign, options, sentence, rater)
    if rater.finished_at is not None:
        return finished_page(turn, rater)
    sentence = closed_sentence(campaign, turn.now)
    if sentence:
        is_over = rater.n_votes and campaign.opened_at is not None
        return (
            done_page(turn, rater, sentence)
            if is_over
            else closed_page(campaign, options, sentence, rater)
        )
    current = current_assignment(rater, options)
    undo = can_undo(rater, options, current)
    if current is not None:
        renew_lock(turn, current)
        return pair_page(
            campaign, options, rater, blind_pair(current, current.pair, options), undo=undo
        )
    if options.reveal == "each":
        vote = last_vote(rater)
        if vote is not None and (undo or choose_next(turn, rater) is not None):
            return reveal_page(turn, rater, vote)
    return page_with_next_pair(turn, rater, undo=undo)


def page_after_vote(turn: Turn, rater: Rater, *, has_another: bool) -> VotingPage:
    """After a vote that was just stored; ``has_another``: another pair of the rater's is open."""
    if rater.disqualified_at is not None or has_another or turn.options.reveal == "each":
        return page_of(turn, rater)
    return page_with_next_pair(turn, rater, undo=True)


def page_with_next_pair(turn: Turn, rater: Rater, *, undo: bool) -> VotingPage:
    """For a rater without an open pair: the next one, or why there is none."""
    campaign, options = turn.campaign, turn.options
    pair = next_pair(turn, rater)
    if pair is not None:
        return pair_page(campaign, options, rater, pair, undo=undo)
    if not has_done_all(rater, options) and is_waiting(turn, rater):
        return _page(stages.WAITING, campaign, options, rater, can_undo=undo, sentence=WAIT)
    _issue_code(turn, rater)
    sentence = HAS_DONE_ALL if has_done_all(rater, options) else NOTHING_LEFT
    return done_page(turn, rater, sentence, undo=undo)


def reveal_page(turn: Turn, rater: Rater, vote: Vote) -> VotingPage:
    """After a vote where each is revealed: first with undo open and nothing shown, then, when the
    rater has gone on, with who wrote the pair."""
    is_open = not is_revealed(vote)
    return _page(
        stages.REVEALED,
        turn.campaign,
        turn.options,
        rater,
        can_undo=is_open,
        revealed=() if is_open else as_revealed(turn.campaign, [vote]),
    )


def finished_page(turn: Turn, rater: Rater) -> VotingPage:
    """The end of a rater who has finished: revealed is what may be by now."""
    n_waiting = reveal_at_end(turn, rater)
    return done_page(turn, rater, f"{STOPPED} {_waiting(n_waiting)}".strip())


def done_page(turn: Turn, rater: Rater, sentence: str, *, undo: bool = False) -> VotingPage:
    """The end: the code once it was earned, and whatever was revealed."""
    page = _page(
        stages.DONE,
        turn.campaign,
        turn.options,
        rater,
        can_undo=undo,
        sentence=sentence,
        revealed=revealed_pairs(turn.campaign, rater),
    )
    return replace(page, completion_code=rater.completion_code)


def _waiting(n_pairs: int) -> str:
    if not n_pairs:
        return ""
    of_them = "one of your pairs" if n_pairs == 1 else f"{n_pairs:,} of your pairs"
    return f"Others still vote on {of_them}; who wrote what there is shown here once they are done."


def note_work_done(turn: Turn, rater: Rater) -> None:
    """Issue the completion code if the rater has done all that was asked, or, while the campaign is
    open, all there is for them: no pair is open, left or held by others."""
    is_done = has_done_all(rater, turn.options) or (
        not closed_sentence(turn.campaign, turn.now)
        and current_assignment(rater, turn.options) is None
        and choose_next(turn, rater) is None
        and not is_waiting(turn, rater)
    )
    if is_done:
        _issue_code(turn, rater)


def _issue_code(turn: Turn, rater: Rater) -> None:
    if not turn.options.gives_completion_code or rater.completion_code or not rater.n_votes:
        return
    change_rater(rater, {}, by=1, completion_code=_code_of(rater))


def _code_of(rater: Rater) -> str:
    """Always the same for a rater, who may have copied it before taking a vote back."""
    digest = salted_hmac("annotation.completion_code", rater.key, algorithm="sha256").digest()
    letters = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in digest[:12])
    return "-".join(letters[start : start + 4] for start in (0, 4, 8))


def _page(
    stage: str,
    campaign: Campaign,
    options: CampaignOptions,
    rater: Rater | None,
    *,
    sentence: str = "",
    can_undo: bool = False,
    revealed: tuple[RevealedPair, ...] = (),
) -> VotingPage:
    n_done = n_decided(rater, options) if rater is not None else 0
    is_finished = rater is None or rater.finished_at is not None
    return VotingPage(
        stage=stage,
        campaign=_blind_campaign(campaign, options),
        progress=Progress(n_done=n_done, n_wanted=n_asked(options)),
        pseudonym=rater.pseudonym if rater is not None else "",
        can_undo=can_undo,
        can_finish=bool(n_done) and not is_finished and stage in stages.BEFORE_THE_END,
        sentence=sentence,
        revealed=revealed,
    )


def _blind_campaign(campaign: Campaign, options: CampaignOptions) -> BlindCampaign:
    return BlindCampaign(
        token=campaign.link_token,
        name=campaign.name,
        decision=options.decision,
        instructions_html=_rendered(options.instructions),
        consent_html=_rendered(options.consent),
        choices=options.choices,
        reasons=options.reasons,
        asks_comment=options.ask_comment,
        asks_confidence=options.ask_confidence,
        shows_context=options.show_context,
        is_simulated=campaign.is_simulated,
    )


@lru_cache(maxsize=64)
def _rendered(markdown: str) -> str:
    """The lead's text, the same for everyone, so that serving renders nothing."""
    return render_rich_text(markdown) if markdown else ""
