"""Many rows into a table by one statement, without making an object of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from django.db import connections, router
from django.db.models import DateTimeField, Field, JSONField, Model

BATCH: Final = 5_000


def insert_rows(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert ``rows`` (values in the order of ``columns``, foreign keys by id) and return how many
    there were. What is no column gets the field's default. Constraints are the database's; nothing
    is sent but the rows: no signals, no ids come back."""
    connection = connections[router.db_for_write(model)]
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    unknown = set(columns) - {field.attname for field in fields}
    if unknown:
        raise ValueError(f"{model.__name__} has no column {', '.join(sorted(unknown))}")
    given = {name: place for place, name in enumerate(columns)}
    makers = [_maker(field, given.get(field.attname), connection) for field in fields]
    quoted = ", ".join(connection.ops.quote_name(field.column or "") for field in fields)
    places = ", ".join(["%s"] * len(fields))
    table = connection.ops.quote_name(model._meta.db_table)
    sql = f"INSERT INTO {table} ({quoted}) VALUES ({places})"  # noqa: S608
    n_rows = 0
    with connection.cursor() as cursor:
        for batch in _batches(rows):
            cursor.executemany(sql, [[make(row) for make in makers] for row in batch])
            n_rows += len(batch)
    return n_rows


def _maker(
    field: Field[Any, Any], place: int | None, connection: Any
) -> Callable[[Sequence[Any]], Any]:
    """What takes the field's value for the database from a row."""
    if place is None:
        constant = field.get_db_prep_save(field.get_default(), connection)
        return lambda _row: constant
    if isinstance(field, JSONField | DateTimeField):
        return lambda row: field.get_db_prep_save(row[place], connection)
    return lambda row: row[place]


def _batches(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, BATCH)):
        yield batch
