"""What the address of a calibration page chooses."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from evaluation.queries.choices import UnknownChoice
from webapp.forms.calibration import DEFAULT, LEVELS, calibration_choice, percents


def test_an_address_without_choices_is_the_default() -> None:
    choice = calibration_choice(QueryDict(""))
    assert choice.settings == DEFAULT
    assert (choice.judge, choice.edges, choice.is_changed) == ("", "0, 2, 4", False)


def test_choices_are_read() -> None:
    choice = calibration_choice(
        QueryDict("edges=0;0.5,2&level=0.9&width=0.1&excluded=1&judge=rubric&known=3.1.open")
    )
    assert choice.settings.edges_hundredths == (0, 50, 200)
    assert (choice.settings.agreement, choice.settings.target_width) == (0.9, 0.1)
    assert choice.settings.with_excluded
    assert (choice.judge, choice.known, choice.is_changed) == ("rubric", "3.1.open", True)


@pytest.mark.parametrize(
    "edges", ["1,2", "0,2,2", "0,-1", "0,inf", "0,nan", "0,10", "a", ",".join(map(str, range(13)))]
)
def test_edges_that_make_no_buckets_are_refused(edges: str) -> None:
    with pytest.raises(UnknownChoice, match="rising lower edges"):
        calibration_choice(QueryDict(f"edges={edges}"))


def test_the_default_level_leaves_the_address_alone() -> None:
    options = percents(LEVELS, 0.9)
    assert ("", "75 %", False) in options
    assert ("0.9", "90 %", True) in options
