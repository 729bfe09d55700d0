"""A list of URLs: a text file with one a line, or the column of a table that has most of them."""

from contextlib import suppress

import pandas as pd

from backlink_audit.errors import MissingColumns, UnreadableFile
from backlink_audit.exports.load import load
from backlink_audit.exports.read import read_table
from backlink_audit.exports.recognise import Export, recognise
from backlink_audit.schema import PAGES
from backlink_audit.text.urls import are_web_addresses, registrable_domain


def read_url_list(name: str, data: bytes) -> tuple[str, ...]:
    """Return the URLs of a file, in its order. Raises UnreadableFile where there is none."""
    raw = read_table(data, name)
    columns = [pd.Series([str(header), *raw[header]], dtype="str").str.strip() for header in raw.columns]
    lists = [column[are_web_addresses(column)] for column in columns]
    longest = max(lists, key=len, default=pd.Series(dtype="str"))
    if longest.empty:
        raise UnreadableFile(name, "no column has URLs; write one URL per line.")
    return tuple(dict.fromkeys(longest))


def load_pages_or_urls(name: str, data: bytes) -> Export:
    """Return a crawl, or else a list of URLs, as pages.

    Raises UnreadableFile, and WrongExport where the file is an export of something else.
    """
    with suppress(MissingColumns):
        return load([(name, data)], PAGES.name)
    urls = pd.DataFrame({"URL": read_url_list(name, data)}, dtype="str")
    return recognise(urls, name, {"url": "URL"}, PAGES.name)


def sites_in(text: str) -> list[str]:
    r"""Return the sites that a text names by domain or address, with blanks, commas or line ends between; each once.

    >>> sites_in("a.example, https://www.b.example/page\na.example nothing")
    ['a.example', 'b.example']
    """
    found = (registrable_domain(word) for word in text.replace(",", " ").split())
    return list(dict.fromkeys(site for site in found if "." in site))
