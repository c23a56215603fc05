"""The identity strings of a campaign: what the rater's side must not hold before the vote."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.blinding.identities import JudgeIdentity, SystemIdentity, identity_strings
from annotation.models import Campaign
from evaluation.models import Judge, Run, Variant


def campaign_identities(*, campaign: Campaign) -> frozenset[str]:
    """Slugs, labels, keys and models of the systems of the campaign's runs, run ids, and the names,
    keys and models of their judges."""
    labels = campaign.systems.values_list("label", flat=True)
    return identities_of_runs(runs=list(campaign.runs.all())) | frozenset(labels)


def identities_of_runs(*, runs: Sequence[Run]) -> frozenset[str]:
    variants = Variant.objects.filter(run_variants__run__in=runs).distinct()
    judges = Judge.objects.filter(run_judges__run__in=runs).distinct()
    return identity_strings(
        [
            SystemIdentity(row.system, row.slug, row.label, row.key, row.embedder, row.parts)
            for row in variants
        ],
        [JudgeIdentity(row.name, row.key, row.parts) for row in judges],
        [run.public_id for run in runs],
        [
            str(parts[name])
            for run in runs
            for parts in [run.protocol.parts.get("synthesizer") or {}]
            for name in ("model", "embedder", "synthesizer")
            # "extractive" and the like are words, and no name of a model.
            if parts.get(name) and not str(parts[name]).isalpha()
        ],
    )
