"""Nothing is lost and nothing doubled: reloads, tabs, the back button, a connection that breaks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from annotation.models import Vote
from tests.annotation.browser.conftest import Rater

pytestmark = pytest.mark.browser
CAST = "**/cast/"


@pytest.fixture
def rater(rater_in: Any) -> Rater:
    """Here the console may complain of the requests that fail."""
    rater: Rater = rater_in()
    rater.join()
    return rater


def fill_in(page: Page) -> None:
    page.get_by_label("more complete").check()
    page.get_by_label("fairly sure").check()
    page.get_by_label("Comment").fill("half a thought")
    page.keyboard.press("Escape")


def is_filled_in(page: Page) -> None:
    expect(page.get_by_label("more complete")).to_be_checked()
    expect(page.get_by_label("fairly sure", exact=True)).to_be_checked()
    expect(page.get_by_label("Comment")).to_have_value("half a thought")


def chosen(page: Page) -> Any:
    return expect(page.locator("#ballot [aria-pressed=true]"))


def kept_drafts(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "Object.keys(localStorage).filter(key => key.startsWith('memjury.draft.'))"
    )
    return found


def test_a_reload_keeps_reason_comment_confidence_choice_and_sides(rater: Rater) -> None:
    page = rater.page
    fill_in(page)
    page.keyboard.press("b")
    texts, pair = rater.texts(), rater.assignment
    page.reload(wait_until="networkidle")
    is_filled_in(page)
    chosen(page).to_have_attribute("value", "b")
    assert (rater.texts(), rater.assignment) == (texts, pair)
    assert not Vote.objects.exists()
    page.keyboard.press("Enter")
    rater.says("Vote stored: B is better.")
    vote = Vote.objects.get()
    assert (vote.choice, vote.reasons, vote.comment) == ("b", ["more complete"], "half a thought")
    assert vote.confidence == 3
    expect(page.get_by_label("Comment")).to_have_value("")
    assert kept_drafts(page) == []


def test_a_vote_waits_for_the_connection_and_is_sent_once(rater: Rater) -> None:
    page = rater.page
    fill_in(page)
    pair = rater.assignment
    page.context.set_offline(True)
    page.keyboard.press("a")
    page.keyboard.press("a")
    trouble = page.get_by_role("alert")
    expect(trouble).to_contain_text("The server does not answer. Your vote (A is better)")
    is_filled_in(page)
    page.keyboard.press("b")
    page.keyboard.press("b")
    assert rater.assignment == pair
    assert not Vote.objects.exists()
    page.context.set_offline(False)
    rater.says("Vote stored: A is better.")
    expect(trouble).to_be_hidden()
    assert Vote.objects.get().comment == "half a thought"
    assert rater.assignment != pair


def test_a_lost_answer_is_no_second_vote(rater: Rater) -> None:
    page = rater.page
    tokens = []

    def lose_the_first(route: Route) -> None:
        tokens.append(str(route.request.post_data).split('name="client_token"')[1].split("\r\n")[2])
        if len(tokens) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route(CAST, lose_the_first)
    page.keyboard.press("t")
    page.keyboard.press("t")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    page.get_by_role("button", name="Try again now").click()
    rater.says("Vote stored: Tie.")
    assert len(tokens) == 2
    assert tokens[0] == tokens[1]
    assert Vote.objects.count() == 1


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_server_in_trouble_is_asked_again(rater: Rater, status: int) -> None:
    page = rater.page
    page.route(CAST, lambda route: route.fulfill(status=status, body="<h1>oops</h1>"), times=1)
    page.keyboard.press("t")
    page.keyboard.press("t")
    rater.says("Vote stored: Tie.")
    assert Vote.objects.count() == 1


def test_a_stranger_s_page_is_not_taken_for_an_answer(rater: Rater) -> None:
    page = rater.page
    page.route(
        CAST, lambda route: route.fulfill(status=200, body="<p>Sign in to wifi</p>"), times=1
    )
    page.keyboard.press("t")
    page.keyboard.press("t")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    rater.says("Vote stored: Tie.")


def test_a_vote_that_was_not_sent_before_a_reload_is_offered_again(rater: Rater) -> None:
    page = rater.page
    page.route(CAST, lambda route: route.abort())
    token = page.locator("[name=client_token]").input_value()
    page.keyboard.press("x")
    page.keyboard.press("x")
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    page.unroute(CAST)
    page.reload(wait_until="networkidle")
    rater.says("has not reached the server")
    page.keyboard.press("Enter")
    rater.says("Vote stored: Both bad.")
    assert Vote.objects.get().client_token == token


def test_a_refusal_keeps_everything_and_can_be_put_right(rater: Rater) -> None:
    page = rater.page
    page.get_by_label("Comment").fill("x" * 5_001)
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("up to 5,000 characters")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("Comment")).to_have_value("x" * 5_001)
    page.get_by_label("Comment").fill("short")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    rater.says("Vote stored: A is better.")
    expect(page.get_by_role("alert")).to_be_hidden()


def test_too_fast_is_said_and_sent_again_by_itself(rater: Rater) -> None:
    page = rater.page
    page.route(
        CAST,
        lambda route: route.fulfill(
            status=429, headers={"Retry-After": "1"}, body="<p>That was very fast</p>"
        ),
        times=1,
    )
    page.keyboard.press("b")
    page.keyboard.press("b")
    expect(page.get_by_role("alert")).to_contain_text("That was very fast")
    rater.says("Vote stored: B is better.")


def test_a_second_tab_follows_the_first(rater: Rater) -> None:
    first, second = rater.page, rater.page.context.new_page()
    second.goto(f"{rater.address}{rater.path}", wait_until="networkidle")
    first.keyboard.press("a")
    first.keyboard.press("a")
    rater.says("Vote stored")
    expect(second.locator("#said")).to_contain_text("decided in another tab")
    expect(second.locator("#stage")).to_have_attribute("data-assignment", rater.assignment)
    assert Vote.objects.count() == 1


def test_a_second_tab_that_lags_behind_cannot_change_the_vote(rater: Rater) -> None:
    first, second = rater.page, rater.page.context.new_page()
    second.goto(f"{rater.address}{rater.path}", wait_until="networkidle")
    second.route(lambda url: url.endswith(rater.path), lambda route: route.abort())
    first.keyboard.press("a")
    first.keyboard.press("a")
    rater.says("Vote stored")
    second.keyboard.press("b")
    second.keyboard.press("b")
    expect(second.get_by_role("alert")).to_contain_text("that vote stands")
    assert Vote.objects.get().choice == "a"
    second.unroute_all()
    second.get_by_role("link", name="Open the page as it is now").click()
    expect(second.locator("#stage")).to_have_attribute("data-assignment", rater.assignment)


def test_the_back_button_leads_to_what_is_due(rater: Rater) -> None:
    page = rater.page
    page.keyboard.press("a")
    page.keyboard.press("a")
    rater.says("Vote stored")
    pair = rater.assignment
    page.goto(f"{rater.address}/healthz")
    page.go_back(wait_until="networkidle")
    expect(page.locator("#stage")).to_have_attribute("data-assignment", pair)
    page.keyboard.press("b")
    page.keyboard.press("b")
    rater.says("Vote stored")
    assert Vote.objects.count() == 2


def test_the_back_button_without_a_script_cannot_vote_twice(rater_in: Any) -> None:
    rater: Rater = rater_in(java_script_enabled=False)
    page = rater.join()
    page.get_by_role("button", name="A is better").click()
    expect(page.get_by_text("Your vote is stored.")).to_be_visible()
    page.go_back(wait_until="networkidle")
    page.get_by_role("button", name="B is better").click()
    page.wait_for_load_state("networkidle")
    choices = list(Vote.objects.order_by("pk").values_list("choice", flat=True))
    assert choices in (["a", "b"], ["a"])
    assert len(set(Vote.objects.values_list("pair", flat=True))) == len(choices)


def test_two_clicks_in_one_are_one_vote(rater: Rater) -> None:
    rater.page.get_by_role("button", name="A is better", exact=True).dblclick()
    rater.says("Vote stored")
    rater.page.wait_for_timeout(200)
    assert Vote.objects.count() == 1


def test_taking_back_over_a_broken_connection_takes_back_one_vote(rater: Rater) -> None:
    page = rater.page
    for _ in range(2):
        page.keyboard.press("a")
        page.keyboard.press("a")
        rater.says("Vote stored")
        page.keyboard.press("t")
        rater.says("Chosen")
    lost: list[int] = []

    def lose_the_first(route: Route) -> None:
        lost.append(1)
        if len(lost) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/undo/", lose_the_first)
    page.keyboard.press("u")
    rater.says("taken back")
    assert Vote.objects.count() == 1


def test_a_browser_that_keeps_nothing_can_vote(rater_in: Any) -> None:
    rater: Rater = rater_in()
    rater.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
    )
    page = rater.join()
    page.keyboard.press("a")
    page.keyboard.press("a")
    rater.says("Vote stored: A is better.")
    assert rater.troubles == []
