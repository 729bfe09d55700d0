"""The redirect map, from two crawls to a row for every old URL that the new one lacks."""

import pandas as pd
import pytest

from backlink_audit.errors import WrongExport
from backlink_audit.exports.lists import load_pages_or_urls
from backlink_audit.exports.load import load
from backlink_audit.redirects.result import tables
from backlink_audit.redirects.run import map_redirects
from backlink_audit.settings import RedirectSettings
from backlink_audit.sources import Sources
from tests.audit.earned import clicks
from tests.redirects.made import CHAIRS, LAMPS, NEW_PAGES, OLD_PAGES, RUGS, site
from tests.toy import ToyEncoder

COLUMNS = "Old URL,New URL,Confidence,Score,Reason,Alternative 1,Alternative 2,CAS at risk,Flags"
SHOP = "https://shop.example"


def mapped(old, new, backlinks=None):
    return map_redirects(old, new, RedirectSettings(), ToyEncoder(), Sources(backlinks=backlinks))


def rows(result) -> dict[str, pd.Series]:
    return {row["old_url"].removeprefix(SHOP): row for _, row in result.table.iterrows()}


@pytest.fixture(scope="module")
def result():
    return mapped(site(*OLD_PAGES), site(*NEW_PAGES))


def test_there_is_a_row_for_every_old_url_that_the_new_crawl_lacks(result):
    assert set(rows(result)) == {"/oak-chairs", "/brass-lamps", "/tax-forms"}
    assert ",".join(tables(result).main().columns) == COLUMNS
    assert list(tables(result).sheets()) == ["Summary", "Redirect map", "To review", "No good target"]


def test_a_page_with_a_new_address_is_sure_and_one_that_is_gone_is_not(result):
    found = rows(result)
    assert found["/oak-chairs"]["new_url"] == f"{SHOP}/furniture/chairs-of-oak"
    assert found["/brass-lamps"]["new_url"] == f"{SHOP}/light/brass"
    assert found["/oak-chairs"]["confidence"] == found["/brass-lamps"]["confidence"] == "sure"
    assert "same title and H1, content" in found["/oak-chairs"]["reason"]
    assert found["/tax-forms"]["confidence"] == "no good target"
    assert found["/tax-forms"]["new_url"] == ""
    assert result.headline.startswith(
        "2 of 3 redirects settled. The new crawl does not have 3 of 4 old URLs: 2 sure, 1 no good"
    )


def test_an_empty_page_is_never_a_target():
    old = site(*OLD_PAGES[:2], (f"{SHOP}/help/tax-forms", "Tax forms", OLD_PAGES[3][2]))
    new = site(*NEW_PAGES, (f"{SHOP}/tax-forms", "Tax forms", ""))
    assert rows(mapped(old, new))["/help/tax-forms"]["new_url"] != f"{SHOP}/tax-forms"
    only = site((f"{SHOP}/tax-forms", "Tax forms", ""))
    assert rows(mapped(old, only))["/help/tax-forms"]["new_url"] == f"{SHOP}/tax-forms"  # where there is no other page


def test_a_page_with_the_same_last_part_and_nearly_the_same_text_is_likely_whoever_else_is_like_it():
    old = site(
        OLD_PAGES[0],
        (f"{SHOP}/chairs/oak-chairs", "Oak chairs", CHAIRS),
        (f"{SHOP}/old/oak-chairs", "Chairs of last year", f"{CHAIRS} Sold out."),
    )
    new = site(NEW_PAGES[0], (f"{SHOP}/furniture/chairs/oak-chairs", "Oak chairs", CHAIRS), NEW_PAGES[3])
    found = rows(mapped(old, new))
    assert found["/chairs/oak-chairs"]["confidence"] == "sure" and found["/old/oak-chairs"]["confidence"] == "likely"


def test_a_page_that_kept_its_url_takes_no_other_pages_place():
    """The page that stays is more like the new one than the page that moved; both are about oak chairs."""
    stays = (f"{SHOP}/furniture/chairs-of-oak-and-ash", "Oak chairs", CHAIRS)
    moved = (f"{SHOP}/oak", "Oak chairs by hand", f"{CHAIRS} {RUGS}")
    new = (f"{SHOP}/furniture/chairs-of-oak", "Oak chairs", f"{CHAIRS} Some of {RUGS}")
    found = rows(mapped(site(OLD_PAGES[0], stays, moved), site(NEW_PAGES[0], stays, new)))
    assert found["/oak"]["new_url"] == new[0] and found["/oak"]["confidence"] in ("sure", "likely")


def test_old_urls_with_a_query_have_rows_unless_they_are_left_out():
    old = site(
        *OLD_PAGES,
        (f"{SHOP}/oak-chairs?sort=price", "Oak chairs", CHAIRS),
        (f"{SHOP}/index.php?page=7", "Brass lamps and bulbs", LAMPS),
    )
    found = rows(mapped(old, site(*NEW_PAGES)))
    assert found["/oak-chairs"]["confidence"] == "sure"
    assert found["/oak-chairs?sort=price"]["new_url"] == found["/oak-chairs"]["new_url"]
    assert found["/index.php?page=7"]["new_url"] == f"{SHOP}/light/brass"
    without = map_redirects(old, site(*NEW_PAGES), RedirectSettings(query_urls=False))
    assert set(rows(without)) == {"/oak-chairs", "/brass-lamps", "/tax-forms"}


def test_old_urls_that_are_one_address_to_a_server_are_flagged():
    old = site(*OLD_PAGES, (f"{SHOP}/Oak-Chairs", "Oak chairs", CHAIRS))
    result = mapped(old, site(*NEW_PAGES))
    found = rows(result)
    assert "same address" in found["/oak-chairs"]["flags"] and "same address" in found["/Oak-Chairs"]["flags"]
    assert "same address" not in found["/brass-lamps"]["flags"]
    assert any(note.startswith("2 old URLs differ from another one in upper and lower case") for note in result.notes)


def test_new_pages_with_a_query_are_there_but_no_targets():
    sorted_chairs = (f"{SHOP}/furniture/chairs-of-oak?sort=price", "Oak chairs", CHAIRS)
    new = site(*NEW_PAGES, sorted_chairs)
    found = rows(mapped(site(*OLD_PAGES, sorted_chairs), new))
    assert sorted_chairs[0].removeprefix(SHOP) not in found
    assert found["/oak-chairs"]["confidence"] == "sure" and "?" not in found["/oak-chairs"]["alternative_1"]


def test_parts_that_differ_by_a_number_alone_are_not_sure():
    old = site((f"{SHOP}/chairs-part-2", "Chairs, part 2", CHAIRS), OLD_PAGES[0])
    new = site((f"{SHOP}/new/chairs-part-1", "Chairs, part 1", CHAIRS), NEW_PAGES[0])
    assert rows(mapped(old, new))["/chairs-part-2"]["confidence"] == "likely"


def test_redirects_of_the_old_site_are_followed_and_chains_and_loops_flagged():
    old = site(
        *OLD_PAGES,
        (f"{SHOP}/a", "", "", 301, f"{SHOP}/b"),
        (f"{SHOP}/b", "", "", 301, f"{SHOP}/oak-chairs"),
        (f"{SHOP}/x", "", "", 301, f"{SHOP}/y"),
        (f"{SHOP}/y", "", "", 302, f"{SHOP}/x"),
        (f"{SHOP}/h", "", "", 301, f"{SHOP}/"),
    )
    found = rows(mapped(old, site(*NEW_PAGES)))
    assert found["/a"]["new_url"] == found["/b"]["new_url"] == found["/oak-chairs"]["new_url"]
    assert found["/a"]["flags"] == "many to one, chain"
    assert "loop" in found["/x"]["flags"] and "loop" in found["/y"]["flags"]
    assert (found["/h"]["new_url"], found["/h"]["confidence"]) == (f"{SHOP}/", "sure")


def test_what_the_new_site_redirects_already_is_no_row_unless_it_ends_dead():
    moved = (f"{SHOP}/oak-chairs", "", "", 301, f"{SHOP}/furniture/chairs-of-oak")
    dead = (f"{SHOP}/brass-lamps", "Not found", "", 404)
    assert set(rows(mapped(site(*OLD_PAGES), site(*NEW_PAGES, moved, dead)))) == {"/brass-lamps", "/tax-forms"}


def test_targets_that_are_not_indexable_are_flagged():
    new = site(NEW_PAGES[0], (f"{SHOP}/light", "Brass lamps", LAMPS, 200, "", "Non-Indexable"))
    assert "target not indexable" in rows(mapped(site(*OLD_PAGES), new))["/brass-lamps"]["flags"]


def test_a_site_that_moved_to_another_host_keeps_its_paths():
    new = site(*((url.replace("shop.example", "new.example"), *rest) for url, *rest in OLD_PAGES))
    result = mapped(site(*OLD_PAGES), new)
    assert (result.table["confidence"] == "sure").all()
    assert (result.table["reason"] == "same path on the new domain").all()
    assert "have no host in common" in result.notes[0]


def test_the_links_most_at_risk_come_first():
    header = "Referring page URL,Referring page title,Target URL,Anchor,UR,Domain rating,External links,Lost\n"
    links = "".join(
        f"https://blog{place}.example/p,About brass lamps,{SHOP}/brass-lamps,lamps,{rating},40,10,{lost}\n"
        for place, (rating, lost) in enumerate([(30, ""), (20, ""), (90, "2025-01-01")])
    )
    backlinks = load([("links.csv", (header + links).encode())])
    result = mapped(site(*OLD_PAGES), site(*NEW_PAGES), backlinks)
    assert result.table["old_url"][0] == f"{SHOP}/brass-lamps"
    assert result.table["cas_at_risk"][0] > 0 == result.table["cas_at_risk"][1]
    assert result.cas_at_risk == pytest.approx(result.table["cas_at_risk"].sum())


@pytest.mark.parametrize(
    "text",
    [f"{SHOP}/oak-chairs\n{SHOP}/brass-lamps\n", f"Old address\n{SHOP}/oak-chairs\n{SHOP}/brass-lamps\n"],
    ids=["without a header", "with a header"],
)
def test_a_list_of_old_urls_is_enough(text):
    found = rows(mapped(load_pages_or_urls("old.txt", text.encode()), site(*NEW_PAGES)))
    assert found["/oak-chairs"]["new_url"] == f"{SHOP}/furniture/chairs-of-oak"
    assert found["/brass-lamps"]["new_url"] == f"{SHOP}/light/brass"
    assert "sure" not in {row["confidence"] for row in found.values()}


def test_swapped_crawls_are_noticed():
    moved = (f"{SHOP}/oak-chairs", "", "", 301, f"{SHOP}/furniture/chairs-of-oak")
    old, new = site(*OLD_PAGES), site(*NEW_PAGES, moved)
    assert not any("swapped" in note for note in mapped(old, new).notes)
    assert any("Did you swap the two files" in note for note in mapped(new, old).notes)


def test_a_new_crawl_without_any_change_asks_whether_the_files_were_swapped():
    notes = mapped(site(*OLD_PAGES), site(*reversed(OLD_PAGES))).notes
    assert any("has all old URLs. Did you swap" in note for note in notes)


def test_a_new_crawl_without_a_living_page_is_refused():
    dead = [(*page, 404) for page in NEW_PAGES]
    with pytest.raises(WrongExport, match="no page to redirect to"):
        mapped(site(*OLD_PAGES), site(*dead))


def test_crawls_of_two_sites_bring_no_sure_redirect_and_a_note():
    other = site(("https://news.example/vote", "The vote", "Ministers ballots coalition parliament speaker."))
    result = mapped(site(*OLD_PAGES), other)
    assert result.counts["sure"] == 0 and "have no host in common" in result.notes[0]


def test_one_file_given_twice_is_refused():
    with pytest.raises(WrongExport, match="same file"):
        mapped(site(*OLD_PAGES), site(*OLD_PAGES))


def test_with_clicks_the_old_pages_that_earned_most_come_first():
    earned = clicks((f"{SHOP}/tax-forms", 70, 2.0), (f"{SHOP}/brass-lamps", 9, 4.0))
    result = map_redirects(
        site(*OLD_PAGES), site(*NEW_PAGES), RedirectSettings(), ToyEncoder(), sources=Sources(performance=earned)
    )
    main = tables(result).main()
    assert ",".join(main.columns).startswith(COLUMNS)
    assert main["Old URL"].tolist() == [f"{SHOP}/tax-forms", f"{SHOP}/brass-lamps", f"{SHOP}/oak-chairs"]
    assert main["Clicks"].fillna(0).tolist() == [70, 9, 0]
    assert result.notes == ("pages.csv: 2 of 2 pages (100%) are among the old pages.",)
