"""The audit log: who changed, excluded, exported or adopted what."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from annotation.models import AuditEntry, Campaign

COMMAND = "a command"
SITE = "the site"


def record(
    *,
    action: str,
    by: User | None,
    campaign: Campaign | None,
    detail: Mapping[str, Any],
    now: datetime,
    actor_name: str = COMMAND,
) -> AuditEntry:
    """Add an entry; ``actor_name`` says who acted where it was no user. The caller's transaction
    keeps entry and deed together."""
    return AuditEntry.objects.create(
        at=now,
        actor=by,
        actor_name=by.get_username() if by is not None else actor_name,
        campaign=campaign,
        action=action,
        detail=dict(detail),
    )
