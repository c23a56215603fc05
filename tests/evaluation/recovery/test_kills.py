"""Kill -9 at seeded points: a run ends as if nothing had happened, and pays nothing twice."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.language_models.stub_server import StubServer
from tests.evaluation.recovery.patient import BENCHMARK, LONGEST_RUN_S, Patient

pytestmark = pytest.mark.worker
SEEDS_A_KIND = 4
PARALLEL_REQUESTS = 16


@pytest.fixture
def patient(process_environment: dict[str, str], tmp_path: Path) -> Iterator[Patient]:
    with StubServer(delay_s=0.1) as stub:
        patient = Patient(process_environment, stub, tmp_path)
        patient.start()
        patient.manage("load_benchmark", BENCHMARK, "--size=small")
        try:
            yield patient
        finally:
            if patient.site is not None:
                patient.site.clean_up()


def undisturbed(patient: Patient) -> list[str]:
    run = patient.begin_run("calm")
    patient.wait_until_finished(run)
    assert patient.requests_of("calm") == patient.distinct_requests_of("calm") > 0
    return patient.export(run, "calm")


def wait_for_requests(patient: Patient, name: str, least: int) -> None:
    give_up_at = time.monotonic() + LONGEST_RUN_S
    while patient.requests_of(name) < least:
        assert time.monotonic() < give_up_at, "the run sends no requests"
        time.sleep(0.005)


def kill(patient: Patient, kind: str, rng: random.Random, name: str) -> str:
    """Start the run, do the killing, and make sure that a site is there again; the run's id."""
    if kind.startswith("commit"):
        when = rng.choice(["before", "after"])
        patient.order.write_text(f"{when} {rng.randint(1, 40)} {name}")
        run = patient.begin_run(name)
        give_up_at = time.monotonic() + LONGEST_RUN_S
        while patient.order.exists():
            assert time.monotonic() < give_up_at, "no process made that many commits"
            time.sleep(0.05)
        return run
    run = patient.begin_run(name)
    if kind.startswith("model call"):
        wait_for_requests(patient, name, rng.randint(1, 12))
    else:
        time.sleep(rng.uniform(0.0, 3.0))
    if kind.endswith("worker"):
        patient.kill_worker()
    else:
        patient.kill_everything()
        patient.start()
    return run


@pytest.mark.parametrize(
    "kind",
    [
        "any time, worker",
        "any time, everything",
        "commit",
        "model call, worker",
        "model call, everything",
    ],
)
def test_a_killed_run_ends_as_an_undisturbed_one_and_resends_only_what_was_in_flight(
    patient: Patient, kind: str
) -> None:
    expected = undisturbed(patient)
    for seed in range(SEEDS_A_KIND):
        name = f"k{seed}"
        run = kill(patient, kind, random.Random(f"{kind} {seed}"), name)
        patient.wait_until_finished(run)
        assert patient.export(run, name) == expected, f"{kind}, seed {seed}"
        n_sent, n_distinct = patient.requests_of(name), patient.distinct_requests_of(name)
        assert n_distinct <= n_sent <= n_distinct + PARALLEL_REQUESTS
        assert n_sent - n_distinct <= patient.resent(run), f"{kind}, seed {seed}"


def test_a_second_delivery_of_every_task_sends_no_request_and_changes_no_row(
    patient: Patient,
) -> None:
    expected = undisturbed(patient)
    run = patient.begin_run("twice")
    patient.deliver_again(run)
    patient.wait_until_finished(run)
    patient.deliver_again(run)
    time.sleep(2)
    assert patient.requests_of("twice") == patient.distinct_requests_of("twice")
    assert patient.export(run, "twice") == expected
