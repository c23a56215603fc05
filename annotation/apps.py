"""The annotation app: campaigns, blinded votes and the calibration of judges."""

from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"
    default_auto_field = "django.db.models.BigAutoField"
