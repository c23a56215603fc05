"""Every page, wide and narrow, light and dark: nothing serious for axe, nothing sideways."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User

from evaluation.models import Cell, Run
from evaluation.services.published import load_published
from tests.evaluation.toy_runs import TOY
from tests.webapp.browser.conftest import Reader

pytestmark = pytest.mark.browser
LOOKS = [(1440, "light"), (768, "dark"), (360, "light")]
SERIOUS = frozenset({"serious", "critical"})


def _addresses(run: Run) -> list[str]:
    cell = Cell.objects.filter(run_variant__run=run, retrieval__isnull=False)[0]
    board = f"/benchmarks/{TOY}/"
    question = f"{board}questions/{cell.question.question_id}/"
    return [
        "/", board, f"{board}?track=1k&tier=L1", f"{board}?search=nobody", f"{board}sweep/",
        f"{board}contrasts/", f"{board}compare/", f"{board}questions/", question,
        f"{question}answers/{cell.pk}/", f"{board}audit/", "/benchmarks/paim/",
        "/benchmarks/paim/sweep/", "/runs/", f"/runs/{run.public_id}/", "/systems/",
        "/systems/simple-rag/", "/docs/statistics/", "/sign-in/",
    ]  # fmt: skip


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_every_page_can_be_read_by_everyone(
    reader_at: Any, toy: Run, width: int, theme: str
) -> None:
    load_published()
    reader: Reader = reader_at(width, theme)
    found = []
    for address in _addresses(toy):
        reader.open(address)
        found += [
            f"{address}: {one['id']} ({one['nodes'][0]['html'][:120]})"
            for one in Axe().run(reader.page).response["violations"]
            if one["impact"] in SERIOUS
        ]
        if reader.overflow:
            found.append(f"{address}: {reader.overflow} pixels too wide")
        found += [f"{address}: refused {one}" for one in reader.refused]
    assert found == []
    assert reader.troubles == []


@pytest.mark.parametrize(("width", "theme"), [(1440, "dark"), (360, "light")])
def test_the_form_of_a_new_run_can_be_filled_by_everyone(
    reader_at: Any, toy: Run, lead_user: User, width: int, theme: str
) -> None:
    reader: Reader = reader_at(width, theme)
    reader.sign_in(lead_user)
    reader.open("/runs/new/")
    violations = Axe().run(reader.page).response["violations"]
    assert [one["id"] for one in violations if one["impact"] in SERIOUS] == []
    assert reader.overflow == 0
    assert reader.refused == []


def test_an_opened_help_stays_inside_a_narrow_window(reader_at: Any, toy: Run) -> None:
    reader: Reader = reader_at(360, "light")
    page = reader.open(f"/benchmarks/{TOY}/")
    for help_ in page.locator(".terms details.help").all():
        help_.locator("summary").click()
        box = help_.locator("> div").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
