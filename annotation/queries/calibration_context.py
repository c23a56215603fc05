"""What a calibration report must say beside its numbers: who judged and voted, what was planned,
what was left out, and under which protocol."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db.models import Count, F, Sum

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, Pair, Rater, Vote
from annotation.queries.calibration_data import voters_of
from annotation.queries.exclusion_rules import rules_in_words
from annotation.queries.scoring_judges import scoring_judge_ids
from evaluation.models import Judge


def judges_of_pairs(campaign: Campaign) -> tuple[Judge, ...]:
    """Judges that scored the campaign's pairs, by name; its reference judge first."""
    rows = Judge.objects.filter(pk__in=scoring_judge_ids(campaign))
    return tuple(sorted(rows, key=lambda row: (row.pk != campaign.judge_id, row.name, row.pk)))


def report_context(campaign: Campaign, *, judge: Judge | None) -> dict[str, Any]:
    """Plain values. Times are left out: the same votes give the same context."""
    options = CampaignOptions.from_json(campaign.options)
    return {
        "campaign": campaign.slug,
        "name": campaign.name,
        "origin": campaign.origin,
        "is_simulated": campaign.is_simulated,
        "voters": voters_of(campaign).name,
        "is_blind_to_retrieval": not options.show_context,
        "benchmark": campaign.benchmark.slug if campaign.benchmark else None,
        "revision": campaign.benchmark.revision if campaign.benchmark else None,
        "protocol": campaign.protocol.key if campaign.protocol else None,
        "question_set": campaign.protocol.question_set if campaign.protocol else None,
        "track": campaign.track,
        "runs": list(campaign.runs.order_by("pk").values_list("public_id", flat=True)),
        "judge": _judge(judge),
        "judges": [_judge(one) for one in judges_of_pairs(campaign)],
        "policy": options.policy,
        "overlap": options.overlap,
        "seed": options.seed,
        "options_hash": hashlib.sha256(
            json.dumps(campaign.options, sort_keys=True).encode()
        ).hexdigest(),
        "n_planned": options.n_pairs,
        "n_drawn": Pair.objects.on_vote().filter(campaign=campaign).count(),
        "n_left_out_identical": int(campaign.sampling.get("n_left_out_identical", 0)),
        "sampling": _sampling(campaign),
        "exclusion_rules": list(rules_in_words(options)),
        "excluded_raters": _excluded(campaign),
        "not_counted": dict(
            Vote.objects.filter(campaign=campaign, slot=None)
            .values_list("not_counted")
            .order_by("not_counted")
            .annotate(n=Count("pk"))
        ),
        "unblinded": dict(
            Vote.objects.filter(campaign=campaign, not_counted=Vote.UNBLINDED)
            .values_list("choice")
            .order_by("choice")
            .annotate(n=Count("pk"))
        ),
        "source": campaign.source,
    }


def _judge(judge: Judge | None) -> dict[str, Any] | None:
    if judge is None:
        return None
    return {"name": judge.name, "key": judge.key, "is_proxy": judge.is_proxy, "parts": judge.parts}


def _sampling(campaign: Campaign) -> list[dict[str, Any]]:
    """Stratum → pairs drawn and pairs with a counted vote."""
    n_votes = F("n_first") + F("n_second") + F("n_tie") + F("n_both_bad")
    rows = (
        Pair.objects.on_vote()
        .filter(campaign=campaign)
        .values("stratum")
        .order_by("stratum")
        .annotate(n_drawn=Count("pk"), n_votes=Sum(n_votes))
    )
    return [dict(row) for row in rows]


def _excluded(campaign: Campaign) -> list[dict[str, Any]]:
    rows = Rater.objects.filter(campaign=campaign).exclude(excluded_at=None).order_by("pseudonym")
    return [dict(row) for row in rows.values("pseudonym", "excluded_reason", "n_votes")]
