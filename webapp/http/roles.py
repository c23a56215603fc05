"""Who may spend: starting, pausing, resuming and cancelling runs is a lead's right."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypedDict

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from webapp.sign_in.roles import LEAD, RATER, has_role


def may_spend(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether the user may do what a lead does."""
    return has_role(user, LEAD)


def lead_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Visitors are sent to sign in and come back; signed-in people without the role get a 403."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            back = request.get_full_path() if request.method == "GET" else ""
            return redirect_to_login(back or request.headers.get("Referer", "/"))
        if not may_spend(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return wrapped


def may_read_campaigns(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Names and counts of campaigns: everybody signed in, and visitors where the site is set so."""
    return bool(user.is_authenticated or settings.MEMJURY_PUBLIC_CAMPAIGNS)


def campaign_reader_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Visitors are sent to sign in, unless campaigns are public here."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_read_campaigns(request.user):
            return redirect_to_login(request.get_full_path())
        return view(request, *args, **kwargs)

    return wrapped


class Voter(TypedDict):
    """Who reads a list of campaigns, for the links to vote in it."""

    user_id: int | None
    is_rater: bool


def voter(user: AbstractBaseUser | AnonymousUser) -> Voter:
    """The reader of a page, as the queries of campaigns ask for them."""
    return Voter(user_id=user.pk, is_rater=has_role(user, RATER))


def may_join_by_name(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Who may vote wherever a campaign is open needs no link to it."""
    return has_role(user, RATER) or has_role(user, LEAD)


def signed_in(request: HttpRequest) -> User | None:
    """The person behind the request, None for a visitor."""
    return request.user if isinstance(request.user, User) else None
