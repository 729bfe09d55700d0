"""Files of every source in a real browser: Search Console alone, four tools at once, and clicks beside links."""

import pandas as pd
import pytest

from tests.browser import journey
from tests.crawls import as_csv

pytestmark = pytest.mark.browser

SHOP = "https://shop.example"
PAGES = ["oak-chairs", "oak-tables", "garden-benches"]
AHREFS = (
    *("Referring page title", "Referring page URL", "Target URL", "Anchor", "UR", "Domain rating", "External links"),
    *("First seen", "Lost"),
)


def upload(page, words, *files):
    box = page.get_by_test_id("stFileUploader").filter(has_text=words).first
    box.locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": data} for name, data in files]
    )
    page.get_by_text(files[0][0]).first.wait_for()
    journey.wait_until_still(page)


def link(number):
    return f"https://site{number}.example/about-oak-{number}", f"{SHOP}/{PAGES[number % len(PAGES)]}", "oak furniture"


def ahrefs(numbers):
    rows = [("On oak furniture", *link(n), 30, 40, 10, f"2025-{n % 6 + 1:02}-03", "") for n in numbers]
    return "ahrefs.csv", as_csv(AHREFS, rows)


def test_links_of_search_console_alone_become_an_audit_and_a_profile(page):
    rows = [(f"https://site{n}.example/oak-furniture-{n}", "2026-07-11") for n in range(30)]
    latest = (
        "https___www.shop.example_-Latest links-2026-07-18.csv",
        as_csv(("Linking page", "Last crawled"), rows),
    )
    journey.open_page(page, "Backlink audit")
    upload(page, "A backlink export of your site", latest)
    journey.run(page, "Run the audit")
    assert journey.figures(page)["Backlinks"] == "30"
    journey.open_page(page, "Backlink profile")
    journey.work_ends(page)
    assert journey.figures(page)["Referring domains"] == "30"
    page.get_by_text("This export has no column").first.wait_for()


def test_files_of_four_tools_are_one_profile_with_one_row_per_link(page, tmp_path):
    semrush = ("Page ascore", "Source title", "Source url", "Target url", "Anchor", "External links")
    majestic = ("SourceURL", "TargetURL", "AnchorText", "SourceCitationFlow")
    files = [
        ahrefs(range(20)),
        ("semrush.csv", as_csv(semrush, [(12, "Oak", *link(n), 11) for n in range(10, 30)])),
        ("majestic.csv", as_csv(majestic, [(*link(n), 9) for n in range(25, 35)])),
        ("shop.example-Latest links.csv", as_csv(("Linking page", "Last crawled"), [(link(0)[0], "2026-07-11")])),
    ]
    journey.open_page(page, "Backlink audit")
    upload(page, "A backlink export of your site", *files)
    journey.open_inputs(page)
    page.get_by_test_id("stExpander").filter(has_text="Backlinks:").last.locator("summary").click()
    page.get_by_text("50 rows of 3 tools are 35 links.").first.wait_for()
    journey.run(page, "Run the audit")
    assert journey.figures(page)["Backlinks"] == "35"
    journey.open_tab(page, "Downloads")
    scored = pd.read_csv(journey.download(page, "Table (csv)", tmp_path))
    assert scored["Seen by"].str.split(", ").explode().value_counts().to_dict() == {
        "Ahrefs": 20,
        "Semrush": 20,
        "Majestic": 10,
    }
    assert scored["Google lists it"].value_counts().to_dict() == {"no": 34, "yes": 1}


def test_clicks_stand_beside_target_pages_and_months(page):
    clicks = [(f"{SHOP}/{name}", 100 * place, 1000, "10%", 4) for place, name in enumerate(PAGES)]
    days = [(f"2025-{month:02}-01", 50 * month, 500, "10%", 4) for month in range(1, 7)]
    columns = ("Clicks", "Impressions", "CTR", "Position")
    files = [
        ("Pages.csv", as_csv(("Top pages", *columns), clicks)),
        ("Chart.csv", as_csv(("Date", *columns), days)),
    ]
    journey.open_page(page, "Backlink profile")
    upload(page, "A backlink export of your site", ahrefs(range(20)))
    journey.work_ends(page)
    journey.open_inputs(page)
    page.get_by_test_id("stExpander").filter(has_text="Clicks and visits").last.locator("summary").click()
    upload(page, "Clicks or visits of your pages", *files)
    page.get_by_text("3 of 3 pages (100%) are among the linked pages.").wait_for()
    journey.open_tab(page, "New and lost")
    page.get_by_text("Clicks from search").first.wait_for()
    journey.open_tab(page, "Best pages")
    page.get_by_text("3 pages").first.wait_for()
