"""The installer hands pip's configuration on to uv."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def install() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", ROOT / "requirements" / "install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_indices_certificates_and_folders_are_handed_on(install: ModuleType) -> None:
    options = {
        "index-url": "https://mirror.example/simple",
        "extra-index-url": "https://a.example/simple\nhttps://b.example/simple",
        "find-links": "/opt/wheels /opt/more",
        "cert": "/etc/ssl/ca.pem",
        "timeout": "180",
    }
    assert install.uv_environment(options, {}) == {
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://a.example/simple https://b.example/simple",
        "UV_FIND_LINKS": "/opt/wheels,/opt/more",
        "SSL_CERT_FILE": "/etc/ssl/ca.pem",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }


def test_what_is_set_for_uv_itself_wins(install: ModuleType) -> None:
    options = {"index-url": "https://mirror.example/simple"}
    assert install.uv_environment(options, {"UV_DEFAULT_INDEX": "https://mine.example"}) == {}


def test_nothing_configured_is_nothing_handed_on(install: ModuleType) -> None:
    assert install.uv_environment({}, {}) == {}


@pytest.mark.parametrize("lock", ["base.txt", "dev.txt"])
def test_every_package_of_a_lock_has_one_exact_version(lock: str) -> None:
    lines = (ROOT / "requirements" / lock).read_text().splitlines()
    packages = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    assert packages
    assert [line for line in packages if "==" not in line] == []


def test_both_locks_hold_the_same_versions() -> None:
    base, dev = (
        set((ROOT / "requirements" / lock).read_text().splitlines())
        for lock in ("base.txt", "dev.txt")
    )
    assert base - dev == set()
