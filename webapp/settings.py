"""Django's and Celery's settings, from the environment alone (see webapp.environment)."""

from __future__ import annotations

import os
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from webapp.data_folder import broker_url, open_data_folder, secret_key
from webapp.environment import Environment

BASE_DIR = Path(__file__).resolve().parent.parent
environment = Environment(os.environ)

# MemJury's own
MEMJURY_DATA = open_data_folder(
    Path(environment.text("MEMJURY_DATA", str(BASE_DIR / "var"))).expanduser().resolve()
)
MEMJURY_PRODUCTION = environment.flag("MEMJURY_PRODUCTION")
MEMJURY_HOST = environment.text("MEMJURY_HOST", "127.0.0.1")
MEMJURY_PORT = environment.integer("PORT", 8000, least=1, most=65535)
MEMJURY_WORKERS = environment.integer("MEMJURY_WORKERS", os.cpu_count() or 1, least=1, most=256)
MEMJURY_WEB_THREADS = environment.integer("MEMJURY_WEB_THREADS", 8, least=1, most=256)
MEMJURY_PUBLIC_CAMPAIGNS = environment.flag("MEMJURY_PUBLIC_CAMPAIGNS")
MEMJURY_THROTTLE = environment.flag("MEMJURY_THROTTLE", default=True)
MEMJURY_DEMO = environment.flag("MEMJURY_DEMO", default=True)
MEMJURY_EMBEDDED_WORKER = environment.flag("MEMJURY_EMBEDDED_WORKER")
MEMJURY_EMBEDDED_BROKER = not environment.text("CELERY_BROKER_URL")

# Django
DEBUG = environment.flag("MEMJURY_DEBUG")
SECRET_KEY = environment.text("SECRET_KEY")
ALLOWED_HOSTS = environment.words("MEMJURY_ALLOWED_HOSTS")
if MEMJURY_PRODUCTION:
    if DEBUG:
        raise ImproperlyConfigured("MEMJURY_DEBUG=1 is refused when MEMJURY_PRODUCTION=1.")
    if len(SECRET_KEY) < 50:
        raise ImproperlyConfigured(
            "MEMJURY_PRODUCTION=1 needs SECRET_KEY, a random text of 50 characters or more."
        )
    if not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS:
        raise ImproperlyConfigured(
            "MEMJURY_PRODUCTION=1 needs MEMJURY_ALLOWED_HOSTS, the host names people use."
        )
SECRET_KEY = SECRET_KEY or secret_key(MEMJURY_DATA)
ALLOWED_HOSTS = [*ALLOWED_HOSTS, "localhost", "127.0.0.1", "[::1]"]
MEMJURY_ADDRESS = environment.text(
    "MEMJURY_ADDRESS", f"https://{ALLOWED_HOSTS[0]}" if MEMJURY_PRODUCTION else ""
).rstrip("/")
if MEMJURY_ADDRESS and not MEMJURY_ADDRESS.startswith(("http://", "https://")):
    raise ImproperlyConfigured("MEMJURY_ADDRESS must start with http:// or https://.")
if MEMJURY_HOST not in {"0.0.0.0", "::", *ALLOWED_HOSTS}:  # noqa: S104
    ALLOWED_HOSTS.append(MEMJURY_HOST)

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "django_htmx",
    "template_partials",
    "csp",
    "evaluation",
    "annotation",
    "webapp",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "webapp.http.addresses.NoNulInAddresses",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "webapp.urls"
WSGI_APPLICATION = "webapp.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
DATABASES = {"default": environment.database(sqlite_file=MEMJURY_DATA / "memjury.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
# The lifetime of one-time sign-in links (webapp.sign_in.tokens).
PASSWORD_RESET_TIMEOUT = 15 * 60
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# Answers and benchmarks of many megabytes are uploaded; they go to a temporary file, not to memory.
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 2**20
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20

# Static files: named by their hash, compressed once, kept by browsers forever
STATIC_URL = "/static/"
STATIC_ROOT = MEMJURY_DATA / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "webapp.staticfiles.PlotlyFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
MEDIA_ROOT = MEMJURY_DATA / "uploads"
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Security
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        # Plotly adds an empty <style> element and fills it by rules: this is the hash of nothing.
        "style-src": [SELF, "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = MEMJURY_PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 30 * 24 * 3600 if MEMJURY_PRODUCTION else 0
if MEMJURY_PRODUCTION:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        # The first one decides what a visitor without an account is told: 401, with how to ask.
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["webapp.api.parsers.BoundedJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_THROTTLE_CLASSES": [
        "webapp.api.throttles.VisitorThrottle",
        "webapp.api.throttles.PersonThrottle",
    ]
    if MEMJURY_THROTTLE
    else [],
    "DEFAULT_THROTTLE_RATES": {"anon": "120/min", "user": "1200/min"},
    # Whom a request comes from is what the proxy says, where there is one: a client may say more.
    "NUM_PROXIES": 1 if MEMJURY_PRODUCTION else 0,
    "EXCEPTION_HANDLER": "webapp.api.errors.answer_in_words",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "MemJury",
    "DESCRIPTION": "Benchmarks of memory systems, blinded votes and calibrated judges.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
}

# Celery
CELERY_BROKER_URL = environment.broker(embedded="") or broker_url(MEMJURY_DATA)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"
# A task is stopped before its delivery counts as lost, or a second worker would run it as well.
CELERY_TASK_TIME_LIMIT = 6 * 3600
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_TASK_TIME_LIMIT + 600,
    "unacked_restore_interval": 1,
    "unacked_restore_throttle": 1,
}

# Logging: one line each to the terminal; `manage.py up` keeps them in files
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "format": "{asctime} {levelname} {name}: {message}",
            "datefmt": "%Y-%m-%d %H:%M:%S",
            "style": "{",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    # Model clients log every request with its address, which may be private.
    "loggers": {
        **{name: {"level": "WARNING"} for name in ("httpx", "httpx2", "openai", "anthropic")},
        # What is refused (404, 410 …) is the business of who asked, not of the terminal.
        "django.request": {"level": "ERROR"},
    },
    "root": {
        "handlers": ["console"],
        "level": environment.choice(
            "MEMJURY_LOG_LEVEL", "INFO", known=("DEBUG", "INFO", "WARNING", "ERROR")
        ),
    },
}
