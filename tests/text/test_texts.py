import pandas as pd
import pytest

from backlink_audit.schema import PAGES
from backlink_audit.settings import LINK_TEXTS
from backlink_audit.text.bags import BLANK
from backlink_audit.text.texts import read_link_texts
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


def side(links, mode, which="referring", **others):
    texts = read_link_texts(links, mode, **others)
    return {name: words(bags, texts) for name, bags in getattr(texts, which).items()}


def test_evidence_takes_title_anchor_in_context_and_url_words():
    assert side(LINKS, "evidence") == {
        "title": ["Our oak chairs"],
        "anchor": ["We like these oak chairs very much"],
        "URL words": ["blog garden example oak chairs"],
    }


@pytest.mark.parametrize(
    ("mode", "referring", "target"),
    [
        ("url-words", {"URL words": ["blog garden example oak chairs"]}, {"URL words": ["shop example chairs oak"]}),
        (
            "url",
            {"URL": ["https://blog.garden.example/2024/oak-chairs.html?utm_source=x"]},
            {"URL": ["https://www.shop.example/chairs/oak"]},
        ),
        (
            "url-tokens",
            {"URL tokens": "blog garden example 2024 oak chairs html utm source x".split()},
            {"URL tokens": "www shop example chairs oak".split()},
        ),
    ],
)
def test_the_url_modes_take_the_same_of_both_ends(mode, referring, target):
    assert side(LINKS, mode) == referring
    assert side(LINKS, mode, "target") == target


def test_title_mode_falls_back_to_the_words_of_the_url():
    assert side(LINKS, "title") == {"title": ["Our oak chairs"], "URL words": []}
    untitled = LINKS.assign(referring_title=" ")
    assert side(untitled, "title") == {"title": [], "URL words": ["blog garden example oak chairs"]}


def test_a_naked_url_as_anchor_counts_by_its_words():
    links = LINKS.assign(anchor="https://www.shop.example/oak-chairs?utm_source=x", left_context="", right_context="")
    assert side(links, "evidence")["anchor"] == ["shop example oak chairs"]


def test_an_image_without_words_has_no_anchor_text_whatever_stands_around_it():
    assert side(LINKS.assign(anchor=" "), "evidence")["anchor"] == []


def test_a_target_page_counts_by_its_url_and_once_more_by_its_path():
    assert side(LINKS, "evidence", "target") == {"URL words": ["shop example chairs oak", "chairs oak"]}


def test_a_homepage_also_counts_by_the_site_s_other_linked_pages():
    links = clean_links(
        target_url=[
            "https://shop.example/",
            "http://www.shop.example/chairs",
            "https://shop.example/chairs/?utm_source=x",
            "https://shop.example/tables",
            "https://shop.example/photo.jpg",
            "https://other.example/boats",
        ]
    )
    texts = read_link_texts(links, "evidence")
    home = texts.target["URL words"]
    assert words(home, texts) == ["shop example", "chairs", "tables"]
    assert home.weights[home.starts[home.codes[0]] :][:3].tolist() == [1, 1, 1]
    assert words(home, texts, row=5) == ["other example boats", "boats"]


@pytest.mark.parametrize("path", ["fr/", "en-us/home", "index.php", "?utm_source=x", "?p=12"])
def test_a_language_s_start_page_is_a_homepage_too(path):
    links = clean_links(target_url=[f"https://shop.example/{path}", "https://shop.example/chairs"])
    texts = read_link_texts(links, "evidence")
    assert words(texts.target["URL words"], texts)[1:] == ["chairs"]


def test_a_lone_homepage_counts_by_its_host():
    assert side(clean_links(anchor=["x"]), "evidence", "target") == {"URL words": ["our site example"]}


def test_a_crawl_adds_title_and_h1_of_the_target_page():
    pages = mapped_table(
        PAGES,
        url=["http://shop.example/chairs/oak/", "https://shop.example/tables"],
        title=["Oak chairs | Shop", "Tables"],
        h1=["Chairs of oak", "Tables"],
    )
    assert side(LINKS, "evidence", "target", pages=pages)["title"] == ["Oak chairs | Shop Chairs of oak"]
    tables = LINKS.assign(target_key="shop.example/tables")
    assert side(tables, "evidence", "target", pages=pages)["title"] == ["Tables"]
    unknown = LINKS.assign(target_key="shop.example/boats")
    assert side(unknown, "evidence", "target", pages=pages)["title"] == []


def test_the_subject_is_the_title_else_the_words_of_the_url():
    texts = read_link_texts(LINKS, "evidence")
    assert words(texts.subject, texts) == ["Our oak chairs"]
    texts = read_link_texts(LINKS.assign(referring_title=""), "evidence")
    assert words(texts.subject, texts) == ["blog garden example oak chairs"]


@pytest.mark.parametrize("mode", LINK_TEXTS)
def test_chance_takes_the_form_of_what_is_compared(mode):
    texts = read_link_texts(LINKS, mode, topics=["garden tools"], site_names=["oakfriends"])
    expected = {
        "url": [["https://www.oakfriends.com/garden-tools"], ["https://www.oakfriends.com/"]],
        "url-tokens": [["www", "oakfriends", "com", "garden", "tools"], ["www", "oakfriends", "com"]],
    }.get(mode, [["garden tools"], ["oakfriends"]])
    assert [words(texts.chance, texts, row) for row in (0, 1)] == expected


@pytest.mark.parametrize("mode", LINK_TEXTS)
def test_links_without_any_text_are_blank(mode):
    links = clean_links(referring_url=[""], target_url=[""])
    texts = read_link_texts(links, mode)
    assert len(texts.vocabulary) == 0
    assert all((bags.codes == BLANK).all() for bags in (*texts.referring.values(), *texts.target.values()))


def test_scripts_other_than_latin_keep_their_words():
    links = clean_links(
        referring_url=["https://пример.рф/сад-и-цветы"],
        target_url=["https://xn--e1afmkfd.xn--p1ai/%D1%81%D0%B0%D0%B4"],
        referring_title=["庭と花"],
    )
    assert side(links, "evidence")["title"] == ["庭と花"]
    assert side(links, "evidence")["URL words"] == ["пример сад и цветы"]
    assert side(links, "evidence", "target") == {"URL words": ["пример сад", "сад"]}


def test_each_text_is_met_once_however_many_links_have_it():
    many = pd.concat([LINKS] * 3, ignore_index=True)
    assert read_link_texts(many, "evidence").vocabulary.texts == read_link_texts(LINKS, "evidence").vocabulary.texts
