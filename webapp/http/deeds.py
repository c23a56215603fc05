"""What a lead does to a campaign: done in their name, and said on the page that follows."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone

from annotation.services.refusals import REFUSALS
from webapp.http.roles import signed_in


def do(
    request: HttpRequest, deed: Callable[..., object], sentence: str, **arguments: object
) -> bool:
    """Call the service as the person behind the request; whether it was done. ``sentence`` says
    so on the next page, or the refusal does."""
    try:
        deed(**arguments, by=signed_in(request), now=timezone.now())
    except REFUSALS as refusal:
        said = str(refusal)
        messages.error(request, said[:1].upper() + said[1:] + ("" if said[-1:] == "." else "."))
        return False
    messages.success(request, sentence)
    return True
