"""The report for a client as PDF, and its text once it is edited."""

from datetime import date

import pytest

from backlink_audit.report.client import ClientReport, Look, Step, as_pdf, render

REPORT = ClientReport(
    "Shop",
    "shop.example",
    date(2026, 1, 2),
    None,
    "A sentence.",
    [],
    [],
    [("File", "links.csv")],
    story=["Ten sites link.", "One page is gone."],
    risks=[("Much depends on one site.", "90% of the links are there.")],
    steps=[Step("Redirect /old", "15 minutes", "Web developer", "11 links")],
)


def test_paragraphs_are_changed_or_left_out_before_the_report_is_made():
    assert list(REPORT.paragraphs) == ["story 1", "story 2", "risk 1"]
    assert REPORT.edited({}) == REPORT
    edited = REPORT.edited({"story 1": "Ten shops link.", "story 2": "", "risk 1": " "})
    assert (edited.story, edited.risks) == (["Ten shops link."], [])
    html = render(edited, Look()).decode()
    assert "Ten shops link." in html and "One page is gone" not in html and "risk" not in html
    assert "<td>1. Redirect /old</td><td>15 minutes</td><td>Web developer</td><td>11 links</td>" in html


def test_the_report_is_a_pdf_that_loads_nothing():
    pytest.importorskip("weasyprint")
    assert as_pdf(render(REPORT, Look())).startswith(b"%PDF-")
