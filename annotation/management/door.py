"""What the commands about campaigns and votes share."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from annotation.services.refusals import REFUSALS
from evaluation.management.door import Door, one_line


class CampaignDoor(Door):
    """A command that is a door to one service of this app: what that refuses, and what the
    services below refuse, is one sentence and exit code 1."""

    def handle(self, *arguments: Any, **options: Any) -> None:
        try:
            super().handle(*arguments, **options)
        except REFUSALS as refusal:
            raise CommandError(one_line(str(refusal))) from refusal
