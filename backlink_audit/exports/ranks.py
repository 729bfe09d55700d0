"""Common Crawl's domain ranks: a file of gigabytes that is read once as a stream, and kept as a table of some domains.

A line has a domain's places by harmonic centrality and by PageRank among all domains of a release. Of the first comes
an authority of its own, 0-100: the share of domains that stand below. It is never mixed with the ratings of tools.
"""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from backlink_audit.errors import InvalidSetting, UnreadableFile
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress, silent
from backlink_audit.schema import DOMAIN_RANKS, SCALE

SCALE_NAME = "Common Crawl"
_COLUMNS = {"#host_rev": pa.string(), "#harmonicc_pos": pa.int64(), "#pr_pos": pa.int64(), "#n_hosts": pa.int64()}
_NAMES = ("ranked_domain", "harmonic_place", "pagerank_place", "hosts")
_MARK = b"#harmonicc_pos"
_GZIP = b"\x1f\x8b"
_BLOCK = 16 * 1024**2  # bytes parsed at a time: about 250,000 lines
_RELEASE = re.compile(r"cc-main-[\w-]*?(?=-domain|-host|\.|$)", re.IGNORECASE)


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
            found.append(pa.Table.from_batches([kept]))
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


def _blocks(path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the lines of a release in blocks. Raises UnreadableFile."""
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    options = {
        "read_options": pa_csv.ReadOptions(block_size=_BLOCK, use_threads=False),
        "parse_options": pa_csv.ParseOptions(delimiter="\t", quote_char=False),
        "convert_options": pa_csv.ConvertOptions(include_columns=list(_COLUMNS), column_types=_COLUMNS),
    }
    try:
        with (
            pa.input_stream(str(path), compression="gzip" if packed else None) as stream,
            pa_csv.open_csv(stream, **options) as blocks,
        ):
            yield from blocks
    except KeyError as error:
        raise UnreadableFile(
            path.name, f"it has no column {error}, so these are not Common Crawl's domain ranks."
        ) from error
    except (pa.ArrowInvalid, OSError) as error:
        raise UnreadableFile(
            path.name, "the file is cut or damaged, or not Common Crawl's domain ranks; download it again."
        ) from error
