"""Giving people other roles."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command

from webapp.sign_in.links import RoleUnknown, make_user
from webapp.sign_in.role_changes import LastAdministrator, set_role
from webapp.sign_in.roles import ADMIN, LEAD, RATER, VIEWER, has_role

pytestmark = pytest.mark.django_db


def roles_of(user: User) -> set[str]:
    return set(user.groups.values_list("name", flat=True))


def test_the_new_role_replaces_the_old_one_and_leaves_other_groups() -> None:
    user = make_user(name="ada", role=RATER)
    user.groups.add(Group.objects.create(name="chess club"))
    set_role(user=user, role=LEAD)
    assert roles_of(user) == {LEAD, "chess club"}
    assert has_role(user, LEAD)
    assert not has_role(user, RATER)


def test_an_administrator_may_open_the_admin_and_a_former_one_may_not() -> None:
    make_user(name="root", role=ADMIN)
    user = set_role(user=make_user(name="ada", role=VIEWER), role=ADMIN)
    assert (user.is_staff, user.is_superuser) == (True, True)
    user = set_role(user=user, role=VIEWER)
    user.refresh_from_db()
    assert (user.is_staff, user.is_superuser, roles_of(user)) == (False, False, {VIEWER})


def test_the_last_administrator_stays_one() -> None:
    user = make_user(name="root", role=ADMIN)
    gone = make_user(name="gone", role=ADMIN)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    with pytest.raises(LastAdministrator, match="make somebody else one first"):
        set_role(user=user, role=LEAD)
    assert roles_of(user) == {ADMIN}
    assert roles_of(set_role(user=user, role=ADMIN)) == {ADMIN}


def test_an_unknown_role_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RoleUnknown, match="admin, lead, rater, viewer"):
        set_role(user=make_user(name="ada", role=VIEWER), role="queen")


def test_the_command_says_what_it_did_and_what_it_refused() -> None:
    make_user(name="ada", role=VIEWER)
    out = StringIO()
    call_command("set_role", "ada", "lead", stdout=out)
    assert out.getvalue() == "ada is lead now.\n"
    with pytest.raises(CommandError, match="There is no active user 'bob'"):
        call_command("set_role", "bob", "lead")
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("set_role", "ada", "queen")
