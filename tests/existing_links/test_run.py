"""The audit of existing links, from an inlinks export and a crawl to verdicts."""

import pytest

from backlink_audit.existing_links.result import LINKS, tables
from backlink_audit.existing_links.run import audit_inlinks
from backlink_audit.exports.load import load
from backlink_audit.labels import FAR_OFF, GOOD_LINK, MEND, REWORD
from backlink_audit.settings import InlinkSettings
from backlink_audit.sources import Sources
from tests.crawls import as_csv
from tests.toy import ToyEncoder

SITE = "https://shop.example"
HEADER = ("Type", "Source", "Destination", "Alt Text", "Anchor", "Status Code", "Follow", "Link Position")
CRAWL = ("Address", "Content Type", "Status Code", "Title 1", "H1-1", "Redirect URL", "Content")
TENT = "tent pole canvas peg rope camp sleep night stove forest"
BIKE = "bicycle chain wheel brake saddle pedal gear frame tyre spoke"


def link(source, target, anchor, *, alt="", status=200, follow="true", position="Content"):
    return ("Hyperlink", f"{SITE}{source}", f"{SITE}{target}", alt, anchor, status, follow, position)


def page(path, title, content, status=200, redirect=""):
    return (f"{SITE}{path}", "text/html", status, title, title, redirect, content)


def turned(words, number):
    """Return the words from another one on: a run of words that many pages have would be taken for a menu."""
    first, found = 2 * number, words.split()
    return " ".join([*found[first:], *found[:first], f"number{number}"])


PAGES = [
    page("/", "Home", "welcome"),
    *(page(f"/tent-{n}", f"Tent number{n}", turned(TENT, n)) for n in range(4)),
    *(page(f"/bike-{n}", f"Bicycle number{n}", turned(BIKE, n)) for n in range(4)),
    page("/old", "", "", 301, "/tent-1"),
]


def audit(*rows, pages=PAGES, **settings):
    inlinks = load([("links.csv", as_csv(HEADER, rows))], "inlinks")
    moved = [(*row[:5], row[5] and f"{SITE}{row[5]}", row[6]) for row in pages]
    crawl = load([("crawl.csv", as_csv(CRAWL, moved))], "pages") if pages else None
    return audit_inlinks(inlinks, InlinkSettings(**settings), ToyEncoder(), Sources(pages=crawl))


def judged(*rows, **settings):
    """The verdict and the reason of the link in the first row."""
    links = audit(*rows, **settings).links
    _, source, _, alt, anchor, *_ = rows[0]
    first = links[links["source_url"].eq(source) & links["anchor"].eq(anchor or alt)].iloc[0]
    return first["verdict"], first["why"]


@pytest.mark.parametrize(
    ("row", "verdict", "why"),
    [
        (link("/tent-0", "/tent-1", "a good tent"), GOOD_LINK, "The pages are about similar subjects"),
        (link("/tent-0", "/gone", "the stove", status=404), MEND, "returns 404"),
        (link("/tent-0", "/old", "the pole", status=301), MEND, f"redirected to {SITE}/tent-1"),
        (link("/tent-0", "/tent-1", "a good tent", follow="false"), MEND, "nofollow"),
        (link("/tent-0", "/tent-1", "click here"), REWORD, "“click here” does not describe"),
        (link("/tent-0", "/tent-1", ""), REWORD, "no text"),
        (link("/tent-0", "/tent-1", "https://shop.example/tent-1"), REWORD, "only a URL"),
        (link("/tent-0", "/tent-1", "", alt="A tent of canvas"), GOOD_LINK, "similar subjects"),
        (link("/tent-0", "/bike-1", "something else"), FAR_OFF, "less similar to each other"),
        (link("/tent-0", "/bike-1", "bicycle number1"), GOOD_LINK, "Nothing to do"),
        (link("/tent-0", "/", "our shop"), GOOD_LINK, ""),
        (link("/tent-0", "/", "shop.example"), GOOD_LINK, ""),
        (link("/tent-0", "/tent-1", "tent.config.io"), GOOD_LINK, ""),
    ],
)
def test_each_link_gets_the_first_verdict_that_fits(row, verdict, why):
    found, reason = judged(row, link("/", "/tent-2", "one more"), off_topic_below=30)
    assert found == verdict.word and why in reason


def test_one_anchor_for_several_pages_is_said_once_with_their_number():
    rows = [link("/tent-0", f"/tent-{n}", "our best") for n in (1, 2, 3)] + [link("/", "/tent-1", "Tent number1")]
    result = audit(*rows)
    assert set(result.links["verdict"]) == {GOOD_LINK.word}
    assert result.anchors[["anchor", "targets", "links", "verdict"]].to_numpy().tolist() == [
        ["our best", 3, 3, REWORD.word]
    ]
    assert result.anchors["why"][0] == "It does not name 3 of the pages that it links to."
    assert result.headline.endswith("1 anchor does not show which of several pages is meant.")
    assert audit(*rows[:2]).anchors["verdict"].tolist() == [GOOD_LINK.word]


def test_an_anchor_in_the_names_of_its_pages_is_fine_however_many_they_are():
    rows = [link("/tent-0", f"/tent-{n}", "this tent") for n in (1, 2, 3)]
    assert audit(*rows).anchors["verdict"].tolist() == [GOOD_LINK.word]


def test_a_generic_anchor_of_two_pages_is_among_the_anchors_to_reword():
    anchors = audit(*(link("/tent-0", f"/tent-{n}", "click here") for n in (1, 2))).anchors
    assert anchors[["verdict", "why"]].to_numpy().tolist() == [[REWORD.word, "It does not describe a page."]]


@pytest.mark.parametrize("anchor", ["saddle pedals", "our bicycles"])
def test_a_link_whose_anchor_the_target_is_about_is_never_off_topic(anchor):
    assert judged(link("/tent-0", "/bike-1", anchor), off_topic_below=30)[0] == GOOD_LINK.word
    assert judged(link("/tent-0", "/bike-1", "pedal saddle"), off_topic_below=30)[0] == FAR_OFF.word


def test_an_anchor_that_is_a_heading_of_its_target_is_no_other_pages_name():
    sections = page("/all", "All of them", "Tent number2\nThe second tent is made of canvas.\nBicycles are below.")
    rows = [link("/tent-0", "/all", "Tent number2"), link("/", "/tent-2", "one more")]
    assert audit(*rows, pages=[*PAGES, sections]).links["verdict"].tolist() == [GOOD_LINK.word] * 2
    plain = page("/all", "All of them", "The tent number2 is made of canvas. Bicycles are below.")
    assert audit(*rows, pages=[*PAGES, plain]).links["verdict"].tolist() == [REWORD.word, GOOD_LINK.word]


def test_an_anchor_that_is_another_pages_name_is_to_be_reworded():
    linked = link("/", "/tent-2", "one more")
    assert judged(link("/tent-0", "/tent-1", "Tent: number2"), linked) == (
        REWORD.word,
        f"“Tent: number2” is the name of another page: {SITE}/tent-2.",
    )
    assert judged(link("/tent-0", "/tent-2", "Tent: number2"))[0] == GOOD_LINK.word


def test_a_page_that_no_page_links_to_is_not_what_an_anchor_names():
    assert judged(link("/tent-0", "/tent-1", "Tent: number2"))[0] == GOOD_LINK.word


def test_the_same_anchor_very_often_is_to_be_reworded():
    rows = [link(f"/tent-{n}", "/tent-1", "canvas of the north") for n in (0, 2, 3)]
    assert judged(*rows, same_anchor=3) == (REWORD.word, "3 links to this page have the same anchor.")
    assert judged(*rows)[0] == GOOD_LINK.word


def test_only_links_in_content_are_judged_unless_all_are_asked_for():
    rows = [link("/tent-0", "/tent-1", "a tent"), link("/tent-0", "/gone", "Menu", status=404, position="Navigation")]
    assert len(audit(*rows).links) == 1
    both = audit(*rows, content_only=False).links["verdict"].tolist()
    assert both == [MEND.word, GOOD_LINK.word], "what needs work comes first"


def test_pages_have_their_depth_links_and_anchors():
    rows = [link("/", "/tent-0", "one"), link("/tent-0", "/tent-1", "two"), link("/", "/tent-1", "two")]
    rows += [link("/tent-1", "/tent-2", "three"), link("/bike-0", "/bike-1", "four")]
    pages = audit(*rows).pages.set_index("url")
    steps = {"/": 0, "/tent-0": 1, "/tent-1": 1, "/tent-2": 2}
    assert pages["depth"].dropna().to_dict() == {f"{SITE}{path}": number for path, number in steps.items()}
    assert pages.loc[f"{SITE}/tent-1", ["links_in", "anchors", "top_anchors"]].tolist() == [2, 1, "two"]


def test_the_table_and_the_sheets_have_the_columns_that_are_promised():
    result = audit(link("/tent-0", "/tent-1", "a good tent"), link("/tent-0", "/gone", "x", status=404))
    assert list(LINKS.table(result).columns) == [
        *("Source URL", "Target URL", "Anchor", "Position", "Relevance", "Anchor class", "Verdict", "Why")
    ]
    assert list(tables(result).sheets()) == ["Summary", "Links", "Mend", "Reword", "Off-topic", "Anchors", "Pages"]
    assert result.headline == "1 of 2 links in the content should be improved: 1 to mend, 0 to reword, 0 off-topic."


def test_without_crawl_or_positions_that_is_said():
    result = audit(link("/tent-0", "/tent-1", "a tent", position=""), pages=[])
    assert "only compared by the words in their URLs" in result.notes[0] and "does not show where" in result.notes[1]


def test_a_crawl_of_another_site_is_said_and_left_out():
    other = [("https://elsewhere.example/", "text/html", 200, "Other", "Other", "", "Other")]
    inlinks = load([("links.csv", as_csv(HEADER, [link("/a", "/b", "one")]))], "inlinks")
    crawl = load([("crawl.csv", as_csv(CRAWL, other))], "pages")
    result = audit_inlinks(inlinks, InlinkSettings(), ToyEncoder(), Sources(pages=crawl))
    assert "elsewhere.example" in result.notes[0] and len(result.links) == 1


def test_menus_alone_leave_nothing_to_judge():
    result = audit(link("/tent-0", "/tent-1", "Menu", position="Navigation"))
    assert result.links.empty and "is in the content" in result.headline
    assert list(tables(result).sheets())[0] == "Summary"
