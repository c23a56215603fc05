"""Reading is everyone's; what may spend, and what is about a vote, is a lead's."""

from __future__ import annotations

from django.contrib.auth.models import User
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from webapp.http.roles import may_read_campaigns, may_spend


class OnlyLeadsSpend(BasePermission):
    """GET for everyone; POST for users with the role lead (or admin)."""

    message = "starting, changing and importing runs needs the role lead"

    def has_permission(self, request: Request, view: APIView) -> bool:
        del view
        return request.method in SAFE_METHODS or may_spend(request.user)


class OnlyLeads(BasePermission):
    """For users with the role lead (or admin), whatever the method."""

    message = "this needs the role lead"

    def has_permission(self, request: Request, view: APIView) -> bool:
        del view
        return may_spend(request.user)


class OnlyLeadsMakeCampaigns(BasePermission):
    """GET for whoever may read of campaigns; POST for users with the role lead (or admin)."""

    message = "making a campaign needs the role lead"

    def has_permission(self, request: Request, view: APIView) -> bool:
        del view
        may_read = request.method in SAFE_METHODS and may_read_campaigns(request.user)
        return may_read or may_spend(request.user)


def spender(request: Request) -> User:
    """The signed-in user whom ``OnlyLeadsSpend`` let in. Raises NotAuthenticated otherwise."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user
