"""The report for a client opens from disk without asking anybody for anything, and prints on A4."""

import re

import pytest

from backlink_audit.projects.client import client_report
from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import save
from backlink_audit.projects.store import open_store
from backlink_audit.report.client import Look, render
from tests.projects.made import audit_of

pytestmark = pytest.mark.browser


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
    assert page.locator("figure svg").count() == 6
    page.set_viewport_size({"width": 420, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 6
    page.close()
