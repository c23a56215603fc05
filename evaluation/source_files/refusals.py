"""How a file that cannot be taken is refused: with its name, the place in it and the reason."""

from __future__ import annotations

from pathlib import Path


class WrongKindOfFile(ValueError):
    """A file or folder that its reader cannot take: of another kind, corrupt, empty, too large,
    or against the rules of its format.

    ``place`` is a line (``line 3``) or a path inside a JSON value (``data[0].qas[2]``); it is
    empty where the refusal concerns the whole file. The message is one sentence for a person.
    """

    def __init__(self, path: Path, reason: str, *, place: str = "") -> None:
        self.path = path
        self.place = place
        self.reason = reason
        where = f"{path.name or path}, {place}" if place else str(path.name or path)
        super().__init__(f"{where}: {reason}")
