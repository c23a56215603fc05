"""The evaluation app: benchmarks, runs, judgments and what is read from them."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    default_auto_field = "django.db.models.BigAutoField"
