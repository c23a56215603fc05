"""``--set option=value``: a campaign's options as they are written in a shell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

from annotation.campaign_options import CampaignOptions, InvalidCampaignOption

KNOWN = {field.name: str(field.type) for field in fields(CampaignOptions)}
YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def read_options(settings: Iterable[str]) -> dict[str, Any]:
    """``overlap=3`` and so on; lists are separated by commas, ``none`` switches a thing off.
    Raises InvalidCampaignOption."""
    values: dict[str, Any] = {}
    for setting in settings:
        name, is_given, text = setting.partition("=")
        name = name.strip().replace("-", "_")
        if name not in KNOWN:
            raise InvalidCampaignOption(name, "there is no such option.", tuple(KNOWN))
        if not is_given:
            raise InvalidCampaignOption(name, f"give it a value, as {name}=…")
        values[name] = _value(name, text.strip())
    return values


def _value(name: str, text: str) -> Any:
    kind = KNOWN[name]
    if kind == "str":
        return text
    if "None" in kind and text.lower() in ("none", ""):
        return None
    if kind == "bool":
        return _flag(name, text)
    if kind.startswith("tuple"):
        parts = [part.strip() for part in text.split(",") if part.strip()]
        return tuple(_number(name, part, float) for part in parts) if "float" in kind else (*parts,)
    return _number(name, text, int if kind.startswith("int") else float)


def _flag(name: str, text: str) -> bool:
    if text.lower() not in YES + NO:
        raise InvalidCampaignOption(name, f"true or false, not {text}.", ("true", "false"))
    return text.lower() in YES


def _number(name: str, text: str, kind: Callable[[str], Any]) -> Any:
    try:
        return kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise InvalidCampaignOption(name, f"{what}, not {text}.") from None
