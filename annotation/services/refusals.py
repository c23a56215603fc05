"""What a person can put right about campaigns and votes: every exception whose message is one
sentence for them. What the runs below refuse is in evaluation.services.refusals."""

from __future__ import annotations

from annotation.calibration.settings import InvalidCalibrationSetting
from annotation.campaign_options import InvalidCampaignOption
from annotation.services.calibration import CannotAdopt, ReportOutOfDate
from annotation.services.campaign_checks import NoChecksPossible
from annotation.services.campaign_control import CampaignCannotChange
from annotation.services.campaign_drawing import TooFewPairs
from annotation.services.campaign_runs import NotOfTheRuns, RunNotReady, RunsNotComparable
from annotation.services.campaigns import (
    CampaignNameUnusable,
    CampaignNotFound,
    ClosesBeforeItOpens,
    TextNotBlind,
)
from annotation.services.exclusion import ExclusionPointless, RaterNotFound
from annotation.services.invitations import InvitationNotFound, TooManyInvitations
from annotation.services.review import PairHasVotes, PairNotFound
from evaluation.services.contexts import ContextNotReproducible

MISSING: tuple[type[Exception], ...] = (
    CampaignNotFound,
    InvitationNotFound,
    PairNotFound,
    RaterNotFound,
)
"""What is named does not exist."""

IN_THE_WAY: tuple[type[Exception], ...] = (
    CampaignCannotChange,
    CannotAdopt,
    ContextNotReproducible,
    ExclusionPointless,
    NoChecksPossible,
    PairHasVotes,
    ReportOutOfDate,
    RunNotReady,
    RunsNotComparable,
    TooFewPairs,
)
"""What is asked for makes sense, but not in the state that things are in."""

UNUSABLE: tuple[type[Exception], ...] = (
    CampaignNameUnusable,
    ClosesBeforeItOpens,
    InvalidCalibrationSetting,
    InvalidCampaignOption,
    NotOfTheRuns,
    TextNotBlind,
    TooManyInvitations,
)
"""What is asked for is not known, or cannot be read."""

REFUSALS = MISSING + IN_THE_WAY + UNUSABLE
