"""Footprints across sites: anchors, titles, URL patterns, links on every page."""

import pandas as pd
import pytest

from backlink_audit.judgement import footprints
from backlink_audit.judgement.anchor_classes import brand_names
from tests.backlinks import clean_links


def repeated_anchors(links: pd.DataFrame, at_least: int) -> pd.Series:
    counts = footprints.shared(footprints.footprints(links))
    return footprints.repeated_anchors(links, counts["anchor"], at_least, brand_names(links))


def shared_templates(links: pd.DataFrame, at_least: int) -> pd.Series:
    counts = footprints.shared(footprints.footprints(links))
    return footprints.shared_templates(links, counts["title"], counts["path"], at_least, brand_names(links))


def sitewide(links: pd.DataFrame, at_least: int) -> pd.Series:
    counts = footprints.shared(footprints.footprints(links))
    return footprints.sitewide(links, counts["same_link"], at_least)


def test_a_chosen_anchor_on_many_domains_is_reported_with_their_number():
    links = clean_links(anchor=["cheap oak desks"] * 10 + ["Cheap oak desks ", "another"])
    evidence = repeated_anchors(links, at_least=10).tolist()
    assert evidence[0] == "the anchor “cheap oak desks” is used by 11 sites"
    assert evidence[10] == "the anchor “Cheap oak desks” is used by 11 sites"
    assert evidence[11] == ""


def test_the_same_anchor_many_times_on_one_domain_is_not_a_repeated_anchor():
    links = clean_links(anchor=["oak desks"] * 12, referring_url=[f"https://one.example/{row}" for row in range(12)])
    assert set(repeated_anchors(links, at_least=10)) == {""}


def test_brands_addresses_generic_phrases_and_empty_anchors_may_repeat():
    for anchor in ("Our Site", "https://www.our-site.example/", "click here", "Read more", ""):
        assert set(repeated_anchors(clean_links(anchor=[anchor] * 12), at_least=10)) == {""}, anchor


def test_titles_that_differ_only_in_names_and_numbers_are_one_template():
    titles = [f"Where to buy links from shop{row}.com | {row}-93" for row in range(3)]
    evidence = shared_templates(clean_links(referring_title=[*titles, "A title of its own"]), at_least=3).tolist()
    assert evidence[0] == "the title “Where to buy links from shop0.com | 0-93” or one like it is on 3 sites"
    assert evidence[3] == ""


def test_error_pages_and_one_word_titles_share_nothing():
    for title in ("404 Not Found", "Home", "", "Just a moment..."):
        assert set(shared_templates(clean_links(referring_title=[title] * 5), at_least=3)) == {""}, title


def test_a_url_pattern_on_several_domains_is_reported_where_the_titles_differ():
    urls = [f"https://host{row}.example/top-website-list-{row}/" for row in range(3)]
    links = clean_links(referring_url=urls, referring_title=["Alpha", "Beta", "Gamma"])
    evidence = shared_templates(links, at_least=3).tolist()
    assert evidence[1] == "the URL pattern of “top-website-list-1” is on 3 sites"


def test_the_scripts_of_forums_are_no_template():
    urls = [f"https://host{row}.example/forum/memberlist.php?id={row}" for row in range(5)]
    assert set(shared_templates(clean_links(referring_url=urls), at_least=3)) == {""}


def test_a_pattern_on_one_domain_only_is_no_template():
    urls = [f"https://one.example/top-website-list-{row}/" for row in range(9)]
    assert set(shared_templates(clean_links(referring_url=urls), at_least=3)) == {""}


def test_a_link_marked_sitewide_is_reported():
    assert sitewide(clean_links(sitewide=[True, False, None]), 20).tolist() == ["marked sitewide in the export", "", ""]


def test_the_same_link_on_twenty_pages_of_a_domain_is_sitewide_without_a_mark():
    urls = [f"https://one.example/{row}" for row in range(20)] + ["https://two.example/1"]
    evidence = sitewide(clean_links(referring_url=urls, anchor=["oak"] * 21), 20).tolist()
    assert evidence[0] == "the same link is on 20 pages of one.example"
    assert evidence[20] == ""


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("", "hotels/andorra-la-vella"),
        ("", "wiki/Michael_Kremer"),
        ("", "tr-CT/news/965788"),
        ("", "profiles/our-site/followers"),
        ("Andorra la Vella", ""),
        ("Michael Kremer", ""),
        ("Our Site", ""),
    ],
)
def test_a_place_a_person_or_the_brand_in_title_or_url_is_no_template(title, path):
    urls = [f"https://host{row}.example/{path or row}" for row in range(9)]
    assert set(shared_templates(clean_links(referring_url=urls, referring_title=[title] * 9), at_least=3)) == {""}


@pytest.mark.parametrize("ending", ["deals/best-hotels-in-andorra-this-winter", "top-website-list-7"])
def test_one_publisher_under_several_endings_is_one_site(ending):
    urls = [f"https://www.coupons.{suffix}/{ending}" for suffix in ("it", "es", "fr", "co.uk")]
    columns = {"referring_title": ["Ten hotels in Andorra for this winter"] * 4, "anchor": ["cheap oak desks"] * 4}
    links = clean_links(referring_url=urls, **columns)
    assert set(shared_templates(links, at_least=2)) == {""}
    assert set(repeated_anchors(links, at_least=2)) == {""}
    others = clean_links(
        referring_url=[url.replace("coupons", f"coupons{row}") for row, url in enumerate(urls)], **columns
    )
    assert shared_templates(others, at_least=2)[0].endswith("is on 4 sites")
    assert repeated_anchors(others, at_least=2)[0].endswith("is used by 4 sites")


def test_the_words_that_a_brand_abbreviates_may_repeat():
    links = clean_links(anchor=["Garden Tools Hire"] * 12, target_url=["https://gardenth.org/"] * 12)
    assert set(repeated_anchors(links, at_least=10)) == {""}
