"""The package of the adapters cannot see the benchmarks, so it cannot see gold."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import memory_systems

PACKAGE = Path(next(iter(memory_systems.__path__)))
SOURCES = sorted(PACKAGE.rglob("*.py"))
FORBIDDEN = {"evaluation", "annotation", "webapp", "django", "celery"}
DYNAMIC = {"import_module", "__import__"}


def imported_by(source: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_nothing_of_the_benchmarks(source: Path) -> None:
    assert imported_by(source).isdisjoint(FORBIDDEN)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_registry_imports_by_name(source: Path) -> None:
    called = {
        node.id
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name)
    }
    assert called.isdisjoint(DYNAMIC) or source.name == "registry.py"


def test_only_oracle_adapters_name_the_gold_question() -> None:
    holders = {
        source.relative_to(PACKAGE).as_posix()
        for source in SOURCES
        if "GoldQuestion" in source.read_text(encoding="utf-8")
    }
    assert holders == {"base.py", "adapters/direct_read.py", "adapters/oracle_context.py"}
