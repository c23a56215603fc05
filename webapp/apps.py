"""The web app: pages, API, commands, sign-in and the supervisor."""

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class WebappConfig(AppConfig):
    name = "webapp"

    def ready(self) -> None:
        # Tasks sent from a web request need the configured Celery application.
        import webapp.celery  # noqa: F401
        from webapp.sign_in.roles import create_roles

        # Apps without models, as this one, send no signal; the groups belong to auth anyway.
        auth = apps.get_app_config("auth")
        post_migrate.connect(create_roles, sender=auth, dispatch_uid="webapp.create_roles")
