"""The main journeys in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from evaluation.models import Run
from evaluation.services.in_process import run_to_end
from evaluation.services.loading import load_benchmark
from tests.evaluation.toy_runs import TOY
from tests.webapp.browser.conftest import Reader

pytestmark = pytest.mark.browser
BOARD = f"/benchmarks/{TOY}/"


def test_from_the_first_page_to_the_facts_in_a_context(reader: Reader, toy: Run) -> None:
    page = reader.open("/")
    page.locator(".card").first.get_by_role("heading").get_by_role("link").click()
    expect(page.get_by_role("region", name="Leaderboard")).to_be_visible()
    page.get_by_role("navigation", name=re.compile("Toy|toy")).get_by_role(
        "link", name="Questions"
    ).click()
    page.get_by_role("region", name="Questions").get_by_role("rowheader").first.get_by_role(
        "link"
    ).click()
    page.get_by_role("link", name="Its context, with the facts found and missed").first.click()
    expect(page.get_by_role("heading", name="Facts found and missed")).to_be_visible()
    expect(page.get_by_role("region", name="Retrieved context")).to_be_visible()


def test_a_filter_changes_the_address_and_the_back_button_undoes_it(
    reader: Reader, toy: Run
) -> None:
    page = reader.open(BOARD)
    page.get_by_label("Track", exact=True).select_option("1k")
    expect(page).to_have_url(re.compile("track=1k"))
    page.get_by_label("Tier", exact=True).select_option(index=1)
    expect(page).to_have_url(re.compile("tier=L"))
    expect(page.get_by_label("Track", exact=True)).to_have_value("1k")
    page.go_back()
    expect(page.get_by_label("Tier", exact=True)).to_have_value("")
    expect(page.get_by_label("Track", exact=True)).to_have_value("1k")
    page.get_by_role("link", name="Reset").click()
    expect(page).to_have_url(re.compile(rf"{BOARD}$"))


def test_searching_waits_for_the_writer_and_keeps_the_cursor(reader: Reader, toy: Run) -> None:
    page = reader.open(BOARD)
    page.get_by_label("Search systems").press_sequentially("simple", delay=30)
    expect(page.get_by_role("region", name="Leaderboard").locator("tbody tr")).to_have_count(1)
    expect(page.get_by_label("Search systems")).to_be_focused()
    expect(page.get_by_label("Search systems")).to_have_value("simple")


def test_a_column_sorts_up_and_down(reader: Reader, toy: Run) -> None:
    page = reader.open(BOARD)
    head = page.get_by_role("columnheader", name="Score", exact=True)
    head.get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    head.get_by_role("link").click()
    expect(head).to_have_attribute("aria-sort", "ascending")


def test_the_sweep_is_drawn_and_follows_the_theme(reader: Reader, toy: Run) -> None:
    page = reader.open(f"{BOARD}sweep/")
    chart = page.locator("#sweep-chart")
    expect(chart.locator(".points path").first).to_be_visible()
    before = chart.locator(".bg").first.evaluate("part => part.style.fill")
    page.get_by_role("button", name="Dark or light").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(chart.locator(".points path").first).to_be_visible()
    assert chart.locator(".bg").first.evaluate("part => part.style.fill") != before
    page.reload(wait_until="networkidle")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_sweep_that_htmx_brought_is_drawn(reader: Reader, toy: Run) -> None:
    page = reader.open(f"{BOARD}sweep/")
    page.get_by_label("Tier", exact=True).select_option(index=1)
    expect(page).to_have_url(re.compile("tier=L"))
    expect(page.locator("#sweep-chart .points path").first).to_be_visible()


def test_a_comparison_is_drawn(reader: Reader, toy: Run) -> None:
    page = reader.open(f"{BOARD}compare/")
    expect(page.locator("#paired-chart .points path")).to_have_count(4)


def test_a_run_is_started_watched_and_read(
    reader_at: Any, lead_user: User, transactional_db: None
) -> None:
    # Not watched for failed requests: SQLite's shared database in memory refuses a poll that
    # falls into one of the run's commits, which a database on disk or a server does not.
    reader = reader_at(1440, "light")
    load_benchmark(name_or_path=TOY)
    reader.sign_in(lead_user)
    page = reader.open("/runs/")
    page.get_by_role("link", name="Start a run").click()
    page.get_by_label("Benchmark").select_option(TOY)
    page.get_by_label("simple-rag+bm25").uncheck()
    page.get_by_label("Tracks").fill("native, 1k")
    page.get_by_label("Embedder", exact=True).select_option("static")
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("heading", name=re.compile("Run "))).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("waiting")
    run_to_end(run=Run.objects.get())
    expect(page.locator("#progress")).to_contain_text("finished", timeout=10_000)
    assert page.locator("#progress").get_attribute("hx-trigger") is None
    page.get_by_role("link", name="See the leaderboard").click()
    expect(page.get_by_role("region", name="Leaderboard")).to_contain_text("simple-rag@static")


def test_a_wrong_field_keeps_what_was_typed(
    reader_at: Any, lead_user: User, transactional_db: None
) -> None:
    load_benchmark(name_or_path=TOY)
    reader = reader_at(1440, "light")
    reader.sign_in(lead_user)
    page = reader.open("/runs/new/")
    page.get_by_label("Tracks").fill("40 parsecs")
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("alert")).to_contain_text("The run was not started.")
    expect(page.get_by_label("Tracks")).to_have_value("40 parsecs")
    expect(page.locator(".field.wrong")).to_have_count(1)


def test_an_address_nobody_offers_is_explained_in_place(reader_at: Any, toy: Run) -> None:
    reader = reader_at(1440, "light")
    page = reader.open(f"{BOARD}?track=40k")
    expect(page.get_by_role("alert").filter(has_text="known")).to_contain_text("1k, 2k, native")
    page.get_by_role("link", name="Open this page without it").click()
    expect(page.get_by_role("region", name="Leaderboard")).to_be_visible()


def test_a_server_that_does_not_answer_is_said(reader_at: Any, toy: Run) -> None:
    reader = reader_at(1440, "light")
    page = reader.open(BOARD)
    page.route("**/benchmarks/**", lambda route: route.abort())
    page.get_by_label("Track", exact=True).select_option("1k")
    expect(page.get_by_role("alert")).to_contain_text("The server did not answer")
    page.unroute("**/benchmarks/**")
    page.get_by_label("Track", exact=True).select_option("2k")
    expect(page.get_by_role("alert")).to_be_hidden()


def test_everything_works_without_javascript(reader_at: Any, toy: Run) -> None:
    page = reader_at(1440, "light", with_script=False).open(BOARD)
    page.get_by_label("Track", exact=True).select_option("1k")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile("track=1k"))
    page.get_by_role("columnheader", name="Score", exact=True).get_by_role("link").click()
    expect(page).to_have_url(re.compile("sort=score"))
    page.get_by_role("link", name="Budget sweep").click()
    expect(page.get_by_role("region", name="Scores by track")).to_be_visible()


def test_the_keyboard_alone_reaches_content_filters_and_help(reader: Reader, toy: Run) -> None:
    page = reader.open(BOARD)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    help_ = page.locator("details.help", has_text="Rank interval").first
    help_.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(help_.get_by_text("The places a row can hold")).to_be_visible()
    page.keyboard.press("Escape")
    expect(help_.get_by_text("The places a row can hold")).to_be_hidden()
    expect(help_.locator("summary")).to_be_focused()
