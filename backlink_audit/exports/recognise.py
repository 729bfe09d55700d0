"""A raw table -> which export it is, and the same rows under our names and types."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd

from backlink_audit.errors import MissingColumns, WrongExport
from backlink_audit.exports.formats import (
    DOMAIN_LIST,
    FORMATS,
    Format,
    Lookalike,
    find_format,
    header_key,
    with_earlier,
)
from backlink_audit.exports.search_console import names_of
from backlink_audit.exports.values import map_rows, odd_cells
from backlink_audit.schema import TABLES, Table
from backlink_audit.text.urls import are_web_addresses, normalise_urls, registrable_domains
from backlink_audit.wording import by_number, count, first_of

BY_HAND = "Mapped manually"
_MEDIA_TYPE = r"(?i)[a-z]+/[a-z0-9.+-]+(?:\s*;.*)?"
_HOST = r"(?i)(?:https?://)?(?:[\w-]+\.)+[a-z]{2,}/?"
_FOLLOW = r"(?i)(?:no|do)?follow(?:ed)?"
VALUES_LOOKED_AT = 1_000  # so many values of a column show what it has, where its header leaves that open
SECOND_SITE = 0.05  # of all links: a site that so many lead to is meant
SAME_LINK = ["referring_url", "target_url", "anchor"]  # rows that agree in these columns are one link, given again
_VECTOR_WORDS = ("embedding", "vector")
_OF_FIGURES = ("pages", "performance", "referring_domains")
"""Tables of which a file that no format knows must have more than the column that is needed."""
_COLUMNS_NAMED = 8  # how many of a file's own headers an error lists
_HEADER_SHOWN = 60  # how many characters of each


@dataclass(frozen=True)
class Merged:
    """What became of the rows of several tools: the tools' names, in order, and how many links their rows are."""

    tools: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, eq=False)
class Export:
    """One or more files of one kind, recognised and mapped. `raw` and `table` have the same rows and index.

    `columns` maps our columns to the file's headers; `notes` are sentences the user should know; `fingerprint` changes
    whenever bytes or mapping do.
    """

    name: str
    format: Format
    columns: Mapping[str, str]
    raw: pd.DataFrame
    table: pd.DataFrame
    fingerprint: str
    notes: tuple[str, ...] = field(default=())
    by_date: pd.DataFrame | None = None
    """Clicks by date (`exports.search_console.COLUMNS`), where files of clicks or visits have them."""
    merged: Merged | None = None  # Where its links are those of several tools, merged (`exports.load.merge_tools`)

    @property
    def kind(self) -> str:
        return self.format.table

    def has(self, column: str) -> bool:
        return column in self.columns or (column == "link_type" and bool(self.format.flags))

    @cached_property
    def link_keys(self) -> pd.DataFrame:
        """What every result needs of the backlinks (`link_keys`), and is_repeat: whether a row above is the same link.

        Computed once: it costs more than any filter.
        """
        repeats = self.table.duplicated(SAME_LINK)
        return link_keys(self.table).assign(is_repeat=repeats)


def link_keys(table: pd.DataFrame) -> pd.DataFrame:
    """Return referring_key, target_key (normalised URLs), referring_domain, target_domain, and is_web of backlinks.

    is_web: whether both ends are web addresses.
    """
    referring, target = table["referring_url"], table["target_url"]
    return pd.DataFrame(
        {
            "referring_key": normalise_urls(referring),
            "target_key": normalise_urls(target),
            "referring_domain": registrable_domains(referring),
            "target_domain": registrable_domains(target),
            "is_web": are_web_addresses(referring) & are_web_addresses(target),
        }
    )


def recognise(
    raw: pd.DataFrame,
    name: str,
    mapping: Mapping[str, str] | None = None,
    table: str | None = None,
    digest: str | None = None,
) -> Export:
    """Return the export that a raw table is.

    `mapping` (our column -> header, "" for none) decides about any column, and about the kind of table too where it
    names every needed column. `table` is the table that is asked for. `digest` is the hash of the file's bytes. Raises
    WrongExport (a known export of another kind, or a look-alike), MissingColumns (needed columns are not there, are
    empty, or the mapping names headers the file has not).
    """
    mapping = dict(mapping or {})
    layout, columns = recognise_columns(raw, name, mapping, table)
    blank = [column for column in TABLES[layout.table].required if len(raw) and not is_filled(raw[columns[column]])]
    refuse_blank(name, layout, columns, blank)
    return Export(
        name=name,
        format=layout,
        columns=columns,
        raw=raw,
        table=map_rows(raw, name, layout, columns),
        fingerprint=fingerprint([digest or _digest(raw)], mapping, layout.table),
        notes=(*notes(raw, odd_cells(raw, layout, columns)), *_repeated_headers(raw, columns)),
    )


def recognise_columns(
    raw: pd.DataFrame, name: str, mapping: Mapping[str, str], table: str | None = None
) -> tuple[Format, dict[str, str]]:
    """Return the format of a raw table, and which of its headers has each of our columns.

    Of the rows, only the first `VALUES_LOOKED_AT` values of each column that are not blank are looked at. Raises as
    `recognise` does, except for needed columns that are empty.
    """
    names = names_of(raw)
    layout = _layout(raw, names, name, mapping, table)
    columns = _columns(raw, names, layout, mapping)
    _check(raw, name, TABLES[layout.table], columns, mapping)
    return layout, columns


def nearest_columns(raw: pd.DataFrame, table: str) -> dict[str, str]:
    return _nearest(raw, table).columns(raw.columns)


def _nearest(raw: pd.DataFrame, table: str) -> Format:
    usable = [layout for layout in FORMATS if layout.table == table]
    return max(usable, key=lambda layout: (len(layout.columns(raw.columns)), not layout.tool))


def is_filled(text: pd.Series) -> bool:
    return not text.str.strip().eq("").all()


def refuse_blank(name: str, layout: Format, columns: Mapping[str, str], blank: Collection[str]) -> None:
    """Raise MissingColumns if there is a needed column among those, `blank`, that are empty."""
    for column in blank:
        label = TABLES[layout.table].column(column).label
        meaning = "" if columns[column] == label else f" ({label})"
        raise MissingColumns(name, f"the column “{columns[column]}”{meaning} is empty in every row.")


def fingerprint(digests: list[str], mapping: Mapping[str, str], table: str) -> str:
    return hashlib.sha256(repr((digests, sorted(mapping.items()), table)).encode()).hexdigest()


def _layout(raw: pd.DataFrame, names: list[str], name: str, mapping: Mapping[str, str], table: str | None) -> Format:
    """Return the format: of the wanted table, or by hand, or the one that the file has."""
    found = find_format(names, table)
    if isinstance(found, Format) and table in (None, found.table):
        return found
    if table and all(mapping.get(column) for column in TABLES[table].required):
        return Format(name=BY_HAND, tool="", table=table, headers={}, signature=())
    if found is None and len(raw.columns) == 1 and _mostly(raw.iloc[:, 0], _HOST) and table != "pages":
        found = DOMAIN_LIST
    if isinstance(found, Lookalike):
        raise WrongExport(name, f"this is {found.name}; {found.instead}.")
    if table is None:
        if found is None:
            raise MissingColumns(
                name,
                f"the columns do not match any known export: {_listed(raw)}. Upload the export exactly as it "
                "was downloaded.",
            )
        return found
    if found is not None:
        raise WrongExport(name, f"this is “{found.name}”, but {TABLES[table].label} are required.")
    nearest = _nearest(raw, table)
    there, needed = nearest.columns(raw.columns), TABLES[table].required
    listed = table == "pages" and len(raw.columns) == 1
    if there.keys() <= set(needed) and table in _OF_FIGURES and not mapping and not listed:
        label = TABLES[table].column(needed[0]).label
        but = f"besides the {label} no column is known" if there else "no column is known"
        raise MissingColumns(name, f"{but}, so these are not {TABLES[table].label}; the file has {_listed(raw)}.")
    return nearest


def _columns(raw: pd.DataFrame, names: list[str], layout: Format, mapping: Mapping[str, str]) -> dict[str, str]:
    columns = layout.columns(names)
    if layout.table == "pages":
        columns = _choose_page_columns(raw, columns)
    if layout.table == "backlinks":
        columns = _choose_link_columns(raw, columns)
    if layout.table == "performance":
        columns = with_earlier(columns, names)
    if layout.table == "linking_texts":
        columns = _choose_text(raw, columns)
    theirs = dict(zip(names, raw.columns, strict=True))
    columns = {ours: theirs[header] for ours, header in columns.items()} | dict(mapping)
    return {ours: header for ours, header in columns.items() if header}


def _choose_page_columns(raw: pd.DataFrame, columns: dict[str, str]) -> dict[str, str]:
    """Decide by values what headers leave open: `Content` was once the content type, vectors have many names."""
    content = columns.get("content")
    if content and "content_type" not in columns and _mostly(raw[content], _MEDIA_TYPE):
        columns = {**columns, "content_type": content}
        del columns["content"]
    if "embedding" not in columns:
        vectors = [header for header in raw.columns if any(word in header_key(header) for word in _VECTOR_WORDS)]
        vectors = [header for header in vectors if raw[header].str.contains(r"\d\s*[,;]\s*-?\d").any()]
        if vectors:
            columns["embedding"] = vectors[0]
    return columns


def _choose_link_columns(raw: pd.DataFrame, columns: dict[str, str]) -> dict[str, str]:
    link_type = columns.get("link_type")
    if link_type and "nofollow" not in columns and _mostly(raw[link_type], _FOLLOW):
        columns = {**columns, "nofollow": link_type}
        del columns["link_type"]
    return columns


def _choose_text(raw: pd.DataFrame, columns: dict[str, str]) -> dict[str, str]:
    places = [str(place) for place in range(1, len(raw) + 1)]
    counted = [header for header in raw.columns if raw[header].str.strip().tolist() == places]
    texts = [header for header in raw.columns if header not in counted]
    if columns or len(texts) != 1 or len(counted) > 1:
        return columns
    return {"linking_text": texts[0]} | ({"list_place": counted[0]} if counted else {})


def _check(raw: pd.DataFrame, name: str, schema: Table, columns: Mapping[str, str], mapping: Mapping[str, str]) -> None:
    """Raise MissingColumns unless every mapped header is there and no needed column is empty."""
    for ours, header in mapping.items():
        if ours not in schema.names:
            raise MissingColumns(name, f"{schema.label} have no column “{ours}” to map “{header}” to.")
        if header and header not in raw.columns:
            raise MissingColumns(name, f"the file has no column “{header}”; its columns are {_listed(raw)}.")
    missing = [schema.column(column).label for column in schema.required if column not in columns]
    if missing:
        remedy = "Give the right column that name." if len(missing) == 1 else "Give the right columns these names."
        raise MissingColumns(
            name, f"no column has the {' or the '.join(missing)}; the file has {_listed(raw)}. {remedy}"
        )


def _mostly(values: pd.Series, pattern: str) -> bool:
    values = values[values.ne("")].head(VALUES_LOOKED_AT)
    return bool(len(values)) and bool(values.str.fullmatch(pattern).mean() > 0.9)


def _listed(raw: pd.DataFrame) -> str:
    named = [header for header in raw.columns if not header.startswith("Unnamed ")]
    text = first_of([f"“{header[:_HEADER_SHOWN]}”" for header in named], _COLUMNS_NAMED)
    unnamed = len(raw.columns) - len(named)
    return text + (f" and {unnamed} without a name" if unnamed else "")


def _repeated_headers(raw: pd.DataFrame, columns: Mapping[str, str]) -> list[str]:
    twice = [header for header in columns.values() if f"{header} (2)" in raw.columns]
    return [
        f"the file has the column “{header[:_HEADER_SHOWN]}” more than once; the first one is used." for header in twice
    ]


def notes(raw: pd.DataFrame, odd: Mapping[tuple[str, str], int]) -> tuple[str, ...]:
    """Return sentences that the user should know about a raw table. `odd`: its `odd_cells`."""
    said = [
        f"{count(cells, 'cell')} of “{header[:_HEADER_SHOWN]}” {by_number(cells, 'is', 'are')} {why}."
        for (header, why), cells in odd.items()
    ]
    unnamed = [header for header in raw.columns if header.startswith("Unnamed ")]
    if unnamed:
        columns = f"{count(len(unnamed), 'column')} {by_number(len(unnamed), 'has', 'have')} no name in the file"
        said.append(f"{columns} ({', '.join(unnamed[:5])}). If you need them, add their names in the file.")
    return tuple(said)


def several_sites(links: pd.Series) -> list[str]:
    """Return a sentence where many links lead to another site than most do. `links`: how many lead to each site."""
    counts = links.drop("", errors="ignore")
    large = counts[counts >= SECOND_SITE * counts.sum()]
    named = first_of([f"{site} ({number:,})" for site, number in large.sort_index().items()], _COLUMNS_NAMED)
    said = f"The links lead to {len(large)} sites: {named}. Results are about all; for one site, use its export alone."
    return [said] if len(large) > 1 else []


def _digest(raw: pd.DataFrame) -> str:
    values = pd.util.hash_pandas_object(raw, index=False).to_numpy().tobytes()
    return hashlib.sha256(repr(list(raw.columns)).encode() + values).hexdigest()
