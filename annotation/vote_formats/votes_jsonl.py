"""Our own votes as JSON Lines, written and read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from annotation.vote_formats.exported_votes import ExportedCheck, ExportedVote, plain_record
from annotation.vote_formats.reading_own import OneCampaign, vote_of
from annotation.vote_formats.rows import ReadOptions, RowCollector, VoteFile
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import read_json_lines


def render(records: Iterable[ExportedVote | ExportedCheck]) -> Iterator[str]:
    """A JSON object a line, of a record each."""
    for record in records:
        yield json.dumps(plain_record(record), ensure_ascii=False, allow_nan=False) + "\n"


def read(paths: Sequence[Path], options: ReadOptions) -> VoteFile:
    """Raises BrokenRows, WrongKindOfFile."""
    rows = RowCollector(paths[0])
    campaign = OneCampaign()
    for path in paths:
        for line in read_json_lines(path, max_bytes=options.max_bytes):
            place = line.place if len(paths) == 1 else f"{path.name}, {line.place}"
            with rows.reading(place):
                if line.refusal is not None:
                    raise rows.refuse(place, line.refusal.reason)
                rows.rows.append(vote_of(JsonNode(line.value, path, place), campaign))
    return rows.finished()
