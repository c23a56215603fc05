"""Statements of the voting path, written by Django once and then only filled in.

Compiling a queryset takes longer than the database takes to answer it, and a vote needs ten of
them while everybody else of the campaign waits (docs/decisions/0017-voting-statements.md).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

import psycopg
from django.db import connection
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models import query as django_query

USES_BEFORE_PLAN_IS_KEPT: Final = 5
Row = TypeVar("Row", bound=Model)
_HELD = threading.local()
_populators: Any = django_query.get_related_populators


class Slot(Expression):
    """A value that is given when the statement is used; ``field`` knows how it is stored."""

    def __init__(self, name: str, field: Field[Any, Any]) -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        del compiler, connection
        return "%s", [self]


@dataclass(frozen=True, slots=True)
class _Compiled:
    compiler: Any
    sql: str
    params: tuple[Any, ...]
    converters: Any
    names: tuple[str, ...]
    populators: tuple[Any, ...]


class Prepared(Generic[Row]):
    """A queryset with slots. ``build`` is called once in each thread."""

    def __init__(self, build: Callable[[], QuerySet[Row]]) -> None:
        self._build = build
        self._kept = threading.local()

    def first(self, *, ignores_held: bool = False, **values: Any) -> Row | None:
        """The first row as the queryset would give it, with what it selects along.

        ``ignores_held``: what is held back cannot change which row that is.
        """
        compiled = self._compiled()
        params = [
            one.output_field.get_db_prep_value(values[one.name], connection)
            if isinstance(one, Slot)
            else one
            for one in compiled.params
        ]
        if not ignores_held:
            send_held()
        with _executed(compiled.sql, params) as cursor:
            rows = cursor.fetchmany(1)
        if not rows:
            return None
        (row,) = compiled.compiler.apply_converters(rows, compiled.converters)
        return self._instance(compiled, row)

    def _compiled(self) -> _Compiled:
        compiled: _Compiled | None = getattr(self._kept, "compiled", None)
        if compiled is None:
            compiler = self._build()[:1].query.get_compiler(connection.alias)
            sql, params = compiler.as_sql()
            info = compiler.klass_info
            fields = [compiler.select[place][0].target for place in info["select_fields"]]
            compiled = _Compiled(
                compiler=compiler,
                sql=sql,
                params=tuple(params),
                converters=compiler.get_converters([column[0] for column in compiler.select]),
                names=tuple(field.attname for field in fields),
                populators=tuple(_populators(info, compiler.select, connection.alias)),
            )
            self._kept.compiled = compiled
        return compiled

    def _instance(self, compiled: _Compiled, row: Any) -> Row:
        info = compiled.compiler.klass_info
        start = info["select_fields"][0]
        own = row[start : info["select_fields"][-1] + 1]
        instance: Row = info["model"].from_db(connection.alias, compiled.names, own)
        for populator in compiled.populators:
            populator.populate(row, instance)
        for name, place in compiled.compiler.annotation_col_map.items():
            setattr(instance, name, row[place])
        return instance


def insert(instance: Model) -> None:
    """Store a new row. The instance does not learn its id."""
    sql, fields = _insertion(type(instance))
    values = [
        field.get_db_prep_save(getattr(instance, field.attname), connection) for field in fields
    ]
    _write(sql, values)


def change(
    model: type[Model],
    pk: int,
    *,
    add: Mapping[str, float] | None = None,
    put: Mapping[str, Any] | None = None,
) -> None:
    """Add to some fields of one row and put values into others; without either nothing is sent."""
    add, put = add or {}, put or {}
    if not add and not put:
        return
    sql, fields = _change(model, tuple(add), tuple(put))
    values = [field.get_db_prep_save(put[name], connection) for name, field in fields.items()]
    _write(sql, [*add.values(), *values, pk])


@contextmanager
def held_writes() -> Iterator[None]:
    """Hold back what ``insert`` and ``change`` write, and send it as one: before any other
    statement and at the end. For a server, where each statement is a journey."""
    _HELD.writes = []
    try:
        with connection.execute_wrapper(_send_held_first):
            yield
            send_held()
    finally:
        _HELD.writes = None


def send_held() -> None:
    writes: list[tuple[str, list[Any]]] | None = getattr(_HELD, "writes", None)
    if not writes:
        return
    _HELD.writes = []
    with connection.cursor() as cursor:
        cursor.execute(
            "; ".join(sql for sql, _ in writes),
            [value for _, values in writes for value in values],
        )


def _send_held_first(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
    send_held()
    return execute(sql, params, many, context)


def _write(sql: str, values: list[Any]) -> None:
    writes: list[tuple[str, list[Any]]] | None = getattr(_HELD, "writes", None)
    if writes is not None:
        writes.append((sql, values))
        return
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


@contextmanager
def _executed(sql: str, params: list[Any]) -> Iterator[Any]:
    """A cursor after the statement, with Django's errors. On PostgreSQL the server keeps the plan
    of a statement that comes again: planning takes ten times as long as what is planned."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            yield cursor
        return
    connection.ensure_connection()
    raw: Any = connection.connection
    raw.prepare_threshold = USES_BEFORE_PLAN_IS_KEPT
    with connection.wrap_database_errors, psycopg.Cursor(raw) as server_cursor:
        server_cursor.execute(sql, params)
        yield server_cursor


@lru_cache(maxsize=32)
def _insertion(model: type[Model]) -> tuple[str, list[Any]]:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    names = ", ".join(_quoted(field.column) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    table = _quoted(model._meta.db_table)
    return f"INSERT INTO {table} ({names}) VALUES ({marks})", fields  # noqa: S608


@lru_cache(maxsize=512)
def _change(
    model: type[Model], add: tuple[str, ...], put: tuple[str, ...]
) -> tuple[str, dict[str, Any]]:
    fields: dict[str, Any] = {field.name: field for field in model._meta.concrete_fields}
    columns = {name: _quoted(fields[name].column) for name in (*add, *put)}
    changed = ", ".join(
        [
            *(f"{columns[name]} = {columns[name]} + %s" for name in add),
            *(f"{columns[name]} = %s" for name in put),
        ]
    )
    table, key = _quoted(model._meta.db_table), _quoted(model._meta.pk.column)
    sql = f"UPDATE {table} SET {changed} WHERE {key} = %s"  # noqa: S608
    return sql, {name: fields[name] for name in put}


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(name or "")
