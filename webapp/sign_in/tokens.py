"""The token of a sign-in link: signed, short-lived, and worthless once its user has signed in."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.tokens import PasswordResetTokenGenerator


class SignInTokens(PasswordResetTokenGenerator):
    """Lifetime is ``PASSWORD_RESET_TIMEOUT``; a sign-in or a new password ends it earlier."""

    key_salt = "webapp.sign_in.tokens.SignInTokens"

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        # Django drops the microseconds of last_login, so a link made in the second of a sign-in
        # could be used twice in that second.
        signed_in_at = user.last_login.isoformat() if user.last_login else ""
        return f"{user.pk}{user.password}{signed_in_at}{timestamp}{user.is_active}"
