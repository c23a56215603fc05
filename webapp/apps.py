"""The web app: pages, API, commands, sign-in and the supervisor."""

from django.apps import AppConfig


class WebappConfig(AppConfig):
    name = "webapp"

    def ready(self) -> None:
        # Tasks sent from a web request need the configured Celery application.
        import webapp.celery  # noqa: F401
