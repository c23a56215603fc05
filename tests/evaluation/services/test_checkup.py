from __future__ import annotations

import pytest

from evaluation.models import DoctorFinding
from evaluation.services.benchmarks import BenchmarkNotLoaded
from evaluation.services.checkup import check_up
from memory_systems.embedding import UnknownEmbedder
from memory_systems.registry import UnknownSystem

pytestmark = pytest.mark.django_db


def test_every_modality_of_a_system_is_probed_and_kept() -> None:
    reports = list(check_up(system="bm25", benchmark=None, embedder="static"))
    assert [report.label for report in reports] == ["bm25"]
    assert not reports[0].has_failed
    kept = DoctorFinding.objects.filter(run=None, system="bm25")
    assert kept.count() == len(reports[0].findings)


def test_a_second_checkup_replaces_the_first() -> None:
    for _ in range(2):
        reports = list(check_up(system="base-model", benchmark=None, embedder="static"))
    assert DoctorFinding.objects.count() == len(reports[0].findings)


def test_what_is_not_known_is_refused_before_anything_is_probed() -> None:
    with pytest.raises(UnknownSystem):
        check_up(system="nobody", benchmark=None, embedder="static")
    with pytest.raises(UnknownEmbedder):
        check_up(system="bm25", benchmark=None, embedder="nothing")
    with pytest.raises(BenchmarkNotLoaded):
        check_up(system="bm25", benchmark="nothing", embedder="static")
