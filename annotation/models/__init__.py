from annotation.models.assignment import Assignment
from annotation.models.audit import AuditEntry
from annotation.models.campaign import (
    Campaign,
    CampaignQuestion,
    CampaignSystem,
    CampaignTally,
    RenderedText,
)
from annotation.models.pair import Pair, PairScore
from annotation.models.rater import Invitation, Rater, Reveal, Unblinding
from annotation.models.rating import RatingMetric, RatingStudy
from annotation.models.report import CalibrationReport
from annotation.models.transfer import Transfer
from annotation.models.vote import Vote, VoteEvent

__all__ = [
    "Assignment",
    "AuditEntry",
    "CalibrationReport",
    "Campaign",
    "CampaignQuestion",
    "CampaignSystem",
    "CampaignTally",
    "Invitation",
    "Pair",
    "PairScore",
    "Rater",
    "RatingMetric",
    "RatingStudy",
    "RenderedText",
    "Reveal",
    "Transfer",
    "Unblinding",
    "Vote",
    "VoteEvent",
]
