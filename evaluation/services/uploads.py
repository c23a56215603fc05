"""Files that come through a browser: on disk under their own name while they are read."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST_NAME = 100
NAMELESS = "upload"


@contextmanager
def uploaded_file(*, chunks: Iterable[bytes], original_name: str) -> Iterator[Path]:
    """The upload's path, in a folder that goes when the reading is done."""
    with tempfile.TemporaryDirectory(prefix="memjury-upload-") as folder:
        path = Path(folder) / safe_name(original_name)
        with path.open("wb") as stream:
            for chunk in chunks:
                stream.write(chunk)
        yield path


def safe_name(original_name: str) -> str:
    """The last part of the name, without anything a file system or a page could stumble over; its
    ending is kept when it is cut."""
    last = re.split(r"[/\\]", original_name)[-1]
    name = re.sub(r"[^\w.() -]", "_", last).strip(" .")
    return name[-LONGEST_NAME:].strip(" .") or NAMELESS
