"""Every address of the URLconf, filled in; a route that nobody knows how to fill in is an error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from django.urls import URLPattern, URLResolver, get_resolver

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")
Values = Mapping[str, Sequence[str]]


class RouteUnknown(Exception):
    """The crawl has no values for a parameter of this route: add them to KNOWN."""


@dataclass(frozen=True)
class Route:
    """``pattern`` as the URLconf writes it, from the root."""

    pattern: str

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(one or other for one, other in _PARAMETER.findall(self.pattern))

    def addresses(self, known: Mapping[str, Values]) -> Iterator[str]:
        """Each combination of the values. ``known``: start of a pattern → parameter → values; the
        longest start that fits and has the parameter decides. Raises RouteUnknown."""
        values = [self._values(name, known) for name in self.parameters]
        literal = re.sub(r"\(\?P<\w+>[^)]*\)", "{}", _PARAMETER.sub("{}", self.pattern))
        literal = literal.replace("^", "").replace("$", "")
        for chosen in product(*values):
            yield f"/{literal.format(*chosen)}"

    def _values(self, name: str, known: Mapping[str, Values]) -> Sequence[str]:
        fitting = sorted((one for one in known if self.pattern.startswith(one)), key=len)
        for start in reversed(fitting):
            if name in known[start]:
                return known[start][name]
        raise RouteUnknown(f"{self.pattern}: no values for {name}")


def routes(urlconf: str | None = None) -> Iterator[Route]:
    yield from _below(get_resolver(urlconf), "")


def _below(resolver: URLResolver, start: str) -> Iterator[Route]:
    for one in resolver.url_patterns:
        pattern = f"{start}{one.pattern}"
        if isinstance(one, URLPattern):
            yield Route(pattern)
        else:
            yield from _below(one, pattern)
