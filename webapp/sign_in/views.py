"""Signing in: by a one-time link, or by name and password."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.views import LoginView, LogoutView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from webapp.sign_in.links import SignInLinkInvalid, read_sign_in_link, sign_in_by_link


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, key: str, token: str) -> HttpResponse:
    """GET shows a button, so that a preview of the link does not use it up; POST signs in."""
    try:
        if request.method == "POST":
            sign_in_by_link(request=request, key=key, token=token)
            return redirect(settings.LOGIN_REDIRECT_URL)
        with transaction.atomic():
            person = read_sign_in_link(key=key, token=token)
    except SignInLinkInvalid:
        return render(request, "sign_in/link_invalid.html", status=410)
    return render(request, "sign_in/link.html", {"person": person})


sign_in = LoginView.as_view(template_name="sign_in/sign_in.html", redirect_authenticated_user=True)

urlpatterns = [
    path("sign-in/", sign_in, name="sign_in"),
    path("sign-in/<str:key>/<str:token>/", sign_in_link, name="sign_in_link"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
]
