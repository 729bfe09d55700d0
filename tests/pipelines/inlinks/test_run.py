"""The audit of existing links, from an inlinks export and a crawl to verdicts."""

import pytest

from backlink_audit.exports.load import load
from backlink_audit.labels import FAR_OFF, GOOD_LINK, MEND, REWORD
from backlink_audit.pipelines.inlinks.run import audit_inlinks
from backlink_audit.pipelines.inlinks.tables import links, sheets
from backlink_audit.settings import InlinkSettings
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


PAGES = [
    page("/", "Home", "welcome"),
    *(page(f"/tent-{n}", f"Tent number{n}", f"{TENT} number{n}") for n in range(4)),
    *(page(f"/bike-{n}", f"Bicycle number{n}", f"{BIKE} number{n}") for n in range(4)),
    page("/old", "", "", 301, "/tent-1"),
]


def audit(*rows, pages=PAGES, **settings):
    inlinks = load([("links.csv", as_csv(HEADER, rows))], "inlinks")
    moved = [(*row[:5], row[5] and f"{SITE}{row[5]}", row[6]) for row in pages]
    crawl = load([("crawl.csv", as_csv(CRAWL, moved))], "pages") if pages else None
    return audit_inlinks(inlinks, InlinkSettings(**settings), ToyEncoder(), crawl)


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


def test_one_anchor_for_several_pages_is_to_be_reworded_but_not_where_it_is_the_pages_name():
    rows = [link("/tent-0", f"/tent-{n}", "our best") for n in (1, 2, 3)] + [link("/", "/tent-1", "Tent number1")]
    result = audit(*rows)
    assert result.links["verdict"].tolist() == [REWORD.word] * 3 + [GOOD_LINK.word]
    assert "links to 3 pages" in result.links["why"][0]
    assert result.anchors[["anchor", "targets", "links"]].to_numpy().tolist() == [["our best", 3, 3]]
    assert audit(*rows[:2]).links["verdict"].tolist() == [GOOD_LINK.word] * 2


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
    assert list(links(result.links).columns) == [
        *("Source URL", "Target URL", "Anchor", "Position", "Relevance", "Anchor class", "Verdict", "Why")
    ]
    assert list(sheets(result)) == ["Summary", "Links", "Mend", "Reword", "Off-topic", "Anchors", "Pages"]
    assert result.headline == "1 of 2 links in the content should be improved: 1 to mend, 0 to reword, 0 off-topic."


def test_without_crawl_or_positions_that_is_said():
    result = audit(link("/tent-0", "/tent-1", "a tent", position=""), pages=[])
    assert "only compared by the words in their URLs" in result.notes[0] and "does not show where" in result.notes[1]


def test_a_crawl_of_another_site_is_said_and_left_out():
    other = [("https://elsewhere.example/", "text/html", 200, "Other", "Other", "", "Other")]
    inlinks = load([("links.csv", as_csv(HEADER, [link("/a", "/b", "one")]))], "inlinks")
    crawl = load([("crawl.csv", as_csv(CRAWL, other))], "pages")
    result = audit_inlinks(inlinks, InlinkSettings(), ToyEncoder(), crawl)
    assert "elsewhere.example" in result.notes[0] and len(result.links) == 1


def test_menus_alone_leave_nothing_to_judge():
    result = audit(link("/tent-0", "/tent-1", "Menu", position="Navigation"))
    assert result.links.empty and "is in the content" in result.headline
    assert list(sheets(result))[0] == "Summary"
