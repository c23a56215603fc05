from __future__ import annotations

from django.db import models

from evaluation.models.benchmark import Question
from evaluation.models.protocol import Judge
from evaluation.models.run import RunVariant, Work


class CellQuerySet(models.QuerySet["Cell"]):
    def pending(self) -> CellQuerySet:
        return self.filter(answered_at=None, errored_at=None, not_applicable="")

    def errored(self) -> CellQuerySet:
        return self.exclude(errored_at=None)

    def answered(self) -> CellQuerySet:
        return self.exclude(answered_at=None)


class Cell(models.Model):
    """variant × track × question × phase × repeat.

    Its state for a judge is derived: ``not_applicable`` (a reason); scored or unscored where that
    judge's judgment of its answer exists; errored where ``errored_at`` is set (some attempt failed
    and none succeeded since); else pending. ``work`` is the task that answers it.
    ``state_label`` names the memory's state the question is asked of (its snapshot).
    """

    run_variant = models.ForeignKey(RunVariant, on_delete=models.CASCADE, related_name="cells")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="cells")
    work = models.ForeignKey(Work, null=True, on_delete=models.SET_NULL, related_name="cells")
    track = models.CharField(max_length=20)
    phase = models.CharField(max_length=80)
    repeat = models.PositiveSmallIntegerField(default=0)
    state_label = models.CharField(max_length=120)
    requested_chars = models.PositiveIntegerField(null=True)
    not_applicable = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True)
    errored_at = models.DateTimeField(null=True)

    objects = CellQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["run_variant", "track", "question", "phase", "repeat"],
                name="a_cell_is_asked_once",
            )
        ]
        indexes = [models.Index(fields=["question", "track"])]


class CellError(models.Model):
    """One failed attempt at a cell; kept when a later attempt succeeds."""

    cell = models.ForeignKey(Cell, on_delete=models.CASCADE, related_name="errors")
    stage = models.CharField(max_length=20, help_text="ingest, retrieve, synthesize or judge")
    judge = models.ForeignKey(Judge, null=True, on_delete=models.CASCADE, related_name="+")
    message = models.TextField()
    at = models.DateTimeField()
    resolved_at = models.DateTimeField(null=True)


class UnitText(models.Model):
    """The text of a retrieved unit that is not a span of a stored source item, once."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    body = models.BinaryField()


class Retrieval(models.Model):
    """What a cell's context is made of. ``layout``: zlib-compressed JSON, see
    evaluation.services.contexts; rendering it again gives ``achieved_chars`` characters."""

    cell = models.OneToOneField(Cell, on_delete=models.CASCADE, related_name="retrieval")
    achieved_chars = models.PositiveIntegerField()
    n_units = models.PositiveIntegerField()
    knobs = models.JSONField(default=dict)
    flags = models.JSONField(default=list)
    layout = models.BinaryField(help_text="empty: an imported context whose text was not kept")
    retrieve_ms = models.FloatField(null=True, help_text="null: imported and not stated")


class Answer(models.Model):
    cell = models.OneToOneField(Cell, on_delete=models.CASCADE, related_name="answer")
    text = models.TextField(blank=True)
    abstained = models.BooleanField(default=False)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    model_calls = models.PositiveIntegerField(default=0)
    cost_usd = models.FloatField(null=True, help_text="null: a price is unknown")
    synthesize_ms = models.FloatField(default=0.0)
    created_at = models.DateTimeField()


class Judgment(models.Model):
    """``composite`` is 0–10; null is UNSCORED, for ``unscored_reason``."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="judgments")
    # An index below begins with it.
    judge = models.ForeignKey(
        Judge, on_delete=models.PROTECT, related_name="judgments", db_index=False
    )
    composite = models.FloatField(null=True)
    scores = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    unscored_reason = models.TextField(blank=True)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    cost_usd = models.FloatField(null=True)
    judge_ms = models.FloatField(default=0.0)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["answer", "judge"], name="a_judge_judges_an_answer_once"
            ),
            models.CheckConstraint(
                condition=models.Q(composite__isnull=True) & ~models.Q(unscored_reason="")
                | models.Q(composite__gte=0, composite__lte=10, unscored_reason=""),
                name="a_judgment_is_a_score_from_0_to_10_or_unscored_with_a_reason",
            ),
        ]
        # Scores without the long reasons beside them: judges are compared over all their cells.
        indexes = [models.Index(fields=["judge", "answer", "composite"], name="scores_of_a_judge")]
