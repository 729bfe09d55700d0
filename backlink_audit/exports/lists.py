"""Lists that are no exports: URLs, pairs of pages to link, sites to ask for a link, Common Crawl's ranks of domains.

A line has a domain's places by harmonic centrality and by PageRank among all domains of a release. Of the first comes
an authority of its own, 0-100: the share of domains that stand below. It is never mixed with the ratings of tools.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from backlink_audit.errors import AuditError, InvalidSetting, MissingColumns, UnreadableFile, WrongExport
from backlink_audit.exports.formats import PLAIN_INLINKS
from backlink_audit.exports.load import load
from backlink_audit.exports.read import read_table
from backlink_audit.exports.recognise import Export, recognise
from backlink_audit.exports.values import clean_cells
from backlink_audit.glossary import TERMS
from backlink_audit.labels import DEAD_PAGE, LOST_LINK
from backlink_audit.progress import Progress, silent
from backlink_audit.schema import BACKLINKS, DEAD_FROM, DOMAIN_RANKS, PAGES, SCALE
from backlink_audit.text.urls import are_web_addresses, registrable_domain, registrable_domains

SCALE_NAME = "Common Crawl"
_COLUMNS = {"#host_rev": pa.string(), "#harmonicc_pos": pa.int64(), "#pr_pos": pa.int64(), "#n_hosts": pa.int64()}
_NAMES = ("ranked_domain", "harmonic_place", "pagerank_place", "hosts")
_MARK = b"#harmonicc_pos"
_GZIP = b"\x1f\x8b"
_BLOCK = 8 * 1024**2  # bytes parsed at a time: about 125,000 lines
_RELEASE = re.compile(r"cc-main-[\w-]*?(?=-domain|-host|\.|$)", re.IGNORECASE)
PAIR = ("source_url", "target_url")
RANK = "Rank"  # the header of a suggestion's place among those of its source page
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


def is_whole_release(path: Path) -> bool:
    """Whether a file is Common Crawl's own, packed or not, and no table that was kept of it."""
    with path.open("rb") as file:
        beginning = file.read(len(_MARK))
    return beginning.startswith(_GZIP) or beginning == _MARK


def read_ranks(path: Path, domains: Collection[str], on_progress: Progress = silent) -> pd.DataFrame:
    """Return the columns of `schema.DOMAIN_RANKS` of those of the domains that the file has, the highest first.

    The lines may be in any order. Raises UnreadableFile for a file that is cut, or has other columns.
    """
    wanted = pa.array(sorted({backwards(domain) for domain in domains}), pa.string())
    found: list[pa.Table] = []
    lines, last = 0, 0
    for block in _blocks(path):
        lines, last = lines + len(block), max(last, pc.max(block["#harmonicc_pos"]).as_py() or 0)
        kept = block.filter(pc.is_in(block["#host_rev"], value_set=wanted))
        if len(kept):
            found.append(kept)
        on_progress("Reading the ranks", lines, 0)
    if not lines:
        raise UnreadableFile(path.name, "the file has no ranks; download it again.")
    if not found:
        raise UnreadableFile(path.name, f"none of the {len(wanted):,} domains is among its {lines:,}.")
    table = pa.concat_tables(found).to_pandas()
    table = table[list(_COLUMNS)].set_axis(list(_NAMES), axis=1).drop_duplicates("ranked_domain")
    table["ranked_domain"] = table["ranked_domain"].astype("str").map(backwards)
    release = _RELEASE.search(path.name)
    percentiles = percentile(table["harmonic_place"].astype("float64"), max(lines, last))
    table = table.assign(percentile=percentiles, release=release[0].lower() if release else "")
    return table.sort_values("harmonic_place", ignore_index=True)


def as_kept(table: pd.DataFrame) -> bytes:
    """Return ranks as the csv file that is read again in place of the whole release."""
    labels = {column.name: column.label for column in DOMAIN_RANKS.columns}
    return table.rename(columns=labels).to_csv(index=False).encode()


def percentile(places: pd.Series, domains: float) -> pd.Series:
    """Return the share of domains that stand below each place, 0-100.

    >>> percentile(pd.Series([1.0, 51.0, 100.0]), 100).tolist()
    [99.0, 49.0, 0.0]
    """
    return 100 * (domains - places) / domains


def backwards(domain: str) -> str:
    """Return a domain as Common Crawl writes it, and the other way round.

    >>> backwards("com.example.www")
    'www.example.com'
    """
    return ".".join(reversed(domain.split(".")))


def ranked(links: pd.DataFrame, ranks: pd.DataFrame | None) -> pd.DataFrame:
    """Return links with Common Crawl's percentile as their domain's rating, where no tool rates them.

    `links` has referring_domain, url_rating, domain_rating and scale; `ranks` is `schema.DOMAIN_RANKS`.
    """
    if ranks is None:
        return links
    own = ranks["percentile"].isna()  # of an extract in Common Crawl's own columns
    names = ranks["ranked_domain"].where(~own, ranks["ranked_domain"].map(backwards))
    known = ranks["percentile"].fillna(percentile(ranks["harmonic_place"], ranks["harmonic_place"].max()))
    by_domain = pd.Series(known.to_numpy(), names)
    rating = links["referring_domain"].map(by_domain[~by_domain.index.duplicated()]).astype("float64")
    unrated = links["url_rating"].isna() & links["domain_rating"].isna() & links[SCALE.name].eq("")
    return links.assign(
        domain_rating=links["domain_rating"].where(~unrated, rating),
        **{SCALE.name: links[SCALE.name].mask(unrated, SCALE_NAME)},
    )


def one_release(ranks: Export) -> Export:
    """Return ranks as they are. Raises InvalidSetting for those of several releases, whose places differ."""
    releases = sorted(set(ranks.table["release"]) - {""})
    if len(releases) > 1:
        raise InvalidSetting(f"{ranks.name} has ranks of several releases ({', '.join(releases)}); use those of one.")
    return ranks


def _blocks(path: Path) -> Iterator[pa.Table]:
    """Yield the lines of a release in blocks. Raises UnreadableFile."""
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    parse = pa_csv.ParseOptions(delimiter="\t", quote_char=False)
    convert = pa_csv.ConvertOptions(include_columns=list(_COLUMNS), column_types=_COLUMNS)
    try:
        with pa.input_stream(str(path), compression="gzip" if packed else None) as stream:
            names, _, rest = (piece := stream.read(_BLOCK)).partition(b"\n")
            read = pa_csv.ReadOptions(column_names=names.decode("utf-8", "replace").split("\t"), use_threads=False)
            while piece:  # a reader of the whole stream keeps some of each block to the end
                piece = stream.read(_BLOCK)
                whole, _, rest = (rest + piece).rpartition(b"\n") if piece else (rest, b"", b"")
                if len(rest) > _BLOCK:
                    raise pa.ArrowInvalid("A line has no end.")
                if whole.strip():
                    yield pa_csv.read_csv(pa.BufferReader(whole), read, parse, convert)
    except KeyError as error:
        why = f"it has no column {error}, so these are not Common Crawl's domain ranks."
        raise UnreadableFile(path.name, why) from error
    except (pa.ArrowInvalid, OSError) as error:
        why = "the file is cut or damaged, or not Common Crawl's domain ranks; download it again."
        raise UnreadableFile(path.name, why) from error


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
    """Return a crawl, or else a list of URLs, as pages. Raises UnreadableFile, WrongExport."""
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


def read_pairs(name: str, data: bytes) -> pd.DataFrame:
    """Return source_url, target_url and rank on its source page (NaN: none). Raises UnreadableFile, MissingColumns."""
    raw = read_table(data, name)
    columns = PLAIN_INLINKS.columns(raw.columns)
    if not all(column in columns for column in PAIR):
        raise MissingColumns(name, "the file needs the columns “Source URL” and “Target URL”.")
    pairs = pd.DataFrame({column: clean_cells(raw[columns[column]]) for column in PAIR})
    return pairs.assign(rank=pd.to_numeric(raw[RANK], errors="coerce") if RANK in raw else float("nan"))


def read_prospects(name: str, data: bytes) -> pd.DataFrame:
    """Return one row per site, in the order of the file: referring_domain, and what of FACTS the file says.

    Of a gap's table only the rows that are marked as prospects. Raises UnreadableFile where the file names no site.
    """
    raw = read_table(data, name)
    if PROSPECT in raw:
        raw = raw[raw[PROSPECT].astype("str").str.lower().isin(["true", "1", "yes"])]
    labels = {one: BACKLINKS.column(one).label for one in OF_LINKS if one != "advice"} | {
        "advice": TERMS["advice"].label
    }
    columns = {**{one: TERMS[one].label for one in ("referring_domain", *FACTS)}, **labels}
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
        raise UnreadableFile(name, "it names no site; use a table of `gap` or `reclaim`, or one domain or URL a line.")
    numbers = {one: pd.to_numeric(found[one], errors="coerce") for one in NUMBERS if one in found}
    texts = [one for one in found if one not in NUMBERS]
    return found.fillna(dict.fromkeys(texts, "")).astype(dict.fromkeys(texts, "str")).assign(**numbers)


def _as_prospects(found: pd.DataFrame, raw: pd.DataFrame) -> pd.DataFrame:
    label = TERMS["target_status"].label
    status = pd.to_numeric(raw[label], errors="coerce") if label in raw else pd.Series(float("nan"), raw.index)
    reasons = (status >= DEAD_FROM).map({True: DEAD_PAGE.word, False: LOST_LINK.word}).astype("str")
    return found.rename(columns=OF_LINKS).assign(outreach_reason=reasons)
