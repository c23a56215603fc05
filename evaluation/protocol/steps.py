"""Applying one step of a scenario to a memory, by the capabilities it really has."""

from __future__ import annotations

from evaluation.records import (
    Ask,
    Consent,
    Define,
    Delete,
    ExportMemory,
    Fork,
    ImportMemory,
    Ingest,
    Revise,
    SetWriter,
    SourceItem,
    Step,
)
from memory_systems.base import (
    Defines,
    Exports,
    HeedsConsent,
    IngestOutcome,
    MemorySystem,
    Revises,
    SwitchesWriter,
)

NOTHING = IngestOutcome(units=0)


def operation_of(step: Step) -> str:
    return step.kind


def item_of(step: Step) -> SourceItem | None:
    return step.item if isinstance(step, Ingest | Revise) else None


def subject_of(step: Step) -> str:
    """The id of the item or definition that the step is about, or an empty string."""
    match step:
        case Ingest(item=item) | Revise(item=item):
            return item.id
        case Delete(item_id=item_id):
            return item_id
        case Define(definition_id=definition_id):
            return definition_id
    return ""


def apply_step(memory: MemorySystem, step: Step) -> IngestOutcome:
    """Do the step; a capability the system lacks is an error sentence in the outcome, never a
    silent success. A revision falls back on ingesting the new version."""
    match step:
        case Ingest(item=item):
            return memory.ingest(item)
        case Revise(item=item) if isinstance(memory, Revises):
            return memory.revise(item)
        case Revise(item=item):
            return _with_error(memory.ingest(item), "cannot revise: the new version was added")
        case Delete(item_id=item_id) if isinstance(memory, Revises):
            return memory.delete(item_id)
        case Define(definition_id=definition_id, text=text) if isinstance(memory, Defines):
            return memory.define(definition_id, text)
        case Define(definition_id=definition_id, text=text):
            item = SourceItem(id=definition_id, text=text, kind="definition")
            return memory.revise(item) if isinstance(memory, Revises) else memory.ingest(item)
        case SetWriter(model=model) if isinstance(memory, SwitchesWriter):
            memory.set_writer(model)
            return NOTHING
        case Consent(scope=scope, granted=granted) if isinstance(memory, HeedsConsent):
            return memory.consent(scope, granted)
        case ExportMemory() if isinstance(memory, Exports):
            memory.export_memory()
            return NOTHING
        case ImportMemory() if isinstance(memory, Exports):
            return memory.import_memory(memory.export_memory())
        case Ask() | Fork():
            raise ValueError(f"a step of kind {step.kind} does not change a memory")
    return _with_error(NOTHING, f"this system has no way to {step.kind.replace('_', ' ')}")


def _with_error(outcome: IngestOutcome, sentence: str) -> IngestOutcome:
    return IngestOutcome(
        units=outcome.units,
        truncated_units=outcome.truncated_units,
        model_calls=outcome.model_calls,
        tokens=outcome.tokens,
        errors=(*outcome.errors, sentence),
    )
