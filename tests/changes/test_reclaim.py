from dataclasses import replace

from backlink_audit.changes.reclaim import NO_CRAWL, NO_LIVING, REDIRECTS, find_reclaims, tables
from backlink_audit.changes.run import compare_exports
from backlink_audit.exports.load import recognise_file
from backlink_audit.exports.recognise import Export
from backlink_audit.settings import AuditSettings, VerdictLimits
from backlink_audit.sources import Sources
from tests.audit.earned import clicks
from tests.audit.exports import crawl, semrush
from tests.toy import ToyEncoder

SHOP = "https://shop.example"
KINDS = ("garden", "kitchen", "small", "old", "round")
SETTINGS = AuditSettings(verdicts=VerdictLimits(worth=10, relevant_worth=10))
"""The toy's few links look hardly worth keeping: what counts here is what was lost."""


def link(page: str, target: str, **more: str) -> dict[str, str]:
    return {"Source url": f"https://{page}.example/p", "Target url": SHOP + target} | more


def export() -> Export:
    return semrush(
        "links.csv",
        link("alive", "/oak-tables"),
        link("dead", "/old-oak-tables", Anchor="garden", **{"Source title": "old oak tables"}),
        link("lost", "/oak-tables", **{"Lost link": "true", "Source title": "oak tables"}),
    )


def site() -> Export:
    return crawl(
        {"Address": SHOP + "/old-oak-tables", "Status Code": "404"},
        {"Address": SHOP + "/chairs", "Title 1": "red chairs"},
        {"Address": SHOP + "/tables", "Title 1": "oak tables"},
    )


def test_lost_links_and_links_to_dead_pages_are_found_and_the_dead_are_redirected() -> None:
    reclaim = find_reclaims(export(), SETTINGS, ToyEncoder(), sources=Sources(pages=site()))
    assert set(reclaim.links["referring_domain"]) == {"dead.example", "lost.example"}
    assert (reclaim.lost, reclaim.to_dead_pages) == (1, 1)
    assert reclaim.links["cas"].is_monotonic_decreasing
    table = REDIRECTS.table(reclaim)
    assert list(table.columns[:2]) == ["Dead page", "Redirect to"]
    assert table.iloc[0, :2].tolist() == [SHOP + "/old-oak-tables", SHOP + "/tables"]
    assert reclaim.notes == ()


def test_an_export_of_broken_backlinks_is_a_list_to_reclaim_with_redirects() -> None:
    header = (
        "Referring page title,Referring page URL,UR,External links,Target URL,Target page HTTP code,Anchor,Nofollow"
    )
    words = ["oak tables", "red chairs"] * 15
    titles = [f"{KINDS[row % 5]} {word} {KINDS[row // 6]}" for row, word in enumerate(words)]
    rows = [
        f"{title},https://wood{row}.example/p,40,9,{SHOP}/old/{row},{410 if row % 3 else 404},{word},false"
        for row, (title, word) in enumerate(zip(titles, words, strict=True))
    ]
    export = recognise_file("broken.csv", "\n".join([header, *rows]).encode())
    reclaim = find_reclaims(export, SETTINGS, ToyEncoder(), sources=Sources(pages=site()))
    assert export.format.name == "Ahrefs broken backlinks"
    assert len(reclaim.links) == reclaim.to_dead_pages == 30
    where = REDIRECTS.table(reclaim).set_index("Dead page")["Redirect to"].to_dict()
    assert where == {f"{SHOP}/old/{row}": f"{SHOP}/{word.split()[1]}" for row, word in enumerate(words)}
    alone = find_reclaims(export, SETTINGS, ToyEncoder())
    assert len(alone.links) == 30 and alone.notes == (NO_LIVING,)


def test_without_a_crawl_the_lost_links_remain_and_the_rest_is_said() -> None:
    reclaim = find_reclaims(export(), SETTINGS, ToyEncoder())
    assert reclaim.links["referring_domain"].tolist() == ["lost.example"]
    assert reclaim.redirects.empty
    assert reclaim.notes == (NO_CRAWL,)


def test_links_that_only_an_older_export_has_are_lost_too() -> None:
    newer = semrush("newer.csv", link("alive", "/oak-tables", **{"Last seen": "2025-06-01"}), without=("Lost link",))
    changes = compare_exports(export(), newer, SETTINGS, ToyEncoder())
    reclaim = find_reclaims(newer, SETTINGS, ToyEncoder(), changes=changes)
    assert reclaim.links["referring_domain"].tolist() == ["dead.example"]
    assert reclaim.notes == (NO_CRAWL,)


def test_an_export_that_marks_no_lost_links_says_what_is_missing() -> None:
    bare = semrush("bare.csv", link("alive", "/oak-tables"), without=("Lost link", "New link"))
    reclaim = find_reclaims(bare, SETTINGS, ToyEncoder())
    assert reclaim.headline == "No links are lost, and no links to dead pages were found."
    assert reclaim.notes[0].startswith("bare.csv does not mark lost links")


def test_without_a_crawl_no_dead_pages_are_counted() -> None:
    reclaim = find_reclaims(export(), SETTINGS, ToyEncoder())
    assert "dead" not in reclaim.headline
    assert reclaim.headline.startswith("1 lost link to reclaim, with")


def test_the_workbook_has_links_and_redirects() -> None:
    sheets = tables(find_reclaims(export(), SETTINGS, ToyEncoder(), sources=Sources(pages=site()))).sheets()
    assert list(sheets) == ["Summary", "To reclaim", "Redirect map"]
    assert len(sheets["To reclaim"]) == 2


def test_clicks_stand_beside_dead_pages_and_a_file_of_another_site_is_named() -> None:
    earned = clicks((SHOP + "/old-oak-tables", 40, 3.0), (SHOP + "/chairs", 5, 9.0))
    reclaim = find_reclaims(export(), SETTINGS, ToyEncoder(), sources=Sources(pages=site(), performance=earned))
    assert REDIRECTS.table(reclaim)["Clicks"].tolist() == [40]
    assert reclaim.notes == (
        "pages.csv: 1 of 2 pages (50%) is among the linked pages. The dead pages still have 40 clicks.",
    )
    other = clicks(("https://other.example/", 40, 3.0))
    reclaim = find_reclaims(export(), SETTINGS, ToyEncoder(), sources=Sources(pages=site(), performance=other))
    assert reclaim.notes[0].startswith("pages.csv has 1 page, but none of them matches the linked pages. Is this")


def test_lost_links_worth_little_are_counted_but_not_listed() -> None:
    links = semrush(
        "links.csv",
        link("lost", "/oak-tables", **{"Lost link": "true", "Source title": "oak tables"}),
        link("unfollowed", "/oak-tables", **{"Lost link": "true", "Source title": "oak tables", "Nofollow": "true"}),
    )
    reclaim = find_reclaims(links, SETTINGS, ToyEncoder())
    assert reclaim.links["referring_domain"].tolist() == ["lost.example"]
    assert reclaim.left_out == 1 and reclaim.notes[0].startswith(
        "1 link, lost or with a dead target page, is not listed"
    )


def test_of_links_that_only_an_older_export_has_those_worth_little_are_left_out() -> None:
    bad = {"Source title": "oak tables", "Nofollow": "true"}
    before = semrush("older.csv", link("alive", "/oak-tables"), link("unfollowed", "/oak-tables", **bad))
    newer = semrush("newer.csv", link("alive", "/oak-tables", **{"Last seen": "2025-06-01"}), without=("Lost link",))
    changes = compare_exports(before, newer, SETTINGS, ToyEncoder())
    reclaim = find_reclaims(newer, SETTINGS, ToyEncoder(), changes=changes)
    assert reclaim.links.empty and reclaim.headline == "No links are worth reclaiming."


def test_pages_that_could_not_be_read_are_said_in_the_sentence() -> None:
    reclaim = find_reclaims(export(), SETTINGS, ToyEncoder())
    unread = replace(reclaim, links=reclaim.links.assign(not_read=True))
    assert (
        unread.headline
        == f"{reclaim.headline} 1 of the lost links may still exist, because their page could not be read."
    )
