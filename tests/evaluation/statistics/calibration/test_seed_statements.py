import csv

import numpy as np
import pytest

from evaluation.statistics.calibration.decisive import decisive_agreement
from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.resolution import resolution
from evaluation.statistics.calibration.tolerance import tolerance_curve
from tests.evaluation.real_files import real_file
from tests.evaluation.statistics.calibration.defined import defined
from tests.evaluation.statistics.calibration.seed_votes import seed_votes


def test_the_table_has_the_published_112_votes_with_51_ties():
    pairs = seed_votes()
    assert pairs.n_pairs == 112
    assert (pairs.majority == Outcome.TIE).sum() == 51


def test_decisive_agreement_is_50_90_and_100_percent_with_the_published_intervals():
    agreement = decisive_agreement(seed_votes(), rng=np.random.default_rng(0))
    assert [(b.label, b.n_agree, b.n_decisive) for b in agreement.buckets] == [
        ("0–2", 11, 22),
        ("2–4", 9, 10),
        ("4+", 29, 29),
    ]
    rates = [defined(bucket.rate) for bucket in agreement.buckets]
    assert [rate.rate for rate in rates] == pytest.approx([0.5, 0.9, 1.0])
    bounds = [(rate.low, rate.high) for rate in rates]
    assert bounds[0] == pytest.approx((0.307, 0.693), abs=5e-4)
    assert bounds[1] == pytest.approx((0.596, 0.982), abs=5e-4)
    assert bounds[2] == pytest.approx((0.883, 1.0), abs=5e-4)


def test_the_published_counts_are_those_of_the_file():
    with real_file("published", "srb_sxs.csv").open(encoding="utf-8") as lines:
        published = [(int(r["decisive"]), int(r["agree"])) for r in csv.DictReader(lines)]
    agreement = decisive_agreement(seed_votes(), rng=np.random.default_rng(0))
    assert [(b.n_decisive, b.n_agree) for b in agreement.buckets] == published


def test_overall_agreement_is_63_percent_at_zero_and_peaks_with_77_percent_at_one_point():
    curve = tolerance_curve(seed_votes(), rng=np.random.default_rng(0))
    at = {point.tau_hundredths: point for point in curve.points}
    assert (at[0].n_agree, at[100].n_agree, curve.n_pairs) == (71, 86, 112)
    assert at[0].unweighted.rate == pytest.approx(0.63, abs=5e-3)
    assert at[100].unweighted.rate == pytest.approx(0.77, abs=5e-3)
    assert curve.best.tau_hundredths == curve.best_unweighted.tau_hundredths == 100
    assert all(at[tau].unweighted.rate >= 0.72 for tau in range(50, 201, 10))


def test_the_resolution_is_found_in_the_published_counts():
    found = resolution(seed_votes(), rng=np.random.default_rng(0))
    assert (found.n_decisive, found.n_close) == (61, 22)
    assert found.gap_hundredths is not None
    assert 100 < found.gap_hundredths < 300
