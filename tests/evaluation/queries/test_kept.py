"""The bounded memory of computed values."""

from __future__ import annotations

from evaluation.queries.kept import Kept


def test_what_was_used_last_stays() -> None:
    kept: Kept[str, int] = Kept(2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)


def test_clearing_forgets_everything() -> None:
    kept: Kept[str, int] = Kept(2)
    kept.put("a", 1)
    kept.clear()
    assert kept.get("a") is None
