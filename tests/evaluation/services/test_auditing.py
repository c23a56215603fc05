from __future__ import annotations

import pytest

from evaluation.models import AuditCheck, AuditFinding, Question
from evaluation.services.auditing import audit
from evaluation.services.benchmarks import BenchmarkNotLoaded
from evaluation.services.loading import load_benchmark
from tests.evaluation.toy_runs import TOY, measured_run

pytestmark = pytest.mark.django_db


def test_every_check_of_a_sound_benchmark_is_kept_without_findings() -> None:
    load_benchmark(name_or_path=TOY)
    audited = audit(benchmark=TOY)
    assert audited.report.n_questions == 4
    assert AuditCheck.objects.count() == len(audited.report.checks) == 7
    assert not AuditFinding.objects.exists()
    refused = AuditCheck.objects.exclude(refusal="").values_list("name", flat=True)
    assert list(refused) == ["answerable without the corpus"]


def test_a_run_with_the_base_model_tells_what_needs_no_corpus() -> None:
    run = measured_run(systems=("base-model",), tracks=("native",))
    audited = audit(benchmark=TOY)
    assert audited.base_model_run == run.public_id
    check = AuditCheck.objects.get(name="answerable without the corpus")
    assert (check.refusal, check.n_checked) == ("", 3)


def test_findings_are_kept_and_replaced_by_the_next_audit() -> None:
    row = load_benchmark(name_or_path=TOY).benchmark
    question = Question.objects.get(benchmark=row, question_id="T1")
    sound = question.data["source_ids"]
    question.data["source_ids"] = ["gone"]
    question.save()
    audit(benchmark=TOY)
    found = AuditFinding.objects.filter(audit_check__name="source pointers")
    assert [(one.question_id, one.audit_class) for one in found] == [("T1", "B")]
    question.data["source_ids"] = sound
    question.save()
    audit(benchmark=TOY)
    assert not AuditFinding.objects.exists()
    assert AuditCheck.objects.count() == 7


def test_no_finding_speaks_of_a_holdout_question() -> None:
    row = load_benchmark(name_or_path=TOY).benchmark
    hidden = Question.objects.get(benchmark=row, is_holdout=True)
    hidden.data["source_ids"] = ["gone"]
    hidden.save()
    audit(benchmark=TOY)
    assert not AuditFinding.objects.exists()


def test_a_benchmark_that_is_not_loaded_is_refused() -> None:
    with pytest.raises(BenchmarkNotLoaded, match="nothing"):
        audit(benchmark="nothing")
