import pandas as pd
import pytest

from backlink_audit.schema import PAGES
from backlink_audit.settings import LINK_TEXTS
from backlink_audit.text.link_texts import PAGES_OF_A_SITE, OfSites, linked_sites, read_link_texts
from backlink_audit.text.text_vectors import BLANK
from tests.backlinks import clean_links, mapped_table

LINKS = clean_links(
    referring_url=["https://blog.garden.example/2024/oak-chairs.html?utm_source=x"],
    target_url=["https://www.shop.example/chairs/oak"],
    referring_title=["Our \u200b oak  chairs"],
    anchor=["oak chairs"],
    left_context=["We like these"],
    right_context=["very much"],
)


def words(bags, texts, row=0):
    if bags.codes[row] == BLANK:
        return []
    bag = bags.codes[row]
    return [texts.vocabulary.texts[place] for place in bags.members[bags.starts[bag] : bags.starts[bag + 1]]]


def referring(links, mode):
    texts = read_link_texts(links, mode)
    return words(texts.referring, texts)


def pages_of(links, mode, row=0, **others):
    texts = read_link_texts(links, mode, **others)
    return [words(bags, texts, row) for bags in texts.pages]


def site(links, row=0, **others):
    """The texts of the own pages of a link's target site."""
    texts = read_link_texts(links, "subject", **others)
    domain = links["target_domain"].iloc[row]
    asked = OfSites(texts.asked.sites, texts.asked.domains, texts.asked_targets)
    return of_sites(texts.site_pages, texts, domain) or sorted(of_sites(asked, texts, domain))


def of_sites(known, texts, domain):
    return [
        word for row in range(len(known.sites)) if known.sites[row] == domain for word in words(known.texts, texts, row)
    ]


def crawl(*pages, status=200, content_type="text/html"):
    return mapped_table(
        PAGES,
        url=[url for url, _, _ in pages],
        title=[title for _, title, _ in pages],
        h1=[h1 for _, _, h1 in pages],
        http_status=[status] * len(pages),
        content_type=[content_type] * len(pages),
    )


@pytest.mark.parametrize("mode", ["subject", "title"])
def test_the_referring_page_counts_by_its_title_else_by_the_words_of_its_url(mode):
    assert referring(LINKS, mode) == ["Our oak chairs"]
    assert referring(LINKS.assign(referring_title=" "), mode) == ["blog garden example oak chairs"]


@pytest.mark.parametrize(
    ("mode", "one", "other"),
    [
        ("url-words", ["blog garden example oak chairs"], ["shop example chairs oak"]),
        (
            "url",
            ["https://blog.garden.example/2024/oak-chairs.html?utm_source=x"],
            ["https://www.shop.example/chairs/oak"],
        ),
        (
            "url-tokens",
            "blog garden example 2024 oak chairs html utm source x".split(),
            "www shop example chairs oak".split(),
        ),
    ],
)
def test_the_url_modes_take_the_same_of_both_ends(mode, one, other):
    assert referring(LINKS, mode) == one
    assert pages_of(LINKS, mode) == [other]


@pytest.mark.parametrize("mode", LINK_TEXTS)
def test_links_are_judged_by_the_same_texts_whatever_is_compared(mode):
    texts = read_link_texts(LINKS, mode, topics=["garden tools"])
    assert words(texts.own, texts) == ["Our oak chairs"]
    assert [words(bags, texts) for bags in texts.targets] == [["shop example chairs oak", "chairs oak"]]
    assert words(texts.asked_targets, texts) == ["chairs oak"]
    assert of_sites(texts.site_names, texts, "shop.example") == ["shop example"]
    assert of_sites(texts.asked, texts, "shop.example") == ["Our oak chairs"]
    assert texts.asked.domains.tolist() == ["garden.example"]
    assert words(texts.topics, texts) == ["garden tools"]


def test_an_anchor_stands_for_nothing_but_itself():
    texts = read_link_texts(LINKS, "subject")
    assert words(texts.anchor, texts) == ["oak chairs"]
    others = read_link_texts(LINKS.assign(anchor="casino"), "subject")
    assert words(others.referring, others) == words(texts.referring, texts)
    assert read_link_texts(LINKS, "url").anchor is None


def test_a_naked_url_as_anchor_counts_by_its_words():
    links = LINKS.assign(anchor="https://www.shop.example/oak-chairs?utm_source=x")
    texts = read_link_texts(links, "subject")
    assert words(texts.anchor, texts) == ["shop example oak chairs"]


def test_a_target_page_counts_by_its_url_and_once_more_by_its_path():
    assert pages_of(LINKS, "subject") == [["shop example chairs oak", "chairs oak"]]


TARGETS = clean_links(
    target_url=[
        "https://shop.example/",
        "http://www.shop.example/chairs",
        "https://shop.example/chairs/?utm_source=x",
        "https://shop.example/tables",
        "https://shop.example/photo.jpg",
        "https://other.example/boats",
    ]
)


def test_a_site_s_subject_is_its_linked_pages_as_often_as_sites_link_there_homepages_and_files_apart():
    assert site(TARGETS) == ["chairs", "chairs", "tables"]
    assert site(TARGETS, row=5) == ["boats"]


def test_a_part_of_an_export_has_the_subject_of_the_whole():
    part = TARGETS.iloc[:1]
    assert site(part) == []
    assert site(part, sites=linked_sites(TARGETS)) == ["chairs", "chairs", "tables"]


def test_a_homepage_says_nothing_that_its_site_does_not():
    assert pages_of(TARGETS, "subject") == [[]]
    assert pages_of(TARGETS, "title") == [["shop example"]]


@pytest.mark.parametrize("path", ["fr/", "en-us/home", "index.php", "?utm_source=x", "?p=12"])
def test_a_language_s_start_page_is_a_homepage_too(path):
    links = clean_links(target_url=[f"https://shop.example/{path}", "https://shop.example/chairs"])
    assert pages_of(links, "subject") == [[]]
    assert site(links) == ["chairs"]


def test_a_site_of_which_only_the_homepage_is_linked_has_its_name_alone():
    links = clean_links(target_url=["https://garden-tools.example/", "https://garden-tools.example/fr"])
    assert site(links) == []
    assert pages_of(links, "subject") == [["garden tools example"]]


def test_a_crawl_shows_the_subject_of_a_site_whose_homepage_alone_is_linked():
    links = clean_links(target_url=["https://shop.example/"])
    pages = crawl(("https://shop.example/a", "Oak chairs", "Oak chairs"), ("https://shop.example/b", "Tables", "Beech"))
    assert site(links, pages=pages) == ["Oak chairs", "Tables Beech"]
    assert pages_of(links, "subject", pages=pages)[0] == []


def test_pages_of_a_crawl_that_are_errors_or_files_say_nothing_and_other_sites_stay_as_they_are():
    links = clean_links(target_url=["https://shop.example/chairs"])
    assert site(links, pages=crawl(("https://shop.example/a", "Not found", ""), status=404)) == ["chairs"]
    assert site(links, pages=crawl(("https://shop.example/a", "A file", ""), content_type="application/pdf")) == [
        "chairs"
    ]
    assert site(links, pages=crawl(("https://elsewhere.example/a", "Boats", ""))) == ["chairs"]


def test_a_large_crawl_is_sampled_evenly():
    links = clean_links(target_url=["https://shop.example/"])
    pages = crawl(*((f"https://shop.example/{n}", f"Page {n}", "") for n in range(1000)))
    found = site(links, pages=pages)
    assert len(found) == PAGES_OF_A_SITE
    assert found[:2] == ["Page 0", "Page 5"]


def test_a_crawl_adds_title_and_h1_of_the_target_page():
    pages = crawl(
        ("http://shop.example/chairs/oak/", "Oak chairs | Shop", "Chairs of oak"),
        ("https://shop.example/tables", "Tables", "Tables"),
    )
    assert pages_of(LINKS, "subject", pages=pages)[1] == ["Oak chairs | Shop Chairs of oak"]
    tables = LINKS.assign(target_key="shop.example/tables")
    assert pages_of(tables, "subject", pages=pages)[1] == ["Tables"]
    unknown = LINKS.assign(target_key="shop.example/boats")
    assert pages_of(unknown, "subject", pages=pages)[1] == []


def test_many_unrelated_targets_each_have_their_own_subject():
    links = clean_links(target_url=[f"https://site-{n}.example/subject-{n}" for n in "abc"])
    assert [site(links, row) for row in range(3)] == [["subject a"], ["subject b"], ["subject c"]]


@pytest.mark.parametrize("mode", LINK_TEXTS)
def test_links_without_any_text_are_blank(mode):
    links = clean_links(referring_url=[""], target_url=[""], anchor=[" "])
    texts = read_link_texts(links, mode)
    assert len(texts.vocabulary) == 0
    sides = (texts.own, texts.referring, *texts.pages, *texts.targets, texts.asked.texts, texts.anchor)
    assert all((bags.codes == BLANK).all() for bags in sides if bags is not None)


def test_scripts_other_than_latin_keep_their_words():
    links = clean_links(
        referring_url=["https://пример.рф/сад-и-цветы"],
        target_url=["https://xn--e1afmkfd.xn--p1ai/%D1%81%D0%B0%D0%B4"],
        referring_title=["庭と花"],
    )
    assert referring(links, "subject") == ["庭と花"]
    assert referring(links, "url-words") == ["пример сад и цветы"]
    assert pages_of(links, "subject") == [["пример сад", "сад"]]
    assert site(links) == ["сад"]


def test_each_text_is_met_once_however_many_links_have_it():
    many = pd.concat([LINKS] * 3, ignore_index=True)
    assert read_link_texts(many, "subject").vocabulary.texts == read_link_texts(LINKS, "subject").vocabulary.texts


def test_the_words_of_the_url_that_a_page_names_stand_beside_those_it_redirects_to():
    links = clean_links(
        referring_url=["https://a.example/1", "https://a.example/2", "https://a.example/3"],
        target_url=["https://www.shop.example/chairs"] * 3,
        redirect_urls=["http://old.example/oak-benches, http://b.example/", "http://shop.example/chairs/", ""],
    )
    texts = read_link_texts(links, "subject")
    assert [words(bags, texts) for bags in texts.pages] == [
        ["shop example chairs", "chairs"],
        ["old example oak benches", "oak benches"],
    ]
    assert words(texts.pages[1], texts, 1) == words(texts.pages[1], texts, 2) == []
    homepage = read_link_texts(links.assign(redirect_urls="http://old.example/"), "subject")
    assert words(homepage.pages[1], homepage) == []
    assert len(read_link_texts(links, "url-words").pages) == 1
