"""A rater who votes over the API."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient


class ApiRater:
    """Speaks to one campaign; keeps the key that joining gives."""

    def __init__(self, client: APIClient | None = None, slug: str = "toy") -> None:
        self.client = client or APIClient()
        self.slug = slug
        self.key = ""
        self.state: dict[str, Any] = {}

    def act(self, act: str, **fields: Any) -> Any:
        return self._post(f"/api/v1/campaigns/{self.slug}/{act}/", fields)

    def join(self, **fields: Any) -> Any:
        asked = {"consent": True, "link": f"link-{self.slug}", **fields}
        response = self.act("assignments", **asked)
        self.key = response.json().get("rater_key", "")
        return response

    def on_pair(self, act: str = "vote", **fields: Any) -> Any:
        return self._post(f"/api/v1/assignments/{self.state['assignment']['id']}/{act}/", fields)

    def vote(self, choice: str = "a", **fields: Any) -> Any:
        return self.on_pair(choice=choice, **fields)

    def _post(self, address: str, fields: dict[str, Any]) -> Any:
        named = {"rater_key": self.key} if self.key else {}
        response = self.client.post(address, {**named, **fields}, format="json")
        if response.status_code == 200:
            self.state = response.json()
        return response
