from __future__ import annotations

import pytest

from evaluation.benchmarks.published.cards import published_cards
from evaluation.benchmarks.published.tables import published_contrasts, published_scores
from evaluation.models import Benchmark, PublishedContrast, PublishedScore
from evaluation.services.published import load_published

pytestmark = pytest.mark.django_db


def test_every_printed_score_and_contrast_becomes_a_row() -> None:
    loaded = load_published()
    assert PublishedScore.objects.count() == loaded.n_scores == len(published_scores())
    assert PublishedContrast.objects.count() == loaded.n_contrasts == len(published_contrasts())
    paim = Benchmark.objects.get(slug="paim")
    assert paim.is_published_only
    assert paim.revision == "published"
    assert paim.n_questions == 66
    native = paim.published_scores.get(
        system="theoria", track="native", slice_name="", place="Table 4"
    )
    assert (native.score, native.mean_chars, native.judge) == (6.82, 29000, "Gemini 3.1 Pro")


def test_loading_twice_changes_nothing() -> None:
    first = load_published()
    before = list(PublishedScore.objects.order_by("pk").values_list("pk", flat=True))
    again = load_published()
    assert first.n_changed == len(published_cards())
    assert again.n_changed == 0
    assert list(PublishedScore.objects.order_by("pk").values_list("pk", flat=True)) == before


def test_rows_that_differ_from_the_data_are_replaced() -> None:
    load_published()
    PublishedScore.objects.filter(benchmark__slug="ptr").update(score=1.0)
    Benchmark.objects.filter(slug="paim").update(title="something else")
    assert load_published().n_changed == 2
    assert not PublishedScore.objects.filter(benchmark__slug="ptr", score=1.0).exists()
    assert Benchmark.objects.get(slug="paim").title == "Public AI Memory (Paim)"
