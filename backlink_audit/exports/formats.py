"""Every export format we know, and which of them a file has.

Look-alikes are tried before formats, formats of a tool before plain ones; the first that fits wins. To add a format,
write one entry in the module of its table and one small file in tests/exports/samples.
"""

from collections.abc import Iterable, Mapping
from itertools import chain

from backlink_audit.exports.backlink_formats import BACKLINK_FORMATS
from backlink_audit.exports.crawl_formats import INLINK_FORMATS, PAGE_FORMATS
from backlink_audit.exports.domain_formats import DOMAIN_FORMATS
from backlink_audit.exports.layout import Format, Lookalike, header_key, header_keys
from backlink_audit.exports.lookalikes import LOOKALIKES
from backlink_audit.exports.own_formats import LINK_CHECK
from backlink_audit.exports.performance_formats import PERFORMANCE_FORMATS
from backlink_audit.exports.search_console import SEARCH_CONSOLE_LINKING_TEXT, SEARCH_CONSOLE_LINKS

__all__ = ["FORMATS", "KNOWN_HEADERS", "Format", "Lookalike", "find_format", "header_key", "scale_name"]

FORMATS: tuple[Format, ...] = (
    LINK_CHECK,
    *BACKLINK_FORMATS,
    SEARCH_CONSOLE_LINKS,
    *DOMAIN_FORMATS,
    *PAGE_FORMATS,
    *INLINK_FORMATS,
    *PERFORMANCE_FORMATS,
    SEARCH_CONSOLE_LINKING_TEXT,
)

KNOWN_HEADERS = header_keys(
    chain.from_iterable(
        chain(*layout.headers.values(), *layout.flags.values(), *layout.signature) for layout in FORMATS
    )
) | header_keys(chain.from_iterable(chain(*lookalike.signature) for lookalike in LOOKALIKES))
"""Keys of every header that any format or look-alike names: how a header row is distinguished from a title line."""

RATINGS = ("url_rating", "domain_rating")
SCALE_OF_HEADER = {
    header_key(header): layout.scale
    for layout in FORMATS
    if layout.scale
    for rating in RATINGS
    for header in layout.headers.get(rating, ())
}
"""Which scale a rating's header means, taken from the formats of tools."""


def scale_name(layout: Format, columns: Mapping[str, str]) -> str:
    """Return the authority scale of a file's ratings; `columns`: our column -> the file's header.

    That of the format; a plain one's is found by the headers, and is "" where they are of no tool, or of two.
    """
    scales = {SCALE_OF_HEADER.get(header_key(columns[rating]), "") for rating in RATINGS if columns.get(rating)}
    return layout.scale or (scales.pop() if len(scales) == 1 else "")


def find_format(headers: Iterable[str], table: str | None = None) -> Format | Lookalike | None:
    """Return the format or look-alike that a file with these headers has, or None.

    `table` is the table that is asked for: among plain formats, which fit more than one table, it comes first.
    """
    keys = header_keys(headers)
    tools = [layout for layout in FORMATS if layout.tool]
    plain = sorted((layout for layout in FORMATS if not layout.tool), key=lambda layout: layout.table != table)
    candidates: list[Format | Lookalike] = [*LOOKALIKES, *tools, *plain]
    return next((candidate for candidate in candidates if candidate.fits(keys)), None)
