"""The ledger of model requests in the database: nothing paid twice, nothing paid and lost."""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from evaluation.language_models.base import Completion, CompletionRequest, SpendingLimitReached
from evaluation.models import ModelRequest, RequestGate
from evaluation.services.leases import is_dead, lease_owner
from evaluation.source_files.reading import storable

REQUEST_LEASE = timedelta(minutes=12)
POLL_SECONDS = 0.05


class DatabaseLedger:
    """One per run. ``spending_limit_usd`` None means no limit."""

    def __init__(self, *, run_public_id: str, spending_limit_usd: float | None) -> None:
        self.run_public_id = run_public_id
        self.spending_limit_usd = spending_limit_usd

    def begin(
        self,
        request_key: str,
        *,
        provider: str,
        model: str,
        request: CompletionRequest,
        concurrency_limit: int,
        most_it_can_cost_usd: float | None,
    ) -> Completion | None:
        self._record(request_key, provider, model, request, most_it_can_cost_usd)
        wait = POLL_SECONDS
        while True:
            row = ModelRequest.objects.get(key=request_key)
            if (stored := _stored(row)) is not None:
                return stored
            if self._take(row, concurrency_limit, most_it_can_cost_usd):
                return None
            time.sleep(wait)
            wait = min(wait * 1.5, 1.0)

    def find(self, request_key: str) -> Completion | None:
        row = ModelRequest.objects.filter(key=request_key).first()
        return None if row is None else _stored(row)

    def finish(self, request_key: str, completion: Completion) -> None:
        ModelRequest.objects.filter(key=request_key).update(
            reply=asdict(completion),
            replied_at=timezone.now(),
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            cost_usd=completion.cost_usd,
            lease_owner="",
            lease_until=None,
            last_error="",
        )

    def fail(self, request_key: str, error: str) -> None:
        ModelRequest.objects.filter(key=request_key, replied_at=None).update(
            lease_owner="", lease_until=None, last_error=storable(error[:2000])
        )

    def _record(
        self,
        request_key: str,
        provider: str,
        model: str,
        request: CompletionRequest,
        most_it_can_cost_usd: float | None,
    ) -> None:
        ModelRequest.objects.get_or_create(
            key=request_key,
            defaults={
                "provider": provider,
                "model": model,
                "run_public_id": self.run_public_id,
                "request": asdict(request),
                "most_it_can_cost_usd": most_it_can_cost_usd,
                "created_at": timezone.now(),
            },
        )

    @transaction.atomic
    def _take(
        self, row: ModelRequest, concurrency_limit: int, most_it_can_cost_usd: float | None
    ) -> bool:
        """Take the request's lease if it is free and both limits allow one more."""
        RequestGate.objects.select_for_update().get_or_create(name="all")
        now = timezone.now()
        live = ModelRequest.objects.filter(
            provider=row.provider, replied_at=None, lease_until__gte=now
        )
        holders = [other for other in live if not is_dead(other.lease_owner)]
        if any(other.pk == row.pk for other in holders) or len(holders) >= concurrency_limit:
            return False
        self._check_spending(holders, most_it_can_cost_usd)
        free = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_owner=row.lease_owner)
        died = bool(row.lease_owner)
        return bool(
            ModelRequest.objects.filter(free, pk=row.pk, replied_at=None).update(
                lease_owner=lease_owner(),
                lease_until=now + REQUEST_LEASE,
                sent_at=now,
                n_sent=F("n_sent") + 1,
                n_resent_after_death=F("n_resent_after_death") + (1 if died else 0),
                run_public_id=self.run_public_id,
            )
        )

    def _check_spending(
        self, holders: list[ModelRequest], most_it_can_cost_usd: float | None
    ) -> None:
        if self.spending_limit_usd is None:
            return
        if most_it_can_cost_usd is None:
            raise SpendingLimitReached(
                "this model's price is unknown, and the run has a spending limit: "
                "add the price or start the run without a limit"
            )
        spent = spent_usd(self.run_public_id)
        reserved = sum(
            other.most_it_can_cost_usd or 0.0
            for other in holders
            if other.run_public_id == self.run_public_id
        )
        if spent + reserved + most_it_can_cost_usd > self.spending_limit_usd:
            raise SpendingLimitReached(
                f"the run's spending limit of ${self.spending_limit_usd:.2f} is reached: "
                f"${spent:.4f} spent, ${reserved:.4f} in flight, and the next request "
                f"can cost ${most_it_can_cost_usd:.4f}"
            )


def _stored(row: ModelRequest) -> Completion | None:
    return None if row.reply is None else Completion(**{**row.reply, "from_cache": True})


def spent_usd(run_public_id: str) -> float:
    """What the run's answered requests cost; those with an unknown price count 0 here."""
    total = ModelRequest.objects.filter(run_public_id=run_public_id).aggregate(
        total=Coalesce(Sum("cost_usd"), 0.0)
    )["total"]
    return float(total)
