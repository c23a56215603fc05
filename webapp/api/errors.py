"""Every refusal of the API as ``{"detail", "field", "known"}``, in words."""

from __future__ import annotations

from typing import Any

from kombu.exceptions import OperationalError as BrokerError
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.services import refusals as campaigns
from annotation.services import voting_refusals as votes
from evaluation.services.plain_json import plain
from evaluation.services.refusals import IN_THE_WAY, MISSING, UNUSABLE, field_of, known_for
from webapp.api.shapes import Refusal
from webapp.http.calibration_access import ResultsKeptBack
from webapp.http.embargo import AnswersEmbargoed

NO_BROKER = (
    "the broker does not answer, so nothing was handed to a worker; what was stored stays, and the "
    "workers go on with it when they are there again"
)
OF_BALLOTS = (
    votes.ChoiceUnknown, votes.CommentTooLong, votes.ConfidenceUnknown, votes.ReasonUnknown,
)  # fmt: skip
NOT_THEIRS = (votes.InvitationUnusable, votes.LinkMissing, votes.RaterBarred, votes.RaterUnknown)
# The first kind that fits decides.
STATUS: tuple[tuple[tuple[type[Exception], ...], int], ...] = (
    ((AnswersEmbargoed, ResultsKeptBack, *NOT_THEIRS), 403),
    ((votes.AssignmentForeign, votes.CampaignNotFound, *MISSING, *campaigns.MISSING), 404),
    ((*OF_BALLOTS, *UNUSABLE, *campaigns.UNUSABLE), 400),
    ((votes.VotingRefused, *IN_THE_WAY, *campaigns.IN_THE_WAY), 409),
)


def answer_in_words(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's handler; what it does not know becomes a 500 as ever."""
    for kinds, status in STATUS:
        if isinstance(error, kinds):
            refusal = Refusal(_sentence(str(error)), field_of(error), known_for(error))
            return Response(plain(refusal), status=status)
    if isinstance(error, BrokerError):
        return Response(plain(Refusal(NO_BROKER, "", ())), status=503)
    response = exception_handler(error, context)
    if response is not None:
        refusal = _of_framework(error)
        response.data = plain(refusal)
    return response


def _of_framework(error: Exception) -> Refusal:
    if isinstance(error, ValidationError):
        field, sentence = _first(error.detail)
        return Refusal(f"{field}: {sentence}" if field else sentence, field, ())
    detail = error.detail if isinstance(error, APIException) else "there is nothing here"
    return Refusal(_sentence(str(detail)), "", ())


def _first(detail: Any, field: str = "") -> tuple[str, str]:
    """The first field that was refused, and why."""
    if isinstance(detail, dict) and detail:
        name, inner = next(iter(detail.items()))
        plain_name = "" if name == "non_field_errors" else str(name)
        return _first(inner, ".".join(filter(None, [field, plain_name])))
    if isinstance(detail, list) and detail:
        return _first(detail[0], field)
    return field, _sentence(str(detail))


def _sentence(text: str) -> str:
    return " ".join(text.split())
