"""Reading files that come from outside: bounded, in UTF-8, and refused in words.

What no database can store, NUL characters and halves of surrogate pairs, becomes U+FFFD, one
for one: lengths and offsets stay.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import math
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.source_files.refusals import WrongKindOfFile

MAX_FILE_BYTES = 512 * 1024 * 1024
GZIP_MAGIC = b"\x1f\x8b"
REPLACEMENT = "\ufffd"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_MAYBE_UNSTORABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_BLOCK_BYTES = 1024 * 1024


def read_bytes(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """The file's bytes, unpacked where it is gzip; ``max_bytes`` bounds what comes out.

    Raises WrongKindOfFile for a file that is missing, a folder, unreadable, empty or too large.
    """
    if path.is_dir():
        raise WrongKindOfFile(path, "this is a folder; a file is needed")
    try:
        with path.open("rb") as stream:
            content = _read_at_most(stream, path, max_bytes)
            if content.startswith(GZIP_MAGIC):
                with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
                    content = _read_at_most(packed, path, max_bytes)
    except FileNotFoundError as error:
        raise WrongKindOfFile(path, "there is no such file") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise WrongKindOfFile(path, "the gzip data is broken or cut short") from error
    except OSError as error:
        raise WrongKindOfFile(path, f"it cannot be read: {error.strerror or error}") from error
    if not content.strip():
        raise WrongKindOfFile(path, "the file is empty")
    return content


def _read_at_most(stream: Any, path: Path, max_bytes: int) -> bytes:
    blocks: list[bytes] = []
    n_bytes = 0
    while block := stream.read(_BLOCK_BYTES):
        n_bytes += len(block)
        if n_bytes > max_bytes:
            raise WrongKindOfFile(path, f"the file is larger than the limit of {max_bytes:,} bytes")
        blocks.append(block)
    return b"".join(blocks)


def decode(content: bytes, path: Path) -> str:
    """UTF-8 text (a byte order mark is dropped); raises WrongKindOfFile naming the line."""
    try:
        return content.decode("utf-8-sig").replace("\0", REPLACEMENT)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise WrongKindOfFile(
            path, "this is not UTF-8 text (a binary file?)", place=f"line {line}"
        ) from error


def read_text(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> str:
    return decode(read_bytes(path, max_bytes=max_bytes), path)


def parse_json(text: str, path: Path, *, place: str = "", allow_nan: bool = False) -> Any:
    """The JSON value; raises WrongKindOfFile. NaN and infinities are refused unless
    ``allow_nan``: they are not JSON, but some tools write them."""
    try:
        value = json.loads(text, parse_constant=None if allow_nan else _refuse_constant)
        return _storable(value) if _MAYBE_UNSTORABLE.search(text) else value
    except json.JSONDecodeError as error:
        where = place or f"line {error.lineno}"
        raise WrongKindOfFile(
            path, f"this is not JSON: {error.msg} (column {error.colno})", place=where
        ) from error
    except _NotANumber as error:
        raise WrongKindOfFile(path, f"{error} is not JSON", place=place) from error
    except RecursionError as error:
        raise WrongKindOfFile(path, "the JSON is nested too deeply", place=place) from error
    except ValueError as error:
        # Python reads no whole number of more than 4,300 digits.
        raise WrongKindOfFile(path, "a number has too many digits", place=place) from error


def read_json(path: Path, *, max_bytes: int = MAX_FILE_BYTES, allow_nan: bool = False) -> Any:
    return parse_json(read_text(path, max_bytes=max_bytes), path, allow_nan=allow_nan)


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line of a JSON Lines file: its value, or the refusal that says why there is none."""

    number: int
    value: Any
    refusal: WrongKindOfFile | None = None

    @property
    def place(self) -> str:
        return f"line {self.number}"


def read_json_lines(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> Iterator[JsonLine]:
    """Every line that is not blank. Only line feeds end a line: answers hold every other
    Unicode separator."""
    text = read_text(path, max_bytes=max_bytes)
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield JsonLine(number, parse_json(line, path, place=f"line {number}"))
        except WrongKindOfFile as refusal:
            yield JsonLine(number, None, refusal)


def sha256_of(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> str:
    """SHA-256 of the file's (unpacked) bytes, 64 hex digits."""
    return hashlib.sha256(read_bytes(path, max_bytes=max_bytes)).hexdigest()


def is_finite_number(value: object) -> bool:
    """True for an int or float that is neither a bool nor NaN nor infinite."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def storable(text: str) -> str:
    """The text as every database can keep it (see above)."""
    return _UNSTORABLE.sub(REPLACEMENT, text)


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(one) for one in value]
    if isinstance(value, dict):
        return {_storable(name): _storable(one) for name, one in value.items()}
    return value


class _NotANumber(ValueError):
    pass


def _refuse_constant(name: str) -> float:
    raise _NotANumber(name)
