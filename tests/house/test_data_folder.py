"""The data folder and the secrets made in it."""

from __future__ import annotations

import multiprocessing
import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from webapp.data_folder import (
    broker_address_file,
    broker_url,
    keep_secret,
    local_address,
    open_data_folder,
    secret_key,
)


def test_a_secret_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    key = secret_key(tmp_path)
    assert len(key) >= 50
    assert secret_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret-key"]


def test_processes_that_start_together_agree_on_the_secret(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        keys = pool.map(secret_key, [tmp_path] * 16)
    assert set(keys) == {(tmp_path / "secret-key").read_text().strip()}


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="Point MEMJURY_DATA at a folder"):
        open_data_folder(tmp_path / "file" / "data")


def test_a_secret_that_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="cannot be written"):
        keep_secret(tmp_path / "file" / "secret-key", "x")


def test_the_embedded_broker_keeps_its_address_and_asks_for_a_password(tmp_path: Path) -> None:
    url = broker_url(tmp_path)
    assert broker_url(tmp_path) == url
    assert url.startswith("redis://:")
    assert "@127.0.0.1:" in url
    assert stat.S_IMODE(broker_address_file(tmp_path).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
    ],
)
def test_the_local_address_can_be_opened_in_a_browser(host: str, address: str) -> None:
    assert local_address(host, 8000) == address
