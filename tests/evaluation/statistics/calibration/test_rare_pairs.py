"""Pairs of very different inclusion probabilities in one table."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from evaluation.statistics.calibration.resolution import resolution
from evaluation.statistics.calibration.tolerance import tolerance_curve
from tests.evaluation.statistics.calibration.seed_votes import seed_votes


def test_no_pair_weighs_nothing_however_rare_another_is():
    table = seed_votes()
    probability = np.ones(table.n_pairs)
    probability[0] = 1e-12
    rare = replace(table, inclusion_probability=probability)
    assert rare.weight.min() > 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = resolution(rare, rng=np.random.default_rng(1), n_resamples=200)
        curve = tolerance_curve(rare, rng=np.random.default_rng(1), n_resamples=200)
    assert all(0.0 <= step.fitted <= 1.0 for step in found.curve)
    assert all(0.0 <= point.weighted.rate <= 1.0 for point in curve.points)


def test_ordinary_weights_are_those_of_the_drawing():
    table = seed_votes()
    weight = replace(table, inclusion_probability=np.full(table.n_pairs, 0.125)).weight
    assert weight.tolist() == [8.0] * table.n_pairs
