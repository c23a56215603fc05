"""Units of measure: the ways of writing one, and what converts into what."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from evaluation.scoring.normalisation import clean, stem

_KINDS: dict[str, dict[str, str]] = {
    "s": {
        "ns nanosecond nanoseconds": "1e-9",
        "μs us microsecond microseconds": "1e-6",
        "ms msec msecs millisecond milliseconds": "1e-3",
        "s sec secs second seconds": "1",
        "min mins minute minutes": "60",
        "h hr hrs hour hours": "3600",
        "d day days": "86400",
        "wk week weeks": "604800",
    },
    "month": {"month months": "1"},
    "year": {"yr yrs year years": "1"},
    "byte": {
        "B byte bytes": "1",
        "kB KB kilobyte kilobytes": "1e3",
        "MB megabyte megabytes": "1e6",
        "GB gigabyte gigabytes": "1e9",
        "TB terabyte terabytes": "1e12",
        "KiB": "1024",
        "MiB": "1048576",
        "GiB": "1073741824",
        "TiB": "1099511627776",
    },
    "bit": {"bit bits": "1", "kbit": "1e3", "Mbit": "1e6", "Gbit": "1e9"},
    "Hz": {"Hz hertz": "1", "kHz": "1e3", "MHz": "1e6", "GHz": "1e9"},
    "W": {"mW": "1e-3", "W watt watts": "1", "kW kilowatt kilowatts": "1e3", "MW": "1e6"},
    "J": {"mJ": "1e-3", "J joule joules": "1", "kJ": "1e3", "MJ": "1e6"}
    | {"Wh": "3600", "kWh": "3.6e6"},
    "m": {
        "nm nanometre nanometres nanometer nanometers": "1e-9",
        "μm um micrometre micrometres micrometer micrometers micron microns": "1e-6",
        "mm millimetre millimetres millimeter millimeters": "1e-3",
        "cm centimetre centimetres centimeter centimeters": "1e-2",
        "m metre metres meter meters": "1",
        "km kilometre kilometres kilometer kilometers": "1e3",
    },
    "g": {"ng": "1e-9", "μg ug": "1e-6", "mg": "1e-3", "g gram grams": "1", "kg": "1e3"},
    "l": {"μl μL ul": "1e-6", "ml mL": "1e-3", "l L litre litres liter liters": "1"},
    "V": {"mV": "1e-3", "V volt volts": "1", "kV": "1e3"},
    "A": {"mA": "1e-3", "A ampere amperes amp amps": "1"},
    "Pa": {"Pa pascal pascals": "1", "kPa": "1e3", "MPa": "1e6", "bar": "1e5"},
    "K": {"K kelvin kelvins": "1", "mK": "1e-3"},
    "°C": {"°C degC celsius": "1"},
    "1": {"% percent pct": "1e-2", "‰ permille": "1e-3", "ppm": "1e-6"},
    "pp": {"pp points point": "1"},
    "dB": {"dB decibel decibels": "1"},
    "times": {"x × times fold": "1"},
    "USD": {"USD dollar dollars": "1"},
    "EUR": {"EUR € euro euros": "1"},
    "token": {"token tokens tok toks": "1"},
    "character": {"character characters char chars": "1"},
    "parameter": {"parameter parameters param params": "1"},
}
_TABLE = {
    alias: (name, Decimal(factor))
    for name, aliases in _KINDS.items()
    for written, factor in aliases.items()
    for alias in written.split()
}
# A word in any case is safe; a symbol is not (mW and MW).
_WORDS = {alias.casefold(): unit for alias, unit in _TABLE.items() if len(alias) > 3}
_RATIO = re.compile(r"\s*/\s*|\s+per\s+")


def known_unit(word: str) -> tuple[str, Decimal] | None:
    """(what it measures, factor to the base unit), or None for a word that is no unit here."""
    return _TABLE.get(word) or _WORDS.get(word.casefold())


@lru_cache(maxsize=4096)
def canonical_unit(text: str) -> tuple[str, Decimal]:
    """The unit's one name and its factor: ``tok/s`` and ``tokens per second`` are the same.

    An unknown word is its own unit: its case-folded singular, with factor 1. Empty text is the
    unit of bare numbers, the empty name.
    """
    text = clean(text).strip().replace("per cent", "percent").replace("percentage point", "point")
    if not text:
        return "", Decimal(1)
    names: list[str] = []
    factor = Decimal(1)
    for place, part in enumerate(_RATIO.split(text)):
        found = known_unit(part.strip())
        if found is None:
            names.append(" ".join(stem(word) for word in part.casefold().split()))
            continue
        names.append(found[0])
        factor = factor * found[1] if place == 0 else factor / found[1]
    return "/".join(names), factor


@lru_cache(maxsize=256)
def factors_of(name: str) -> frozenset[Decimal]:
    """The factors of all units that measure the same; only 1 for a unit that is not known."""
    factors = frozenset(factor for kind, factor in _TABLE.values() if kind == name)
    return factors or frozenset([Decimal(1)])
