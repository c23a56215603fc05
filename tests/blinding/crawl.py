"""The canary crawl: every route, as everybody who must not know, in every way of asking."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.test import Client

from evaluation.models import Cell
from tests.annotation.views.conftest import PARTIAL, hidden_fields
from tests.blinding.planted import Planted
from tests.blinding.routes import Route, Values, routes
from tests.blinding.whole_responses import whole

QUERIES = (
    "",
    "?format=json&page_size=500&contexts=1&all=1&track=10k",
    "?format=csv",
    "?track=nonsense&judge=nonsense&sort=nonsense&page=0&a=x&b=y&state=waiting",
)
OF_RATERS = ("assignments/", "undo/", "continue/", "finish/", "withdraw/")


@dataclass(frozen=True)
class Leak:
    """``told``: what was found where it must not be."""

    who: str
    asked: str
    told: tuple[str, ...]


def known_values(planted: Planted) -> Mapping[str, Values]:
    """What fills the routes in: rows that exist, and some that do not. A new parameter has to be
    added here, with rows whose canaries it could show."""
    campaign, run = planted.campaign, planted.run
    question = campaign.questions.order_by("pk")[0].key
    cell = Cell.objects.filter(question__question_id=question).order_by("pk")[0]
    benchmark = {
        "slug": ["glass", "nowhere"], "question_id": [question, "nothing"],
        "cell_id": [str(cell.pk)],
    }  # fmt: skip
    of_run = {"public_id": [run.public_id, "nothing"], "action": ["pause", "burn"]}
    of_campaign = {
        "slug": [campaign.slug, "nowhere"],
        "pair_id": [str(campaign.pairs.order_by("pk")[0].pk)], "decision": ["accept", "burn"],
        "pseudonym": [campaign.raters.order_by("pk")[0].pseudonym],
        "invitation_id": [str(campaign.invitations.order_by("pk")[0].pk)],
        "action": ["close", "burn"], "deed": ["adopt", "burn"],
    }  # fmt: skip
    systems = {"slug": [run.run_variants.order_by("pk")[0].variant.system, "bm25"]}
    return {
        "benchmarks/": benchmark, "api/v1/benchmarks/": benchmark,
        "runs/": of_run, "api/v1/runs/": of_run,
        "campaigns/": of_campaign, "api/v1/campaigns/": of_campaign, "calibration/": of_campaign,
        "calibration/published/": {"slug": ["srb", "nowhere"]},
        "ratings/": {"slug": ["nowhere"]},
        "transfers/": {"public_id": [campaign.transfers.order_by("pk")[0].public_id]},
        "systems/": systems, "api/v1/systems/": systems,
        "docs/": {"name": ["protocol", "nothing"]},
        "vote/": {"campaign_token": [campaign.link_token, f"{campaign.link_token[:-1]}!", "x"]},
        "api/v1/assignments/": {
            "assignment_id": [
                planted.assignment_id, campaign.assignments.order_by("pk")[0].public_id, "nothing"
            ]
        },
        "admin/": {
            "object_id": [str(cell.answer.pk)], "id": ["1"], "content_type_id": ["1"],
            "app_label": ["auth", "evaluation"], "url": ["nothing"],
        },
        "sign-in/": {"key": ["MQ"], "token": ["nonsense"]},
    }  # fmt: skip


def visitors(planted: Planted) -> dict[str, Client]:
    """Those who must not know: a passer-by, a rater with a place, a viewer, a signed-in rater."""
    address = f"/vote/{planted.campaign.link_token}/"
    clients = {name: Client() for name in ("passer-by", "rater", "viewer", "signed-in rater")}
    for role in ("viewer", "rater"):
        user = User.objects.create_user(f"a-{role}")
        user.groups.add(Group.objects.get(name=role))
        clients["viewer" if role == "viewer" else "signed-in rater"].force_login(user)
    for name in ("rater", "signed-in rater"):
        clients[name].post(f"{address}consent/")
        clients[name].get(address)
    return clients


def crawl(
    planted: Planted,
    *,
    only: Callable[[Route], bool] = lambda _: True,
    who: Mapping[str, Client] | None = None,
) -> list[Leak]:
    """Every leak. What a request stores is taken back before the next one. Raises
    RouteUnknown."""
    known = known_values(planted)
    asked = [one for route in routes() if only(route) for one in route.addresses(known)]
    leaks: list[Leak] = []
    for name, client in (who or visitors(planted)).items():
        for address in dict.fromkeys(asked):
            for said, send in _requests(client, address, planted):
                with taken_back(client):
                    sent = whole(send())
                told = _told(planted, address, sent)
                if told:
                    leaks.append(Leak(name, f"{said} {address}", tuple(told)))
    return leaks


def is_of_raters(address: str) -> bool:
    path = address.partition("?")[0]
    if path.startswith("/api/v1/campaigns/"):
        return path.endswith(OF_RATERS)
    return path.startswith(("/vote/", "/api/v1/assignments/"))


def _told(planted: Planted, address: str, sent: bytes) -> list[str]:
    """A rater reads answers, and nobody's name; whoever reads names reads no answer."""
    if is_of_raters(address):
        return planted.canaries.identities_in(sent)
    return planted.canaries.answers_in(sent)


def _requests(
    client: Client, address: str, planted: Planted
) -> Iterator[tuple[str, Callable[[], Any]]]:
    queries = QUERIES if not is_of_raters(address) else ("", "?seat=x&run=1")
    for query in queries:
        yield f"GET {query}", partial(client.get, f"{address}{query}")
    yield "GET a part", partial(client.get, address, headers={"HX-Request": "true", **PARTIAL})
    yield "HEAD", partial(client.head, address)
    yield "POST nothing", partial(client.post, address)
    yield "PUT", partial(client.put, address)
    yield "DELETE", partial(client.delete, address)
    if address.startswith("/api/"):
        for body in _bodies(planted):
            sent = json.dumps(body)
            post = partial(client.post, address, sent, content_type="application/json")
            yield f"POST {sorted(body)}", post
    elif address.startswith("/vote/"):
        for fields in _forms(client, planted):
            yield f"POST {sorted(fields)}", partial(client.post, address, fields)
            by_script = partial(client.post, address, fields, headers=PARTIAL)
            yield f"POST {sorted(fields)} by the script", by_script


def _forms(client: Client, planted: Planted) -> Iterator[dict[str, str]]:
    """A right vote, wrong ones, and a tampered one."""
    with taken_back(client):
        page = client.get(f"/vote/{planted.campaign.link_token}/")
    form = hidden_fields(page) if b'id="ballot"' in page.content else {"assignment": "x"}
    yield {**form, "choice": "a", "comment": "fine"}
    yield {**form, "choice": "nothing", "reasons": "none"}
    yield {**form, "choice": "b", "assignment": f"{form['assignment'][:-1]}A"}
    yield {**form, "seat": "x", "sure": "on"}


def _bodies(planted: Planted) -> Iterator[dict[str, Any]]:
    key = {"rater_key": planted.rater_key}
    yield key
    yield {**key, "choice": "a", "comment": "fine"}
    yield {**key, "choice": "nothing"}
    yield {"choice": "a"}
    yield {"consent": True, "link": planted.campaign.link_token}
    yield {"rater_key": "tampered:key", "choice": "a"}
    yield {"sure": True}
    yield {"nothing": 1}


@contextmanager
def taken_back(client: Client) -> Iterator[None]:
    """What is stored within, and what the browser was told to keep or forget, is as before."""
    cookies = copy.deepcopy(client.cookies)
    point = transaction.savepoint()
    yield
    transaction.savepoint_rollback(point)
    client.cookies = cookies
