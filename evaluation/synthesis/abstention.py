"""The sentences by which a synthesizer says that it cannot tell."""

from __future__ import annotations

NOT_TOLD = "The context does not tell."
NOT_KNOWN = "I do not know."


def is_abstention(text: str) -> bool:
    """Whether the text is one of those sentences and nothing else. Any other way of saying so is
    left for the judge to read: an answer is never thrown away on a guess."""
    bare = " ".join(text.split()).strip("\"'*`").rstrip(".!").casefold()
    return bare in {sentence.rstrip(".").casefold() for sentence in (NOT_TOLD, NOT_KNOWN)}
