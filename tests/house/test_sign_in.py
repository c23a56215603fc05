"""One-time sign-in links and roles."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client

from webapp.data_folder import address_file
from webapp.management.commands import sign_in_link
from webapp.sign_in.links import (
    RoleUnknown,
    SignInLinkInvalid,
    first_sign_in_link,
    make_sign_in_link,
    make_user,
    read_sign_in_link,
)
from webapp.sign_in.roles import ADMIN, LEAD, RATER, ROLES, VIEWER, has_role
from webapp.sign_in.tokens import SignInTokens

pytestmark = pytest.mark.django_db


def link_path(user: User) -> str:
    return make_sign_in_link(user=user, address="")


def test_a_link_signs_in_once(client: Client) -> None:
    user = make_user(name="ada", role=LEAD)
    path = link_path(user)
    reply = client.post(path)
    assert (reply.status_code, reply["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(user.pk)
    stranger = Client()
    refused = stranger.post(path)
    assert refused.status_code == 410
    assert "no longer valid" in refused.content.decode()
    assert "_auth_user_id" not in stranger.session


def test_looking_at_a_link_does_not_use_it_up(client: Client) -> None:
    path = link_path(make_user(name="ada", role=LEAD))
    for _ in range(2):
        reply = client.get(path)
        assert reply.status_code == 200
        assert "Sign in as ada" in reply.content.decode()
        assert "no-store" in reply["Cache-Control"]
    assert "_auth_user_id" not in client.session
    assert client.post(path).status_code == 302


def test_signing_in_by_link_is_protected_against_forged_requests() -> None:
    path = link_path(make_user(name="ada", role=LEAD))
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403


@pytest.mark.parametrize(("minutes", "is_good"), [(14, True), (16, False)])
def test_a_link_lasts_15_minutes(
    minutes: int, is_good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = make_user(name="ada", role=LEAD)
    token = SignInTokens().make_token(user)
    later = datetime.now(UTC).replace(tzinfo=None) + timedelta(minutes=minutes)
    monkeypatch.setattr(SignInTokens, "_now", lambda _: later)
    assert SignInTokens().check_token(user, token) is is_good


def test_a_link_is_good_for_its_own_user_alone() -> None:
    ada, bob = make_user(name="ada", role=LEAD), make_user(name="bob", role=LEAD)
    *_, key, _ = link_path(ada).strip("/").split("/")
    *_, token = link_path(bob).strip("/").split("/")
    with pytest.raises(SignInLinkInvalid):
        read_sign_in_link(key=key, token=token)


@pytest.mark.parametrize("key", ["", "MQ", "!!!", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "w6k"])
def test_a_made_up_link_is_refused(key: str) -> None:
    with pytest.raises(SignInLinkInvalid):
        read_sign_in_link(key=key, token="ditzei-6b89a3d2079a270ce94b608605b26e12")


def test_a_link_of_a_user_who_was_deactivated_is_refused(client: Client) -> None:
    user = make_user(name="ada", role=LEAD)
    path = link_path(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.post(path).status_code == 410


def test_the_first_link_is_offered_until_an_administrator_has_signed_in(client: Client) -> None:
    first = first_sign_in_link(address="http://127.0.0.1:8000")
    assert first is not None
    assert first.startswith("http://127.0.0.1:8000/sign-in/")
    again = first_sign_in_link(address="")
    assert again is not None
    assert User.objects.count() == 1
    client.post(again)
    assert first_sign_in_link(address="") is None
    user = User.objects.get()
    assert user.is_superuser
    assert not user.has_usable_password()


def test_the_command_prints_a_link_to_the_running_site(settings) -> None:
    address_file(settings.MEMJURY_DATA).write_text("http://127.0.0.1:8765\n")
    out = StringIO()
    call_command("sign_in_link", stdout=out)
    assert out.getvalue().startswith("http://127.0.0.1:8765/sign-in/")
    assert User.objects.get().username == "admin"


def test_the_command_makes_a_user_only_when_told_the_role() -> None:
    with pytest.raises(CommandError, match=r"There is no active user 'bob'\. Add --role"):
        call_command("sign_in_link", user="bob")
    call_command("sign_in_link", user="bob", role="rater", stdout=StringIO())
    assert has_role(User.objects.get(username="bob"), RATER)
    with pytest.raises(CommandError, match="Enter a valid username"):
        call_command("sign_in_link", user="not a name!", role="rater")


def test_every_role_is_a_group() -> None:
    assert set(Group.objects.values_list("name", flat=True)) >= set(ROLES)


def test_a_role_is_held_by_its_members_and_by_administrators() -> None:
    lead, viewer = make_user(name="ada", role=LEAD), make_user(name="bob", role=VIEWER)
    admin = make_user(name="eve", role=ADMIN)
    assert [has_role(user, LEAD) for user in (lead, viewer, admin)] == [True, False, True]
    assert not has_role(AnonymousUser(), VIEWER)
    lead.is_active = False
    assert not has_role(lead, LEAD)


def test_an_unknown_role_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RoleUnknown, match="the roles are admin, lead, rater, viewer"):
        make_user(name="ada", role="king")


def test_signing_in_by_password_works_and_says_when_it_does_not(client: Client) -> None:
    User.objects.create_user("ada", password="a long enough one")
    page = client.get("/sign-in/")
    assert page.status_code == 200
    refused = client.post("/sign-in/", {"username": "ada", "password": "wrong"})
    assert "Please enter a correct username and password" in refused.content.decode()
    reply = client.post("/sign-in/", {"username": "ada", "password": "a long enough one"})
    assert (reply.status_code, reply["Location"]) == (302, "/")
    assert client.post("/sign-out/").status_code == 302
    assert "_auth_user_id" not in client.session


def test_signing_in_does_not_lead_to_another_site(client: Client) -> None:
    User.objects.create_user("ada", password="a long enough one")
    reply = client.post(
        "/sign-in/",
        {"username": "ada", "password": "a long enough one", "next": "https://evil.example/"},
    )
    assert reply["Location"] == "/"


def test_the_command_says_in_words_that_the_database_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**_named: object) -> None:
        raise OperationalError("unable to open database file")

    monkeypatch.setattr(sign_in_link, "get_active_user", refuse)
    with pytest.raises(CommandError, match="point MEMJURY_DATA at one that can"):
        call_command("sign_in_link")
