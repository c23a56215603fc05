"""The four roles. A role is a Django group of that name; a superuser has every role."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, User

ADMIN: Final = "admin"
LEAD: Final = "lead"
RATER: Final = "rater"
VIEWER: Final = "viewer"
ROLES: Final = (ADMIN, LEAD, RATER, VIEWER)


def has_role(user: AbstractBaseUser | AnonymousUser, role: str) -> bool:
    """Whether the signed-in user may act as ``role``; administrators may act as any."""
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_superuser or user.groups.filter(name__in={role, ADMIN}).exists()


def create_roles(**_signal: Any) -> None:
    """After each migration and each emptying of the database, the groups are there."""
    for role in ROLES:
        Group.objects.get_or_create(name=role)
