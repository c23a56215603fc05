"""Keys vote when they should, and never otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Vote
from tests.annotation.browser.conftest import Rater

pytestmark = pytest.mark.browser


def nothing_chosen(page: Page) -> None:
    page.wait_for_timeout(150)
    expect(page.locator("#ballot [aria-pressed=true]")).to_have_count(0)
    assert not Vote.objects.exists()


def test_keys_pressed_in_a_field_never_vote(rater: Rater) -> None:
    page = rater.page
    page.get_by_label("Comment").click()
    page.keyboard.type("aabbttxxssuu??")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Comment")).to_have_value("aabbttxxssuu??\n")
    for label in ("more correct", "fairly sure", "Scroll in step"):
        page.get_by_label(label).focus()
        page.keyboard.press("a")
        page.keyboard.press("a")
        page.keyboard.press("Enter")
    nothing_chosen(page)


def test_keys_with_modifiers_never_vote(rater: Rater) -> None:
    page = rater.page
    for modifier in ("Control", "Alt", "Meta", "Shift"):
        for _ in range(2):
            page.keyboard.press(f"{modifier}+KeyB" if modifier != "Control" else "Control+KeyB")
    nothing_chosen(page)


def test_a_key_that_is_held_down_presses_once(rater: Rater) -> None:
    page = rater.page
    for _ in range(5):
        page.keyboard.down("a")
    page.keyboard.up("a")
    expect(page.get_by_role("button", name="A is better", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    rater.says("Vote stored")
    page.wait_for_timeout(150)
    assert Vote.objects.count() == 1


def test_arrows_only_scroll(rater: Rater) -> None:
    page = rater.page
    page.set_viewport_size({"width": 1440, "height": 400})
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    nothing_chosen(page)
    page.wait_for_function("() => scrollY > 0")


def test_the_switch_for_keys_is_remembered(rater: Rater) -> None:
    page = rater.page
    page.get_by_label("Keys", exact=True).uncheck()
    page.keyboard.press("a")
    page.keyboard.press("a")
    nothing_chosen(page)
    page.reload(wait_until="networkidle")
    expect(page.get_by_label("Keys", exact=True)).not_to_be_checked()
    page.keyboard.press("b")
    nothing_chosen(page)


def test_one_press_votes_when_the_rater_wants_it_so(rater: Rater) -> None:
    page = rater.page
    page.get_by_label("One press votes").check()
    page.keyboard.press("t")
    rater.says("Vote stored: Tie.")
    page.get_by_role("button", name="A is better", exact=True).dblclick()
    rater.says("Vote stored: A is better.")
    page.wait_for_timeout(150)
    assert list(Vote.objects.order_by("pk").values_list("choice", flat=True)) == ["tie", "a"]


def test_a_clicked_box_does_not_put_the_keys_to_rest(rater: Rater) -> None:
    page = rater.page
    page.get_by_label("more correct").click()
    page.wait_for_function("() => document.activeElement === document.body")
    page.keyboard.press("b")
    rater.says("Chosen: B is better.")


def test_the_question_mark_shows_the_keys(rater: Rater) -> None:
    page = rater.page
    help_text = page.get_by_text("Undo the last vote")
    expect(help_text).to_be_hidden()
    page.keyboard.press("?")
    expect(help_text).to_be_visible()
    page.keyboard.press("?")
    expect(help_text).to_be_hidden()


def test_enter_and_space_press_the_button_that_has_the_focus(rater: Rater) -> None:
    page = rater.page
    button = page.get_by_role("button", name="B is better", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    rater.says("Vote stored: B is better.")


def test_another_choice_replaces_the_first(rater: Rater) -> None:
    page = rater.page
    for key in ("a", "b", "t"):
        page.keyboard.press(key)
    rater.says("Chosen: Tie.")
    page.keyboard.press("Enter")
    rater.says("Vote stored: Tie.")
    assert Vote.objects.get().choice == "tie"


def test_long_answers_scroll_in_step_or_apart(rater_in: Any) -> None:
    rater: Rater = rater_in()
    page = rater.join()
    page.evaluate(
        """document.querySelectorAll(".side > .pane").forEach((pane, place) => {
          pane.append(...Array.from({ length: 60 * (place + 1) }, () => {
            const line = document.createElement("p"); line.textContent = "more"; return line; }));
        })"""
    )
    left, right = page.locator(".side > .pane").all()
    left.evaluate("pane => pane.scrollTo(0, pane.scrollHeight)")
    at_its_end = """() => (pane => pane.scrollTop + pane.clientHeight > pane.scrollHeight - 3)(
        document.querySelectorAll(".side > .pane")[1])"""
    page.wait_for_function(at_its_end)
    page.get_by_label("Scroll in step").uncheck()
    left.evaluate("pane => pane.scrollTo(0, 0)")
    page.wait_for_function("() => document.querySelector('.side > .pane').scrollTop === 0")
    page.wait_for_timeout(200)
    assert right.evaluate("pane => pane.scrollTop") > 100
