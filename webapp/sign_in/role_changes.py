"""Giving a person another role."""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import Q

from webapp.sign_in.links import RoleUnknown
from webapp.sign_in.roles import ADMIN, ROLES


class LastAdministrator(Exception):
    """Nobody could administer the site afterwards."""


@transaction.atomic
def set_role(*, user: User, role: str) -> User:
    """``user`` has ``role`` and no other from now on; other groups stay as they are.

    Raises RoleUnknown, and LastAdministrator where no active administrator would be left.
    """
    if role not in ROLES:
        raise RoleUnknown(f"There is no role {role!r}; the roles are {', '.join(ROLES)}.")
    # The rows are held, so that two administrators cannot demote each other at the same time.
    held = list(
        User.objects.select_for_update()
        .filter(Q(is_superuser=True) | Q(pk__in=User.objects.filter(groups__name=ADMIN)))
        .filter(is_active=True)
        .order_by("pk")
    )
    if role != ADMIN and [one.pk for one in held] == [user.pk]:
        raise LastAdministrator(
            f"{user.get_username()} is the only administrator; make somebody else one first."
        )
    user.groups.remove(*Group.objects.filter(name__in=ROLES).exclude(name=role))
    user.groups.add(Group.objects.get(name=role))
    user.is_staff = user.is_superuser = role == ADMIN
    user.save(update_fields=["is_staff", "is_superuser"])
    return user
