"""What the stub endpoint reads in a prompt: the text it is about, its sentences and its names."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

MOST_SENTENCES = 40
MOST_NAMES = 24
FEW_NAMES = 6
LONGEST_SENTENCE = 500
_SENTENCE_END = re.compile(r"(?<=[.!?。])\s+|\n{2,}|\n(?=[#|*-])")
_NAME = re.compile(
    r"[A-Z][\w-]*\d[\w.-]*|[a-z]+-\d[\w.-]*|[A-Z]\w{2,}(?:[ -][A-Z0-9][\w-]*){0,3}|[A-Z]{2,}[\w-]*"
)
_LONG_WORD = re.compile(r"\b[a-z]{6,}\b")
_COMMON_WORDS = """The This That These Those It Its We Our You Your They In On At For And Or But If
When Where What Who Which How With By From As To Of No Not Yes Here There After Before During Each
All Both Table Figure Section Abstract Introduction Conclusion Methods Method Results Related Work
Limitations Experiments Appendix While However Because Under Above Without Does Is Are Was Were User
Assistant System Note Finally First Second Then Thus Since Such Some Every One Two"""
_COMMON = frozenset(_COMMON_WORDS.split())
# Where the packages' prompts put the text to be read.
_PLACES = (
    r"<CURRENT[ _]MESSAGES?>(.*?)</CURRENT[ _]MESSAGES?>",
    r"<TEXT>(.*?)</TEXT>",
    r"<EPISODES?>(.*?)</EPISODES?>",
    r"<MESSAGES>(.*?)</MESSAGES>",
    r"## New Messages\s*\n(.*?)(?=\n## |\Z)",
    r"<Input Text>\s*```(.*?)```",
    r"\nText:\s*\n?(.*)\Z",
    r"\nContent:\s*\n?(.*)\Z",
)


def messages_of(body: Mapping[str, Any], *roles: str) -> str:
    """The texts of the messages with these roles, one after another."""
    texts = []
    for message in body.get("messages") or []:
        if isinstance(message, dict) and message.get("role") in roles:
            content = message.get("content")
            if isinstance(content, list):
                parts = [part.get("text", "") for part in content if isinstance(part, dict)]
                content = "\n".join(str(part) for part in parts)
            texts.append(str(content or ""))
    return "\n".join(texts)


def text_in(prompt: str) -> str:
    """The text that the prompt wants read; the whole prompt where it is not marked."""
    for place in _PLACES:
        found = re.search(place, prompt, re.DOTALL)
        if found and found[1].strip():
            return _plain(found[1].strip())
    return prompt.strip()


def _plain(text: str) -> str:
    """Of a JSON list of messages, what they say."""
    try:
        read = json.loads(text)
    except ValueError:
        return text
    said = [str(one.get("content", "")) for one in read if isinstance(one, dict)] if read else []
    return "\n".join(said) or text


def sentences_of(text: str) -> list[str]:
    """Up to 40 sentences that say something (a number or a name), in order; else the first ones."""
    found = list(dict.fromkeys(_sentences(text)))
    telling = [one for one in found if re.search(r"\d", one) or _NAME.search(one[1:])]
    kept = telling or found
    step = max(1, len(kept) // MOST_SENTENCES)
    return kept[::step][:MOST_SENTENCES]


def _sentences(text: str) -> Iterator[str]:
    for piece in _SENTENCE_END.split(re.sub(r"(?im)^(?:user|assistant|system):\s*", "", text)):
        sentence = " ".join(piece.split())
        if len(sentence) > 12 and not sentence.startswith(("#", "|--")):
            yield sentence[:LONGEST_SENTENCE]


def names_of(text: str) -> list[str]:
    """Up to 24 names, the most frequent first, equally frequent ones in order. A text of few names
    is told by its long words as well."""
    counted: dict[str, int] = {}
    for found in _NAME.findall(text):
        words = found.split(" ")
        while words and words[0] in _COMMON:
            words = words[1:]
        name = " ".join(words).strip(" -.")
        if len(name) > 2 and name not in _COMMON:
            counted[name] = counted.get(name, 0) + 1
    names = sorted(counted, key=lambda name: -counted[name])
    if len(names) < FEW_NAMES:
        words = Counter(_LONG_WORD.findall(text))
        names += [word for word, _ in words.most_common(MOST_NAMES) if word not in counted]
    return names[:MOST_NAMES]


def json_lists_in(prompt: str, tag: str) -> list[dict[str, Any]]:
    """The objects of the JSON list between ``<TAG>`` and ``</TAG>``; none where it is not there."""
    found = re.search(rf"<{tag}>(.*?)</{tag}>", prompt, re.DOTALL)
    try:
        read = json.loads(found[1]) if found else []
    except ValueError:
        return []
    return [one for one in read if isinstance(one, dict)] if isinstance(read, list) else []
