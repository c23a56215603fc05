"""Statements of the voting path, written by Django once and then only filled in.

Compiling a queryset takes longer than the database takes to answer it, and a vote needs ten of
them while everybody else of the campaign waits (docs/decisions/0017-voting-statements.md).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models import query as django_query

from annotation.services.server_statements import ask_server

PLAIN: Final = (
    *(models.CharField, models.TextField, models.IntegerField, models.FloatField),
    *(models.BooleanField, models.AutoField),
)
"""Fields whose values every database takes as they are."""
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
        if not ignores_held:
            send_held()
        (row,) = first_of_each(self.ask(**values))
        return row

    def ask(self, **values: Any) -> Asked[Row]:
        """The question with its values; ``first_of_each`` answers it."""
        return Asked(self, values)

    def filled(self, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """The statement with a value for each of its marks."""
        compiled, database = self._compiled(), connections[DEFAULT_DB_ALIAS]
        params = [
            one.output_field.get_db_prep_value(values[one.name], database)
            if isinstance(one, Slot)
            else one
            for one in compiled.params
        ]
        return compiled.sql, params

    def read(self, rows: list[Any]) -> Row | None:
        """The model instance of the first of the rows."""
        if not rows:
            return None
        compiled = self._compiled()
        (row,) = compiled.compiler.apply_converters(rows[:1], compiled.converters)
        return self._instance(compiled, row)

    def _compiled(self) -> _Compiled:
        compiled: _Compiled | None = getattr(self._kept, "compiled", None)
        if compiled is None:
            compiler = self._build()[:1].query.get_compiler(DEFAULT_DB_ALIAS)
            sql, params = compiler.as_sql()
            info = compiler.klass_info
            fields = [compiler.select[place][0].target for place in info["select_fields"]]
            compiled = _Compiled(
                compiler=compiler,
                sql=sql,
                params=tuple(params),
                converters=compiler.get_converters([column[0] for column in compiler.select]),
                names=tuple(field.attname for field in fields),
                populators=tuple(_populators(info, compiler.select, DEFAULT_DB_ALIAS)),
            )
            self._kept.compiled = compiled
        return compiled

    def _instance(self, compiled: _Compiled, row: Any) -> Row:
        info = compiled.compiler.klass_info
        start = info["select_fields"][0]
        own = row[start : info["select_fields"][-1] + 1]
        instance: Row = info["model"].from_db(DEFAULT_DB_ALIAS, compiled.names, own)
        for populator in compiled.populators:
            populator.populate(row, instance)
        for name, place in compiled.compiler.annotation_col_map.items():
            setattr(instance, name, row[place])
        return instance


@dataclass(frozen=True, slots=True)
class Asked(Generic[Row]):
    """A question ready to be sent."""

    prepared: Prepared[Row]
    values: Mapping[str, Any]


def first_of_each(*asked: Asked[Any]) -> list[Any]:
    """The first row of each question, or None. They are answered one after the other, each seeing
    what is committed by then, in one journey to a server."""
    found = _asked([one.prepared.filled(one.values) for one in asked])
    return [one.prepared.read(rows) for one, rows in zip(asked, found, strict=True)]


def insert(instance: Model) -> None:
    """Store a new row. The instance does not learn its id."""
    sql, fields = _insertion(type(instance))
    database = connections[DEFAULT_DB_ALIAS]
    values = [
        getattr(instance, name)
        if field is None
        else field.get_db_prep_save(getattr(instance, name), database)
        for name, field in fields
    ]
    _write(sql, values, row=None)


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
    database = connections[DEFAULT_DB_ALIAS]
    values = [field.get_db_prep_save(put[name], database) for name, field in fields.items()]
    _write(sql, [*add.values(), *values, pk], row=(model, pk))


@contextmanager
def held_writes() -> Iterator[None]:
    """Hold back what ``insert`` and ``change`` write, and send it as one: before any other
    statement, and at the end with the commit. For a server, where each statement is a journey;
    the transaction around it finds nothing left to commit."""
    database = connections[DEFAULT_DB_ALIAS]
    _HELD.writes = []
    try:
        with database.execute_wrapper(_send_held_first):
            yield
        _commit_held()
    finally:
        _HELD.writes = None


def send_held() -> None:
    """One statement for all that is held, unless a row is written twice: then as many."""
    writes = _taken()
    if writes:
        _asked(writes)


def _commit_held() -> None:
    _asked(_taken(), commits=True)


def _taken() -> list[tuple[str, list[Any]]]:
    writes: list[tuple[str, list[Any], Any]] | None = getattr(_HELD, "writes", None)
    if not writes:
        return []
    _HELD.writes = []
    return [
        _as_one([sql for sql, _, _ in some], [one for _, one, _ in some])
        for some in _without_a_row_twice(writes)
    ]


def _without_a_row_twice(
    writes: list[tuple[str, list[Any], Any]],
) -> Iterator[list[tuple[str, list[Any], Any]]]:
    """A server changes a row once in a statement and leaves out the rest without a word."""
    part: list[tuple[str, list[Any], Any]] = []
    rows: set[Any] = set()
    for write in writes:
        if write[2] in rows:
            yield part
            part, rows = [], set()
        part.append(write)
        if write[2] is not None:
            rows.add(write[2])
    yield part


def _as_one(statements: list[str], values: list[list[Any]]) -> tuple[str, list[Any]]:
    parts = ", ".join(f"part_{number} AS ({sql})" for number, sql in enumerate(statements))
    return f"WITH {parts} SELECT 1", [one for each in values for one in each]


def _send_held_first(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
    send_held()
    return execute(sql, params, many, context)


def _write(sql: str, values: list[Any], *, row: Any) -> None:
    writes: list[tuple[str, list[Any], Any]] | None = getattr(_HELD, "writes", None)
    if writes is not None:
        writes.append((sql, values, row))
        return
    _asked([(sql, values)])


def _asked(
    statements: Sequence[tuple[str, list[Any]]], *, commits: bool = False
) -> list[list[Any]]:
    """At least the first row of what each statement finds, with Django's errors; the driver is
    asked directly."""
    database: Any = connections[DEFAULT_DB_ALIAS]
    database.ensure_connection()
    raw = database.connection
    with database.wrap_database_errors:
        if database.vendor == "postgresql":
            return ask_server(raw, statements, commits=commits)
        return [
            raw.execute(_with_question_marks(sql), values).fetchmany(1)
            for sql, values in statements
        ]


@lru_cache(maxsize=1024)
def _with_question_marks(sql: str) -> str:
    return sql % (("?",) * sql.count("%s"))


@lru_cache(maxsize=32)
def _insertion(model: type[Model]) -> tuple[str, list[tuple[str, Any]]]:
    """The statement, and each field's attribute with the field where a value is stored otherwise
    than it is."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    names = ", ".join(_quoted(field.column) for field in fields)
    marks = ", ".join(["%s"] * len(fields))
    table = _quoted(model._meta.db_table)
    takers = [
        (field.attname, None if isinstance(_stored_as(field), PLAIN) else field) for field in fields
    ]
    return f"INSERT INTO {table} ({names}) VALUES ({marks})", takers  # noqa: S608


def _stored_as(field: Any) -> Any:
    return field.target_field if field.is_relation else field


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
    return connections[DEFAULT_DB_ALIAS].ops.quote_name(name or "")
