"""``manage.py api_token NAME``: the key that a program sends to the API."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from rest_framework.authtoken.models import Token

from evaluation.management.door import Door
from webapp.sign_in.links import UserNotFound, get_active_user


class Command(Door):
    help = (
        "Print a user's API token, made where there is none. It may do what the user may: starting "
        "runs needs the role lead. Send it as `Authorization: Token …`."
    )

    examples = ("api_token ada", "api_token ada --new", "api_token ada --revoke")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", metavar="NAME", help="an active user")
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--new", action="store_true", help="replace the token by another one")
        choice.add_argument("--revoke", action="store_true", help="remove the token")

    @transaction.atomic
    def enter(self, options: dict[str, Any]) -> None:
        try:
            user = get_active_user(name=options["user"])
        except UserNotFound as error:
            raise CommandError(
                f"{error} Make one with: manage.py sign_in_link --role lead --user "
                f"{options['user']}"
            ) from error
        if options["new"] or options["revoke"]:
            Token.objects.filter(user=user).delete()
        if options["revoke"]:
            self.stdout.write(f"{user.get_username()} has no token now.")
            return
        token, _ = Token.objects.get_or_create(user=user)
        self.stdout.write(token.key)
