"""One-time sign-in links: the only way in for an administrator without a password."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from webapp.sign_in.roles import ADMIN, ROLES
from webapp.sign_in.tokens import SignInTokens

FIRST_ADMINISTRATOR = "admin"


class SignInLinkInvalid(Exception):
    """The link was used before, has expired, or was never made here."""


class UserNotFound(Exception):
    """No active user has that name."""


class RoleUnknown(Exception):
    """There is no such role."""


def first_sign_in_link(*, address: str) -> str | None:
    """A link for the first administrator, made on demand, until an administrator has signed in."""
    administrators = User.objects.filter(
        Q(is_superuser=True) | Q(groups__name=ADMIN), is_active=True
    )
    if administrators.filter(last_login__isnull=False).exists():
        return None
    user = administrators.order_by("pk").first() or make_user(name=FIRST_ADMINISTRATOR, role=ADMIN)
    return make_sign_in_link(user=user, address=address)


@transaction.atomic
def make_user(*, name: str, role: str) -> User:
    """A user without a password, in one role; an administrator may also open /admin/.

    Raises RoleUnknown, and ValidationError for a name that Django does not allow.
    """
    if role not in ROLES:
        raise RoleUnknown(f"There is no role {role!r}; the roles are {', '.join(ROLES)}.")
    user = User(username=name, is_staff=role == ADMIN, is_superuser=role == ADMIN)
    user.set_unusable_password()
    user.full_clean(exclude=["password"])
    user.save()
    user.groups.add(Group.objects.get(name=role))
    return user


def get_active_user(*, name: str) -> User:
    """Raises UserNotFound."""
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None:
        raise UserNotFound(f"There is no active user {name!r}.")
    return user


def make_sign_in_link(*, user: User, address: str) -> str:
    """A link that signs ``user`` in once, within PASSWORD_RESET_TIMEOUT seconds."""
    key = urlsafe_base64_encode(str(user.pk).encode())
    path = reverse("sign_in_link", args=[key, SignInTokens().make_token(user)])
    return f"{address}{path}"


def read_sign_in_link(*, key: str, token: str) -> User:
    """The user a link would sign in; the link stays good. Raises SignInLinkInvalid."""
    try:
        user_id = int(urlsafe_base64_decode(key).decode())
        # The row is held until the caller's transaction ends, so two clicks cannot both pass.
        user = User.objects.select_for_update().get(pk=user_id, is_active=True)
    except (ValueError, OverflowError, ValidationError, User.DoesNotExist) as error:
        raise SignInLinkInvalid from error
    if not SignInTokens().check_token(user, token):
        raise SignInLinkInvalid
    return user


@transaction.atomic
def sign_in_by_link(*, request: HttpRequest, key: str, token: str) -> User:
    """Sign the link's user in on this session and use the link up. Raises SignInLinkInvalid."""
    user = read_sign_in_link(key=key, token=token)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return user
