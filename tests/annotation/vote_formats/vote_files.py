"""Small files of votes, and what was read from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from annotation.vote_formats.rows import (
    VoteFile,
    VoteRow,
)


def written(folder: Path, content: str | bytes | Any, name: str = "votes.csv") -> Path:
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_bytes(text.encode())
    return path


def said(file: VoteFile) -> list[tuple[str, str, str, str]]:
    return [(row.question, row.left, row.right, row.choice) for row in file.rows]


def only(file: VoteFile) -> VoteRow:
    (row,) = file.rows
    return row
