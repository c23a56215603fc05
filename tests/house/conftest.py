from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from tests.house.site_process import SiteProcess


@pytest.fixture
def start_site() -> Iterator[Callable[[Mapping[str, str]], SiteProcess]]:
    """Starts sites for a test and ends what is left of them afterwards."""
    sites: list[SiteProcess] = []

    def start(environment: Mapping[str, str]) -> SiteProcess:
        sites.append(SiteProcess(environment))
        return sites[-1]

    yield start
    for site in sites:
        site.clean_up()
