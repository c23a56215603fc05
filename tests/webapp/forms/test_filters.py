"""Reading what an address asks for."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from evaluation.queries.choices import UnknownChoice
from webapp.forms.filters import board_filters, is_filtered, keys_query, page_number


def test_every_filter_is_read_and_other_names_are_slices() -> None:
    filters = board_filters(
        QueryDict("track=30k&tier=L2&type=factual&search= mem0 &order=down&sort=chars&internal=1")
    )
    assert (filters.track, filters.search, filters.sort) == ("30k", "mem0", "chars")
    assert filters.slices == {"tier": "L2", "type": "factual"}
    assert (filters.descending, filters.internal) == (True, True)


def test_empty_values_ask_for_nothing() -> None:
    filters = board_filters(QueryDict("track=&tier=&search="))
    assert filters == board_filters(QueryDict(""))
    assert not is_filtered(QueryDict("track=&tier="))


def test_sorting_is_not_filtering() -> None:
    assert not is_filtered(QueryDict("sort=score&order=up&page=2"))
    assert is_filtered(QueryDict("tier=L1"))


@pytest.mark.parametrize("value", ["0", "-1", "x", "1.5"])
def test_a_page_is_a_number_from_1(value: str) -> None:
    with pytest.raises(UnknownChoice, match="unknown page"):
        page_number(QueryDict(f"page={value}"))


def test_links_between_pages_keep_the_chosen_keys_and_track() -> None:
    assert keys_query(QueryDict("judge=rubric&track=10k&tier=L2")) == "?judge=rubric&track=10k"
    assert keys_query(QueryDict("tier=L2")) == ""
