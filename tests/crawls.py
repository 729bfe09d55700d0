"""Small crawls and inlinks exports as bytes, read the way an upload is."""

import csv
import io
from collections.abc import Iterable, Sequence

from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export

CRAWL_HEADER = ("Address", "Content Type", "Status Code", "Indexability", "Title 1", "H1-1", "Content")
LINKS_HEADER = ("Type", "Source", "Destination", "Anchor", "Status Code", "Status", "Follow", "Link Position")


def as_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Rows under a header, quoted as the tools do."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    return text.getvalue().encode()


def crawl_file(*pages: tuple[str, str, str, str]) -> bytes:
    """A crawl of (url, title, h1, content)."""
    rows = [(url, "text/html", 200, "Indexable", title, h1, content) for url, title, h1, content in pages]
    return as_csv(CRAWL_HEADER, rows)


def crawl(*pages: tuple[str, str, str, str]) -> Export:
    """The export of `crawl_file`."""
    return load([("crawl.csv", crawl_file(*pages))], "pages")


def inlinks(*links: tuple[str, str, str, str]) -> Export:
    """An all inlinks export of (source, target, anchor, position)."""
    rows = [
        ("Hyperlink", source, target, anchor, 200, "OK", "true", position) for source, target, anchor, position in links
    ]
    return load([("all_inlinks.csv", as_csv(LINKS_HEADER, rows))], "inlinks")
