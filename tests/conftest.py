"""What all tests share: data folders, real processes, outcomes, and the settings of hypothesis."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from psycopg import sql
from pytest_django.fixtures import Settings

from tests import outcomes
from webapp.data_folder import free_port
from webapp.environment import VARIABLES

ROOT = Path(__file__).resolve().parent.parent
DATABASE_FIXTURES = frozenset({"db", "transactional_db", "live_server"})

hypothesis_settings.register_profile(
    "memjury", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("memjury")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    # With xdist every report passes through the controller as well; one of them keeps it.
    if "PYTEST_XDIST_WORKER" not in os.environ:
        outcomes.note(report)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start real processes follow one another, or they would starve each other."""
    for item in items:
        if item.get_closest_marker("worker") is not None:
            item.add_marker(pytest.mark.xdist_group("processes"))


@pytest.fixture
def data_folder(settings: Settings, tmp_path: Path) -> Path:
    """An empty data folder, which the settings name for the length of the test."""
    folder = tmp_path / "data"
    folder.mkdir()
    settings.MEMJURY_DATA = folder
    return folder


@pytest.fixture(autouse=True)
def _own_data_folder(request: pytest.FixtureRequest) -> None:
    """Tests that use the database write to a data folder of their own."""
    if DATABASE_FIXTURES & set(request.fixturenames) or request.node.get_closest_marker(
        "django_db"
    ):
        request.getfixturevalue("data_folder")


@pytest.fixture(scope="session")
def collected_static(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files as a first start collects them, which takes too long for every test."""
    data = tmp_path_factory.mktemp("collected")
    script = (
        "import django; django.setup(); from django.core.management import call_command; "
        "call_command('collectstatic', interactive=False, verbosity=0); "
        "from webapp.supervisor.preparation import note_static_files; note_static_files()"
    )
    environment = bare_environment() | {"MEMJURY_DATA": str(data)}
    subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, check=True)
    return data / "static"


def bare_environment() -> dict[str, str]:
    """This process's environment without anything that sets MemJury or Django up."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in VARIABLES and not name.startswith("DJANGO_")
    }
    return kept | {"DJANGO_SETTINGS_MODULE": "webapp.settings"}


@pytest.fixture
def process_environment(tmp_path: Path, collected_static: Path) -> Iterator[dict[str, str]]:
    """The environment of real processes: data folder, port and empty database of their own.

    The database is of the kind that this pass of the tests is for.
    """
    house = tmp_path / "house"
    shutil.copytree(collected_static, house / "static", copy_function=os.link)
    environment = bare_environment() | {
        "MEMJURY_DATA": str(house),
        "MEMJURY_DEMO": "0",
        "MEMJURY_WORKERS": "1",
        "PORT": str(free_port()),
    }
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield environment
        return
    name = f"memjury_{secrets.token_hex(8)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield environment | {"DATABASE_URL": f"{server.rpartition('/')[0]}/{name}"}
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(
                sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            )


@pytest.fixture
def redis_url() -> str:
    """A Redis that tests may fill; `make test` starts one."""
    url = os.environ.get("TEST_REDIS_URL")
    if not url:
        pytest.skip("no Redis (TEST_REDIS_URL is not set)")
    return url
