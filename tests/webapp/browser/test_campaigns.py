"""A lead's way from a finished run to a link that raters can be given."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import expect

from annotation.models import Campaign, Pair
from evaluation.models import Run
from tests.annotation.services.measured_campaigns import tell_apart
from tests.annotation.toy_campaigns import make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.browser.conftest import Reader

pytestmark = pytest.mark.browser
SERIOUS = frozenset({"serious", "critical"})
LOOKS = [(1440, "light"), (768, "dark"), (360, "light")]


def test_a_lead_makes_a_campaign_opens_it_and_copies_the_link(
    reader_at: Any, toy: Run, lead_user: User
) -> None:
    tell_apart(toy)
    reader: Reader = reader_at(1440, "light")
    reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.sign_in(lead_user)
    page = reader.open(f"/runs/{toy.public_id}/")
    page.get_by_role("link", name="Make a campaign").click()
    page.get_by_label("Name", exact=True).fill("First look")
    page.get_by_label("Track").select_option("1k")
    page.get_by_label("Pairs", exact=True).fill("100000")
    page.get_by_role("button", name="Make the draft").click()
    expect(page.locator(".field.wrong")).to_contain_text("100,000 pairs are asked for")
    expect(page.get_by_label("Name", exact=True)).to_have_value("First look")
    page.get_by_label("Pairs", exact=True).fill("2")
    page.get_by_role("button", name="Make the draft").click()
    expect(page.get_by_role("heading", name="First look")).to_be_visible()
    campaign = Campaign.objects.get()
    Pair.objects.filter(campaign=campaign).update(n_wanted=1, needs_review=False)
    page.get_by_role("button", name="Open it for votes").click()
    expect(page.get_by_text("It is open: share the link.")).to_be_visible()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{reader.address}/vote/{campaign.link_token}/"
    page.goto(copied, wait_until="networkidle")
    expect(page.locator("body")).to_contain_text("First look")


def test_the_counts_follow_the_votes_without_a_reload(
    reader_at: Any, lead_user: User, transactional_db: None
) -> None:
    campaign = make_campaign()
    reader: Reader = reader_at(1440, "light")
    reader.sign_in(lead_user)
    page = reader.open("/campaigns/toy/")
    expect(page.locator("#counts")).to_contain_text("No vote yet.")
    add_vote(add_rater(campaign, "ann"), campaign.pairs.order_by("position")[0], "a")
    expect(page.locator("#counts")).to_contain_text("1 of 6 votes count", timeout=15_000)


def test_filters_of_votes_live_in_the_address(
    reader_at: Any, lead_user: User, transactional_db: None
) -> None:
    campaign = make_campaign()
    ann, bob = add_rater(campaign, "ann"), add_rater(campaign, "bob")
    first, second, *_ = campaign.pairs.order_by("position")
    add_vote(ann, first, "a")
    add_vote(bob, second, "tie")
    reader: Reader = reader_at(1440, "light")
    reader.sign_in(lead_user)
    page = reader.open("/campaigns/toy/votes/")
    if page.get_by_role("button", name=re.compile("Open")).count():
        page.get_by_role("button", name=re.compile("Open")).click()
    rows = page.get_by_role("region", name="Votes").locator("tbody tr")
    expect(rows).to_have_count(2)
    page.get_by_label("Choice", exact=True).select_option("tie")
    expect(page).to_have_url(re.compile(r"votes/\?choice=tie$"))
    expect(rows).to_have_count(1)
    page.go_back()
    expect(rows).to_have_count(2)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_page_of_a_lead_can_be_read_by_everyone(
    reader_at: Any, toy: Run, lead_user: User, width: int, theme: str
) -> None:
    campaign = make_campaign(overlap=2, invite_only=True, attention_exclude_below=0.5)
    waiting = campaign.pairs.order_by("position")[1]
    Pair.objects.filter(pk=waiting.pk).update(needs_review=True, n_wanted=0)
    add_vote(add_rater(campaign, "ann"), campaign.pairs.order_by("position")[0], "a")
    make_campaign(slug="draft", is_open=False)
    reader: Reader = reader_at(width, theme)
    reader.sign_in(lead_user)
    reader.open("/campaigns/toy/votes/")
    for button in reader.page.locator("main form[method=post] button").all()[:1]:
        button.click()
        reader.page.wait_for_load_state("networkidle")
    found = []
    for address in (
        "/campaigns/", "/campaigns/new/", f"/campaigns/new/?run={toy.public_id}",
        "/campaigns/toy/", "/campaigns/toy/pairs/", "/campaigns/toy/pairs/?state=waiting",
        "/campaigns/toy/raters/", "/campaigns/toy/raters/ann/", "/campaigns/toy/votes/",
        "/campaigns/toy/votes/?rater=nobody", "/campaigns/toy/audit/", "/campaigns/draft/", "/",
    ):  # fmt: skip
        page = reader.open(address)
        for fold in page.locator("details.section").all():
            fold.locator("summary").click()
        found += [
            f"{address}: {one['id']} ({one['nodes'][0]['html'][:120]})"
            for one in Axe().run(page).response["violations"]
            if one["impact"] in SERIOUS
        ]
        if reader.overflow:
            found.append(f"{address}: {reader.overflow} pixels too wide")
        found += [f"{address}: refused {one}" for one in reader.refused]
    assert found == []
    assert reader.troubles == []


def test_on_a_phone_the_navigation_wraps_and_a_wide_table_says_that_it_goes_on(
    reader_at: Any, lead_user: User, transactional_db: None
) -> None:
    make_campaign()
    for width, is_wide in ((360, True), (2600, False)):
        reader: Reader = reader_at(width, "light")
        reader.sign_in(lead_user)
        page = reader.open("/campaigns/toy/pairs/")
        for place in (".masthead nav", ".tabs"):
            hidden = page.locator(place).evaluate("box => box.scrollWidth - box.clientWidth")
            assert hidden <= 0
        table = page.locator(".table-scroll")
        classes = str(table.get_attribute("class"))
        assert ("is-wide" in classes, "hides-more" in classes) == (is_wide, is_wide)
        if is_wide:
            table.evaluate("box => box.scrollLeft = box.scrollWidth")
            expect(table).to_have_class(re.compile(r"^(?!.*hides-more).*is-wide"))
            assert table.evaluate("box => getComputedStyle(box, '::before').content").startswith(
                '"Scroll sideways'
            )
        assert reader.refused == []
