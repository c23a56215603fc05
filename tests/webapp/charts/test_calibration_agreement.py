"""The figure of decisive agreement by gap."""

from __future__ import annotations

from webapp.charts.calibration_agreement import AgreementBar, agreement_figure

BARS = [
    AgreementBar("0–2", 11, 11, 0, 42, 0.5, 0.31, 0.69),
    AgreementBar("2–4", 0, 0, 0, 3, None, None, None),
    AgreementBar("4+", 29, 0, 0, 0, 1.0, 0.88, 1.0),
]


def test_whiskers_reach_from_bound_to_bound() -> None:
    rates = agreement_figure(BARS, level=0.75)["data"][0]
    assert rates["x"] == ["0–2 points", "4+ points"]
    assert [round(one, 2) for one in rates["error_y"]["array"]] == [0.19, 0.0]
    assert [round(one, 2) for one in rates["error_y"]["arrayminus"]] == [0.19, 0.12]
    assert rates["text"] == ["  11/22", "  29/29"]


def test_kinds_that_no_bucket_has_are_left_out_and_the_others_differ_without_colour() -> None:
    bars = agreement_figure(BARS, level=0.75)["data"][1:]
    assert [bar["name"] for bar in bars] == [
        "the judge agrees", "the judge disagrees", "the voters are tied",
    ]  # fmt: skip
    assert len({bar["marker"]["pattern"]["shape"] for bar in bars}) == 3


def test_the_level_is_a_line_in_the_upper_panel() -> None:
    (line,) = agreement_figure(BARS, level=0.8)["layout"]["shapes"]
    assert (line["yref"], line["y0"], line["y1"]) == ("y2", 0.8, 0.8)
