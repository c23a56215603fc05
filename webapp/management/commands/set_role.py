"""``manage.py set_role``: what a person may do."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from evaluation.management.door import Door
from webapp.sign_in.links import UserNotFound, get_active_user
from webapp.sign_in.role_changes import LastAdministrator, set_role
from webapp.sign_in.roles import ROLES


class Command(Door):
    help = (
        "Give a person one of the roles: admin (everything, and /admin/), lead (runs, campaigns, "
        "spending), rater (votes) or viewer (reads). It replaces the role they had."
    )
    examples = ("set_role ada lead",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", metavar="USER", help="the person's name")
        parser.add_argument("role", metavar="ROLE", choices=ROLES, help=", ".join(ROLES))

    def enter(self, options: dict[str, Any]) -> None:
        try:
            user = set_role(user=get_active_user(name=options["user"]), role=options["role"])
        except (UserNotFound, LastAdministrator) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{user.get_username()} is {options['role']} now.")
