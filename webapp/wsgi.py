"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

application = get_wsgi_application()
# Every page's code takes seconds to import: before a web process serves, not while a reader waits.
_ = get_resolver().url_patterns
