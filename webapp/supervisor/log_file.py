"""A log file that cannot fill the disk."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


class LogFile:
    """Lines appended to ``path``; at ``most_bytes`` it becomes ``path.1``, and ``path.copies`` the
    oldest that is kept. Nothing is raised when the disk is full: a site outlives its log."""

    def __init__(self, path: Path, *, most_bytes: int = 5 * 2**20, copies: int = 3) -> None:
        self.path = path
        self._most_bytes = most_bytes
        self._copies = copies

    def write(self, lines: list[str]) -> None:
        if not lines:
            return
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size >= self._most_bytes:
                self._rotate()
            with self.path.open("a", encoding="utf-8", errors="replace") as stream:
                stream.writelines(f"{line}\n" for line in lines)

    def _rotate(self) -> None:
        for number in range(self._copies - 1, 0, -1):
            older = self._copy(number)
            if older.exists():
                older.replace(self._copy(number + 1))
        self.path.replace(self._copy(1))

    def _copy(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")
