"""Random words in the place of names and texts, and finding them in whatever was sent."""

from __future__ import annotations

import base64
import binascii
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

_BASE64 = re.compile(rb"[A-Za-z0-9_+/-]{16,}={0,2}")
LETTERS = "bcdfghjkmnpqrstvwxz"


@dataclass
class Canaries:
    """``identities`` name a system, run, judge, person or score; ``answers`` stand in texts that
    are kept back while people vote on them. Word → what it stands for."""

    rng: random.Random
    identities: dict[str, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)

    def identity(self, what: str) -> str:
        return self._word(self.identities, f"{what}")

    def answer(self, what: str) -> str:
        return self._word(self.answers, what)

    def _word(self, kept: dict[str, str], what: str) -> str:
        word = "zq" + "".join(self.rng.choice(LETTERS) for _ in range(10))
        kept[word] = what
        return word

    def identities_in(self, sent: bytes) -> list[str]:
        return found_in(sent, self.identities)

    def answers_in(self, sent: bytes) -> list[str]:
        return found_in(sent, self.answers)


def found_in(sent: bytes, words: dict[str, str]) -> list[str]:
    """What the words that occur stand for, whatever the case and however they are encoded."""
    readings = b"\n".join(_readings(sent)).lower()
    return sorted({what for word, what in words.items() if word.encode() in readings})


def _readings(sent: bytes) -> Iterator[bytes]:
    yield sent
    yield unquote_to_bytes(sent)
    for match in _BASE64.findall(sent):
        text = match.replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
        try:
            yield base64.b64decode(text + b"=" * (-len(text) % 4))
        except binascii.Error:
            continue
