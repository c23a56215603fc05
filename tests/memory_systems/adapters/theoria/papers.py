"""A few made-up papers with a structure that communities can find."""

from __future__ import annotations

from pathlib import Path

from memory_systems.adapters.theoria.system import Theoria
from memory_systems.base import Modality, SourceItem
from tests.memory_systems.contract import open_memory

SUBJECTS = {
    "kettle": ("boils", "litres", "lid", "steam"),
    "violin": ("sounds", "strings", "bow", "resin"),
    "glacier": ("melts", "metres", "moraine", "summer"),
}


def papers() -> list[SourceItem]:
    """Two papers on each subject; the second restates what the first says."""
    made = []
    for subject, (verb, unit, part, cause) in SUBJECTS.items():
        for number, manner in ((1, "because of"), (2, "mostly because of")):
            lines = [
                f"The {subject} of type {kind} {verb} at {10 * kind} {unit} {manner} {cause}. "
                f"The {part} of the {subject} fails when the {cause} of type {kind} is missing."
                for kind in range(1, 9)
            ]
            made.append(
                SourceItem(
                    id=f"{subject}-{number}", title=f"On the {subject}", text="\n\n".join(lines)
                )
            )
    return made


def opened(folder: Path, modality: Modality = "dense") -> Theoria:
    memory = open_memory("theoria", modality, folder)
    assert isinstance(memory, Theoria)
    return memory


def filled(folder: Path, modality: Modality = "dense") -> Theoria:
    memory = opened(folder, modality)
    for paper in papers():
        memory.ingest(paper)
    memory.settle()
    return memory
