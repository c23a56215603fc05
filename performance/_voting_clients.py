"""Raters as HTTP clients: ``python -m performance._voting_clients PORT N SECONDS vote|bare``.

Prints JSON: the latency in seconds of every acknowledged request, and how long it took overall.
"""

from __future__ import annotations

import http.client
import json
import re
import sys
import threading
import time
from urllib.parse import urlencode

TOKEN = "load"
FIELD = re.compile(r'name="(assignment|client_token|csrfmiddlewaretoken)" value="([^"]*)"')


class Client:
    """One browser on one kept connection."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookies: dict[str, str] = {}

    def send(self, method: str, path: str, fields: dict[str, str] | None = None) -> str:
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-Partial"] = "stage"
        body = None if fields is None else urlencode(fields)
        for _ in range(5):
            try:
                self.connection.request(method, path, body, headers)
                reply = self.connection.getresponse()
                text = reply.read().decode()
                break
            except (OSError, http.client.HTTPException):
                # A worker that was recycled closed the connection; a vote may be sent again.
                self.connection.close()
        else:
            raise RuntimeError(f"{path} does not answer")
        for value in reply.headers.get_all("Set-Cookie") or ():
            name, _, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        if reply.status >= 400:
            raise RuntimeError(f"{path}: {reply.status} {text[:300]}")
        return text


def join(client: Client) -> None:
    """Become a rater."""
    fields = _fields(client.send("GET", f"/vote/{TOKEN}/"))
    client.send("POST", f"/vote/{TOKEN}/consent/", fields)


def unblind(lead: Client, path: str) -> None:
    """Say yes to the question that a lead is asked before an embargoed page opens."""
    lead.send("POST", path, _fields(lead.send("GET", path)))
    if "marked as unblinded" in lead.send("GET", path):
        raise RuntimeError(f"{path} asks once more")


def vote(client: Client, until: float, latencies: list[float]) -> None:
    join(client)
    fields = _fields(client.send("GET", f"/vote/{TOKEN}/"))
    while time.perf_counter() < until:
        began = time.perf_counter()
        text = client.send("POST", f"/vote/{TOKEN}/cast/", {**fields, "choice": "a"})
        latencies.append(time.perf_counter() - began)
        fields = _fields(text)
        if "assignment" not in fields:
            raise RuntimeError("there were too few pairs for this measurement")


def bare(client: Client, until: float, latencies: list[float]) -> None:
    while time.perf_counter() < until:
        began = time.perf_counter()
        client.send("POST", "/bare/", {"choice": "a"})
        latencies.append(time.perf_counter() - began)


def _fields(text: str) -> dict[str, str]:
    return dict(FIELD.findall(text))


def main(port: int, n_clients: int, seconds: float, what: str) -> None:
    work = {"vote": vote, "bare": bare}[what]
    latencies: list[list[float]] = [[] for _ in range(n_clients)]
    began = time.perf_counter()
    threads = [
        threading.Thread(target=work, args=(Client(port), began + seconds, each))
        for each in latencies
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - began
    print(json.dumps({"latencies": [one for each in latencies for one in each], "took": took}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
