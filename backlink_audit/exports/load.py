"""Files as uploaded -> one export: read, recognise, merge."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

import pandas as pd

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.by_date import Dated, join_dates
from backlink_audit.exports.custom_extraction import with_links_as_rows
from backlink_audit.exports.header import distinct_names, names_beside
from backlink_audit.exports.merge_tools import merge_tools
from backlink_audit.exports.read import read_table, read_tables
from backlink_audit.exports.recognise import Export, fingerprint, recognise
from backlink_audit.exports.search_console import lacks_site, site_given, with_site
from backlink_audit.schema import BACKLINKS, INLINKS, PERFORMANCE, SOURCE_FILE, TABLES
from backlink_audit.text.urls import registrable_domains

_NAMES_SHOWN = 3
"""A merged export is named after so many of its files."""


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
    lead whose file's name does not say it; "": to the site that the other files are about.

    Raises:
        UnreadableFile: a file has no rows.
        WrongExport: a file is an export of something else; the sentence names what it is.
        MissingColumns: a file lacks needed columns.
        InvalidSetting: `site` is none.
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
        merged = _with_dates(merged, dated)
    if merged.kind == BACKLINKS.name:
        merged = merge_tools(merged)
        merged.link_keys  # noqa: B018 (now, while the visitor waits for the file anyway: then every page opens at once)
    return merged


def recognise_file(name: str, data: bytes) -> Export:
    """Return a file as whatever export it is.

    Raises:
        UnreadableFile: the file has no rows.
        WrongExport: it is a look-alike of an export.
        MissingColumns: no export we know has these columns.
    """
    name = PurePath(name).name
    raw = with_site(_with_rows(read_table(data, name), name), name)
    return recognise(raw, name, digest=hashlib.sha256(data).hexdigest())


def _recognised(
    files: Sequence[tuple[str, str, pd.DataFrame]], table: str, mapping: Mapping[str, str] | None, site: str
) -> list[Export]:
    """Return the files (name, digest, raw table) as exports, in their order; links of no known site are read last."""
    found: dict[int, Export] = {}
    later: dict[int, pd.DataFrame] = {}
    for place, (name, digest, rows) in enumerate(files):
        raw = with_site(_with_rows(rows, name), name, site)
        raw = with_links_as_rows(raw) if table == INLINKS.name else raw
        if table == BACKLINKS.name and lacks_site(raw.columns) and len(files) > 1:
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


def _main_site(exports: Sequence[Export]) -> str:
    """Return the domain that most rows of the exports link to, "" without any."""
    targets = [registrable_domains(export.table["target_url"]) for export in exports]
    counts = pd.concat(targets).value_counts() if targets else pd.Series(dtype="int64")
    return str(counts.index[0]) if len(counts) else ""


def _with_rows(raw: pd.DataFrame, name: str) -> pd.DataFrame:
    if raw.empty:
        raise UnreadableFile(name, "the file has a header but no rows; export it again.")
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


def _with_dates(export: Export, dated: Dated) -> Export:
    return replace(export, by_date=dated.rows, notes=(*export.notes, *dated.notes))


def with_source(raw: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the user's own columns and the name of the file, as every file of a merged export has them."""
    theirs = raw.set_axis(names_beside([SOURCE_FILE.label], list(raw.columns)), axis=1)
    return theirs.assign(**{SOURCE_FILE.label: pd.Series(name, index=raw.index, dtype="str")})


def merged_name(names: list[str]) -> str:
    """Return the name of an export made of files of these names."""
    more = len(names) - _NAMES_SHOWN
    return " + ".join(names[:_NAMES_SHOWN]) + (f" + {more} more" if more > 0 else "")
