"""JUDGE-BENCH: items that several people rated, by metric. Ratings, not votes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from annotation.vote_formats.rated_items import LONGEST_NAME, NOMINAL, Metric, RatedItems, Value
from annotation.vote_formats.rows import MAX_FILE_BYTES, BrokenRows
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import is_finite_number, read_json
from evaluation.source_files.refusals import WrongKindOfFile

LEVELS: Final = {"graded": "ordinal", "categorical": "nominal", "continuous": "interval"}


def read_judge_bench(path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> RatedItems:
    """Every human score of every metric. Graded metrics are ordinal, categorical ones nominal,
    continuous ones interval. An item without scores of a metric has an empty tuple.

    Raises BrokenRows for values outside their scale, WrongKindOfFile for another kind of file.
    """
    root = JsonNode(read_json(path, max_bytes=max_bytes), path)
    instances = root.field("instances").each()
    if not instances:
        raise root.refuse("it holds no instance")
    problems: list[str] = []
    metrics = tuple(_metric(node, instances, problems) for node in root.field("annotations").each())
    if problems:
        raise BrokenRows(path, problems)
    names = [metric.name for metric in metrics]
    for name in names:
        if names.count(name) > 1:
            raise root.refuse(f"the metric “{name}” is declared twice")
    if not sum(metric.n_ratings for metric in metrics):
        raise root.refuse("no instance holds individual_human_scores")
    url = root.find("dataset_url")
    return RatedItems(
        name=root.field("dataset").label()[:LONGEST_NAME],
        url=url.label() if url else "",
        item_ids=tuple(instance.field("id").label() for instance in instances),
        metrics=metrics,
    )


def _metric(node: JsonNode, instances: list[JsonNode], problems: list[str]) -> Metric:
    name, category = node.field("metric").label(), node.field("category").label()
    if len(name) > LONGEST_NAME:
        raise node.refuse(f"the metric's name has more than {LONGEST_NAME} characters")
    if category not in LEVELS:
        raise node.refuse(f"category “{category}” is unknown; known: {', '.join(LEVELS)}")
    level = LEVELS[category]
    scale = _scale(node, level)
    ratings: list[tuple[Value, ...]] = []
    for instance in instances:
        try:
            ratings.append(_ratings(instance, name, level, scale))
        except WrongKindOfFile as refusal:
            problems.append(f"{refusal.place}: {refusal.reason}")
    return Metric(name, level, scale, tuple(ratings))


def _scale(node: JsonNode, level: str) -> tuple[Value, ...]:
    if level == NOMINAL:
        return tuple(label.label() for label in node.field("labels_list").each())
    ends = node.field("worst").value, node.field("best").value
    if not all(is_finite_number(end) for end in ends) or ends[0] == ends[1]:
        raise node.refuse("worst and best must be two different numbers")
    return ends


def _ratings(
    instance: JsonNode, metric: str, level: str, scale: tuple[Value, ...]
) -> tuple[Value, ...]:
    rated = instance.field("annotations").find(metric)
    scores = rated.find("individual_human_scores") if rated else None
    if scores is None:
        return ()
    return tuple(_value(score, level, scale) for score in scores.each() if score.value is not None)


def _value(score: JsonNode, level: str, scale: tuple[Value, ...]) -> Value:
    if level == NOMINAL:
        label = score.label()
        if label not in scale:
            listed = ", ".join(map(str, scale))
            raise score.refuse(f"“{label[:60]}” is none of the labels: {listed}")
        return label
    value: Any = score.value
    if not is_finite_number(value):
        raise score.refuse(f"“{str(value)[:60]}” is no number")
    low, high = sorted(float(end) for end in scale)
    if not low <= value <= high:
        raise score.refuse(f"{value} is not from {low:g} to {high:g}")
    number: int | float = value
    return number
