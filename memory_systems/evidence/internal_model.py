"""The language model that a system calls by itself, at the address that it was given."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from memory_systems.model_address import ModelAddress

# The address waits and sends again by itself, and gives up in a sentence: whoever gave up before it
# would ask the next thing of an endpoint that is still busy with this one.
_TIMEOUT_S = 1200.0
_SHOWN_CHARS = 200
_NOT_UNDERSTOOD = 400


class ModelCallFailed(Exception):
    """The internal model did not answer, or its answer cannot be read. ``status`` is that of the
    endpoint's answer, 0 without one."""

    def __init__(self, sentence: str, *, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


class InternalModel:
    """Chat completions at temperature 0; what was used is counted by the address."""

    def __init__(self, address: ModelAddress) -> None:
        self.address = address
        self._takes_schema = True

    def complete(
        self,
        *,
        system: str,
        prompt: str,
        max_output_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> str:
        """The reply's text. ``schema`` asks for JSON of that shape, where the endpoint takes such a
        wish; of such a reply the beginning is of use, any other that was cut is refused. Raises
        ModelCallFailed, and what must end the run."""
        body: dict[str, Any] = {
            "model": self.address.model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": prompt},
            ],
            "temperature": 0,
            "max_tokens": max_output_tokens,
        }
        if schema is None:
            return self._asked(body, may_be_cut=False)
        if not self._takes_schema:
            return self._asked(body)
        form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema)}}
        try:
            return self._asked({**body, "response_format": form})
        except ModelCallFailed as failure:
            if failure.status != _NOT_UNDERSTOOD:
                raise
        self._takes_schema = False
        return self._asked(body)

    def _asked(self, body: dict[str, Any], *, may_be_cut: bool = True) -> str:
        try:
            return self._post(body, may_be_cut=may_be_cut)
        finally:
            self.address.check()

    def _post(self, body: dict[str, Any], *, may_be_cut: bool) -> str:
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
            choice = told["choices"][0]
            content, finish = choice["message"]["content"], choice.get("finish_reason")
        except urllib.error.HTTPError as error:
            with error:
                said = error.read(_SHOWN_CHARS).decode(errors="replace")
            raise ModelCallFailed(
                f"the model's endpoint answered {error.code}: {said}", status=error.code
            ) from error
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise ModelCallFailed(f"the model's endpoint gave no usable answer: {error}") from error
        if finish == "content_filter":
            raise ModelCallFailed("the endpoint withheld the answer")
        if finish == "length" and not may_be_cut:
            raise ModelCallFailed(f"the answer was cut at {body['max_tokens']} output tokens")
        if not isinstance(content, str) or not content.strip():
            raise ModelCallFailed("the model's answer is empty")
        return content
