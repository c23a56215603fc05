"""The product's settings with what tests must not share: data folder, broker, collected files."""

import os
import tempfile

os.environ.setdefault("MEMJURY_DATA", tempfile.mkdtemp(prefix="memjury-tests-"))
os.environ["CELERY_BROKER_URL"] = "memory://"

from webapp.settings import *  # noqa: F403
from webapp.settings import MEMJURY_DATA, MIDDLEWARE, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Static files are not collected for tests; the live server finds them where they lie.
MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("whitenoise.")]
MEDIA_ROOT = MEMJURY_DATA / "uploads"
