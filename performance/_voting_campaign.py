"""The campaign that voting is measured in: many votes stored, and pairs that want more.

Run as ``python -m performance._voting_campaign N_VOTES N_OPEN`` with the site's environment; it
makes the campaign ``load`` with the link token ``load``, and prints the session of its lead.
"""

from __future__ import annotations

import hashlib
import sys
from itertools import combinations, cycle
from typing import Any

import django
from django.db import connection, transaction
from django.utils import timezone

OVERLAP, OLD_OVERLAP = 3, 10
OLD_COUNTS = {"n_first": 6, "n_second": 2, "n_tie": 1, "n_both_bad": 1}
OLD_CHOICE = (
    "CASE WHEN a.slot < 7 THEN 'a' WHEN a.slot < 9 THEN 'b' WHEN a.slot < 10 THEN 'tie'"
    " ELSE 'both_bad' END"
)
TOO_LATE = "a.slot = 10 AND a.pair_id %% 100 = 9"
N_SYSTEMS = 6
N_OLD_RATERS = 1_000
TEXT = (
    "<p>The sample anneals at {n} degrees after <em>{m} minutes</em>; the second oven reached the "
    "temperature first, and the crystals were measured twice, as the protocol asks.</p>\n"
)


def main(n_votes: int, n_open: int) -> None:
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    with transaction.atomic():
        make(n_votes, n_open)
        print(lead_session())
    analyze()


def lead_session() -> str:
    """The session cookie of a signed-in lead."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore

    lead = User.objects.create_superuser("lead")
    session = SessionStore()
    session[SESSION_KEY] = str(lead.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = lead.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def make(n_votes: int, n_open: int) -> None:
    """All rows; the old votes are written by the database itself."""
    from annotation.campaign_options import CampaignOptions
    from annotation.models import (
        Campaign,
        CampaignQuestion,
        CampaignSystem,
        CampaignTally,
        Pair,
        Rater,
        RenderedText,
    )
    from evaluation.models import Judge

    now = timezone.now()
    options = CampaignOptions(n_pairs=n_open, overlap=OVERLAP, instructions="Read **both**.")
    judge = Judge.objects.create(key="1" * 64, name="judge", parts={}, created_at=now)
    campaign = Campaign.objects.create(
        slug="load", name="Load", link_token="load", track="10k", options=options.as_json(),
        judge=judge, created_at=now, opened_at=now,
    )  # fmt: skip
    CampaignTally.objects.create(campaign=campaign, n_votes=n_votes, n_counted=n_votes)
    systems = CampaignSystem.objects.bulk_create(
        [CampaignSystem(campaign=campaign, label=f"system-{n}") for n in range(N_SYSTEMS)]
    )
    questions = CampaignQuestion.objects.bulk_create(
        [
            CampaignQuestion(
                campaign=campaign, key=f"Q{n}", text=f"At how many degrees does {n} anneal?",
                question_html=f"<p>At how many degrees does {n} anneal?</p>",
                gold_html=f"<p>At {n} degrees.</p>", facts=[f"It is {n} degrees."],
            )
            for n in range(200)
        ]
    )  # fmt: skip
    texts = [
        RenderedText(
            sha256=hashlib.sha256(str(n).encode()).hexdigest(),
            html=TEXT.format(n=n, m=n % 90) * 4, n_chars=700, n_words=110,
        )
        for n in range(400)
    ]  # fmt: skip
    RenderedText.objects.bulk_create(texts)
    n_old = n_votes // OLD_OVERLAP
    two = cycle(combinations(systems, 2))
    for start in range(0, n_old + n_open, 10_000):
        Pair.objects.bulk_create(
            [
                _pair(campaign, position, questions, texts, next(two), position < n_old, now)
                for position in range(start, min(start + 10_000, n_old + n_open))
            ],
            batch_size=500,
        )
    Rater.objects.bulk_create(
        [
            Rater(
                campaign=campaign, kind="anonymous", key=f"old-{n}", pseudonym=f"old-{n}",
                created_at=now, consented_at=now, n_votes=n_votes // N_OLD_RATERS,
                n_counted=n_votes // N_OLD_RATERS,
            )
            for n in range(N_OLD_RATERS)
        ]
    )  # fmt: skip
    store_scores(judge.pk)
    store_old_votes(campaign.pk)


def _pair(campaign, position, questions, texts, two, is_old, now):  # type: ignore[no-untyped-def]
    from annotation.models import Pair

    n_wanted = OLD_OVERLAP if is_old else OVERLAP
    first = texts[position * 7 % len(texts)]
    second = texts[(position * 7 + 1 + position % 5) % len(texts)]
    return Pair(
        campaign=campaign, position=position, question=questions[position % len(questions)],
        first_system=two[0], second_system=two[1], first_text=first, second_text=second,
        stratum="load", inclusion_probability=0.5, n_wanted=n_wanted,
        n_taken=n_wanted if is_old else 0, created_at=now, **(OLD_COUNTS if is_old else {}),
    )  # fmt: skip


def store_scores(judge_id: int) -> None:
    """What the reference judge gave both answers of every pair, from 0 to 10 points."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO annotation_pairscore"
            " (pair_id, judge_id, first_hundredths, second_hundredths)"
            " SELECT id, %s, position * 37 %% 1001, position * 91 %% 1001 FROM annotation_pair",
            [judge_id],
        )


def store_old_votes(campaign_id: int) -> None:
    """An assignment and a counted vote for each place of the full pairs, spread over the raters;
    one in a thousand has a comment, and one in a thousand came too late to count."""
    number = "(SELECT MIN(id) FROM annotation_rater WHERE campaign_id = %(campaign)s)"
    rater = f"{number} + (p.position * {OLD_OVERLAP} + s.slot) %% {N_OLD_RATERS}"
    slots = " UNION ALL ".join(f"SELECT {slot} AS slot" for slot in range(1, OLD_OVERLAP + 1))
    full = (
        f"FROM annotation_pair p, ({slots}) s WHERE p.campaign_id = %(campaign)s AND p.n_first > 0"
    )
    values: dict[str, Any] = {
        "campaign": campaign_id,
        "now": timezone.now(),
        "yes": True,
        "no": False,
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO annotation_assignment (public_id, campaign_id, pair_id, rater_id,"
            " left_is_first, assigned_at, shown_at, lock_until, is_live)"
            f" SELECT 'old-' || p.position || '-' || s.slot, p.campaign_id, p.id, {rater},"
            f" %(yes)s, %(now)s, %(now)s, %(now)s, %(no)s {full}",
            values,
        )
        cursor.execute(
            "INSERT INTO annotation_vote (campaign_id, pair_id, rater_id, assignment_id, choice,"
            " left_is_first, slot, not_counted, reasons, comment, seconds, is_too_fast,"
            " n_reveals_seen, client_token, cast_at, extra)"
            f" SELECT a.campaign_id, a.pair_id, a.rater_id, a.id, {OLD_CHOICE}, %(yes)s,"
            f" CASE WHEN {TOO_LATE} THEN NULL ELSE a.slot END,"
            f" CASE WHEN {TOO_LATE} THEN 'surplus' ELSE '' END, '[]',"
            " CASE WHEN a.slot = 1 AND a.pair_id %% 100 = 7 THEN 'It names the oven.' ELSE '' END,"
            " 12.5, %(no)s, 0, '', %(now)s, '{}' FROM"
            " (SELECT id, campaign_id, pair_id, rater_id,"
            " ROW_NUMBER() OVER (PARTITION BY pair_id ORDER BY id) AS slot"
            " FROM annotation_assignment WHERE campaign_id = %(campaign)s) a",
            values,
        )


def analyze() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "sqlite" else "VACUUM ANALYZE")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
