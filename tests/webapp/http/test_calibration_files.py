from __future__ import annotations

import csv
import io
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import CommandError, call_command

from annotation.calibration.bundle import verify_bundle
from annotation.calibration.settings import CalibrationSettings
from annotation.models import AuditEntry, Campaign, CampaignSystem, PairScore
from annotation.services.calibration import KeptReport, ReportOutOfDate, kept_report
from evaluation.queries.choices import UnknownChoice
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.annotation.voted_campaigns import voted_campaign
from webapp.http.calibration_files import FORMATS, calibration_file, leaves

pytestmark = pytest.mark.django_db

SETTINGS = CalibrationSettings(n_resamples=200)


def report_of(campaign: Campaign) -> KeptReport:
    return kept_report(campaign=campaign, settings=SETTINGS, now=NOW + timedelta(hours=1))


def text_of(campaign: Campaign, name: str) -> str:
    return calibration_file(campaign, report_of(campaign), name).content.decode()


def test_csv_and_json_carry_the_reports_numbers_to_the_last_digit() -> None:
    campaign = voted_campaign()
    report = report_of(campaign)
    bundle = json.loads(text_of(campaign, "json"))
    assert bundle["report"]["decisive"] == report.body["decisive"]
    rows = {
        (row["section"], row["place"], row["measure"]): row["value"]
        for row in csv.DictReader(io.StringIO(text_of(campaign, "csv")))
    }
    low = report.body["decisive"]["buckets"][0]["rate"]["low"]
    assert float(rows["decisive", "buckets.0.rate", "low"]) == low
    assert len(rows) == len(list(leaves(report.body)))


def test_the_bundle_can_be_computed_again() -> None:
    campaign = voted_campaign()
    out = add_rater(campaign, "out", excluded_at=NOW, excluded_reason="always left")
    add_vote(out, campaign.pairs.order_by("pk")[0], "b", not_counted="excluded")
    assert verify_bundle(json.loads(text_of(campaign, "json"))) == ()


def test_a_bundle_is_refused_while_votes_come_in() -> None:
    campaign = voted_campaign()
    report = report_of(campaign)
    add_vote(add_rater(campaign, "late"), campaign.pairs.order_by("pk")[0], "tie")
    with pytest.raises(ReportOutOfDate):
        calibration_file(campaign, report, "json")


def test_the_html_needs_nothing_else_and_says_what_it_is_made_of() -> None:
    page = text_of(voted_campaign(), "html")
    assert not re.search(r"(src|href)=|url\(|@import|<script", page)
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    for words in ("60 counted votes on 60 pairs", "data hash", "50.0\u00a0% [", "Planned were"):
        assert words in page
    figures = re.findall(r"<svg.*?</svg>", page)
    assert len(figures) == 3
    for figure in figures:
        ElementTree.fromstring(figure)


def test_names_are_data_in_every_printed_form() -> None:
    campaign = voted_campaign()
    ugly = "<b>=x|*</b>‮"
    CampaignSystem.objects.filter(campaign=campaign, label="bm25").update(label=ugly)
    page, text = text_of(campaign, "html"), text_of(campaign, "md")
    assert "<b>" not in page
    assert "‮" not in page
    assert "\\<b\\>=x\\|\\*" in text


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("kind", ["no votes", "only ties", "no scores", "one vote"])
def test_degenerate_votes_are_told_in_words_in_every_form(name: str, kind: str) -> None:
    campaign = make_campaign(n_pairs=6)
    if kind == "no scores":
        PairScore.objects.update(first_hundredths=None)
    for place, pair in enumerate(campaign.pairs.order_by("pk")):
        if kind in {"only ties", "no scores"} or (kind == "one vote" and place == 0):
            add_vote(add_rater(campaign, f"r{place}"), pair, "tie" if "ties" in kind else "a")
    text = text_of(campaign, name)
    assert not re.search(r"\b(nan|NaN|inf|Infinity|None)\b", text)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"is_simulated": True}, "SIMULATED RATERS"),
        ({"origin": Campaign.IMPORTED}, "Imported votes"),
    ],
)
def test_what_is_not_measured_with_people_says_so_first(change: dict[str, Any], words: str) -> None:
    campaign = make_campaign(n_pairs=2)
    Campaign.objects.update(**change)
    campaign.refresh_from_db()
    for name in ("html", "md"):
        assert words in text_of(campaign, name)


def test_an_unknown_format_lists_the_known_ones() -> None:
    campaign = make_campaign(n_pairs=1)
    with pytest.raises(UnknownChoice, match="html"):
        calibration_file(campaign, report_of(campaign), "pdf")


def test_commands_write_a_bundle_and_verify_it(tmp_path: Path, capsys: Any) -> None:
    campaign = voted_campaign()
    file = tmp_path / "report.json"
    call_command("export_calibration", campaign.slug, "--format", "json", "--output", str(file))
    assert AuditEntry.objects.get().action == "exported the calibration"
    call_command("verify_calibration", str(file))
    assert "every number follows from its 60 votes" in capsys.readouterr().out
    changed = json.loads(file.read_text())
    changed["data"]["vote_label"][7] = 2
    file.write_text(json.dumps(changed))
    with pytest.raises(CommandError, match="does not follow"):
        call_command("verify_calibration", str(file))
    assert "data.vote_label is not what the report was made from" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", '{"format": "memjury-calibration"}'])
def test_a_file_of_another_kind_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "report.json"
    file.write_text(text)
    with pytest.raises(CommandError, match=r"report\.json"):
        call_command("verify_calibration", str(file))
