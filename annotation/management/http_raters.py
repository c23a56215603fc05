"""Simulated raters over HTTP: they load the page and send its form, as a browser's script does."""

from __future__ import annotations

import http.client
import re
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from html import unescape
from typing import Final
from urllib.parse import urlencode, urlsplit

from annotation.blinding.simulated_reading import SimulatedReader
from annotation.blinding.voting_page import BlindPair
from annotation.views.places import COOKIE, signed_place
from annotation.views.screens import PARTIAL_HEADER

TIMEOUT_S: Final = 60
_FIELD = re.compile(r'name="(assignment|client_token|csrfmiddlewaretoken)" value="([^"]*)"')
_CHOICE = re.compile(r'name="choice" value="(\w+)"')
_FACT = re.compile(r'<li dir="auto">(.*?)</li>', re.DOTALL)
_TEXT = (
    '<div class="[^"]*" role="[^"]*" aria-label="Text of {}" tabindex="0" dir="auto">(.*?)</div>'
)
_GOING_ON = re.compile(r'data-stage="revealed"')


class SiteUnusable(Exception):
    """The address does not answer as this site does; the message says how."""


@dataclass(frozen=True, slots=True)
class Load:
    """Latencies in milliseconds are of votes alone, the next pair included; None without votes."""

    n_raters: int
    n_votes: int
    seconds: float
    median_ms: float | None
    p99_ms: float | None


class Browser:
    """One rater's cookies on one kept connection."""

    def __init__(self, site: str, campaign_token: str, rater_key: str) -> None:
        parts = urlsplit(site)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SiteUnusable(f"{site} is no address such as http://127.0.0.1:8000")
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.connection = kind(parts.hostname, parts.port, timeout=TIMEOUT_S)
        self.cookies = {COOKIE: signed_place(campaign_token, rater_key)}
        self.page = f"/vote/{campaign_token}/"

    def look(self) -> str:
        return self.send("GET", self.page)

    def send(self, method: str, path: str, fields: dict[str, str] | None = None) -> str:
        """Waits where the site asks to. Raises SiteUnusable."""
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
            "Origin": self.origin,
            PARTIAL_HEADER: "stage",
        }
        while True:
            try:
                self.connection.request(method, path, urlencode(fields or {}), headers)
                reply = self.connection.getresponse()
                text = reply.read().decode()
            except (OSError, http.client.HTTPException) as error:
                self.connection.close()
                raise SiteUnusable(f"{self.origin} does not answer: {error}") from error
            if reply.status != http.client.TOO_MANY_REQUESTS:
                break
            time.sleep(float(reply.headers.get("Retry-After", "1")))
        for cookie in reply.headers.get_all("Set-Cookie") or ():
            name, _, rest = cookie.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        if reply.status != http.client.OK:
            raise SiteUnusable(f"{self.origin}{path} answers with status {reply.status}")
        return text


def vote_over_http(
    site: str, campaign_token: str, raters: list[tuple[str, SimulatedReader]], n_votes: int | None
) -> Load:
    """All raters at once, each until it has cast ``n_votes`` or is given no pair. ``raters`` are
    (key, reader). Raises SiteUnusable."""
    browsers = [Browser(site, campaign_token, key) for key, _ in raters]
    began = time.perf_counter()
    with ThreadPoolExecutor(max_workers=max(1, len(raters))) as pool:
        runs = [
            pool.submit(_vote_on, browser, reader, n_votes)
            for browser, (_, reader) in zip(browsers, raters, strict=True)
        ]
        latencies = sorted(ms for run in runs for ms in run.result())
    return Load(
        n_raters=len(raters),
        n_votes=len(latencies),
        seconds=time.perf_counter() - began,
        median_ms=statistics.median(latencies) if latencies else None,
        p99_ms=latencies[min(len(latencies) - 1, int(0.99 * len(latencies)))]
        if latencies
        else None,
    )


def _vote_on(browser: Browser, reader: SimulatedReader, n_votes: int | None) -> list[float]:
    with closing(browser.connection):
        return _latencies(browser, reader, n_votes)


def _latencies(browser: Browser, reader: SimulatedReader, n_votes: int | None) -> list[float]:
    latencies: list[float] = []
    html = browser.look()
    while n_votes is None or len(latencies) < n_votes:
        fields = dict(_FIELD.findall(html))
        if _GOING_ON.search(html):
            html = browser.send("POST", f"{browser.page}continue/", fields)
            continue
        if "assignment" not in fields:
            break
        offered = [choice for choice in _CHOICE.findall(html) if choice]
        fields["choice"] = reader.choose(read_pair(html), offered)
        began = time.perf_counter()
        html = browser.send("POST", f"{browser.page}cast/", fields)
        latencies.append(1000 * (time.perf_counter() - began))
    return latencies


def read_pair(html: str) -> BlindPair:
    """The pair on a rater's page. Raises SiteUnusable where the page has none."""
    return BlindPair(
        assignment_id=dict(_FIELD.findall(html)).get("assignment", ""),
        question_html=_text(html, "the question"),
        gold_html=_text(html, "the reference answer"),
        facts=tuple(unescape(fact) for fact in _FACT.findall(html)),
        source_spans=(),
        left_html=_text(html, "answer A"),
        right_html=_text(html, "answer B"),
    )


def _text(html: str, what: str) -> str:
    found = re.search(_TEXT.format(what), html, re.DOTALL)
    if found is None:
        raise SiteUnusable(f"the page of raters shows no text of {what}")
    return found[1]
