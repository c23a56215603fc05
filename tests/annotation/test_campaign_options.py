from __future__ import annotations

import json

import pytest

from annotation.campaign_options import CampaignOptions, InvalidCampaignOption


def test_options_survive_json() -> None:
    options = CampaignOptions(policy="active", gap_edges=(0.0, 1.0, 2.5), reasons=("clearer",))
    assert CampaignOptions.from_json(json.loads(json.dumps(options.as_json()))) == options


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("policy", "random"),
        ("reveal", "always"),
        ("n_pairs", 0),
        ("overlap", True),
        ("votes_per_rater", 0),
        ("attention_every", 2),
        ("too_fast_share", float("nan")),
        ("gap_edges", (0.0, 2.0, 2.0)),
        ("gap_edges", (1.0, 2.0)),
        ("gap_edges", (0.0, 0.005)),
        ("decision", "  "),
        ("reasons", ("",)),
    ],
)
def test_an_option_out_of_range_is_refused_by_name(option: str, value: object) -> None:
    with pytest.raises(InvalidCampaignOption) as refusal:
        CampaignOptions.from_json({option: value})
    assert refusal.value.option == option


def test_an_unknown_option_lists_the_known_ones() -> None:
    with pytest.raises(InvalidCampaignOption) as refusal:
        CampaignOptions.from_json({"pairs": 3})
    assert "n_pairs" in refusal.value.known


def test_both_bad_is_a_choice_only_where_it_is_allowed() -> None:
    assert CampaignOptions().choices == ("a", "b", "tie", "both_bad")
    assert CampaignOptions(allow_both_bad=False).choices == ("a", "b", "tie")
