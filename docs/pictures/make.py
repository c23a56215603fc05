"""Take the README's pictures from a running site: ``python docs/pictures/make.py ADDRESS``.

ADDRESS is a site whose demo has been measured (``make up``), and COVID-QA as the README tells.
Needs the packages of requirements/dev.txt and Chromium (CHROMIUM=… names its program). The
pictures are written beside this file: 1440 pixels wide, in the light theme.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent
WIDTH = 1440
MARGIN = 12


@dataclass(frozen=True, slots=True)
class Picture:
    """The page at ``path`` from its top to the end of the element ``until``."""

    name: str
    path: str
    until: str


PICTURES = (
    Picture("leaderboard", "/benchmarks/scholia-prose/?track=30k", "#board .finding"),
    Picture("sweep", "/benchmarks/covidqa/sweep/", "#sweep figure"),
)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not arguments[0].startswith(("http://", "https://")):
        print(__doc__, file=sys.stderr)
        return 2
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        print("There is no Chromium: install it, or set CHROMIUM to its program.", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        for picture in PICTURES:
            file = HERE / f"{picture.name}.png"
            take(page, arguments[0].rstrip("/"), picture, file)
            print(f"{file}: {file.stat().st_size / 1000:.0f} kB")
        browser.close()
    return 0


def take(page: Page, address: str, picture: Picture, file: Path) -> None:
    page.goto(address + picture.path, wait_until="networkidle")
    place = page.locator(picture.until).first.bounding_box()
    if place is None:
        raise SystemExit(f"{picture.path} has no {picture.until}: has it been measured?")
    height = round(place["y"] + place["height"]) + MARGIN
    page.set_viewport_size({"width": WIDTH, "height": height})
    page.screenshot(path=file, clip={"x": 0, "y": 0, "width": WIDTH, "height": height})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
