"""The parts of the supervisor that need no process."""

from __future__ import annotations

import socket
from collections import namedtuple
from pathlib import Path

import pytest

from webapp.supervisor.log_file import LogFile
from webapp.supervisor.preflight import (
    CannotStart,
    check_port,
    check_space,
    check_writable,
    sole_supervisor,
)
from webapp.supervisor.restarts import DiesTooOften, RestartPolicy
from webapp.supervisor.web_server import processes_and_threads


def test_restarts_wait_longer_each_time_and_then_give_up() -> None:
    policy = RestartPolicy(most_deaths=5, window_s=120, longest_wait_s=5)
    assert [policy.wait_after_death(now) for now in (0, 1, 3, 7)] == [1, 2, 4, 5]
    with pytest.raises(DiesTooOften, match="5 times within 120 seconds"):
        policy.wait_after_death(12)


def test_a_death_now_and_then_is_forgiven() -> None:
    policy = RestartPolicy(most_deaths=2, window_s=60)
    assert [policy.wait_after_death(now) for now in (0, 100, 200)] == [1, 1, 1]


def test_who_is_killed_from_outside_is_started_again_without_end() -> None:
    policy = RestartPolicy(most_deaths=2, window_s=120, longest_wait_s=10)
    waits = [policy.wait_after_death(now, was_killed=True) for now in range(6)]
    assert waits == [1, 2, 4, 8, 10, 10]
    assert policy.wait_after_death(6) == 10
    with pytest.raises(DiesTooOften, match="2 times within 120 seconds"):
        policy.wait_after_death(7)


def test_a_log_file_stays_small_and_keeps_its_newest_lines(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "logs" / "web.log", most_bytes=100, copies=2)
    for number in range(100):
        log.write([f"line {number:03}"])
    files = sorted(file.name for file in (tmp_path / "logs").iterdir())
    assert files == ["web.log", "web.log.1", "web.log.2"]
    assert sum(file.stat().st_size for file in (tmp_path / "logs").iterdir()) < 400
    assert log.path.read_text().endswith("line 099\n")


def test_a_log_file_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    LogFile(tmp_path / "file" / "web.log").write(["lost"])


def test_a_full_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**9, 10**9, 5 * 2**20))
    with pytest.raises(CannotStart, match=r"Only 5 MB are free .* needs 300 MB"):
        check_space(tmp_path)


def test_a_folder_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(CannotStart, match="The data folder /proc cannot be written"):
        check_writable(Path("/proc"))


def test_a_folder_that_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    check_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_second_supervisor_of_a_folder_is_refused(tmp_path: Path) -> None:
    with (
        sole_supervisor(tmp_path, told="http://here"),
        pytest.raises(CannotStart, match=r"already running .* \(process \d+, http://here\)"),
        sole_supervisor(tmp_path, told="http://there"),
    ):
        pass
    with sole_supervisor(tmp_path, told="http://there"):
        pass


def test_a_taken_port_is_refused() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(CannotStart, match=f"Port {port} on 127.0.0.1 is taken"):
            check_port("127.0.0.1", port, patience_s=0)
    check_port("127.0.0.1", port, patience_s=0)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CannotStart, match="cannot be listened on"):
        check_port("192.0.2.1", 8000, patience_s=0)


def test_requests_at_once_are_processes_first_and_threads_beyond() -> None:
    assert [processes_and_threads(n) for n in (1, 3, 8, 9, 64)] == [
        (1, 1), (3, 1), (8, 1), (8, 2), (8, 8),
    ]  # fmt: skip
