"""Which two systems wrote the texts of an item, in formats that leave the naming to their user."""

from __future__ import annotations

from typing import Final

from evaluation.source_files.json_nodes import JsonNode

PAIRS_OF_FIELDS: Final = (
    ("model_a", "model_b"), ("system_a", "system_b"), ("left_model", "right_model"),
    ("left_system", "right_system"), ("model_left", "model_right"),
    ("system_left", "system_right"), ("model_1", "model_2"), ("system_1", "system_2"),
    ("model1", "model2"), ("system1", "system2"), ("generator_1", "generator_2"),
    ("left", "right"),
)  # fmt: skip
LISTS: Final = ("models", "systems", "generators")
TEXT_FIELDS: Final = ("question", "prompt", "instruction", "query")
KEY_FIELDS: Final = ("question_id", "question_key")


def two_systems(item: JsonNode, chosen: tuple[str, str] | None) -> tuple[str, str]:
    """The labels of the left and right system: from the ``chosen`` fields, else from the first
    known pair of fields (or list of two). Raises WrongKindOfFile."""
    if chosen is not None:
        return item.field(chosen[0]).label(), item.field(chosen[1]).label()
    fields = item.fields()
    for left, right in PAIRS_OF_FIELDS:
        if left in fields and right in fields:
            return item.field(left).label(), item.field(right).label()
    for name in LISTS:
        if isinstance(fields.get(name), list) and len(fields[name]) == 2:
            first, second = item.field(name).each()
            return first.label(), second.label()
    here = ", ".join(sorted(map(str, fields))) or "none"
    raise item.refuse(
        "nothing here names the two systems (such as model_a and model_b; other fields can be "
        f"chosen; fields here: {here})"
    )


def question_of(item: JsonNode) -> tuple[str, str]:
    """The question's key and text, as far as the item states them."""
    fields = item.fields()
    key = next((item.field(name).label() for name in KEY_FIELDS if fields.get(name)), "")
    text = next((fields[name] for name in TEXT_FIELDS if isinstance(fields.get(name), str)), "")
    return key, text
