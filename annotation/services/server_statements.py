"""PostgreSQL asked through libpq itself: one call a statement, whose plan the server keeps.

A cursor of the driver costs more than the server takes to answer, and planning ten times as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from select import POLLIN, POLLOUT, poll
from typing import Any, Final
from weakref import WeakKeyDictionary

from psycopg import Connection, OperationalError
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGconn, PGresult

MOST_KEPT: Final = 400
GOOD: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


@dataclass(slots=True)
class _Kept:
    """The statements that the server knows: (SQL, types of the values) → its name there."""

    names: dict[tuple[str, tuple[int, ...]], bytes] = field(default_factory=dict)
    n_made: int = 0


_KEPT: WeakKeyDictionary[Connection[Any], _Kept] = WeakKeyDictionary()


def ask_server(
    raw: Connection[Any], statements: Sequence[tuple[str, list[Any]]], *, commits: bool = False
) -> list[list[tuple[Any, ...]]]:
    """The rows of each statement, with ``%s`` marks, in one journey; each sees what was committed
    before it began. Opens a transaction where the connection is to be in one; ``commits`` ends it.
    Raises a psycopg.Error: of the first that failed, and none after it was run."""
    kept = _KEPT.get(raw)
    if kept is None:
        kept = _KEPT[raw] = _Kept()
        _run(raw, b"SET plan_cache_mode = force_generic_plan")
    _make_room(raw, kept, len(statements))
    asked = [_Asked(raw, kept, sql, values) for sql, values in statements]
    connection = raw.pgconn
    begins = not raw.autocommit and connection.transaction_status == TransactionStatus.IDLE
    connection.enter_pipeline_mode()
    try:
        if begins:
            connection.send_query_params(b"BEGIN", None)
        for one in asked:
            connection.send_query_prepared(one.name, one.values, one.transformer.formats)
        if commits:
            connection.send_query_params(b"COMMIT", None)
        connection.pipeline_sync()
        results = _results(connection, n_wanted=begins + len(asked) + commits)
    finally:
        # Refused while results are left, which is so only where the connection is lost.
        with suppress(OperationalError):
            connection.exit_pipeline_mode()
    for result in results:
        if result.status not in GOOD:
            raise error_from_result(result, encoding=raw.info.encoding)
    if commits and results[-1].command_status != b"COMMIT":
        # What the server says when an earlier error of the transaction was passed over.
        raise OperationalError("the transaction had failed before, and nothing of it was stored")
    first = int(begins)
    return [
        one.rows(result)
        for one, result in zip(asked, results[first : first + len(asked)], strict=True)
    ]


class _Asked:
    """One statement with its values as they are sent."""

    __slots__ = ("name", "transformer", "values")

    def __init__(self, raw: Connection[Any], kept: _Kept, sql: str, values: list[Any]) -> None:
        self.transformer = Transformer(raw)
        # Typed as if no value could be None, which is how NULL is sent.
        self.values: Any = self.transformer.dump_sequence(values, [PyFormat.AUTO] * len(values))
        types = self.transformer.types or ()
        self.name = kept.names.get((sql, types)) or _keep(raw, kept, sql, types)

    def rows(self, result: PGresult) -> list[tuple[Any, ...]]:
        if result.status == ExecStatus.COMMAND_OK:
            return []
        self.transformer.set_pgresult(result)
        return self.transformer.load_rows(0, result.ntuples, tuple)


def _results(connection: PGconn, *, n_wanted: int) -> list[PGresult]:
    """Waits without keeping other threads from computing: one of them may hold the lock."""
    wait = poll()
    wait.register(connection.socket, POLLIN | POLLOUT)
    while connection.flush():
        wait.poll()
        connection.consume_input()
    wait.modify(connection.socket, POLLIN)
    results: list[PGresult] = []
    while True:
        while connection.is_busy():
            wait.poll()
            connection.consume_input()
        result = connection.get_result()
        if result is None:
            if connection.status == ConnStatus.BAD:
                raise OperationalError("the connection was lost before all answers came")
            continue
        if result.status == ExecStatus.PIPELINE_SYNC:
            break
        results.append(result)
    if len(results) != n_wanted:
        raise OperationalError(f"{n_wanted} answers were expected and {len(results)} came")
    return results


def _make_room(raw: Connection[Any], kept: _Kept, n_more: int) -> None:
    """Before any name is looked up, so that none of this journey is forgotten on the way."""
    if kept.names and len(kept.names) + n_more > MOST_KEPT:
        _run(raw, b"DEALLOCATE ALL")
        kept.names.clear()


def _keep(raw: Connection[Any], kept: _Kept, sql: str, types: tuple[int, ...]) -> bytes:
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
