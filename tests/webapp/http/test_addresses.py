from __future__ import annotations

import pytest
from django.test import Client

from evaluation.models import Benchmark


@pytest.mark.parametrize(
    "address",
    [
        "/benchmarks/glass/questions/%00/",
        "/benchmarks/glass/questions/GQ1%00/answers/1/",
        "/benchmarks/glass/?track=%00",
        "/api/v1/benchmarks/glass/leaderboard/?judge=a%00b",
        "/campaigns/toy/raters/%00/",
    ],
)
def test_a_nul_in_an_address_is_refused_in_words(
    client: Client, measured: Benchmark, address: str
) -> None:
    response = client.get(address)
    assert response.status_code == 400
    assert "NUL" in response.content.decode()


def test_other_odd_characters_reach_the_page(client: Client, measured: Benchmark) -> None:
    assert client.get("/benchmarks/glass/?search=%01%25%E2%80%AE").status_code == 200
