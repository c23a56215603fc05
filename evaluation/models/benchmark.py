from __future__ import annotations

from django.db import models


class BenchmarkQuerySet(models.QuerySet["Benchmark"]):
    def newest_first(self) -> BenchmarkQuerySet:
        return self.order_by("-loaded_at", "-pk")

    def named(self, slug: str) -> BenchmarkQuerySet:
        return self.filter(slug=slug)


class Benchmark(models.Model):
    """One revision of a benchmark. The page of a slug shows its newest revision with a run."""

    slug = models.SlugField(max_length=80)
    revision = models.CharField(max_length=64, help_text="SHA-256 of scenarios and questions")
    family = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    card = models.JSONField(help_text="evaluation.records.Card")
    report = models.JSONField(default=dict, help_text="evaluation.records.LoaderReport")
    loaded_from = models.JSONField(
        default=dict, help_text="how to load it again: evaluation.services.loading"
    )
    n_documents = models.PositiveIntegerField(default=0)
    n_questions = models.PositiveIntegerField(default=0, help_text="holdout questions not counted")
    n_holdout = models.PositiveIntegerField(default=0)
    is_published_only = models.BooleanField(default=False)
    loaded_at = models.DateTimeField()

    objects = BenchmarkQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["slug", "revision"], name="a_benchmark_has_each_revision_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.slug}@{self.revision[:8]}"


class Scenario(models.Model):
    """``steps``: zlib-compressed JSON of the stream, with each source item's text left out
    (it stands once, in SourceItem, under ``sha256``)."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="scenarios")
    key = models.CharField(max_length=120)
    position = models.PositiveIntegerField()
    steps = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "key"], name="a_benchmark_has_each_scenario_once"
            )
        ]


class SourceItem(models.Model):
    """One version of a document, session or event. ``body`` is its zlib-compressed UTF-8 text;
    ``sha256`` hashes id, title, kind, timestamp and text together."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="items")
    item_id = models.CharField(max_length=200)
    title = models.TextField(blank=True)
    kind = models.CharField(max_length=40)
    timestamp = models.CharField(max_length=40, blank=True)
    sha256 = models.CharField(max_length=64, db_index=True)
    n_chars = models.PositiveIntegerField()
    body = models.BinaryField()
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "sha256"], name="an_item_version_is_stored_once"
            )
        ]
        indexes = [models.Index(fields=["benchmark", "item_id"])]


class Question(models.Model):
    """``data`` is the whole evaluation.records.Question as JSON; ``slices`` repeats its slices."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="questions")
    question_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    text = models.TextField()
    slices = models.JSONField(default=dict)
    is_holdout = models.BooleanField(default=False)
    data = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark", "question_id"], name="a_question_id_is_unique_in_a_benchmark"
            )
        ]
