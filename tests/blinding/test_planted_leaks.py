"""The crawl finds what was let out on purpose: each place where a name or an answer could leak."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import clear_url_caches, path

import webapp.urls
from annotation.models import Pair
from annotation.services import pair_building, serving
from annotation.services.answer_scans import PairScan
from annotation.services.campaign_control import CampaignCannotChange
from annotation.services.voting_refusals import AssignmentForeign, ChoiceUnknown
from annotation.views import door, places, voting
from evaluation.models import Answer, Protocol, Run
from tests.blinding.canaries import Canaries
from tests.blinding.crawl import Leak, crawl, visitors
from tests.blinding.planted import Planted, plant
from tests.blinding.routes import Route
from webapp.api import results
from webapp.api import vote_shapes as shapes
from webapp.http import embargo
from webapp.views import runs

pytestmark = pytest.mark.django_db
Leaking = Callable[[Planted, pytest.MonkeyPatch], None]


def below(start: str) -> Callable[[Route], bool]:
    return lambda route: route.pattern.startswith(start)


def label(planted: Planted) -> str:
    return planted.campaign.systems.order_by("pk")[0].label


def in_a_header(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    patch.setitem(door.HEADERS, "X-Run", planted.run.public_id)


def in_an_etag(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    key = planted.run.run_variants.order_by("pk")[0].variant.key
    patch.setitem(door.HEADERS, "ETag", f'W/"{key.upper()}"')


def in_an_address(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    def to_the_page(campaign_token: str) -> HttpResponse:
        return HttpResponseRedirect(f"/vote/{campaign_token}/?run={planted.run.public_id}")

    patch.setattr(voting, "_to_the_page", to_the_page)


def in_a_cookie(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    keep = places.keep_place

    def keep_more(response: HttpResponse, campaign_token: str, rater_key: str) -> None:
        keep(response, campaign_token, rater_key)
        response.set_cookie("seen", base64.b64encode(label(planted).encode()).decode())

    patch.setattr(voting, "keep_place", keep_more)


def in_an_error(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(AssignmentForeign, "sentence", f"It is of {label(planted)}.")


def in_a_refusal_of_a_choice(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ChoiceUnknown, "sentence", f"{Protocol.objects.get().key} knows no such choice.")


def in_an_id(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    names = iter(f"{planted.run.public_id}-{number}" for number in range(10_000))
    patch.setattr(serving, "new_public_id", lambda: next(names))


def in_the_markup(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    for pair in Pair.objects.select_related("first_text", "first_system"):
        if pair.first_text and pair.first_system:
            pair.first_text.html = f'<p class="of-{pair.first_system.label}">It anneals.</p>'
            pair.first_text.save()


def in_anothers_comment(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    shown = planted.campaign.votes.get().comment
    planted.campaign.questions.update(facts=[f"Somebody wrote: {shown}"])


@pytest.mark.parametrize(
    "leak",
    [
        in_a_header, in_an_etag, in_an_address, in_a_cookie, in_an_error,
        in_a_refusal_of_a_choice, in_an_id, in_the_markup, in_anothers_comment,
    ],
)  # fmt: skip
def test_a_leak_on_a_raters_page_is_found(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, leak: Leaking
) -> None:
    assert _leaks(planted, "vote/") == []
    leak(planted, monkeypatch)
    assert _leaks(planted, "vote/")


def in_a_field_of_the_api(planted: Planted, patch: pytest.MonkeyPatch) -> None:
    of = shapes.BlindAssignment.of

    def telling(pair: Any) -> Any:
        made = of(pair)
        object.__setattr__(made, "source_spans", (f"by {label(planted)}",))
        return made

    patch.setattr(shapes.BlindAssignment, "of", telling)


@pytest.mark.parametrize("leak", [in_a_field_of_the_api, in_an_error, in_an_id])
def test_a_leak_in_the_raters_api_is_found(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, leak: Leaking
) -> None:
    places_of_raters = ("api/v1/assignments/", "api/v1/campaigns/<slug:slug>/assignments/")
    assert _leaks(planted, *places_of_raters) == []
    leak(planted, monkeypatch)
    assert _leaks(planted, *places_of_raters)


def on_the_question_page(planted: Planted, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(embargo, "embargo_of", lambda *_, **__: None)
    return "benchmarks/<slug:slug>/questions/"


def on_the_question_in_the_api(planted: Planted, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(embargo, "embargo_of", lambda *_, **__: None)
    return "api/v1/benchmarks/<slug:slug>/questions/<"


def in_the_answers_of_a_run(planted: Planted, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(results, "kept_from_reader", lambda *_, **__: {})
    return "api/v1/runs/"


def in_the_errors_of_a_run(planted: Planted, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(runs, "without_embargoed_errors", lambda page: page)
    return "runs/"


def in_a_campaigns_name(planted: Planted, patch: pytest.MonkeyPatch) -> str:
    planted.campaign.name = Answer.objects.get(pk=_kept_back_answer(planted)).text
    planted.campaign.save()
    return "campaigns/"


@pytest.mark.parametrize(
    "leak",
    [
        on_the_question_page, on_the_question_in_the_api, in_the_answers_of_a_run,
        in_the_errors_of_a_run, in_a_campaigns_name,
    ],
)  # fmt: skip
def test_an_answer_beside_names_is_found(
    planted: Planted,
    monkeypatch: pytest.MonkeyPatch,
    leak: Callable[[Planted, pytest.MonkeyPatch], str],
) -> None:
    start = leak(planted, monkeypatch)
    assert _leaks(planted, start)
    monkeypatch.undo()


def test_an_admin_page_of_answers_is_found_for_a_viewer(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    who = {"viewer": visitors(planted)["viewer"]}
    viewer = User.objects.get(username="a-viewer")
    viewer.is_staff = True
    viewer.save()
    assert not crawl(planted, only=below("admin/"), who=who)
    viewer.user_permissions.add(Permission.objects.get(codename="view_answer"))
    admin.site.register(Answer)
    try:
        others = [one for one in webapp.urls.urlpatterns if str(one.pattern) != "admin/"]
        patterns = [path("admin/", admin.site.urls), *others]
        monkeypatch.setattr(webapp.urls, "urlpatterns", patterns)
        clear_url_caches()
        leaks = crawl(planted, only=below("admin/evaluation/answer"), who=who)
    finally:
        admin.site.unregister(Answer)
        monkeypatch.undo()
        clear_url_caches()
    assert leaks


def name_itself(canaries: Canaries, run: Run) -> None:
    """Every answer says who wrote it."""
    for answer in Answer.objects.select_related("cell__run_variant__variant"):
        system = answer.cell.run_variant.variant.system
        answer.text = f"As {system} I say: {answer.text}"
        answer.save()


def test_an_answer_that_names_its_system_is_held_back_by_the_scan(db: None) -> None:
    with pytest.raises(CampaignCannotChange, match="can be voted on"):
        plant(change=name_itself)


def test_an_answer_that_the_scan_let_through_is_found_by_the_crawl(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pair_building, "scan_pairs", _finds_nothing)
    planted = plant(change=name_itself)
    assert any("system" in told for leak in _leaks(planted, "vote/") for told in leak.told)


def _finds_nothing(pairs: Any, *, scan: Any) -> Any:
    return tuple(PairScan((), needs_review=False) for _ in pairs)


def _leaks(planted: Planted, *starts: str) -> list[Leak]:
    User.objects.filter(username__startswith="a-").delete()
    who = visitors(planted)
    chosen = {name: who[name] for name in ("rater", "viewer")}
    leaks: list[Leak] = []
    for start in starts:
        leaks += crawl(planted, only=below(start), who=chosen)
    return leaks


def _kept_back_answer(planted: Planted) -> int:
    told = next(what for what in planted.canaries.answers.values() if what.startswith("answer"))
    return int(told.split(" ")[1])
