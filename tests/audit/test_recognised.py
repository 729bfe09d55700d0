from datetime import date

from backlink_audit.audit.story import recognised
from backlink_audit.exports.load import load
from tests.audit.made import CLOSE, FAR, LOST, export

TODAY = date(2026, 1, 1)


def test_tool_rows_site_and_newest_date_are_those_of_the_file():
    found = recognised(export(CLOSE, FAR, LOST), TODAY)
    assert (found.tool, found.rows, found.site) == ("Ahrefs backlinks", 3, "shop.example")
    assert found.newest == date(2024, 2, 4)
    assert found.languages == "en 100%"


def test_it_is_said_what_a_file_lacks_and_what_that_would_show():
    bare = recognised(load([("links.csv", b"Source url,Target url\nhttps://a.example/x,https://b.example/\n")]), TODAY)
    assert [words.split(" (")[0] for words in bare.lacks] == [
        *("page titles", "authority", "nofollow", "lost links", "dates", "page traffic")
    ]
    assert bare.newest is None and bare.languages == ""
    full = recognised(export(CLOSE), TODAY)
    assert [words.split(" (")[0] for words in full.lacks] == ["page traffic"], "it marks lost links, and none is lost"
