"""Every template compiles, and none carries what the Content-Security-Policy forbids."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.template import engines

from tests.conftest import ROOT

FOLDER = ROOT / "templates"
TEMPLATES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.html"))
FORBIDDEN = {
    "an inline script": re.compile(
        r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")", re.IGNORECASE
    ),
    "an inline style": re.compile(r"<style|\sstyle=", re.IGNORECASE),
    "an event handler": re.compile(r"\son[a-z]+\s*=", re.IGNORECASE),
    "another site's file": re.compile(r"<(?:script|link|img)[^>]*(?:src|href)=\"https?:"),
}

TEMPLATE_TAG = re.compile(r"{%.*?%}", re.DOTALL)
ALONE = {"an inline style"}
"""What a file that is opened from disk must carry itself; it states a policy of its own."""


@pytest.mark.parametrize("name", TEMPLATES)
def test_it_compiles(name: str) -> None:
    engines["django"].get_template(name)


@pytest.mark.parametrize("name", TEMPLATES)
def test_it_obeys_the_content_security_policy(name: str) -> None:
    text = TEMPLATE_TAG.sub("", Path(FOLDER / name).read_text())
    found = [what for what, pattern in FORBIDDEN.items() if pattern.search(text)]
    assert not set(found) - (ALONE if name.startswith("exports/") else set())
