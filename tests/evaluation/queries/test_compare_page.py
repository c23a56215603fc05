from __future__ import annotations

import pytest

from evaluation.queries.choices import UnknownChoice
from evaluation.queries.compare_page import compare_page
from evaluation.queries.leaderboard import BoardFilters
from tests.evaluation.toy_runs import TOY, measured_run

pytestmark = pytest.mark.django_db


def test_a_bare_slug_is_enough_where_one_variant_has_it() -> None:
    measured_run(systems=("bm25", "simple-rag", "simple-rag+bm25"))
    page = compare_page(TOY, BoardFilters(track="1k"), a="simple-rag", b="simple-rag+bm25")
    assert page.a is not None
    assert page.b is not None
    assert (page.a.label, page.b.label) == ("simple-rag@static", "simple-rag+bm25@static")


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    measured_run(systems=("bm25", "simple-rag"))
    with pytest.raises(UnknownChoice, match="simple-rag@static"):
        compare_page(TOY, BoardFilters(track="1k"), a="theoria")
