"""What every reply carries, and what is published."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import get_finder
from django.core.management import call_command
from django.test import Client

from tests.conftest import ROOT
from webapp import settings as product_settings
from webapp.supervisor.preparation import note_static_files, static_files_changed


@pytest.fixture
def policy(client: Client) -> dict[str, str]:
    header = client.get("/healthz")["Content-Security-Policy"]
    return {part.split()[0]: part.strip() for part in header.split(";")}


def test_the_health_page_answers_without_a_database(client: Client) -> None:
    reply = client.get("/healthz")
    assert (reply.status_code, reply.content) == (200, b"ok\n")


@pytest.mark.parametrize(
    "directive",
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
        "img-src 'self' data: blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    ],
)
def test_the_content_security_policy_says(policy: dict[str, str], directive: str) -> None:
    assert policy[directive.split()[0]] == directive


def test_other_security_headers_are_sent(client: Client) -> None:
    reply = client.get("/healthz")
    assert reply["X-Frame-Options"] == "DENY"
    assert reply["X-Content-Type-Options"] == "nosniff"
    assert reply["Referrer-Policy"] == "same-origin"
    assert reply["Cross-Origin-Opener-Policy"] == "same-origin"


def test_tasks_are_json_and_acknowledged_when_done() -> None:
    assert product_settings.CELERY_ACCEPT_CONTENT == ["json"]
    assert product_settings.CELERY_TASK_ACKS_LATE
    assert product_settings.CELERY_TASK_REJECT_ON_WORKER_LOST
    visibility = product_settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]
    assert visibility > product_settings.CELERY_TASK_TIME_LIMIT


def test_plotly_comes_from_its_package_and_nothing_else_of_it_is_published() -> None:
    finder = get_finder("webapp.staticfiles.PlotlyFinder")
    assert [name for name, _ in finder.list([])] == ["plotly.min.js"]
    found = finders.find("plotly/plotly.min.js")
    assert found is not None
    assert Path(str(found)).stat().st_size > 10**6
    assert finders.find("plotly/datasets/iris.csv.gz") is None
    assert finders.find("plotly/../validators.json") is None


def test_htmx_comes_from_its_package() -> None:
    assert finders.find("django_htmx/htmx-2.min.js") is not None


def test_static_files_are_compressed_and_collected_anew_only_when_they_changed(
    settings, tmp_path: Path
) -> None:
    (tmp_path / "source").mkdir()
    style = tmp_path / "source" / "memjury.css"
    style.write_text("p { color: black }\n" * 100)
    settings.STORAGES = product_settings.STORAGES
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    forget_finders()
    try:
        assert static_files_changed()
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        note_static_files()
        collected = {path.suffix for path in (tmp_path / "static").iterdir()}
        assert collected >= {".gz", ".br", ".json", ".css"}
        assert not static_files_changed()
        style.write_text("p { color: white }\n" * 101)
        assert static_files_changed()
    finally:
        forget_finders()


def forget_finders() -> None:
    """Django keeps finders for good, with the folders they were made with."""
    finders.get_finder.cache_clear()  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_migrations_are_in_step_with_the_models() -> None:
    call_command("makemigrations", check=True, dry_run=True, stdout=StringIO())


def test_the_import_contracts_are_kept() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_tests_use_the_product_settings_but_for_a_few() -> None:
    differing = {
        name
        for name in dir(product_settings)
        if name.isupper() and getattr(django_settings, name) != getattr(product_settings, name)
    }
    # Django's test runner adds a host name of its own.
    assert differing <= {"STORAGES", "MIDDLEWARE", "PASSWORD_HASHERS", "ALLOWED_HOSTS"}
