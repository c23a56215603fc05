"""Finds the one file of the plotly package that pages load; the rest of it is not published."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

PLOTLY = "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """``{% static 'plotly/plotly.min.js' %}``, straight from the installed package."""

    def __init__(self, *_args: Any) -> None:
        spec = find_spec("plotly")
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError("plotly is not installed; run `make up`.")
        self.storage = FileSystemStorage(location=Path(spec.origin).parent / "package_data")
        # collectstatic joins the prefix of a storage to the names it lists.
        self.storage.prefix = "plotly"  # type: ignore[attr-defined]

    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:
        found = [self.storage.path(PLOTLY)] if path == f"plotly/{PLOTLY}" else []
        return found if find_all else (found[0] if found else [])

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterable[Any]:
        del ignore_patterns
        return [(PLOTLY, self.storage)]

    def check(self, **_options: Any) -> Any:
        return []
