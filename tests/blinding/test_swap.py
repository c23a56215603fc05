"""The swap test: whoever wrote a text, what reaches the rater is the same to the byte."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import permutations
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation.models import Campaign, CampaignSystem, Pair
from annotation.services import turns
from tests.annotation.toy_campaigns import make_campaign
from tests.annotation.views.conftest import PARTIAL, hidden_fields
from tests.blinding.whole_responses import whole, without_tokens

pytestmark = pytest.mark.django_db
LABELS = ("orrery", "a-much-longer-name-of-a-system+bm25@minilm", "q")
Journey = Callable[[], list[Any]]


@contextmanager
def taken_back() -> Iterator[None]:
    """What is stored within is gone afterwards."""
    point = transaction.savepoint()
    yield
    transaction.savepoint_rollback(point)


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """Three systems with names of different lengths; sides fall the same way each time."""
    made = make_campaign(n_pairs=4, n_systems=3, ask_confidence=True, gives_completion_code=False)
    for system, label in zip(made.systems.order_by("pk"), LABELS, strict=True):
        CampaignSystem.objects.filter(pk=system.pk).update(label=label)
    return made


def by_page() -> list[Any]:
    client = Client()
    sent = [client.get("/vote/link-toy/"), client.post("/vote/link-toy/consent/")]
    sent.append(client.get("/vote/link-toy/"))
    form = hidden_fields(sent[-1])
    sent.append(client.post("/vote/link-toy/cast/", {**form, "choice": "c", "comment": "kept"}))
    sent.append(client.post("/vote/link-toy/cast/", {**form, "choice": "a", "comment": "fine"}))
    sent.append(client.get("/vote/link-toy/"))
    sent.append(client.post("/vote/link-toy/undo/"))
    sent.append(client.get("/vote/link-toy/"))
    sent.append(client.post("/vote/link-toy/skip/", hidden_fields(sent[-1])))
    sent.append(client.get("/vote/link-toy/"))
    return sent


def by_script() -> list[Any]:
    client = Client()
    client.post("/vote/link-toy/consent/")
    sent = [client.get("/vote/link-toy/", headers=PARTIAL)]
    for act, fields in (
        ("cast", {"choice": "a"}),
        ("cast", {"choice": "tie", "confidence": "4"}),
        ("undo", {}),
        ("skip", {}),
        ("cast", {"choice": "nothing"}),
    ):
        form = {**hidden_fields(client.get("/vote/link-toy/")), **fields}
        sent.append(client.post(f"/vote/link-toy/{act}/", form, headers=PARTIAL))
    return sent


def by_api() -> list[Any]:
    client = APIClient()

    def post(address: str, **fields: Any) -> Any:
        return client.post(f"/api/v1/{address}/", fields, format="json")

    sent = [post("campaigns/toy/assignments", link="link-toy")]
    sent.append(post("campaigns/toy/assignments", link="link-toy", consent=True))
    key = sent[-1].json()["rater_key"]
    state = sent[-1].json()
    for act, fields in (
        ("vote", {"choice": "a"}),
        ("vote", {"choice": "c"}),
        ("vote", {"choice": "b", "comment": "fine"}),
        ("skip", {}),
    ):
        address = f"assignments/{state['assignment']['id']}/{act}"
        sent.append(post(address, rater_key=key, **fields))
        state = sent[-1].json() if sent[-1].status_code == 200 else state
    sent.append(post("campaigns/toy/undo", rater_key=key))
    sent.append(post("assignments/nothing/vote", rater_key=key, choice="a"))
    return sent


def written_by(campaign: Campaign, order: tuple[int, ...]) -> None:
    """The same pairs and texts, with the systems put in other places."""
    systems = list(campaign.systems.order_by("pk"))
    new = {system.pk: systems[place] for system, place in zip(systems, order, strict=True)}
    for pair in Pair.objects.filter(campaign=campaign):
        if pair.first_system is not None and pair.second_system is not None:
            pair.first_system = new[pair.first_system.pk]
            pair.second_system = new[pair.second_system.pk]
        pair.save()


def travelled(
    campaign: Campaign, order: tuple[int, ...], journey: Journey, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[bytes], list[str]]:
    """Each response of the journey, and each query behind it with its values taken out; nothing
    stays stored."""
    with taken_back():
        written_by(campaign, order)
        monkeypatch.setattr(turns, "SECURE", random.Random(7))
        with CaptureQueriesContext(connection) as captured:
            sent = [whole(response) for response in journey()]
    asked = [query["sql"] for query in captured.captured_queries]
    queries = [re.sub(r"'[^']*'|\bs\d+_x\d+\b|\b\d[\d.]*\b", "?", sql) for sql in asked]
    return sent, queries


@pytest.mark.parametrize("journey", [by_page, by_script, by_api])
def test_the_same_texts_are_sent_alike_whoever_wrote_them(
    campaign: Campaign, journey: Journey, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = list(permutations(range(3)))
    reference, _ = travelled(campaign, orders[0], journey, monkeypatch)
    statuses = [sent.split(b" ")[0] for sent in reference]
    assert b"200" in statuses
    for order in orders[1:]:
        other, _ = travelled(campaign, order, journey, monkeypatch)
        for place, (one, two) in enumerate(zip(reference, other, strict=True)):
            assert len(one) == len(two), (order, place)
            assert without_tokens(one) == without_tokens(two), (order, place)


@pytest.mark.parametrize("journey", [by_page, by_script, by_api])
def test_the_same_queries_are_asked_whoever_wrote_the_texts(
    campaign: Campaign, journey: Journey, monkeypatch: pytest.MonkeyPatch
) -> None:
    travelled(campaign, (0, 1, 2), journey, monkeypatch)  # caches are warm from here on
    _, reference = travelled(campaign, (0, 1, 2), journey, monkeypatch)
    for order in ((2, 1, 0), (1, 2, 0)):
        _, other = travelled(campaign, order, journey, monkeypatch)
        assert other == reference


def test_one_text_looks_the_same_from_every_system_on_either_side(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very same text as both answers: no system and no side can be told by anything."""
    pair = campaign.pairs.order_by("position")[0]
    Pair.objects.update(second_text=pair.first_text_id, first_text=pair.first_text_id)
    seen = set()
    for order in permutations(range(3)):
        for seed in range(4):
            with taken_back():
                written_by(campaign, order)
                monkeypatch.setattr(turns, "SECURE", random.Random(seed))
                client = Client()
                client.post("/vote/link-toy/consent/")
                seen.add(without_tokens(whole(client.get("/vote/link-toy/"))))
    assert len(seen) == 1


def test_turning_the_sides_changes_nothing_but_the_place_of_the_texts(campaign: Campaign) -> None:
    sizes, pages = set(), []
    for is_left in (True, False):
        client = Client()
        client.post("/vote/link-toy/consent/")
        client.get("/vote/link-toy/")
        campaign.assignments.update(left_is_first=is_left)
        page = whole(client.get("/vote/link-toy/"))
        sizes.add(len(page))
        pages.append(without_tokens(page))
        campaign.assignments.all().delete()
        campaign.pairs.update(n_taken=0)
    assert len(sizes) == 1
    pair = campaign.pairs.order_by("position")[0]
    assert pair.first_text is not None
    assert pair.second_text is not None
    texts = [pair.first_text.html.encode(), pair.second_text.html.encode()]
    turned = pages[0].replace(texts[0], b"<<").replace(texts[1], texts[0]).replace(b"<<", texts[1])
    assert turned == pages[1]
