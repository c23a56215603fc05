"""``manage.py load_published``: the printed results of the papers."""

from __future__ import annotations

from typing import Any

from evaluation.management.door import Door
from evaluation.services.published import load_published


class Command(Door):
    help = (
        "Load the results that the papers print, with their sources, as published: they are shown "
        "apart from what is measured here. Running it again changes nothing."
    )
    examples = ("load_published", "leaderboard paim --source published --track 30k")

    def enter(self, options: dict[str, Any]) -> None:
        del options
        loaded = load_published()
        state = "all were there already" if not loaded.n_changed else f"{loaded.n_changed} updated"
        self.stdout.write(
            f"{loaded.n_benchmarks} benchmarks with {loaded.n_scores:,} printed scores and "
            f"{loaded.n_contrasts:,} contrasts; {state}."
        )
