"""What a request costs, by a dated table of list prices."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from evaluation.language_models.base import CompletionRequest
from evaluation.language_models.hosts import host_of, is_loopback

_TABLE = Path(__file__).with_name("prices.csv")
_DATE_SUFFIX = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")
# No tokenizer makes more than one token of a byte; this allows for the marks around a message.
_TOKENS_AROUND_MESSAGE = 16


class PriceTableUnreadable(Exception):
    """A price table with a row that is no price; the message names the row."""


class Priced(Protocol):
    """What has a price: a model at an address."""

    @property
    def base_url(self) -> str: ...
    @property
    def model(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Price:
    """USD a million tokens, for requests of at most ``up_to_input_tokens`` (None: of any size),
    as read from ``source`` on ``as_of``. Discounts for cached input are not counted."""

    input_usd_per_million: float
    output_usd_per_million: float
    up_to_input_tokens: int | None
    as_of: date
    source: str

    def cost_usd(self, input_tokens: int, output_tokens: int) -> float | None:
        """None for a request longer than the price was stated for."""
        if self.up_to_input_tokens is not None and input_tokens > self.up_to_input_tokens:
            return None
        paid = input_tokens * self.input_usd_per_million
        return (paid + output_tokens * self.output_usd_per_million) / 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by (host, model). A model on this very machine costs nothing unless it is listed; any
    other that is not listed has no known price, and then its cost is None."""

    table: Mapping[tuple[str, str], Price]

    def price_of(self, base_url: str, model: str) -> Price | None:
        host = host_of(base_url)
        return self.table.get((host, model)) or self.table.get((host, _DATE_SUFFIX.sub("", model)))

    def cost_usd(self, model: Priced, input_tokens: int, output_tokens: int) -> float | None:
        price = self.price_of(model.base_url, model.model)
        if price is None:
            return 0.0 if is_loopback(model.base_url) else None
        return price.cost_usd(input_tokens, output_tokens)

    def most_usd(self, model: Priced, request: CompletionRequest) -> float | None:
        """What the request costs if every byte is a token and the reply uses all it may."""
        messages = request.messages
        n_bytes = sum(len(one.content.encode()) + _TOKENS_AROUND_MESSAGE for one in messages)
        if request.json_schema is not None:
            n_bytes += len(repr(request.json_schema).encode())
        return self.cost_usd(model, n_bytes, request.max_output_tokens)


@lru_cache(maxsize=4)
def load_prices(path: Path = _TABLE) -> Prices:
    """The table at ``path``; the one that comes with the code by default."""
    table: dict[tuple[str, str], Price] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=2):
            try:
                limit = row["up_to_input_tokens"]
                price = Price(
                    input_usd_per_million=_amount(row["input_usd_per_million"]),
                    output_usd_per_million=_amount(row["output_usd_per_million"]),
                    up_to_input_tokens=int(limit) if limit else None,
                    as_of=date.fromisoformat(row["as_of"]),
                    source=row["source"],
                )
                key = (row["host"], row["model"])
            except (KeyError, TypeError, ValueError) as error:
                raise PriceTableUnreadable(f"{path.name}, row {number}: {error}") from error
            if key in table:
                raise PriceTableUnreadable(f"{path.name}, row {number}: {key[1]} is listed twice")
            table[key] = price
    return Prices(MappingProxyType(table))


def _amount(text: str) -> float:
    amount = float(text)
    if not 0 <= amount < 1_000_000:
        raise ValueError(f"{text!r} is no price")
    return amount
