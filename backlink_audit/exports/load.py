"""Files as uploaded -> one export: read, recognise, merge.

Backlinks of several tools become one row per link, with the tools that see it, and whether Google lists it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from urllib.parse import urljoin

import numpy as np
import pandas as pd
import regex

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.delimited import LONGEST_NAME
from backlink_audit.exports.formats import (
    AHREFS_PAGE_INTERSECT,
    KNOWN_HEADERS,
    PLAIN_INLINKS,
    SCREAMING_FROG_PAGES,
    distinct_names,
    header_keys,
    known_headers,
    names_beside,
)
from backlink_audit.exports.read import read_table, read_tables
from backlink_audit.exports.recognise import Export, Merged, fingerprint, recognise, several_sites
from backlink_audit.exports.search_console import TOOL_NAME as GOOGLE
from backlink_audit.exports.search_console import join_dates, lacks_site, names_of, site_given, with_site
from backlink_audit.exports.values import clean_cells
from backlink_audit.schema import BACKLINKS, INLINKS, PERFORMANCE, SCALE, SOURCE_FILE, TABLES, TOOL
from backlink_audit.text.urls import main_domain, map_distinct, normalise_urls, registrable_domains
from backlink_audit.wording import count

SOURCE, TARGET = "Source URL", "Destination URL"  # the headers of the rows that are made, those of `PLAIN_INLINKS`
MOST = 0.8  # the share of a column's cells that are addresses, from which on it holds links
MOST_OTHERS = 5
"""Other columns of such a file: the address, the status and whether it is indexable; a whole crawl has more."""
INTERSECTING = "Intersecting site"  # the header of the site that a row of a link intersect links to
_SITE_COLUMN = r"(?i)(?:https?://)?(?:[\w-]+\.)+[\w-]{2,}(?:/\S*)?"
_DIMENSION = r"(?i)(?:dim|dimension|emb|embedding|vec|vector|v|e)[ _.-]?\d+"
FEWEST_DIMENSIONS = 3
_NUMBERED = r"\S.* \d+"
_ADDRESS = r"(?i)(?:https?://|//|/|\.{1,2}/)\S*"
SEEN_BY, GOOGLE_LISTS = "Seen by", "Google lists it"
YES, DOMAIN_ONLY, NO = "yes", "its domain only", "no"
RATED = ["url_rating", "domain_rating"]
_BETWEEN = "\n"  # between the parts of a key: no URL and no anchor contains it
_SECOND_HEADERS = 300  # rows that may be a header that are looked at
_NAMES_SHOWN = 3  # A merged export is named after so many of its files


def with_sites_as_rows(raw: pd.DataFrame) -> pd.DataFrame:
    """Return a link intersect by pages with a row for each site that a page links to; other tables as they are.

    Ahrefs names a column after each site, with how many links the page has to it, or their address.
    """
    sites = [header for header in raw.columns if regex.fullmatch(_SITE_COLUMN, header.strip())]
    keys = header_keys(raw.columns)
    if not sites or not keys >= header_keys(["Referring page URL", "Intersect"]) or "target url" in keys:
        return raw
    parts = []
    for site in sites:
        cells = clean_cells(raw[site])
        rows = raw[~cells.isin(["", "0", "-", "false", "FALSE"])].drop(columns=sites)
        address = f"https://{site.strip().rstrip('*/').removeprefix('https://').removeprefix('http://')}/"
        parts.append(rows.assign(**{INTERSECTING: address}).astype("str"))
    return pd.concat(parts, ignore_index=True)


def with_vectors_joined(raw: pd.DataFrame) -> pd.DataFrame:
    """Return vectors with a column for each number (dim_0, dim_1 …) as one column; other tables as they are."""
    numbered = [header for header in raw.columns if regex.fullmatch(_DIMENSION, header)]
    if len(numbered) < FEWEST_DIMENSIONS or len({header.rstrip("0123456789") for header in numbered}) > 1:
        return raw
    numbered.sort(key=lambda header: int(regex.search(r"(?<!\d)\d+$", header)[0]))
    joined = pd.Series([",".join(row) for row in raw[numbered].to_numpy()], raw.index, dtype="str")
    return raw.drop(columns=numbered).assign(Embedding=joined)


def with_links_as_rows(raw: pd.DataFrame) -> pd.DataFrame:
    """Return the links of a custom extraction, one row each, with relative addresses completed; other tables as is."""
    headers = list(raw.columns)
    address = SCREAMING_FROG_PAGES.columns(headers).get("url")
    if address is None or PLAIN_INLINKS.columns(headers).keys() >= {"source_url", "target_url"}:
        return raw
    numbered = [header for header in headers if regex.fullmatch(_NUMBERED, header)]
    links = [header for header in numbered if _holds_links(raw[header])]
    if not links or len(headers) - len(numbered) > MOST_OTHERS:
        return raw
    rows = raw.melt(id_vars=[address], value_vars=links, value_name=TARGET, ignore_index=False)
    rows = rows.assign(**{TARGET: clean_cells(rows[TARGET])}).sort_index(kind="stable")
    rows = rows[rows[TARGET].str.fullmatch(_ADDRESS)]
    targets = [_joined(page, link) for page, link in zip(rows[address], rows[TARGET], strict=True)]
    return pd.DataFrame({SOURCE: rows[address].to_numpy(), TARGET: targets}, dtype="str")


def _holds_links(cells: pd.Series) -> bool:
    filled = cells[cells.str.strip() != ""].str.strip()
    return len(filled) > 0 and filled.str.fullmatch(_ADDRESS).mean() >= MOST


def _joined(page: str, link: str) -> str:
    try:
        return urljoin(page, link)
    except ValueError:
        return link


def merge_tools(export: Export) -> Export:
    """Return backlinks of several tools with one row per link; those of one tool as they are.

    Rows are one link if their normalised URLs and their folded anchors are the same; a row without an anchor joins the
    one link of its two pages, if there is just one. Of the values of several rows, the first that is filled in counts;
    ratings of two scales are never mixed. The user's columns get `Seen by`, and `Google lists it` where a file of
    Search Console is among them, whose rows name no target and so are no links of their own.
    """
    tools = export.table[TOOL.name].where(export.table[TOOL.name] != "", export.table[SOURCE_FILE.name])
    if tools.nunique() < 2:
        return export
    listed = (tools == GOOGLE).to_numpy()
    rows, raw = export.table[~listed].reset_index(drop=True), export.raw[~listed].reset_index(drop=True)
    tools = tools[~listed].reset_index(drop=True)
    links, places = pd.factorize(_link_of(rows))[0], np.arange(len(rows))
    first = pd.Series(places).groupby(links).first().to_numpy()
    merged_raw = _first_filled(raw, links)
    theirs = dict(zip(raw.columns, names_beside([SEEN_BY, GOOGLE_LISTS], list(raw.columns)), strict=True))
    merged_raw = merged_raw.rename(columns=theirs)
    merged_raw[SEEN_BY] = tools.groupby(links).agg(lambda names: ", ".join(dict.fromkeys(names))).astype("str")
    table = _first_filled(rows, links).astype(rows.dtypes.to_dict())
    rated = pd.Series(places).where(rows[RATED].notna().any(axis=1)).groupby(links).first()
    rated_row = rated.fillna(pd.Series(first)).astype("int64").to_numpy()
    for name in (*RATED, SCALE.name):
        table[name] = rows[name].iloc[rated_row].array
    if listed.any():
        merged_raw[GOOGLE_LISTS] = google_lists(table["referring_url"], export.table["referring_url"][listed])
    said = f"{count(len(rows), 'row')} of {count(tools.nunique(), 'tool')} are {count(len(table), 'link')}."
    note = (
        (f"{said} {GOOGLE}'s {count(int(listed.sum()), 'row')} only show what Google lists.") if listed.any() else said
    )
    merged = Merged(tuple(tools.unique()), note)
    columns = {ours: theirs.get(header, header) for ours, header in export.columns.items()}
    return replace(export, raw=merged_raw, table=table, columns=columns, notes=(*export.notes, note), merged=merged)


def seen_by_tools(export: Export) -> pd.DataFrame:
    """Return what the merged tools say of each link: seen_by, google_lists; without columns where one tool is alone."""
    if export.merged is None:
        return pd.DataFrame(index=export.raw.index)
    names = {SEEN_BY: "seen_by", GOOGLE_LISTS: "google_lists"}
    return export.raw[[name for name in names if name in export.raw]].rename(columns=names)


def merging_sentence(export: Export) -> str:
    return export.merged.sentence if export.merged else ""


def best_listed(lists: pd.Series, domains: pd.Series) -> pd.Series:
    """Return for each domain (the index) the most that Google lists of its links.

    >>> best_listed(pd.Series(["no", "yes", "no"]), pd.Series(["a.example", "a.example", "b.example"])).to_dict()
    {'a.example': 'yes', 'b.example': 'no'}
    """
    order = (YES, DOMAIN_ONLY, NO)
    places = lists.map({word: place for place, word in enumerate(order)})
    return places.groupby(domains).min().map(dict(enumerate(order))).astype("str")


def google_lists(referring: pd.Series, listed: pd.Series) -> pd.Series:
    """Return for each referring page whether Google lists it (`yes`, `its domain only`, `no`)."""
    pages = normalise_urls(referring).isin(set(normalise_urls(listed)))
    domains = registrable_domains(referring).isin(set(registrable_domains(listed)))
    return pd.Series(np.select([pages, domains], [YES, DOMAIN_ONLY], NO), index=referring.index, dtype="str")


def fold_anchor(anchor: str) -> str:
    r"""Return the form in which anchors are compared.

    >>> fold_anchor("  Oak\xa0 CHAIRS ")
    'oak chairs'
    """
    return " ".join(anchor.casefold().split())


def _link_of(table: pd.DataFrame) -> pd.Series:
    pages = normalise_urls(table["referring_url"]) + _BETWEEN + normalise_urls(table["target_url"])
    anchors = map_distinct(table["anchor"], fold_anchor)
    named = pd.DataFrame({"pages": pages, "anchor": anchors})[anchors != ""].drop_duplicates()
    only = named.drop_duplicates("pages", keep=False).set_index("pages")["anchor"]
    return pages + _BETWEEN + anchors.where(anchors != "", only.reindex(pages).fillna("").set_axis(pages.index))


def _first_filled(table: pd.DataFrame, groups: np.ndarray) -> pd.DataFrame:
    texts = [name for name in table.columns if pd.api.types.is_string_dtype(table[name])]
    blank = table.assign(**{name: table[name].where(table[name].str.strip() != "") for name in texts})
    found = blank.groupby(groups, sort=True).first()
    return found.assign(**{name: found[name].fillna("") for name in texts})


def load(
    files: Sequence[tuple[str, bytes]],
    table: str = "backlinks",
    mapping: Mapping[str, str] | None = None,
    site: str = "",
) -> Export:
    """Return the files (name, bytes) as one export of the table asked for, in the order given.

    Files may come from different tools: their backlinks become one row per link (`merge_tools`). Each row keeps the
    name of its file, "links.csv (2)" for the second of that name. A file given twice is read once, and a note says so.
    `mapping` (our column -> header) applies to every file that has the header. `site`: where Search Console's links
    lead whose file's name does not say it; "": to the site that the other files are about. Raises UnreadableFile (a
    file has no rows), WrongExport (a file is an export of something else; the sentence names what it is),
    MissingColumns (a file lacks needed columns), InvalidSetting (`site` is none).
    """
    if not files:
        raise UnreadableFile("No file", f"upload an export with {TABLES[table].label} first.")
    distinct: dict[str, tuple[str, bytes]] = {}
    notes: list[str] = []
    for name, data in files:
        digest = hashlib.sha256(data).hexdigest()
        if digest in distinct:
            notes.append(f"{name} is the same file as {distinct[digest][0]}; it is counted once.")
        else:
            distinct[digest] = (name, data)
    site = site_given(site) if site else ""
    names = distinct_names([PurePath(name).name for name, _ in distinct.values()])
    given = [(name, digest, data) for name, (digest, (_, data)) in zip(names, distinct.items(), strict=True)]
    dated = None
    if table == PERFORMANCE.name:
        both = [(name, digest, data, *read_tables(data, name, dates=True)) for name, digest, data in given]
        dated = join_dates([(name, data, by_date) for name, _, data, _, by_date in both])
        read = [(name, digest, raw) for name, digest, _, raw, _ in both]
    else:
        read = [(name, digest, read_table(data, name)) for name, digest, data in given]
    if dated is not None and len(dated.without_pages) < len(read):
        notes += [
            f"{name} has clicks by date but no pages, so only its clicks per month are used."
            for name, _, _ in read
            if name in dated.without_pages
        ]
        read = [one for one in read if one[0] not in dated.without_pages]
    exports = _recognised(read, table, mapping, site)
    notes = [note for export in exports for note in export.notes] + notes
    merged = _merge(exports, list(distinct), mapping or {}, tuple(notes))
    if dated is not None:
        merged = replace(merged, by_date=dated.rows, notes=(*merged.notes, *dated.notes))
    if merged.kind == BACKLINKS.name:
        merged = merge_tools(merged)
        if merged.format != AHREFS_PAGE_INTERSECT:
            said = several_sites(registrable_domains(merged.table["target_url"]).value_counts())
            merged = replace(merged, notes=(*merged.notes, *said))
        merged.link_keys  # noqa: B018 (now, while the visitor waits for the file anyway: then every page opens at once)
    return merged


def recognise_file(name: str, data: bytes) -> Export:
    """Return a file as whatever export it is.

    Raises UnreadableFile (the file has no rows), WrongExport (it is a look-alike of an export), MissingColumns (no
    export we know has these columns).
    """
    name = PurePath(name).name
    raw = with_site(_reshaped(with_rows(read_table(data, name), name)), name)
    return recognise(raw, name, digest=hashlib.sha256(data).hexdigest())


def _recognised(
    files: Sequence[tuple[str, str, pd.DataFrame]], table: str, mapping: Mapping[str, str] | None, site: str
) -> list[Export]:
    """Return the files (name, digest, raw table) as exports, in their order; links of no known site are read last."""
    found: dict[int, Export] = {}
    later: dict[int, pd.DataFrame] = {}
    for place, (name, digest, rows) in enumerate(files):
        raw = with_site(_reshaped(with_rows(rows, name)), name, site)
        raw = with_links_as_rows(raw) if table == INLINKS.name else raw
        if table == BACKLINKS.name and lacks_site(names_of(raw)) and len(files) > 1:
            later[place] = raw
            continue
        fitting = mapping or {}
        if len(files) > 1:
            fitting = {ours: header for ours, header in fitting.items() if not header or header in raw.columns}
        found[place] = recognise(raw, name, fitting, table, digest)
    main = _main_site(list(found.values())) if later else ""
    for place, raw in later.items():
        name, digest, _ = files[place]
        found[place] = recognise(with_site(raw, name, main), name, None, table, digest)
    return [found[place] for place in range(len(files))]


def _reshaped(raw: pd.DataFrame) -> pd.DataFrame:
    return with_vectors_joined(with_sites_as_rows(raw))


def _main_site(exports: Sequence[Export]) -> str:
    targets = [registrable_domains(export.table["target_url"]) for export in exports]
    return main_domain(pd.concat(targets)) if targets else ""


def with_rows(raw: pd.DataFrame, name: str, done: int = 0) -> pd.DataFrame:
    """Return rows, those after `done`, without headers among them. Raises UnreadableFile for none, and two tables."""
    if not raw.empty and raw.iloc[:, 0].eq(raw.columns[0]).any():
        raw = raw[~(raw == list(raw.columns)).all(axis=1)].reset_index(drop=True)
    if raw.empty and not done:
        raise UnreadableFile(name, "the file has a header but no rows; export it again.")
    first = raw.iloc[:, 0].str.strip().str.lower()
    for place in np.flatnonzero(first.isin(KNOWN_HEADERS) | first.eq(""))[:_SECOND_HEADERS]:
        cells = [cell for cell in raw.iloc[place] if cell.strip()]
        if len(cells) > 1 and 2 * known_headers(cells) > len(cells) and not {*cells} <= {*raw.columns}:
            shown = ", ".join(f"“{cell[:LONGEST_NAME]}”" for cell in cells[:3])
            raise UnreadableFile(name, f"row {done + place + 1:,} is another table's header ({shown}); split the file.")
    return raw


def _merge(exports: list[Export], digests: list[str], mapping: Mapping[str, str], notes: tuple[str, ...]) -> Export:
    """Return several exports of one table as one; the user's own columns get the name of the file."""
    first = exports[0]
    columns: dict[str, str] = {}
    for export in exports:
        columns = {**export.columns, **columns}
    if len(exports) == 1:
        raw, table = first.raw, first.table
    else:
        raws = [with_source(export.raw, export.name) for export in exports]
        raw = pd.concat(raws, ignore_index=True).fillna("")
        table = pd.concat([export.table for export in exports], ignore_index=True)
    return Export(
        name=merged_name([export.name for export in exports]),
        format=first.format,
        columns=columns,
        raw=raw,
        table=table,
        fingerprint=fingerprint(digests, mapping, first.kind),
        notes=notes,
    )


def with_source(raw: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the user's own columns and the name of the file, as every file of a merged export has them."""
    theirs = raw.set_axis(names_beside([SOURCE_FILE.label], list(raw.columns)), axis=1)
    return theirs.assign(**{SOURCE_FILE.label: pd.Series(name, index=raw.index, dtype="str")})


def merged_name(names: list[str]) -> str:
    """Return the name of an export made of files of these names."""
    more = len(names) - _NAMES_SHOWN
    return " + ".join(names[:_NAMES_SHOWN]) + (f" + {more} more" if more > 0 else "")
