"""The language model that a system calls by itself, at the address that it was given."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

from memory_systems.base import ModelAddress

_TIMEOUT_S = 600.0
_SHOWN_CHARS = 200


class ModelCallFailed(Exception):
    """The internal model did not answer, or its answer cannot be read."""


class InternalModel:
    """Chat completions at temperature 0; what was used is counted by the address."""

    def __init__(self, address: ModelAddress) -> None:
        self.address = address

    def complete(self, *, system: str, prompt: str, max_output_tokens: int) -> str:
        """The reply's text. Raises ModelCallFailed, and what must end the run."""
        body = {
            "model": self.address.model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": prompt},
            ],
            "temperature": 0,
            "max_tokens": max_output_tokens,
        }
        try:
            reply = self._post(body)
        except ModelCallFailed:
            self.address.check()
            raise
        self.address.check()
        return reply

    def _post(self, body: dict[str, Any]) -> str:
        # The address is on this machine and comes from the configuration, never from a text.
        request = urllib.request.Request(  # noqa: S310
            f"{self.address.base_url.rstrip('/')}/chat/completions",
            data=json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                "Authorization": f"Bearer {self.address.api_key}",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:  # noqa: S310
                told = json.load(response)
            content = told["choices"][0]["message"]["content"]
        except urllib.error.HTTPError as error:
            with error:
                said = error.read(_SHOWN_CHARS).decode(errors="replace")
            raise ModelCallFailed(f"the model's endpoint answered {error.code}: {said}") from error
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise ModelCallFailed(f"the model's endpoint gave no usable answer: {error}") from error
        if not isinstance(content, str) or not content.strip():
            raise ModelCallFailed("the model's answer is empty")
        return content
