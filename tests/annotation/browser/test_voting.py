"""Whole votes: by keyboard, by thumb, without a script."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from annotation.models import Rater as RaterRow
from annotation.models import Vote
from tests.annotation.browser.conftest import Rater

pytestmark = pytest.mark.browser


def choices() -> list[str]:
    return list(Vote.objects.order_by("pk").values_list("choice", flat=True))


def test_a_whole_vote_by_keyboard_alone(rater_in: Any) -> None:
    rater: Rater = rater_in()
    page = rater.come()
    agree = page.get_by_role("button", name="I agree, start")
    for _ in range(10):
        page.keyboard.press("Tab")
        if agree.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#ballot")).to_be_visible()
    for number, (first, second) in enumerate((("a", "a"), ("b", "Enter"), ("T", "t"), ("x", "x"))):
        before = rater.assignment
        page.keyboard.press(first.lower())
        rater.says("Chosen:")
        assert Vote.objects.count() == number
        page.keyboard.press(second.lower() if len(second) == 1 else second)
        rater.says("Vote stored")
        assert rater.assignment != before
        expect(page.locator("h1")).to_be_focused()
    assert choices() == ["a", "b", "tie", "both_bad"]
    expect(page.locator("#stage")).to_have_attribute("data-stage", "done")
    page.keyboard.press("Tab")
    for _ in range(10):
        if page.locator("button:focus", has_text="Finish").count():
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Who wrote what")).to_be_visible()
    assert rater.troubles == []
    assert rater.refused == []


def test_the_focus_walks_from_the_answers_to_the_choices(rater: Rater) -> None:
    page = rater.page
    page.locator("h1").focus()
    order = []
    for _ in range(30):
        page.keyboard.press("Tab")
        order.append(
            page.evaluate(
                "(e => e.ariaLabel || e.name || e.textContent.trim())(document.activeElement)"
            )
        )
        if order[-1] == "Skip":
            break
    wanted = ["Text of answer A", "Text of answer B", "reasons", "confidence", "comment", "choice"]
    places = [order.index(name) for name in wanted]
    assert places == sorted(places)


def test_a_whole_vote_by_thumb_on_a_narrow_phone(rater_in: Any) -> None:
    rater: Rater = rater_in(360, has_touch=True, is_mobile=True)
    page = rater.come()
    page.get_by_role("button", name="I agree, start").tap()
    expect(page.locator("#ballot")).to_be_visible()
    for name in ("A is better", "B is better", "Tie", "Both bad"):
        button = page.get_by_role("button", name=name, exact=True)
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 60
        assert box["y"] > 500, "within reach of a thumb"
        assert box["y"] + box["height"] <= 800
        before = rater.assignment
        button.tap()
        expect(button).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name=f"Vote: {name}").tap()
        rater.says("Vote stored")
        assert rater.assignment != before
        assert rater.overflow == 0
    assert choices() == ["a", "b", "tie", "both_bad"]


def test_a_whole_vote_without_a_script(rater_in: Any) -> None:
    rater: Rater = rater_in(java_script_enabled=False)
    page = rater.join()
    expect(page.locator("#cast")).to_be_hidden()
    expect(page.locator("#settings")).to_be_hidden()
    page.get_by_label("more complete").check()
    page.get_by_label("Comment").fill("typed\nwithout a script")
    page.get_by_role("button", name="B is better").click()
    expect(page.get_by_text("Your vote is stored.")).to_be_visible()
    vote = Vote.objects.get()
    assert (vote.choice, vote.reasons) == ("b", ["more complete"])
    assert vote.comment == "typed\nwithout a script"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Your last vote is taken back")).to_be_visible()
    for name in ("Tie", "A is better", "Both bad"):
        page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_text("Skipped.")).to_be_visible()
    page.get_by_role("button", name="Tie").click()
    expect(page.get_by_label("Your completion code")).to_be_visible()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("region", name="Who wrote what")).to_be_visible()
    page.get_by_text("Withdraw", exact=True).click()
    page.get_by_label("Erase my votes").check()
    page.get_by_role("button", name="Withdraw and erase").click()
    expect(page.get_by_text("your votes are erased")).to_be_visible()
    assert not Vote.objects.exists()


def test_enter_in_a_field_casts_nothing_without_a_script(rater_in: Any) -> None:
    rater: Rater = rater_in(java_script_enabled=False)
    page = rater.join()
    page.get_by_label("Comment").fill("kept")
    page.get_by_label("more complete").check()
    page.keyboard.press("Enter")
    expect(page.get_by_text("No choice was sent")).to_be_visible()
    expect(page.get_by_label("Comment")).to_have_value("kept")
    expect(page.get_by_label("more complete")).to_be_checked()
    assert not Vote.objects.exists()


def test_skip_and_undo_have_keys(rater: Rater) -> None:
    page = rater.page
    first = rater.assignment
    page.keyboard.press("s")
    rater.says("Press S again")
    page.keyboard.press("s")
    rater.says("Skipped.")
    assert rater.assignment != first
    texts = rater.texts()
    page.get_by_label("clearer").check()
    page.get_by_label("Comment").fill("what I thought")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("a")
    rater.says("Vote stored: A is better.")
    page.keyboard.press("u")
    rater.says("taken back")
    assert rater.texts() == texts
    expect(page.get_by_label("Comment")).to_have_value("what I thought")
    expect(page.get_by_label("clearer")).to_be_checked()
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)
    assert RaterRow.objects.get().n_skips == 1
    assert not Vote.objects.exists()
