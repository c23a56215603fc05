"""What the environment may say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.conftest import ROOT, bare_environment
from webapp.environment import VARIABLES, Environment

FILE = Path("/somewhere/with space?/memjury.sqlite3")


def test_an_unknown_setting_is_refused_with_its_near_match() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        Environment({"MEMJURY_DTAA": "/tmp", "MEMJURY_PROUDCTION": "1", "HOME": "/root"})
    sentence = str(caught.value)
    assert "MEMJURY_DTAA is not a setting; did you mean MEMJURY_DATA?" in sentence
    assert "MEMJURY_PROUDCTION is not a setting; did you mean MEMJURY_PRODUCTION?" in sentence
    assert "HOME" not in sentence
    assert "MEMJURY_WORKERS" in sentence


def test_endpoints_may_have_any_name() -> None:
    for variable in ("BASE_URL", "API_KEY", "KIND", "TIMEOUT_S"):
        Environment({f"MEMJURY_ENDPOINT_LAB_2_{variable}": "some value"})
    with pytest.raises(ImproperlyConfigured, match="MEMJURY_ENDPOINT_LAB_URL is not a setting"):
        Environment({"MEMJURY_ENDPOINT_LAB_URL": "http://127.0.0.1:9000/v1"})


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("many", "must be a whole number, not 'many'"),
        ("1.5", "must be a whole number, not '1.5'"),
        ("0", "must be from 1 to 65535, not 0"),
        ("70000", "must be from 1 to 65535, not 70000"),
    ],
)
def test_a_bad_integer_is_refused(value: str, sentence: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"PORT {sentence}"):
        Environment({"PORT": value}).integer("PORT", 8000, least=1, most=65535)


def test_an_empty_integer_is_the_default() -> None:
    assert Environment({"PORT": " "}).integer("PORT", 8000, least=1, most=65535) == 8000


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("Yes", True), ("off", False)])
def test_a_flag_reads_the_usual_words(value: str, expected: bool) -> None:
    assert Environment({"MEMJURY_DEBUG": value}).flag("MEMJURY_DEBUG") is expected


def test_a_flag_refuses_other_words() -> None:
    with pytest.raises(ImproperlyConfigured, match="MEMJURY_DEBUG must be 1 or 0, not 'perhaps'"):
        Environment({"MEMJURY_DEBUG": "perhaps"}).flag("MEMJURY_DEBUG")


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "mysql://u@h/db",
        "postgresql://u@h",
        "sqlite://:memory:",
        "postgresql://u:p@h:port/db",
    ],
)
def test_a_bad_database_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must look like") as caught:
        Environment({"DATABASE_URL": url}).database(sqlite_file=FILE)
    assert url not in str(caught.value)


def test_sqlite_is_the_default_and_keeps_what_was_committed() -> None:
    entry = Environment({}).database(sqlite_file=FILE)
    assert entry["NAME"] == str(FILE)
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in entry["OPTIONS"]["init_command"]
    assert "synchronous=FULL" in entry["OPTIONS"]["init_command"]


def test_sqlite_by_url_is_tuned_as_well() -> None:
    entry = Environment({"DATABASE_URL": "sqlite:////data/x.sqlite3"}).database(sqlite_file=FILE)
    assert entry["NAME"] == "/data/x.sqlite3"
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_postgresql_is_read_from_the_url() -> None:
    url = "postgresql://jury:p%40ss@db.example.org:5433/memjury"
    entry = Environment({"DATABASE_URL": url}).database(sqlite_file=FILE)
    assert entry["ENGINE"] == "django.db.backends.postgresql"
    assert (entry["USER"], entry["PASSWORD"], entry["NAME"]) == ("jury", "p@ss", "memjury")
    assert (entry["HOST"], entry["PORT"]) == ("db.example.org", 5433)


def test_a_broker_that_is_not_redis_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="CELERY_BROKER_URL must look like redis://"):
        Environment({"CELERY_BROKER_URL": "amqp://h"}).broker(embedded="redis://here")


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"MEMJURY_PRODUCTION": "1"}, "needs SECRET_KEY"),
        ({"MEMJURY_PRODUCTION": "1", "SECRET_KEY": "short"}, "needs SECRET_KEY"),
        ({"MEMJURY_PRODUCTION": "1", "SECRET_KEY": "k" * 60}, "needs MEMJURY_ALLOWED_HOSTS"),
        ({"MEMJURY_PRODUCTION": "1", "MEMJURY_DEBUG": "1"}, "MEMJURY_DEBUG=1 is refused"),
        ({"MEMJURY_LOG_LEVEL": "LOUD"}, "MEMJURY_LOG_LEVEL must be one of DEBUG, INFO"),
        ({"MEMJURY_ADDRESS": "jury.example.org"}, "MEMJURY_ADDRESS must start with http"),
        ({"DATABASE_URL": "nonsense"}, "DATABASE_URL must look like"),
        ({"MEMJURY_DATAS": "/tmp"}, "did you mean MEMJURY_DATA?"),
        ({"PORT": "eight"}, "PORT must be a whole number"),
        ({"MEMJURY_DATA": "/proc/memjury"}, "the data folder /proc/memjury cannot be made"),
    ],
)
def test_every_command_refuses_nonsense_in_one_sentence(
    variables: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    done = manage("check", {"MEMJURY_DATA": str(tmp_path), **variables})
    assert done.returncode == 1
    assert done.stderr.startswith("MemJury cannot start: ")
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_production_starts_with_what_it_asks_for(tmp_path: Path) -> None:
    variables = {
        "MEMJURY_DATA": str(tmp_path),
        "MEMJURY_PRODUCTION": "1",
        "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "MEMJURY_ALLOWED_HOSTS": "jury.example.org",
    }
    done = manage("check", variables, "--deploy", "--fail-level", "ERROR")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "secret-key").exists()


def test_the_deployment_page_explains_every_variable() -> None:
    page = (ROOT / "docs" / "deployment.md").read_text()
    missing = [name for name in VARIABLES if f"`{name}`" not in page]
    assert not missing


def manage(
    command: str, variables: dict[str, str], *options: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", command, *options],
        cwd=ROOT,
        env=bare_environment() | variables,
        capture_output=True,
        text=True,
        check=False,
    )
