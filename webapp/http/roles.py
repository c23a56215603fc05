"""Who may spend: starting, pausing, resuming and cancelling runs is a lead's right."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from webapp.sign_in.roles import LEAD, has_role


def may_spend(user: AbstractBaseUser | AnonymousUser) -> bool:
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


def signed_in(request: HttpRequest) -> User | None:
    """The person behind the request, None for a visitor."""
    return request.user if isinstance(request.user, User) else None
