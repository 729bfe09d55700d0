"""From Search Console's list of linking pages and Common Crawl's ranks to a finished audit, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.browser import journey
from tests.browser.conftest import ROOT
from tests.browser.conftest import serving as app_of
from tests.browser.test_sources_journey import upload
from tests.exports.test_ranks import HEADER
from tests.fetching.servers import serving

pytestmark = pytest.mark.browser

HERE = """
from backlink_audit.fetching import check, requests
from tests.fetching.servers import QUICK, here
check.PUBLIC = check.Network(find=here)
requests.request_limits_of = lambda settings: QUICK
"""
"""What makes every name lead to this machine, in the process of the app."""
TITLES = ("How to choose an oak chair", "Oiling an oak table", "The derby ends in a draw")
LINK = '<a href="https://shop.example/oak-chairs">oak chairs</a>'
PAGES = 12


def test_a_list_of_linking_pages_becomes_an_audit(browser: BrowserContext, tmp_path: Path):
    (tmp_path / "sitecustomize.py").write_text(HERE)
    page_of = "<title>{}</title><main><p>Of all that we have seen, the {} of this shop are made best.</p></main>"
    pages = {f"blog{n}.example/{n}": page_of.format(TITLES[n % 3], LINK) for n in range(PAGES)}
    ranks = "\n".join([HEADER, *(f"{n * 10 + 1}\t1\t1\t1\texample.blog{n}\t1" for n in range(PAGES)), ""]).encode()
    with serving(dict(pages)) as server, app_of(tmp_path, PYTHONPATH=f"{tmp_path}:{ROOT}") as address:
        listed = [f"{server.url(f'/{n}', f'blog{n}.example')},2026-07-01" for n in range(PAGES)]
        page = browser.new_page()
        page.set_default_timeout(60_000)
        page.goto(address)
        journey.open_page(page, "Start without a paid tool")
        latest = "\n".join(["Linking page,Last crawled", *listed, f"{server.url('/gone')},2026-07-02"]).encode()
        upload(page, "A backlink export of your site", ("https___shop.example_-Latest links.csv", latest))
        assert not server.asked
        page.get_by_text("13 pages, and robots.txt").first.wait_for()
        page.get_by_role("button", name="Read the linking pages").click()
        page.get_by_text("13 links are read; 1 linking pages are gone").wait_for()
        upload(page, "Common Crawl ranks", ("ranks.txt", ranks))
        page.get_by_role("button", name="Run the audit").click()
        page.get_by_role("heading", name="Backlink audit", level=1).wait_for()
        journey.work_ends(page)
        assert journey.figures(page)["Backlinks"] == "12"  # without the one that is gone
        page.get_by_text("Common Crawl percentile").first.wait_for()
        page.close()
