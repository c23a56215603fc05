"""PostgreSQL asked through libpq itself: one call a statement, whose plan the server keeps.

A cursor of the driver costs more than the server takes to answer, and planning ten times as much.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

from psycopg import Connection
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, TransactionStatus

MOST_KEPT: Final = 400
GOOD: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


@dataclass(slots=True)
class _Kept:
    """The statements that the server knows: (SQL, types of the values) → its name there."""

    names: dict[tuple[str, tuple[int, ...]], bytes] = field(default_factory=dict)
    n_made: int = 0


_KEPT: WeakKeyDictionary[Connection[Any], _Kept] = WeakKeyDictionary()


def ask_server(raw: Connection[Any], sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
    """The rows of one statement with ``%s`` marks. Opens a transaction where the connection is to
    be in one. Raises a psycopg.Error."""
    kept = _KEPT.get(raw)
    if kept is None:
        kept = _KEPT[raw] = _Kept()
        _run(raw, b"SET plan_cache_mode = force_generic_plan")
    if not raw.autocommit and raw.pgconn.transaction_status == TransactionStatus.IDLE:
        _run(raw, b"BEGIN")
    transformer = Transformer(raw)
    # Typed as if no value could be None, which is how NULL is sent.
    sent: Any = transformer.dump_sequence(values, [PyFormat.AUTO] * len(values))
    types = transformer.types or ()
    name = kept.names.get((sql, types)) or _keep(raw, kept, sql, types)
    result = raw.pgconn.exec_prepared(name, sent, transformer.formats)
    if result.status not in GOOD:
        raise error_from_result(result, encoding=raw.info.encoding)
    if result.status == ExecStatus.COMMAND_OK:
        return []
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, tuple)


def _keep(raw: Connection[Any], kept: _Kept, sql: str, types: tuple[int, ...]) -> bytes:
    if len(kept.names) >= MOST_KEPT:
        _run(raw, b"DEALLOCATE ALL")
        kept.names.clear()
    kept.n_made += 1
    name = b"memjury_%d" % kept.n_made
    result = raw.pgconn.prepare(name, _with_numbers(sql), types)
    if result.status != ExecStatus.COMMAND_OK:
        raise error_from_result(result, encoding=raw.info.encoding)
    kept.names[sql, types] = name
    return name


def _run(raw: Connection[Any], command: bytes) -> None:
    result = raw.pgconn.exec_(command)
    if result.status != ExecStatus.COMMAND_OK:
        raise error_from_result(result, encoding=raw.info.encoding)


@lru_cache(maxsize=1024)
def _with_numbers(sql: str) -> bytes:
    n_values = sql.count("%s")
    return (sql % tuple(f"${number}" for number in range(1, n_values + 1))).encode()
