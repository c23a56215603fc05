"""An installation is whole or not there, touches nothing else, and refuses in one sentence."""

from __future__ import annotations

import json
import shutil
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from memory_systems.base import SystemNotInstalled
from memory_systems.native import installation, installing
from memory_systems.native.installation import (
    find_installation,
    get_installation,
    pinned_version,
    systems_folder,
    why_not_usable,
)
from memory_systems.native.installing import (
    InstallationFailed,
    NothingToInstall,
    PythonNotSupported,
    SpaceMissing,
    install,
    remove,
)

NEEDS = "# needs: Python 3.11-3.12, 1 MB\n"
SLUG = "toy"
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def requirements(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A system whose list of packages is empty, and an installer that can be told to fail."""
    folder = tmp_path / "requirements" / "systems"
    folder.mkdir(parents=True)
    (folder / "toy.in").write_text(f"{NEEDS}toy==1.0\n")
    (folder / "toy.txt").write_text("toy==1.0\n")
    monkeypatch.setattr(installation, "REQUIREMENTS", folder)
    monkeypatch.setattr(installing, "REQUIREMENTS", folder)
    monkeypatch.setattr(installing, "INSTALLER", folder.parent / "install.py")
    installer(folder, "")
    return folder


def installer(folder: Path, fails: str) -> None:
    """One that puts the package ``toy`` in place without any network."""
    (folder.parent / "install.py").write_text(
        "import sys; from pathlib import Path\n"
        f"fails = {fails!r}\n"
        "if fails: sys.exit(fails)\n"
        "venv = Path(sys.argv[-1]).parent.parent\n"
        "site = next(venv.glob('lib/python*/site-packages')) / 'toy-1.0.dist-info'\n"
        "site.mkdir()\n"
        "(site / 'METADATA').write_text('Metadata-Version: 2.1\\nName: toy\\nVersion: 1.0\\n')\n"
        "(venv / 'bin' / 'toy').write_text(f'#!{venv}/bin/python\\n')\n"
    )


def put(systems: Path, **options: object) -> installation.Installation:
    return install(SLUG, package="toy", systems=systems, **options)  # type: ignore[arg-type]


def test_an_installation_records_its_version_and_pins(requirements: Path, tmp_path: Path) -> None:
    systems = tmp_path / "systems"
    done = put(systems)
    assert (done.version, done.folder) == ("1.0", systems / SLUG)
    assert find_installation(SLUG, systems) == done
    assert done.python.exists()
    command = (done.folder / "venv" / "bin" / "toy").read_text()
    assert command == f"#!{done.folder}/venv/bin/python\n", "it runs from where it ended up"
    assert [one.name for one in systems.iterdir() if one.name != ".toy.lock"] == [SLUG]


def test_what_is_installed_is_left_alone_unless_it_is_asked_for_again(
    requirements: Path, tmp_path: Path
) -> None:
    put(tmp_path)
    mark = tmp_path / SLUG / "mark"
    mark.touch()
    put(tmp_path)
    assert mark.exists()
    put(tmp_path, again=True)
    assert not mark.exists()


def test_other_pins_are_refused_until_they_are_installed(
    requirements: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEMJURY_SYSTEMS", str(tmp_path))
    assert "is not installed: python manage.py install_system toy" in why_not_usable(SLUG)
    put(tmp_path)
    assert why_not_usable(SLUG) == ""
    (requirements / "toy.txt").write_text("toy==1.1\n")
    with pytest.raises(SystemNotInstalled, match=r"other versions \(1\.0\).* --upgrade"):
        get_installation(SLUG)
    put(tmp_path)
    assert get_installation(SLUG).version == "1.0"


def test_a_failed_download_changes_nothing_and_says_why(requirements: Path, tmp_path: Path) -> None:
    before = put(tmp_path)
    installer(requirements, "no route to the index")
    with pytest.raises(InstallationFailed, match="nothing was changed: no route to the index"):
        put(tmp_path, again=True)
    assert find_installation(SLUG, tmp_path) == before
    assert sorted(one.name for one in tmp_path.iterdir() if "toy" in one.name) == [
        ".toy.lock",
        SLUG,
    ]
    assert remove(SLUG, systems=tmp_path)
    with pytest.raises(InstallationFailed):
        put(tmp_path)
    assert find_installation(SLUG, tmp_path) is None


def test_a_full_disk_is_said_in_words(
    requirements: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installer(requirements, "OSError: [Errno 28] No space left on device")
    with pytest.raises(InstallationFailed, match="no space is left on the disk"):
        put(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10, 10, 500_000))
    with pytest.raises(SpaceMissing, match=r"takes about 1 MB and .* has 0 MB left"):
        put(tmp_path)


def test_a_python_that_does_not_fit_is_refused_before_anything_is_made(
    requirements: Path, tmp_path: Path
) -> None:
    (requirements / "toy.in").write_text("# needs: Python 3.8-3.9, 1 MB\n")
    with pytest.raises(PythonNotSupported, match=r"runs on Python 3\.8 to 3\.9, and .* is 3\.1"):
        put(tmp_path)
    with pytest.raises(PythonNotSupported, match="cannot make environments"):
        put(tmp_path, python=str(tmp_path / "no-python"))
    with pytest.raises(PythonNotSupported, match=r"false .*: it ended with exit code 1"):
        put(tmp_path, python="/bin/false")
    with pytest.raises(PythonNotSupported, match=r"echo is no Python: .* it said '-c import sys"):
        put(tmp_path, python="/bin/echo")
    assert not (tmp_path / SLUG).exists()


def test_what_a_killed_installation_left_is_cleared_away(
    requirements: Path, tmp_path: Path
) -> None:
    def leave() -> list[Path]:
        left = [tmp_path / ".toy.half", tmp_path / ".toy.half.old", tmp_path / ".other.half"]
        for folder in left:
            (folder / "venv").mkdir(parents=True, exist_ok=True)
        return left

    left = leave()
    put(tmp_path)
    assert [folder.exists() for folder in left] == [False, False, True]
    leave()
    assert remove(SLUG, systems=tmp_path)
    assert sorted(path.name for path in tmp_path.glob(".toy*")) == [".toy.lock"]
    assert left[2].exists()


def test_a_system_without_a_package_lists_those_with_one(
    requirements: Path, tmp_path: Path
) -> None:
    with pytest.raises(NothingToInstall, match=r"'bm25' has no package.*: toy"):
        install("bm25", package="", systems=tmp_path)
    with pytest.raises(NothingToInstall):
        remove("bm25", systems=tmp_path)


def test_removing_takes_all_of_it(requirements: Path, tmp_path: Path) -> None:
    put(tmp_path)
    assert remove(SLUG, systems=tmp_path)
    assert not (tmp_path / SLUG).exists()
    assert not remove(SLUG, systems=tmp_path)


def test_a_folder_that_cannot_be_written_is_said_in_words(
    requirements: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InstallationFailed, match="cannot be written"):
        put(tmp_path / "file" / "systems")


def test_a_record_that_is_no_record_is_no_installation(tmp_path: Path) -> None:
    (tmp_path / SLUG).mkdir()
    for text in ("", "{", "[]", json.dumps({"version": "1"})):
        (tmp_path / SLUG / "installed.json").write_text(text)
        assert find_installation(SLUG, tmp_path) is None


def test_the_folder_comes_from_the_environment(tmp_path: Path) -> None:
    assert systems_folder({"MEMJURY_SYSTEMS": str(tmp_path)}) == tmp_path
    assert systems_folder({"MEMJURY_DATA": str(tmp_path)}) == tmp_path / "systems"
    assert systems_folder({}).parts[-2:] == ("var", "systems")


def test_the_environment_of_the_tests_is_not_what_is_installed_into() -> None:
    assert str(systems_folder({})) not in sys.prefix
    assert pinned_version("mem0", "mem0ai") == "2.2.1"
