import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.scoring.judge_prompt import DIMENSIONS
from evaluation.scoring.verdicts import VerdictUnreadable, read_verdict

GOOD = {"case": "c1", "reason": " fine "} | dict.fromkeys(DIMENSIONS, 7)


def read(text: str):
    return read_verdict(text, case="c1", dimensions=DIMENSIONS)


def test_a_verdict_has_its_scores_as_numbers_and_its_reason():
    verdict = read(json.dumps(GOOD | {"accuracy": 9.5}))
    assert verdict.scores == {
        "accuracy": 9.5, "completeness": 7.0, "specificity": 7.0, "hallucination_avoidance": 7.0,
    }  # fmt: skip
    assert verdict.reason == "fine"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON alone"),
        ("Accuracy: 10", "not JSON alone"),
        (json.dumps(GOOD)[:-5], "not JSON alone"),
        (f"```json\n{json.dumps(GOOD)}\n```", "not JSON alone"),
        (f"{json.dumps(GOOD)} {json.dumps(GOOD)}", "not JSON alone"),
        (f"Verdict: {json.dumps(GOOD)}", "not JSON alone"),
        ("[" * 100_000, "not JSON alone"),
        ("10", "no object"),
        (json.dumps([GOOD]), "no object"),
        (json.dumps({key: GOOD[key] for key in GOOD if key != "accuracy"}), "lacks accuracy"),
        (json.dumps(GOOD | {"overall": 10}), "nobody asked for: overall"),
        (json.dumps(GOOD | {"accuracy": "10"}), "accuracy is no number"),
        (json.dumps(GOOD | {"accuracy": True}), "accuracy is no number"),
        (json.dumps(GOOD | {"accuracy": None}), "accuracy is no number"),
        (json.dumps(GOOD | {"accuracy": 10.01}), "outside 0 to 10"),
        (json.dumps(GOOD | {"accuracy": -1}), "outside 0 to 10"),
        (json.dumps(GOOD | {"accuracy": 10**400}), "outside 0 to 10"),
        (json.dumps(GOOD | {"accuracy": float("nan")}), "NaN"),
        (json.dumps(GOOD).replace("7", "1e999", 1), "outside 0 to 10"),
        (json.dumps(GOOD | {"accuracy": float("inf")}), "Infinity"),
        (json.dumps(GOOD)[:-1] + ', "accuracy": 10}', "a key twice"),
        (json.dumps(GOOD | {"case": "c2"}), "another case"),
        (json.dumps(GOOD | {"case": None}), "another case"),
        (json.dumps(GOOD | {"reason": 3}), "reason is no text"),
    ],
)
def test_anything_else_is_unreadable_and_says_why(text, why):
    with pytest.raises(VerdictUnreadable, match=why):
        read(text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["case", "reason", *DIMENSIONS, "x"]), inner, max_size=7)
    ),
    max_leaves=12,
)


@given(_JSON)
def test_whatever_is_read_lies_between_zero_and_ten(value):
    try:
        verdict = read(json.dumps(value))
    except VerdictUnreadable:
        return
    assert all(0 <= score <= 10 for score in verdict.scores.values())


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    with pytest.raises(VerdictUnreadable):
        read(text)
