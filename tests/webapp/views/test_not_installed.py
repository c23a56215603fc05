"""A published system that is not installed says so at every door, with the command that helps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from evaluation.queries.run_choices import run_choices
from evaluation.queries.system_pages import system_page
from evaluation.services import checkup
from memory_systems.base import SystemConfig, SystemNotInstalled
from memory_systems.native.installation import pins_of
from memory_systems.registry import open_system, why_not_installed
from tests.evaluation.toy_runs import planned_run

pytestmark = pytest.mark.django_db
COMMAND = "python manage.py install_system mem0"


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("MEMJURY_SYSTEMS", str(tmp_path / "systems"))
    return tmp_path / "systems"


def put(systems: Path, *, version: str, pins: str) -> None:
    place = systems / "mem0"
    (place / "venv" / "bin").mkdir(parents=True)
    (place / "venv" / "bin" / "python").touch()
    (place / "installed.json").write_text(f'{{"version": "{version}", "pins": "{pins}"}}')


def test_the_pages_keep_its_contract_and_name_the_command(client: Client) -> None:
    for address in ("/systems/", "/systems/mem0/"):
        text = client.get(address).content.decode()
        assert COMMAND in text
        assert "Facts that a model extracts" in text
    assert "not installed; it runs in a process" in client.get("/systems/mem0/").content.decode()


def test_an_installed_system_shows_its_version(client: Client, nothing_installed: Path) -> None:
    put(nothing_installed, version="2.2.1", pins=pins_of("mem0"))
    assert system_page("mem0").system.missing == ""
    assert "2.2.1 installed" in client.get("/systems/mem0/").content.decode()


def test_another_version_than_the_pinned_one_asks_for_an_upgrade(nothing_installed: Path) -> None:
    put(nothing_installed, version="1.0", pins="others")
    assert f"{COMMAND} --upgrade" in why_not_installed("mem0")


def test_a_run_of_it_is_refused_before_anything_is_made() -> None:
    with pytest.raises(SystemNotInstalled, match=COMMAND):
        planned_run(systems=("bm25", "mem0+bm25"))


def test_the_form_cannot_choose_it() -> None:
    offered: dict[str, Any] = {one.slug: one for one in run_choices().variants}
    assert COMMAND in offered["mem0"].refusal
    assert COMMAND in offered["mem0+bm25"].refusal
    assert offered["bm25"].refusal == ""


def test_the_doctor_refuses_it_alone_and_passes_over_it_among_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(CommandError, match=COMMAND):
        call_command("doctor", "mem0", "--embedder", "static")
    monkeypatch.setattr(checkup, "system_slugs", lambda: ("mem0",))
    (told,) = checkup.check_up(system=None, benchmark=None, embedder="static")
    assert told.findings[0].level == "not_applicable"
    assert COMMAND in told.findings[0].sentence


def test_opening_it_is_refused() -> None:
    with pytest.raises(SystemNotInstalled, match=COMMAND):
        open_system("mem0", SystemConfig("dense"), Path("never made"))


def test_installing_what_has_no_package_lists_what_has_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(CommandError, match="'bm25' has no package to install"):
        call_command("install_system", "bm25")
    with pytest.raises(CommandError, match="unknown memory system 'hal'"):
        call_command("install_system", "hal")
    with pytest.raises(CommandError, match="exclude each other"):
        call_command("install_system", "mem0", "--remove", "--upgrade")
    call_command("install_system", "mem0", "--remove")
    assert "mem0 was not installed" in capsys.readouterr().out
