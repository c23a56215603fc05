"""Kill -9 at seeded points: a run ends as if nothing had happened, and pays nothing twice."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.language_models.stub_server import StubServer
from tests.evaluation.recovery.patient import LONGEST_RUN_S, Patient

pytestmark = pytest.mark.worker
SEEDS_A_KIND = 4
PARALLEL_REQUESTS = 16
KINDS = (
    "any time, worker",
    "any time, everything",
    "commit",
    "model call, worker",
    "model call, everything",
)


@pytest.fixture
def patient(process_environment: dict[str, str], tmp_path: Path) -> Iterator[Patient]:
    with StubServer(delay_s=0.1) as stub:
        patient = Patient(process_environment, stub, tmp_path)
        try:
            patient.prepare()
            yield patient
        finally:
            if patient.site is not None:
                patient.site.clean_up()


def undisturbed(patient: Patient) -> str:
    run = patient.begin_run("calm")
    patient.wait_until_finished(run)
    assert patient.requests_of("calm") == patient.distinct_requests_of("calm") > 0
    return run


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


def test_runs_killed_at_twenty_seeded_points_end_as_an_undisturbed_one(patient: Patient) -> None:
    runs = {"calm": undisturbed(patient)}
    kinds: dict[str, str] = {}
    for kind in KINDS:
        for seed in range(SEEDS_A_KIND):
            name = f"k{len(kinds)}"
            kinds[name] = f"{kind}, seed {seed}"
            runs[name] = kill(patient, kind, random.Random(kinds[name]), name)
            patient.wait_until_finished(runs[name])
    exports, resent = patient.exports(runs), patient.resent(runs)
    assert exports["calm"]
    for name, kind in kinds.items():
        assert exports[name] == exports["calm"], kind
        n_sent, n_distinct = patient.requests_of(name), patient.distinct_requests_of(name)
        assert n_distinct <= n_sent <= n_distinct + resent[name], kind
        assert resent[name] <= PARALLEL_REQUESTS, kind


def test_a_second_delivery_of_every_task_sends_no_request_and_changes_no_row(
    patient: Patient,
) -> None:
    runs = {"calm": undisturbed(patient), "twice": patient.begin_run("twice")}
    patient.deliver_again(runs["twice"])
    patient.wait_until_finished(runs["twice"])
    patient.deliver_again(runs["twice"])
    time.sleep(2)
    assert patient.requests_of("twice") == patient.distinct_requests_of("twice")
    exports = patient.exports(runs)
    assert exports["twice"] == exports["calm"] != []
