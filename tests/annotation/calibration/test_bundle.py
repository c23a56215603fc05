from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

from annotation.calibration.bundle import make_bundle, report_hash_of, verify_bundle
from annotation.calibration.data import BundleUnreadable, CalibrationData
from annotation.calibration.report import compute_report, plain
from annotation.calibration.settings import CalibrationSettings, InvalidCalibrationSetting

SETTINGS = CalibrationSettings(n_resamples=200)
HASH = "settings, judge, data hash and numbers do not have the report hash that is stated"
BELONG = "including_excluded and data_including_excluded belong together"


def _drop_a_vote(bundle: dict[str, Any]) -> None:
    for name, column in bundle["data"].items():
        if name.startswith("vote_"):
            column.pop()


def _repeat_a_vote(bundle: dict[str, Any]) -> None:
    for name, column in bundle["data"].items():
        if name.startswith("vote_"):
            column.append(column[0])


def made_data(n_pairs: int = 60, *, seed: int = 5) -> CalibrationData:
    """One vote a pair by three raters on four systems and twenty questions."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, n_pairs)
    return CalibrationData(
        systems=("a", "b", "c", "d"),
        questions=tuple(f"Q{number}" for number in range(20)),
        raters=("ann", "bob", "cy"),
        pair_id=np.arange(n_pairs),
        pair_question=np.arange(n_pairs) % 20,
        pair_first=first,
        pair_second=(first + rng.integers(1, 4, n_pairs)) % 4,
        pair_first_score=rng.integers(0, 1001, n_pairs),
        pair_second_score=rng.integers(0, 1001, n_pairs),
        pair_first_chars=rng.integers(50, 500, n_pairs),
        pair_second_chars=rng.integers(50, 500, n_pairs),
        pair_probability=np.full(n_pairs, 0.25),
        vote_pair=np.arange(n_pairs),
        vote_rater=rng.integers(0, 3, n_pairs),
        vote_label=rng.integers(0, 4, n_pairs),
        vote_left_is_first=rng.integers(0, 2, n_pairs),
        vote_reveals=np.zeros(n_pairs, dtype=np.int64),
    )


@pytest.fixture(scope="module")
def bundle() -> dict[str, Any]:
    """As read back from its file."""
    data = made_data()
    sections = compute_report(data, SETTINGS)
    including_excluded = compute_report(data, SETTINGS, only=("decisive",))
    made = make_bundle(
        settings=SETTINGS,
        context={"campaign": "toy", "judge": {"name": "j", "key": "k"}},
        data=data,
        sections=sections,
        everyone=data,
        including_excluded=including_excluded,
        report_hash=report_hash_of(
            SETTINGS,
            judge_key="k",
            data_hash=data.sha256,
            numbers={**sections, "including_excluded": including_excluded},
        ),
        computed_at="2026-03-02T09:00:00Z",
        code_version="0",
    )
    return dict(json.loads(json.dumps(made, allow_nan=False)))


def test_a_bundle_follows_from_its_own_data(bundle: dict[str, Any]) -> None:
    assert verify_bundle(bundle) == ()


def test_one_changed_vote_is_found_and_what_it_changes_is_named(bundle: dict[str, Any]) -> None:
    changed = copy.deepcopy(bundle)
    place = changed["data"]["vote_label"].index(0)
    changed["data"]["vote_label"][place] = 1
    findings = verify_bundle(changed)
    assert "data.vote_label is not what the report was made from" in findings
    assert any(finding.startswith("report.decisive.") for finding in findings)


def test_a_changed_number_is_found_where_it_stands(bundle: dict[str, Any]) -> None:
    changed = copy.deepcopy(bundle)
    changed["report"]["decisive"]["buckets"][1]["n_agree"] += 1
    (of_hash, finding) = verify_bundle(changed)
    assert of_hash == HASH
    assert finding.startswith("report.decisive.buckets[1].n_agree is ")


def test_a_changed_number_with_excluded_raters_is_found_too(bundle: dict[str, Any]) -> None:
    changed = copy.deepcopy(bundle)
    changed["including_excluded"]["decisive"]["n_votes"] = 3
    (of_hash, finding) = verify_bundle(changed)
    assert of_hash == HASH
    assert finding == "including_excluded.decisive.n_votes is 3 in the file and 60 from its data"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (_drop_a_vote, "data.vote_label is not what the report was made from"),
        (_drop_a_vote, "report cannot be computed from its data, which contradict themselves"),
        (_repeat_a_vote, "report cannot be computed from its data, which contradict themselves"),
        (lambda one: one["data"]["pair_probability"].__setitem__(0, 5.0), "report cannot be"),
        (lambda one: one.update(report_hash="0" * 64), HASH),
        (lambda one: one["context"]["judge"].update(key="other"), HASH),
        (lambda one: one["context"]["judge"].update(name="other"), "context is not what"),
        (lambda one: one.update(context=None), "context is not what"),
        (lambda one: one.update(column_hashes=[]), "data.vote_label is not what"),
        (lambda one: one["column_hashes"].pop("vote_label"), "data.vote_label is not what"),
        (lambda one: one.update(extra={"n": 1}), "extra does not belong into a bundle"),
        (lambda one: one["report"].pop("newman"), "report.newman is missing in the file"),
        (lambda one: one["report"].update(invented=1), "report.invented does not follow"),
        (lambda one: one.update(report=None), "report is None in the file"),
        (lambda one: one.update(data_including_excluded=None), BELONG),
        (lambda one: one.update(including_excluded=None), BELONG),
        (lambda one: one["including_excluded"].update(extra=1), "including_excluded.extra does"),
    ],
)
def test_whatever_is_changed_is_found_and_named(
    bundle: dict[str, Any], change: Any, place: str
) -> None:
    changed = copy.deepcopy(bundle)
    change(changed)
    assert [one for one in verify_bundle(changed) if one.startswith(place)]


@pytest.mark.parametrize("value", [1.7, "1", True, None, [1]])
def test_a_label_that_would_have_to_be_converted_is_refused_with_its_place(
    bundle: dict[str, Any], value: Any
) -> None:
    changed = copy.deepcopy(bundle)
    changed["data"]["vote_label"][3] = value
    with pytest.raises(BundleUnreadable, match=r"data\.vote_label\[3\] is "):
        verify_bundle(changed)


def test_a_zero_never_has_a_sign_that_a_database_may_drop() -> None:
    assert str(plain({"log_strength": np.float64(-0.0)})["log_strength"]) == "0.0"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda bundle: bundle.pop("format"),
        lambda bundle: bundle.pop("report_hash"),
        lambda bundle: bundle.pop("context"),
        lambda bundle: bundle["settings"].update(edges=["a"]),
        lambda bundle: bundle["data"].update(vote_extra=[1]),
        lambda bundle: bundle["data"].update(vote_label={}),
        lambda bundle: bundle.update(version=99),
        lambda bundle: bundle.pop("settings"),
        lambda bundle: bundle["settings"].update(unknown=1),
        lambda bundle: bundle["data"].pop("vote_label"),
        lambda bundle: bundle["data"]["vote_label"].pop(),
        lambda bundle: bundle["data"].update(vote_label=["x"]),
        lambda bundle: bundle["data"]["vote_pair"].__setitem__(0, 10_000),
        lambda bundle: bundle["data"]["vote_rater"].__setitem__(0, -1),
    ],
)
def test_what_is_no_bundle_is_refused_in_words(bundle: dict[str, Any], spoil: Any) -> None:
    spoilt = copy.deepcopy(bundle)
    spoil(spoilt)
    with pytest.raises(BundleUnreadable):
        verify_bundle(spoilt)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("agreement", 1.0),
        ("agreement", float("nan")),
        ("target_width", 0.0),
        ("n_resamples", 10),
        ("edges", ()),
        ("edges", (0.0, 3.0, 2.0)),
        ("edges", (1.0, 2.0)),
        ("nothing", 1),
    ],
)
def test_a_setting_out_of_range_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidCalibrationSetting) as refusal:
        CalibrationSettings.from_json({name: value})
    assert refusal.value.option == name


def test_settings_survive_json_under_the_same_key() -> None:
    settings = CalibrationSettings(edges=(0.0, 1.0, 2.5), agreement=0.8)
    assert CalibrationSettings.from_json(json.loads(json.dumps(settings.as_json()))) == settings
    assert settings.key != SETTINGS.key
