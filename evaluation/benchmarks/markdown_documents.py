"""Markdown files as source items."""

from __future__ import annotations

import re
from pathlib import Path

from evaluation.source_files.reading import MAX_FILE_BYTES, read_text
from evaluation.source_files.refusals import WrongKindOfFile
from memory_systems.base import SourceItem

_ENDINGS = (".md", ".markdown")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_MAX_TITLE_CHARS = 200


def read_documents(folder: Path, *, max_bytes: int = MAX_FILE_BYTES) -> dict[Path, SourceItem]:
    """Every Markdown file under ``folder`` by its path, in the order of their ids: the path in
    the folder without its ending. Hidden files and a README at the top are left out.

    Raises WrongKindOfFile for a file that is unreadable, empty or not UTF-8, for two files with
    one id, and when all together exceed ``max_bytes``.
    """
    found: dict[str, Path] = {}
    n_bytes = 0
    for file in sorted(folder.rglob("*")):
        inner = file.relative_to(folder)
        if file.suffix.casefold() not in _ENDINGS or not file.is_file():
            continue
        if any(part.startswith(".") for part in inner.parts) or _is_readme(inner):
            continue
        item_id = inner.with_suffix("").as_posix()
        if item_id in found:
            raise WrongKindOfFile(file, f"the document id “{item_id}” occurs twice")
        found[item_id] = file
        n_bytes += file.stat().st_size
        if n_bytes > max_bytes:
            raise WrongKindOfFile(
                folder, f"its documents are larger than the limit of {max_bytes:,} bytes"
            )
    return {
        file: document(item_id, read_text(file, max_bytes=max_bytes))
        for item_id, file in sorted(found.items())
    }


def document(item_id: str, text: str) -> SourceItem:
    """A document titled by its first heading, or by its id where it has none."""
    heading = _HEADING.search(text)
    return SourceItem(item_id, text, heading.group(1)[:_MAX_TITLE_CHARS] if heading else item_id)


def _is_readme(inner: Path) -> bool:
    return len(inner.parts) == 1 and inner.stem.casefold() == "readme"
