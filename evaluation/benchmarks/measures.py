"""How measures are computed from cells.

Scorers give every cell a composite from 0 to 10. Where a measure asks whether a cell is right or
wrong, it is right from RIGHT_FROM upwards, the middle of that scale: the threshold belongs to the
measure, never to the scorer. Only scored cells count; a unit without any has the value None.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from evaluation.records import CellRecord, MeasureValue

RIGHT_FROM = 5.0
BEFORE, AFTER = "before", "after"


def composite(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """Per question: the mean composite, 0–10, over its scored repeats."""
    return [
        MeasureValue(question_id, _mean(_scores(of_question)), of_question[0].slices)
        for question_id, of_question in _by_question(cells).items()
    ]


def real_passes(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """Per question: 1 if right both before and after the change, else 0; mean over repeats.

    A question without a ``before`` phase passes by its ``after`` phase alone. A repeat counts
    once all its phases are scored.
    """
    values = []
    for question_id, of_question in _by_question(cells).items():
        passes = []
        for repeat in dict.fromkeys(cell.repeat for cell in of_question):
            phases = [cell for cell in of_question if cell.repeat == repeat]
            if all(cell.score is not None for cell in phases):
                passes.append(float(all(_is_right(cell) for cell in phases)))
        values.append(MeasureValue(question_id, _mean(passes), of_question[0].slices))
    return values


def after_passes(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """Per question: the share of scored repeats right in the ``after`` phase, trivially or not."""
    values = []
    for question_id, of_question in _by_question(cells).items():
        after = [cell for cell in of_question if cell.phase == AFTER and cell.score is not None]
        value = _mean([float(_is_right(cell)) for cell in after])
        values.append(MeasureValue(question_id, value, of_question[0].slices))
    return values


def update(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """Share right among the cells of items that the shift changed."""
    return _by_world(cells, changed=True)


def stability(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """Share right among the cells of items that the shift left alone."""
    return _by_world(cells, changed=False)


def _by_world(cells: Sequence[CellRecord], *, changed: bool) -> list[MeasureValue]:
    """One value for each world, shift and item class; its unit id is ``world|shift|class``, so
    that the world, which is what varies, can be read from it. A phase is ``shift/checkpoint``;
    phases without a slash come before the fork and are left out. The shifts that change an item
    stand in its question's slice ``shift``."""
    groups: dict[tuple[str, str, str], list[CellRecord]] = defaultdict(list)
    for cell in cells:
        shift, slash, _ = cell.phase.partition("/")
        if slash and (shift in cell.slices.get("shift", ())) == changed:
            for item_class in cell.slices.get("item_class", ("",)):
                groups[cell.scenario_id, shift, item_class].append(cell)
    return [
        MeasureValue(
            f"{world}|{shift}|{item_class}",
            _mean([float(_is_right(cell)) for cell in group if cell.score is not None]),
            {"shift": (shift,), "item_class": (item_class,)},
        )
        for (world, shift, item_class), group in sorted(groups.items())
    ]


def _by_question(cells: Iterable[CellRecord]) -> Mapping[str, list[CellRecord]]:
    groups: dict[str, list[CellRecord]] = defaultdict(list)
    for cell in cells:
        groups[cell.question_id].append(cell)
    return groups


def _scores(cells: Iterable[CellRecord]) -> list[float]:
    return [cell.score for cell in cells if cell.score is not None]


def _is_right(cell: CellRecord) -> bool:
    return cell.score is not None and cell.score >= RIGHT_FROM


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
