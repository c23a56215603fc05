"""A rater over HTTP who double-clicks, opens tabs, goes back, loses answers and changes their mind,
and remembers every vote that was acknowledged."""

from __future__ import annotations

import http.client
import random
import re
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlencode

FIELD = re.compile(r'name="(assignment|client_token|csrfmiddlewaretoken)" value="([^"]*)"')
STAGE = re.compile(r'data-stage="([a-z]+)"')
CHOICES = ("a", "b", "tie")
LONGEST_S = 600.0


@dataclass(frozen=True)
class Page:
    status: int
    stage: str
    fields: dict[str, str]


@dataclass
class HttpRater:
    """``acknowledged``: assignment id → choice, of every vote that stands by what was answered.
    ``pauses_s`` is the longest that they read; ``ends`` tells them to stop."""

    port: int
    token: str
    seed: int
    pauses_s: float = 0.0
    is_patient: bool = False
    ends: threading.Event = field(default_factory=threading.Event)
    acknowledged: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    n_acknowledged: int = 0
    error: str = ""
    stage: str = ""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self._connection: http.client.HTTPConnection | None = None

    def vote_to_the_end(self) -> None:
        """Never raises: ``error`` says what went wrong."""
        try:
            self._vote_to_the_end()
        except Exception as error:  # noqa: BLE001 - said by the test, with the rater's number
            self.error = f"rater {self.seed}: {error!r}"
        finally:
            self._hang_up()

    def _vote_to_the_end(self) -> None:
        give_up_at = time.monotonic() + LONGEST_S
        page = self._get()
        self._post("consent", page.fields)
        page = self._get()
        while page.stage in ("voting", "waiting") and not self.ends.is_set():
            if time.monotonic() > give_up_at:
                raise AssertionError(f"still {page.stage} after {LONGEST_S} s")
            if page.stage == "waiting":
                time.sleep(0.2)
                page = self._get()
                continue
            time.sleep(self.rng.uniform(0, self.pauses_s))
            page = self._act(page)
        self.stage = page.stage

    def _act(self, page: Page) -> Page:
        """Decide the pair in one of the ways in which people and networks do."""
        roll = self.rng.random()
        if roll < 0.05:
            return self._post("skip", page.fields)
        if roll < 0.12:
            return self._cast_losing_the_answer(page)
        following = self._cast(page)
        if roll < 0.30:
            again = self._cast(page, is_again=True)
            if again.status == 200:
                return again
        elif roll < 0.38:
            self._go_back(page)
        elif roll < 0.45:
            self._get()
        elif roll < 0.50:
            return self._undo(page)
        return self._get() if following.status != 200 else following

    def _cast(self, page: Page, *, is_again: bool = False) -> Page:
        name = page.fields["assignment"]
        choice = self.acknowledged.get(name) or self.rng.choice(CHOICES)
        answer = self._post("cast", {**page.fields, "choice": choice})
        if answer.status == 200:
            self.acknowledged[name] = choice
            self.n_acknowledged += 1
        elif not (answer.status == 409 and (is_again or self.is_patient)):
            raise AssertionError(f"a vote was answered with {answer.status}")
        return answer

    def _cast_losing_the_answer(self, page: Page) -> Page:
        """Send the vote and hang up; then send it again, as a person would."""
        choice = self.rng.choice(CHOICES)
        body = {**page.fields, "choice": choice}
        connection = self._connected()
        with suppress(OSError):
            connection.request("POST", self._path("cast"), urlencode(body), self._headers(True))
        self._hang_up()
        answer = self._post("cast", body)
        if answer.status == 200:
            self.acknowledged[page.fields["assignment"]] = choice
            return answer
        return self._get()

    def _go_back(self, page: Page) -> None:
        """Another choice on the page before: refused, and the vote stands."""
        name = page.fields["assignment"]
        other = next(choice for choice in CHOICES if choice != self.acknowledged[name])
        answer = self._post("cast", {**page.fields, "choice": other})
        if answer.status != 409:
            raise AssertionError(f"another choice was answered with {answer.status}")

    def _undo(self, page: Page) -> Page:
        answer = self._post("undo", page.fields)
        if answer.status == 200:
            self.acknowledged.pop(page.fields["assignment"], None)
            return answer
        return self._get()

    def _get(self) -> Page:
        return self._send("GET", self._path(""), None)

    def _post(self, act: str, fields: dict[str, str]) -> Page:
        return self._send("POST", self._path(act), urlencode(fields))

    def _send(self, method: str, path: str, body: str | None) -> Page:
        began = time.monotonic()
        while True:
            try:
                connection = self._connected()
                connection.request(method, path, body, self._headers(body is not None))
                reply = connection.getresponse()
                text = reply.read().decode()
                break
            except (OSError, http.client.HTTPException):
                self._hang_up()
                is_waiting = self.is_patient and not self.ends.is_set()
                if time.monotonic() - began > (LONGEST_S if is_waiting else 30):
                    raise
                time.sleep(0.05)
        for value in reply.headers.get_all("Set-Cookie") or ():
            name, _, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        stage = STAGE.search(text)
        return Page(reply.status, stage[1] if stage else "", dict(FIELD.findall(text)))

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _headers(self, has_body: bool) -> dict[str, str]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if has_body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-Partial"] = "stage"
        return headers

    def _path(self, act: str) -> str:
        return f"/vote/{self.token}/{act}/" if act else f"/vote/{self.token}/"
