"""How many pages of two files are the same is said, and how much they weigh; rows that name no page are counted."""

import pandas as pd

from backlink_audit.exports.load import load
from backlink_audit.site.pages import read_figures
from tests.audit.earned import clicks

SHOP = "https://www.shop.example"
GA4 = "Page path and screen class,Views\n/oak,90\n/elm,10\n(not set),3\n"
TARGETS = pd.Series([f"{SHOP}/oak", f"{SHOP}/ash"], dtype="str")


def ga4() -> tuple[str, bytes]:
    return "ga4.csv", GA4.encode()


def test_paths_and_urls_are_joined_and_their_share_is_said_in_pages_and_in_views():
    searched = "Top pages,Clicks,Impressions,CTR,Position\n" + f"{SHOP}/oak/,7,90,8%,2\n{SHOP}/yew,1,9,8%,2\n"
    export = load([("pages.csv", searched.encode()), ga4()], "performance")
    earned = read_figures(export, TARGETS)
    assert earned is not None
    assert (
        earned.own_note
        == "1 of 2 pages with visits is among the 2 pages listed by Search Console; the pages in both lists have "
        "90% of the views."
    )
    assert earned.of(TARGETS)[["clicks", "views"]].fillna(0).to_numpy().tolist() == [[7, 90], [0, 0]]
    assert (
        earned.note(TARGETS, "linked pages")
        == "pages.csv + ga4.csv: 1 of 3 pages (33%) is among the linked pages. 1 row matches no known page."
    )


def test_paths_alone_belong_to_the_site_that_is_linked():
    earned = read_figures(load([ga4()], "performance"), TARGETS)
    assert earned is not None
    assert (earned.found(TARGETS), earned.own_note, earned.at_stake) == (1, "", "views")


def test_a_page_without_scheme_is_a_page_and_not_left_out():
    earned = read_figures(load([("own.csv", b"URL,Clicks\nshop.example/oak,3\nTotal,3\n")], "performance"), TARGETS)
    assert earned is not None
    assert (earned.table.index.tolist(), earned.left_out) == (["shop.example/oak"], 1)


def test_without_a_file_there_are_no_figures():
    assert read_figures(None, TARGETS) is None
    one = read_figures(clicks((f"{SHOP}/oak", 3, 2.0)), TARGETS)
    assert one is not None and one.at_stake == "clicks"


def test_what_google_and_ahrefs_count_stands_in_columns_of_its_own_whatever_the_order():
    google = ("google.csv", f"Target page,Incoming links,Linking sites\n{SHOP}/oak,1240,31\n".encode())
    ahrefs = ("ahrefs.csv", f"Page URL,UR,Referring domains,Links to target\n{SHOP}/oak,20,45,900\n".encode())
    for files in ([google, ahrefs], [ahrefs, google]):
        earned = read_figures(load(files, "performance"), TARGETS)
        assert earned is not None
        found = earned.table.iloc[0]
        assert found[["google_domains", "google_links", "tool_domains", "tool_links"]].tolist() == [31, 1240, 45, 900]
