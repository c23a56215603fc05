"""The product's settings with what tests must not share: data folder, broker, collected files."""

import atexit
import os
import shutil
import tempfile

if "MEMJURY_DATA" not in os.environ:
    # The processes of xdist inherit the folder; the one that made it removes it.
    os.environ["MEMJURY_DATA"] = tempfile.mkdtemp(prefix="memjury-tests-")
    atexit.register(shutil.rmtree, os.environ["MEMJURY_DATA"], ignore_errors=True)
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
