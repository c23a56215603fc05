"""``manage.py sign_in_link``: a way in without a password."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from evaluation.management.door import Door
from webapp.data_folder import address_file, local_address
from webapp.sign_in.links import (
    FIRST_ADMINISTRATOR,
    UserNotFound,
    get_active_user,
    make_sign_in_link,
    make_user,
)
from webapp.sign_in.roles import ADMIN, ROLES


class Command(Door):
    help = (
        "Print a link that signs a person in once, within 15 minutes. "
        f"Without --user it is for {FIRST_ADMINISTRATOR!r}, who is made where missing. "
        "With --role the user is made where missing."
    )
    examples = ("sign_in_link", "sign_in_link --user ada --role lead")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", metavar="NAME", help="whom to sign in")
        parser.add_argument(
            "--role", choices=ROLES, help="make the user with this role where there is none"
        )

    def enter(self, options: dict[str, Any]) -> None:
        name = options["user"] or FIRST_ADMINISTRATOR
        role = options["role"] or (None if options["user"] else ADMIN)
        try:
            user = get_active_user(name=name)
        except UserNotFound as error:
            if role is None:
                raise CommandError(f"{error} Add --role to make one.") from error
            try:
                user = make_user(name=name, role=role)
            except ValidationError as refusal:
                raise CommandError(" ".join(refusal.messages)) from refusal
        address = settings.MEMJURY_ADDRESS or self.running_address()
        self.stdout.write(make_sign_in_link(user=user, address=address))

    def running_address(self) -> str:
        """Where the site of this data folder was started last, else where it would be."""
        file = address_file(settings.MEMJURY_DATA)
        if file.exists():
            return file.read_text().strip()
        return local_address(settings.MEMJURY_HOST, settings.MEMJURY_PORT)
