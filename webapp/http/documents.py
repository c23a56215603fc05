"""The Markdown files of docs/, rendered once. They are the project's own, so HTML is as written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

from evaluation.queries.choices import NotFound

_NAME = re.compile(r"[a-z0-9-]+")
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    html: SafeString


@lru_cache(maxsize=32)
def document_named(name: str) -> Document:
    """``docs/<name>.md``; its headings have ids made of their words. Raises NotFound."""
    path = Path(settings.BASE_DIR) / "docs" / f"{name}.md"
    if not _NAME.fullmatch(name) or not path.is_file():
        raise NotFound("document", name)
    text = path.read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark").enable("table").use(anchors_plugin, max_level=4)
    title = _TITLE.search(text)
    return Document(title[1] if title else name, mark_safe(markdown.render(text)))  # noqa: S308
