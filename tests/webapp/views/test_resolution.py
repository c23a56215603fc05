from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from evaluation.models import AdoptedResolution, Benchmark, Judge

BOARD = "/api/v1/benchmarks/glass/leaderboard/"
PAIR = ("simple-rag+bm25@static", "simple-rag@static")


@pytest.fixture
def adopted(measured: Benchmark) -> AdoptedResolution:
    """A resolution of one point; the board separates its hybrid from its dense row by 0.6."""
    return AdoptedResolution.objects.create(
        benchmark=measured,
        judge=Judge.objects.get(name="rubric"),
        value=1.0,
        low=0.6,
        high=1.5,
        level=0.75,
        n_pairs=112,
        report_hash="ab" * 32,
        report_name="glass-vote",
        adopted_at=timezone.now(),
    )


def board(client: Client, **params: Any) -> dict[str, Any]:
    return dict(client.get(BOARD, {"track": "30k", **params}).json())


def sentences_of(given: dict[str, Any]) -> dict[str, str]:
    return {note["code"]: note["sentence"] for note in given["notes"]}


def test_a_separated_pair_below_the_resolution_is_marked_and_stays_separated(
    client: Client, adopted: AdoptedResolution
) -> None:
    given = board(client)
    marked = {
        (one["better"], one["worse"]): one["is_below_resolution"] for one in given["separated"]
    }
    assert marked == {PAIR: True}
    ranks = {row["variant"]: row["rank_band"] for row in given["rows"]}
    assert (ranks[PAIR[0]], ranks[PAIR[1]]) == ("1–2", "2–3")
    page = client.get("/benchmarks/glass/?track=30k").content.decode()
    assert "per-answer quantity" in page
    assert "rubric has a resolution of 1.00 points [0.60, 1.50] here" in page


def test_the_switch_treats_such_pairs_as_not_separated(
    client: Client, adopted: AdoptedResolution
) -> None:
    given = board(client, resolution="1")
    assert given["separated"] == []
    assert {row["rank_band"] for row in given["rows"] if row["rank"]} == {"1–3"}
    assert "resolution=1" in client.get("/benchmarks/glass/?resolution=1").content.decode()


def test_every_door_says_what_the_mark_means(client: Client, adopted: AdoptedResolution) -> None:
    said = "The separated pair differs by less than the judge's resolution of 1.00 points"
    assert said in sentences_of(board(client))["below-resolution"]
    out = StringIO()
    call_command("leaderboard", "glass", "--track", "30k", stdout=out)
    assert said in out.getvalue()
    for page in ("", "contrasts/"):
        html = client.get(f"/benchmarks/glass/{page}?track=30k").content.decode()
        assert said in html.replace("&#x27;", "'")


def test_the_switch_never_says_that_the_data_cannot_tell_apart_what_they_can(
    client: Client, adopted: AdoptedResolution
) -> None:
    given = board(client, resolution="1")
    assert given["sentences"] == [
        "None of the three variants can be separated at 95 % with a difference of at least 1.00 "
        "points."
    ]
    assert "count as not separated here" in sentences_of(given)["resolution-switch"]
    assert "below-resolution" not in sentences_of(given)
    for page in ("", "contrasts/"):
        html = client.get(f"/benchmarks/glass/{page}?track=30k&resolution=1").content.decode()
        assert "count as not separated here" in html
        assert "with a difference of at least 1.00 points" in html


def test_without_the_switch_no_difference_is_asked_for(
    client: Client, adopted: AdoptedResolution
) -> None:
    assert "difference of at least" not in " ".join(board(client)["sentences"])
    assert "resolution-switch" not in sentences_of(board(client))


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [(0.6, 1.5, "1.00 points [0.60, 1.50] here"), (0.6, None, "1.00 points [0.60, open] here"),
     (None, None, "1.00 points here")],
)  # fmt: skip
def test_an_interval_that_is_open_above_is_not_left_out(
    client: Client, adopted: AdoptedResolution, low: float | None, high: float | None, shown: str
) -> None:
    AdoptedResolution.objects.update(low=low, high=high)
    assert shown in sentences_of(board(client))["resolution"]


def test_a_pair_further_apart_than_the_resolution_is_not_marked(
    client: Client, adopted: AdoptedResolution
) -> None:
    AdoptedResolution.objects.update(value=0.5)
    (pair,) = board(client, resolution="1")["separated"]
    assert not pair["is_below_resolution"]


@pytest.mark.parametrize("change", ["withdrawn", "another judge", "another revision", "none"])
def test_without_an_adopted_report_of_this_judge_here_it_is_not_calibrated(
    client: Client, adopted: AdoptedResolution, change: str
) -> None:
    if change == "withdrawn":
        AdoptedResolution.objects.update(withdrawn_at=timezone.now())
    elif change == "another judge":
        other = Judge.objects.create(key="o" * 64, name="o", parts={}, created_at=timezone.now())
        AdoptedResolution.objects.update(judge=other)
    elif change == "another revision":
        other_one = Benchmark.objects.create(
            slug="other", revision="r", family="scientific", title="Other", card={},
            loaded_at=timezone.now(),
        )  # fmt: skip
        AdoptedResolution.objects.update(benchmark=other_one)
    else:
        AdoptedResolution.objects.all().delete()
    given = board(client, resolution="1")
    assert given["resolution"] is None
    assert len(given["separated"]) == 1
    for page in ("", "sweep/", "contrasts/"):
        text = client.get(f"/benchmarks/glass/{page}").content.decode()
        assert "This judge is not calibrated here" in text


def test_the_newest_adopted_report_holds(client: Client, adopted: AdoptedResolution) -> None:
    adopted.pk, adopted.value = None, 2.0
    adopted.adopted_at += timedelta(days=1)
    adopted.save()
    assert board(client)["resolution"]["value"] == 2.0


def test_contrasts_mark_what_is_below_the_resolution(
    client: Client, adopted: AdoptedResolution
) -> None:
    given = client.get("/api/v1/benchmarks/glass/contrasts/", {"track": "30k"}).json()
    assert all(row["is_below_resolution"] for row in given["rows"])
    assert given["n_separated"] == 1
    page = client.get("/benchmarks/glass/contrasts/?track=30k").content.decode()
    assert "below the judge's resolution" in page.replace("&#x27;", "'")
