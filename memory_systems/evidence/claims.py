"""What extraction finds: claims that can be read alone, each with the place that it came from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, get_args

from memory_systems.lexical.tokenizer import tokenize

Aspect = Literal["numbers", "mechanisms", "failures", "conditions", "tables", "passage"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
MAX_CLAIM_CHARS = 600


@dataclass(frozen=True, slots=True)
class Claim:
    """``start`` and ``end`` are where the item's text says it (end exclusive). ``is_verbatim``: the
    claim is that very text, not a rewording of it. ``passage`` is the aspect of text that no pass
    found anything in and that was kept all the same."""

    text: str
    start: int
    end: int
    aspects: tuple[Aspect, ...]
    heading: str = ""
    is_verbatim: bool = True


def gist_of(text: str) -> int:
    """What two claims share that say the same in the same words and numbers, in whatever order:
    a signed 64-bit hash of the set of the text's terms."""
    terms = "\n".join(sorted(set(tokenize(text)))) or text
    digest = hashlib.blake2b(terms.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
