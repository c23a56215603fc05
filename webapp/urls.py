"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path


def healthz(request: HttpRequest) -> HttpResponse:
    """Says that the web server answers; asked by the supervisor and by load balancers."""
    del request
    return HttpResponse("ok\n", content_type="text/plain")


pages: list[URLPattern | URLResolver] = []

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("", include("webapp.sign_in.views")),
    *pages,
]
