from pathlib import Path

import pytest

from evaluation.language_models.base import CompletionRequest, Message
from evaluation.language_models.endpoints import open_model
from evaluation.language_models.prices import PriceTableUnreadable, load_prices
from evaluation.language_models.scripted import ScriptedModel

KEY = {"OPENAI_API_KEY": "k"}
HEADER = "host,model,input_usd_per_million,output_usd_per_million,up_to_input_tokens,as_of,source\n"


def test_a_listed_model_costs_its_list_price():
    model = open_model("openai:gpt-4.1-mini", environ=KEY)
    assert load_prices().cost_usd(model, 1_000_000, 500_000) == pytest.approx(0.40 + 0.80)


def test_a_dated_model_costs_what_its_undated_name_does():
    prices = load_prices()
    url = "https://api.openai.com/v1"
    assert prices.price_of(url, "gpt-4.1-2025-04-14") == prices.price_of(url, "gpt-4.1")


def test_an_unknown_price_is_an_unknown_cost():
    assert load_prices().cost_usd(open_model("openai:gpt-99", environ=KEY), 1, 1) is None


def test_a_listed_model_served_elsewhere_has_no_known_price():
    environ = KEY | {"OPENAI_BASE_URL": "https://proxy.example/v1"}
    assert load_prices().cost_usd(open_model("openai:gpt-4.1", environ=environ), 1, 1) is None


def test_a_model_on_this_machine_costs_nothing():
    local = open_model("openai:x", environ={"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"})
    assert load_prices().cost_usd(local, 10, 10) == 0.0
    assert load_prices().cost_usd(ScriptedModel(), 10, 10) == 0.0


def test_a_request_longer_than_its_price_covers_has_an_unknown_cost():
    model = open_model("openai:gpt-5.4", environ=KEY)
    assert load_prices().cost_usd(model, 272_000, 1) is not None
    assert load_prices().cost_usd(model, 272_001, 1) is None


def test_the_most_a_request_can_cost_counts_every_byte():
    model = open_model("openai:gpt-4.1", environ=KEY)
    request = CompletionRequest("gpt-4.1", (Message("user", "é" * 492),), 1000)
    assert load_prices().most_usd(model, request) == pytest.approx(1000 * 2e-6 + 1000 * 8e-6)


def test_every_row_has_a_date_and_a_source():
    for price in load_prices().table.values():
        assert price.source
        assert price.as_of.year >= 2026


@pytest.mark.parametrize(
    "row",
    ["h,m,x,1,,2026-01-01,s", "h,m,-1,1,,2026-01-01,s", "h,m,nan,1,,2026-01-01,s",
     "h,m,1,1,,yesterday,s", "h,m,1"],
)  # fmt: skip
def test_a_row_that_is_no_price_is_named(tmp_path: Path, row: str):
    table = tmp_path / "prices.csv"
    table.write_text(f"{HEADER}h,good,1,1,,2026-01-01,s\n{row}\n")
    with pytest.raises(PriceTableUnreadable, match="row 3"):
        load_prices(table)


def test_a_model_listed_twice_is_refused(tmp_path: Path):
    table = tmp_path / "prices.csv"
    table.write_text(HEADER + "h,m,1,1,,2026-01-01,s\n" * 2)
    with pytest.raises(PriceTableUnreadable, match="twice"):
        load_prices(table)
