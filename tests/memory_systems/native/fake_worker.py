"""A worker without a package: a JSON file of sentences, and every way to misbehave.

A text that names a mishap suffers it: CRASH, HANG, RAISE, GARBAGE, DEEP, BABBLE, LOSE, HALF
(stores, then ends).
With ``asks_model`` each sentence is what the model replied to it.
"""

from __future__ import annotations

import json
import os
import time
import urllib.request
import uuid
from pathlib import Path
from typing import Any


class Worker:
    def __init__(self, folder: str, settings: dict[str, Any]) -> None:
        print("hello from a package that prints")
        if settings.get("start") == "hang":
            time.sleep(600)
        if settings.get("start") == "crash":
            os._exit(7)
        if settings.get("start") == "raise":
            raise ImportError("no module named 'package'")
        self.settings = settings
        self.file = Path(folder) / "sentences.json"
        self.rows: list[dict[str, Any]] = (
            json.loads(self.file.read_text()) if self.file.exists() else []
        )

    def add(self, item_id: str, part: int, text: str, title: str, timestamp: str) -> dict[str, Any]:
        self._suffer(text)
        before = len(self.rows)
        handles = []
        for sentence in [] if "LOSE" in text else text.split(". "):
            told = self._ask(sentence) if self.settings.get("asks_model") else sentence
            handles.append(str(uuid.uuid4()))
            row = {"id": handles[-1], "text": told, "kind": "fact", "source": item_id, "part": part}
            self.rows.append(row)
            self._save()
            if "HALF" in text:
                os._exit(9)
        return {"handles": handles, "units": len(self.rows) - before}

    def remove(self, item_id: str, handles: list[str]) -> dict[str, Any]:
        if self.settings.get("remove") == "raise":
            raise RuntimeError("nothing can be removed")
        self.rows = [row for row in self.rows if row["source"] != item_id]
        self._save()
        return {}

    def units(self) -> list[dict[str, Any]]:
        return self.rows

    def search(self, text: str, k: int, kinds: list[str]) -> list[list[Any]]:
        self._suffer(text)
        asked = set(text.lower().split())
        shared = [(row["id"], len(asked & set(row["text"].lower().split()))) for row in self.rows]
        return [list(one) for one in sorted(shared, key=lambda one: (-one[1], one[0]))[:k]]

    def flush(self) -> dict[str, Any]:
        return {}

    def close(self) -> dict[str, Any]:
        return {}

    def _suffer(self, text: str) -> None:
        if "CRASH" in text:
            print("Segmentation fault in the package", flush=True)
            os._exit(3)
        if "HANG" in text:
            time.sleep(600)
        if "RAISE" in text:
            raise RuntimeError("the package does not like this text")
        if "GARBAGE" in text:
            self._say(b"not the protocol\n")
        if "DEEP" in text:
            self._say(b"[" * 100_000 + b"\n")
        if "BABBLE" in text:
            while True:
                self._say(b"x" * 10_000)

    def _say(self, words: bytes) -> None:
        for descriptor in range(3, 12):
            try:
                os.write(descriptor, words)
            except OSError:
                continue

    def _ask(self, sentence: str) -> str:
        request = urllib.request.Request(
            f"{self.settings['base_url']}/chat/completions",
            data=json.dumps(
                {
                    "model": self.settings["model"],
                    "messages": [{"role": "user", "content": sentence}],
                }
            ).encode(),
            headers={
                "Content-Type": "application/json",
                "Authorization": f"Bearer {self.settings['api_key']}",
            },
        )
        with urllib.request.urlopen(request, timeout=60) as reply:
            said: str = json.load(reply)["choices"][0]["message"]["content"]
        return said

    def _save(self) -> None:
        draft = self.file.with_suffix(".draft")
        draft.write_text(json.dumps(self.rows))
        draft.replace(self.file)
