"""Every stage of a rater's page, with texts that are hard to show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from annotation.blinding.voting_page import (
    CLOSED,
    CONSENT,
    DONE,
    REVEALED,
    VOTING,
    WAITING,
    Progress,
    VotingPage,
)
from annotation.services import voting
from tests.annotation.views import sample_pages as samples
from tests.annotation.views.conftest import PARTIAL

STAGES = (CLOSED, CONSENT, VOTING, REVEALED, WAITING, DONE)


@pytest.fixture
def shown(client: Client, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The HTML of a page as the services hand it over."""

    def show(page: VotingPage, **options: Any) -> str:
        monkeypatch.setattr(voting, "voting_page", lambda **_: page)
        response = client.get(f"/vote/{samples.TOKEN}/", **options)
        assert response.status_code == 200
        return response.content.decode()

    return show


@pytest.mark.parametrize("stage", STAGES)
def test_page_and_partial_have_the_same_stage(shown: Any, stage: str) -> None:
    page = samples.page(stage)
    partial = shown(page, headers=PARTIAL)
    whole = shown(page)
    assert f'data-stage="{stage}"' in partial
    assert "<html" not in partial
    assert partial.count("<h1") == whole.count("<h1") == 1
    assert whole.count("</html>") == 1


def test_the_ballot_holds_all_that_the_campaign_asks(shown: Any) -> None:
    html = shown(samples.page(VOTING))
    for part in (
        "A is better", "B is better", "Tie", "Both bad", "Skip", "Undo", "more correct",
        "How sure are you?", "Comment", "Must-have facts (2)", "What the sources say (1)",
        "Instructions", "Pair 8 of 40", "Your votes are kept as rater-0042.", "neither is of use",
    ):  # fmt: skip
        assert part in html, part
    assert "not blind to retrieval" not in html


def test_the_ballot_leaves_out_what_is_not_asked(shown: Any) -> None:
    bare = samples.campaign(
        choices=("a", "b", "tie"),
        reasons=(),
        asks_comment=False,
        asks_confidence=False,
        instructions_html="",
    )
    pair = samples.pair(facts=(), source_spans=())
    html = shown(samples.page(VOTING, campaign=bare, pair=pair, can_undo=False))
    for part in ("Both bad", "Why?", "How sure", "textarea", "Must-have", "sources", "Undo<"):
        assert part not in html, part


def test_without_a_wish_for_a_number_the_progress_counts_up(shown: Any) -> None:
    html = shown(samples.page(VOTING, progress=Progress(7, None)))
    assert "7 decided so far" in html
    assert "<progress" not in html


def test_contexts_are_shown_with_a_label_that_says_so(shown: Any) -> None:
    pair = samples.pair(left_context_html="<p>left</p>", right_context_html="<p>right</p>")
    html = shown(samples.page(VOTING, campaign=samples.campaign(shows_context=True), pair=pair))
    assert "not blind to retrieval" in html
    assert html.index("What A had retrieved") < html.index("What B had retrieved")


def test_a_simulation_says_so_in_every_stage(shown: Any) -> None:
    simulated = samples.campaign(is_simulated=True)
    for stage in STAGES:
        page = replace(samples.page(stage), campaign=simulated)
        assert "This campaign is a simulation" in shown(page)


def test_plain_texts_of_the_benchmark_are_escaped(shown: Any) -> None:
    pair = samples.pair(facts=("<b>x</b> & y",), source_spans=("<script>1</script>",))
    html = shown(samples.page(VOTING, pair=pair))
    assert "&lt;b&gt;x&lt;/b&gt; &amp; y" in html
    assert "&lt;script&gt;1&lt;/script&gt;" in html


def test_before_a_reveal_there_is_a_way_back_and_no_name(shown: Any) -> None:
    html = shown(samples.page(REVEALED, can_undo=True, revealed=()))
    assert "Undo my vote" in html
    assert "simple-rag" not in html


def test_an_unscored_answer_is_a_dash_in_the_reveal(shown: Any) -> None:
    assert '<td class="num">–</td>' in shown(samples.page(DONE))


def test_the_end_without_a_reveal_offers_to_finish(shown: Any) -> None:
    html = shown(samples.page(DONE, revealed=(), can_undo=True, can_finish=True))
    assert "/finish/" in html
    assert "Undo my last vote" in html
    assert "/finish/" not in shown(samples.page(DONE))
