"""All addresses of the site, and a view that does nothing but insert one row."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from annotation.models import AuditEntry
from webapp.urls import urlpatterns as site


@csrf_exempt
def bare(request: HttpRequest) -> HttpResponse:
    """Insert a row; it is committed when the answer leaves."""
    AuditEntry.objects.create(at=timezone.now(), actor_name="bare", action=request.method or "")
    return HttpResponse("stored", content_type="text/plain")


urlpatterns: list[URLPattern | URLResolver] = [path("bare/", bare), *site]
