from __future__ import annotations

from django.db import models


class Protocol(models.Model):
    """A frozen comparison key: rows with different ones never share a table.

    ``parts`` is what was hashed: benchmark revision, question set, budget mode, synthesizer,
    prompts, seed, repeats, protocol version.
    """

    key = models.CharField(max_length=64, unique=True)
    parts = models.JSONField()
    question_set = models.CharField(max_length=120)
    created_at = models.DateTimeField()


class Variant(models.Model):
    """A memory system with its modality and parameters.

    ``system`` is the plain system (simple-rag), ``slug`` has the modality (simple-rag+bm25),
    ``label`` has what else distinguishes it (simple-rag+bm25@static).
    """

    key = models.CharField(max_length=64, unique=True)
    system = models.CharField(max_length=60)
    slug = models.CharField(max_length=80)
    label = models.CharField(max_length=200)
    modality = models.CharField(max_length=10)
    synthesis = models.CharField(max_length=10)
    is_anchor = models.BooleanField(default=False)
    embedder = models.CharField(max_length=80, blank=True)
    parts = models.JSONField()
    created_at = models.DateTimeField()


class Judge(models.Model):
    """A frozen judge key: provider, model, prompt, temperature, version. ``is_proxy`` marks
    deterministic scorers that only stand in for a reader's judgment."""

    key = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=120)
    is_proxy = models.BooleanField(default=False)
    parts = models.JSONField()
    created_at = models.DateTimeField()
