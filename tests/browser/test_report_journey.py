"""The report for a client opens from disk without asking anybody for anything, and prints on A4."""

import re

import pytest

from backlink_audit.projects.client_report import client_report
from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import save
from backlink_audit.projects.store import open_store
from backlink_audit.report.client import Look, render
from tests.projects.made import audit_of

pytestmark = pytest.mark.browser


CUT = """() => [...document.querySelectorAll("figure svg")].flatMap(svg => {
    const whole = svg.getBoundingClientRect()
    return [...svg.querySelectorAll("text, rect")].filter(part => {
        const box = part.getBoundingClientRect()
        return box.left < whole.left - 1 || box.right > whole.right + 1 || box.bottom > whole.bottom + 1
    }).map(part => part.textContent)
})"""
"""What of the charts is beyond their edges, where it is not drawn."""
A4 = {"width": 688, "height": 1017}
"""What is left of A4 within the margins, in CSS pixels."""


def test_the_report_asks_for_nothing_and_no_chart_is_cut_in_print(browser, tmp_path):
    with open_store(str(tmp_path / "store.sqlite")) as store:
        project = create(store, "Long Road")
        for role in ("older", "backlinks"):
            save(store, project, audit_of(role))
        (tmp_path / "report.html").write_bytes(render(client_report(store, project), Look("Agency")))
    page, asked = browser.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "report.html").as_uri())
    assert asked == [(tmp_path / "report.html").as_uri()]
    assert page.locator("figure svg").count() == 3
    page.set_viewport_size({"width": 420, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    assert page.evaluate(CUT) == []
    page.emulate_media(media="print")
    page.set_viewport_size(A4)
    assert page.evaluate(CUT) == []
    figures = page.locator("figure").all()
    assert {figure.evaluate("one => getComputedStyle(one).breakInside") for figure in figures} == {"avoid"}
    assert all(figure.bounding_box()["height"] < A4["height"] for figure in figures)
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 6
    page.close()
