"""Small lists that are no exports: URLs, pairs of pages to link, sites to ask for a link."""

from contextlib import suppress

import pandas as pd

from backlink_audit.errors import AuditError, MissingColumns, UnreadableFile, WrongExport
from backlink_audit.exports.formats import PLAIN_INLINKS
from backlink_audit.exports.load import load
from backlink_audit.exports.read import read_table
from backlink_audit.exports.recognise import Export, recognise
from backlink_audit.exports.values import clean_cells
from backlink_audit.glossary import TERMS
from backlink_audit.labels import DEAD_PAGE, LOST_LINK
from backlink_audit.schema import BACKLINKS, DEAD_FROM, PAGES
from backlink_audit.text.urls import are_web_addresses, registrable_domain, registrable_domains


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
        try:
            return load([(name, data)], PAGES.name)
        except WrongExport:
            with suppress(AuditError):
                return _redirecting_pages(load([(name, data)], "redirect_chains"))
            raise
    urls = pd.DataFrame({"URL": read_url_list(name, data)}, dtype="str")
    return recognise(urls, name, {"url": "URL"}, PAGES.name)


def _redirecting_pages(chains: Export) -> Export:
    table = chains.table.drop_duplicates("url")
    mapping = {"url": "URL", "http_status": "Status Code", "redirect_url": "Redirect URL"}
    pages = table[list(mapping)].rename(columns=mapping).fillna(301).astype("str").reset_index(drop=True)
    return recognise(pages, chains.name, mapping, PAGES.name)


def sites_in(text: str) -> list[str]:
    r"""Return the sites that a text names by domain or address, with blanks, commas or line ends between; each once.

    >>> sites_in("a.example, https://www.b.example/page\na.example nothing")
    ['a.example', 'b.example']
    """
    found = (registrable_domain(word) for word in text.replace(",", " ").split())
    return list(dict.fromkeys(site for site in found if "." in site))


PAIR = ("source_url", "target_url")
RANK = "Rank"  # the header of a suggestion's place among those of its source page


def read_pairs(name: str, data: bytes) -> pd.DataFrame:
    """Return columns source_url, target_url and rank (of the pair on its source page; NaN where the file has none).

    Raises UnreadableFile, and MissingColumns where a URL column is not there.
    """
    raw = read_table(data, name)
    columns = PLAIN_INLINKS.columns(raw.columns)
    if not all(column in columns for column in PAIR):
        raise MissingColumns(name, "the file needs the columns “Source URL” and “Target URL”.")
    pairs = pd.DataFrame({column: clean_cells(raw[columns[column]]) for column in PAIR})
    return pairs.assign(rank=pd.to_numeric(raw[RANK], errors="coerce") if RANK in raw else float("nan"))


FACTS = (
    *("outreach_reason", "asks", "competitors", "example_title", "example_url", "example_anchor", "example_target"),
    *("topic", "our_page", "our_page_title", "relevance", "authority", "authority_scale", "page_kind", "gap_class"),
)
"""What a list may say of a site, under the names that our tables give it (`glossary.TERMS`)."""
OF_LINKS = {
    "referring_url": "example_url",
    "referring_title": "example_title",
    "anchor": "example_anchor",
    "target_url": "our_page",
    "advice": "asks",
}
"""What a list of links to reclaim says of them, as a prospect has it."""
NUMBERS = ("relevance", "authority")
PROSPECT = "Prospect"  # the column of a gap's table that marks who passes the filters


def read_prospects(name: str, data: bytes) -> pd.DataFrame:
    """Return one row per site, in the order of the file: referring_domain, and what of FACTS the file says.

    Of a gap's table only the rows that are marked as prospects. Raises UnreadableFile where the file names no site.
    """
    raw = read_table(data, name)
    if PROSPECT in raw:
        raw = raw[raw[PROSPECT].astype("str").str.lower().isin(["true", "1", "yes"])]
    columns = {**{one: TERMS[one].label for one in ("referring_domain", *FACTS)}, **_labels_of_links()}
    found = pd.DataFrame({one: raw[label] for one, label in columns.items() if label in raw})
    if "referring_domain" not in found and "referring_url" in found:
        found["referring_domain"] = registrable_domains(found["referring_url"])
        found = _as_prospects(found, raw)
    if "referring_domain" not in found:
        words = "\n".join("\n".join(map(str, [header, *raw[header]])) for header in raw.columns)
        found = pd.DataFrame({"referring_domain": sites_in(words)}, dtype="str")
    found = found[[one for one in ("referring_domain", *FACTS) if one in found]]
    found["referring_domain"] = found["referring_domain"].fillna("").astype("str").str.strip()
    found = found[found["referring_domain"] != ""].drop_duplicates("referring_domain", ignore_index=True)
    if found.empty:
        raise UnreadableFile(
            name, "it names no site; use what `gap` or `reclaim` wrote, or one domain or URL per line."
        )
    numbers = {one: pd.to_numeric(found[one], errors="coerce") for one in NUMBERS if one in found}
    texts = [one for one in found if one not in NUMBERS]
    return found.fillna(dict.fromkeys(texts, "")).astype(dict.fromkeys(texts, "str")).assign(**numbers)


def _labels_of_links() -> dict[str, str]:
    schema = {one: BACKLINKS.column(one).label for one in OF_LINKS if one != "advice"}
    return schema | {"advice": TERMS["advice"].label}


def _as_prospects(found: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    label = TERMS["target_status"].label
    status = pd.to_numeric(raw[label], errors="coerce") if label in raw else pd.Series(float("nan"), raw.index)
    reasons = (status >= DEAD_FROM).map({True: DEAD_PAGE.word, False: LOST_LINK.word}).astype("str")
    return found.rename(columns=OF_LINKS).assign(outreach_reason=reasons)
