"""Imported studies of ratings and the agreement of their raters."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import RatingMetric, RatingStudy
from annotation.queries.ratings_page import kept_studies, study_page
from annotation.services.importing_ratings import import_ratings
from tests.annotation.toy_campaigns import NOW
from tests.evaluation.real_files import real_file
from tests.webapp.views.test_calibration import words


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    kept_studies.clear()


def study(*metrics: dict[str, Any]) -> RatingStudy:
    made = RatingStudy.objects.create(
        slug="toy", name="Toy study", source={"format": "judge-bench", "file": "toy.json"},
        created_at=NOW,
    )  # fmt: skip
    for number, metric in enumerate(metrics):
        ratings = metric["ratings"]
        RatingMetric.objects.create(
            study=made, name=f"metric {number}", level=metric.get("level", "ordinal"),
            scale=metric.get("scale", [1, 5]), ratings=ratings, n_items=len(ratings),
            n_ratings=sum(map(len, ratings)),
        )  # fmt: skip
    return made


def test_the_published_agreement_of_newsroom_is_on_the_page(viewer: Client, db: None) -> None:
    path = real_file("data", "judge_bench", "newsroom.json")
    import_ratings(name="Newsroom", path=path, now=NOW)
    text = words(viewer.get("/ratings/newsroom/").content.decode())
    assert "Informativeness ordinal 1 to 5 420 1,260 +0.285 420 items with 1,260 ratings" in text
    assert 'href="/ratings/newsroom/"' in viewer.get("/ratings/").content.decode()


def test_each_metric_says_its_agreement_or_why_there_is_none(viewer: Client, db: None) -> None:
    study(
        {"ratings": [[1, 2], [4, 5], [3]]},
        {"ratings": [[3], [4]]},
        {"ratings": [["yes", "yes"], ["yes", "yes"]], "level": "nominal", "scale": ["yes", "no"]},
        {"ratings": [[], []]},
    )
    text = words(viewer.get("/ratings/toy/").content.decode())
    assert "2 items with 4 ratings; 1 with a single one left out" in text
    assert "Nothing was rated by two raters" in text
    assert "All ratings are the same" in text
    assert "No rating was given" in text
    assert "yes, no" in text
    assert "nan" not in text.lower().split()


def test_an_empty_list_says_how_to_import(viewer: Client, db: None) -> None:
    text = viewer.get("/ratings/").content.decode()
    assert "No study of ratings has been imported." in text
    assert "import_ratings" in text


def test_a_study_without_metrics_says_so(viewer: Client, db: None) -> None:
    study()
    assert "The study has no metric." in viewer.get("/ratings/toy/").content.decode()


def test_ratings_are_for_readers_who_signed_in(client: Client, db: None) -> None:
    study()
    for address in ("/ratings/", "/ratings/toy/"):
        assert client.get(address)["Location"] == f"/sign-in/?next={address}"


def test_a_study_that_is_not_there_is_a_404(viewer: Client, db: None) -> None:
    assert viewer.get("/ratings/nothing/").status_code == 404


def test_a_study_is_computed_once(db: None, django_assert_num_queries: Any) -> None:
    study({"ratings": [[1, 2], [4, 5]]}, {"ratings": [[1, 1], [5, 5]]})
    with django_assert_num_queries(3):
        first = study_page("toy")
    with django_assert_num_queries(1):
        assert study_page("toy") is first
