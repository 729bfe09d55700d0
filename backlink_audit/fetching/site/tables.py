"""What a crawl found as the tables of a crawler's export, a part at a time, under the headers that our readers know."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import islice

import pandas as pd

from backlink_audit.fetching.hosts import FORBIDS
from backlink_audit.fetching.html import asks
from backlink_audit.fetching.site.found import Answer, Found, Row
from backlink_audit.text.urls import normalise_url

ROWS_AT_ONCE = 500
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Characters that no page shows, and that a terminal may obey."""
PAGES = (
    *("Address", "Content Type", "Status Code", "Status", "Indexability", "Indexability Status", "Title 1"),
    *("Meta Description 1", "H1-1", "H2-1", "Meta Robots 1", "X-Robots-Tag 1", "Canonical Link Element 1"),
    *("Word Count", "Crawl Depth", "Inlinks", "Unique Inlinks", "Outlinks", "Unique Outlinks", "External Outlinks"),
    *("Redirect URL", "Language", "Size (Bytes)", "Response Time", "Crawl Timestamp", "Remark", "Page Content"),
)
LINKS = (
    *("Type", "Source", "Destination", "Alt Text", "Anchor", "Status Code", "Status", "Follow", "Rel", "Link Position"),
)


def page_tables(found: Found) -> Iterator[pd.DataFrame]:
    """Yield the pages, each with its translations in columns at the end."""
    alternates = found.most_alternates()
    headers = [*PAGES]
    for number in range(1, alternates + 1):
        headers += [f"HTML hreflang {number}", f"HTML hreflang {number} URL"]
    yield from _tables(headers, (_page(row, alternates) for row in found.rows()))


def link_tables(found: Found) -> Iterator[pd.DataFrame]:
    """Yield the links between the pages of the site."""
    rows = (
        (
            *("Hyperlink", source, target, alt_text, anchor, str(status or ""), _words(status)),
            *("true" if follow else "false", rel, place.capitalize()),
        )
        for source, target, anchor, alt_text, rel, follow, place, status in found.links()
    )
    yield from _tables(LINKS, rows)


def _tables(headers: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Iterator[pd.DataFrame]:
    """Yield tables of so many rows at once, an empty one where there is no row."""
    rows = (tuple(_CONTROL.sub("", cell) for cell in row) for row in rows)
    part = list(islice(rows, ROWS_AT_ONCE))
    while True:
        yield pd.DataFrame(part, columns=list(headers), dtype="str")
        part = list(islice(rows, ROWS_AT_ONCE))
        if not part:
            return


def _page(row: Row, alternates: int) -> tuple[str, ...]:
    answer, page = row.answer, row.answer.page
    why_not = _why_not_indexable(row.url, answer)
    is_page = answer.status == 200 and bool(page.words or page.title or page.links)
    translations = [cell for pair in page.alternates for cell in pair]
    return (
        row.url,
        answer.content_type,
        str(answer.status),
        _status(answer),
        "Non-Indexable" if why_not else "Indexable",
        why_not,
        page.title,
        page.description,
        page.h1,
        page.h2,
        page.robots,
        answer.robots_tag,
        page.canonical,
        str(page.words) if is_page else "",
        "" if row.depth is None else str(row.depth),
        str(row.inlinks),
        str(row.unique_inlinks),
        str(row.outlinks),
        str(row.unique_outlinks),
        str(page.external_links),
        answer.redirect,
        page.language,
        str(answer.size),
        f"{answer.seconds:.3f}",
        datetime.fromtimestamp(answer.asked_at, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        answer.reason,
        page.text,
        *translations,
        *[""] * (2 * alternates - len(translations)),
    )


def _status(answer: Answer) -> str:
    if answer.status:
        return _words(answer.status)
    return "Blocked by robots.txt" if answer.reason == FORBIDS else "No Response"


def _words(status: int) -> str:
    """Return what a status is called.

    >>> _words(200), _words(404), _words(799), _words(0)
    ('OK', 'Not Found', '', '')
    """
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _why_not_indexable(url: str, answer: Answer) -> str:
    """Return why search engines do not index a page, in the words of crawlers; "" where they may."""
    page = answer.page
    elsewhere = page.canonical and normalise_url(page.canonical) != normalise_url(url)
    reasons = (
        (answer.status == 0, _status(answer)),
        (bool(answer.redirect), "Redirected"),
        (answer.status >= 500, "Server Error"),
        (answer.status >= 400, "Client Error"),
        (answer.status >= 300, "Redirected"),
        (page.noindex or asks(answer.robots_tag, "noindex"), "noindex"),
        (bool(elsewhere), "Canonicalised"),
    )
    return next((words for applies, words in reasons if applies), "")
