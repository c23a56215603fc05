"""What every registered memory system of the house is tried with. A new line in the registry is in
it; published packages keep their contract in ``native/test_contract.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memory_systems.base import (
    Budget,
    GoldQuestion,
    MemorySystem,
    Modality,
    Oracle,
    Retrieval,
    SourceItem,
    SystemConfig,
)
from memory_systems.registry import open_system, system_info, system_slugs
from tests.memory_systems.hashing_embedder import HashingEmbedder

CASES: list[tuple[str, Modality]] = [
    (slug, modality)
    for slug in system_slugs()
    if not system_info(slug).package
    for modality in system_info(slug).modalities
]
BUDGETED_CASES = [
    (slug, modality)
    for slug, modality in CASES
    if system_info(slug).has_context and not system_info(slug).native_only
]
BUDGETS = (
    Budget(),
    Budget(chars=700),
    Budget(chars=3_000),
    Budget(chars=3_000, mode="targeted"),
    Budget(tokens=500),
    Budget(k=3),
)

_TOPICS = ("lantern", "harbour", "orchid", "granite", "violin", "meteor")
ITEMS = (
    *(
        SourceItem(
            id=f"paper-{number}",
            title=f"On the {topic}",
            text="\n\n".join(
                f"The {topic} of kind {part} was measured at {number * 7 + part} units. "
                f"We compare the {topic} with the {_TOPICS[(number + part) % 6]} under condition "
                f"{part}. No {topic} failed before step {part * 10}."
                for part in range(20 + 5 * number)
            ),
        )
        for number, topic in enumerate(_TOPICS)
    ),
    SourceItem(id="short note", text="The zephyr-9 kernel needs 17 registers.", kind="event"),
    SourceItem(id="empty", text=""),
)
ODD_ITEMS = (
    SourceItem(id="astral 𝔘", text="𝔘𝔫𝔦𝔠𝔬𝔡𝔢 😀👩‍👩‍👧 is odd. " * 60),
    SourceItem(id="combining", text="e\u0301 a\u0308\u0323 naïve Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢ " * 70),
    SourceItem(id="right to left", text="‏שלום עולם. مرحبا بالعالم. \u202eabc\u202c " * 60),
    SourceItem(id="control\x00id", text="before\x00after \x01\x1f \ufeff\ufffe end. " * 90),
    SourceItem(id="ideographs", text="記憶システムは正しい文脈を復元する。" * 90),
    SourceItem(id="white space", text=" \n\t\u3000\u2028 \r\n" * 50),
    SourceItem(id="giant word", text="ab" * 9_000),
    SourceItem(id="line ends", text="one\r\ntwo\rthree\u0085four\n" * 90),
    SourceItem(id="'; DROP TABLE items; --", text="Robert'); DROP TABLE units;-- said so."),
)
QUESTION = GoldQuestion(
    id="q1",
    text="At how many units was the granite of kind 4 measured, against the zephyr-9 kernel?",
    source_ids=("paper-3", "short note"),
    spans=(("paper-3", 400, 460), ("short note", 4, 19)),
)


def open_memory(
    slug: str, modality: Modality, folder: Path, *, seed: int = 0, **parameters: Any
) -> MemorySystem:
    embedder = HashingEmbedder() if system_info(slug).uses_embedder else None
    config = SystemConfig(modality, embedder=embedder, parameters=parameters, seed=seed)
    return open_system(slug, config, folder)


def ask(memory: MemorySystem, question: GoldQuestion, budget: Budget) -> Retrieval:
    """As the pipeline asks: an oracle anchor is told gold, any other the id and the text."""
    if isinstance(memory, Oracle):
        return memory.retrieve_for(question, budget=budget)
    return memory.retrieve(question.id, question.text, budget=budget)


def budgets_of(slug: str) -> tuple[Budget, ...]:
    return BUDGETS[:1] if system_info(slug).native_only else BUDGETS


def state_of(memory: MemorySystem, slug: str) -> dict[str, Any]:
    """All that can be seen of a memory: what it holds and what it brings back."""
    return {
        "items": memory.stored_item_ids(),
        "units": tuple(memory.units()),
        "stats": memory.stats(),
        "retrievals": [ask(memory, QUESTION, budget) for budget in budgets_of(slug)],
    }


def filled_state(slug: str, modality: Modality, folder: Path) -> dict[str, Any]:
    """The state of a memory that took ITEMS in, undisturbed."""
    memory = open_memory(slug, modality, folder)
    for item in ITEMS:
        memory.ingest(item)
    memory.flush()
    state = state_of(memory, slug)
    memory.close()
    return state
