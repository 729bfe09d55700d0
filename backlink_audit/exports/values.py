"""Text cells -> numbers, flags, dates and clean text, whatever the computer that wrote them was set to.

The functions for cells take a text Series and return one of the same index; what cannot be read is missing. `map_rows`
returns recognised rows under our names, each column with its type.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit.exports.formats import RATINGS, Format, header_key, scale_name
from backlink_audit.schema import LONGEST, SCALE, SOURCE_FILE, TABLES, TOOL, Column, Kind

_SPACES = re.compile(r"[\s\u00a0\u2007\u2009\u200a\u202f'\u2019]")
"""What separates thousands besides commas and dots: spaces of several widths, and apostrophes."""
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}([,.])\d{3}(?:\1\d{3})*")
_MARKED = re.compile(r"[+-]?(?=\d*[.,])[\d.,]+(?:e[+-]?\d+)?[km%]?", re.IGNORECASE)
_NUMBER = re.compile(r"([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)([km%]?)", re.IGNORECASE)
LARGEST = 2.0**53  # what is counted or rated is far smaller, and sums of larger numbers overflow
_FACTORS = {"": 1.0, "%": 1.0, "k": 1_000.0, "m": 1_000_000.0}
_TRUE = frozenset(
    "true 1 1.0 yes y + x wahr ja vrai oui verdadero sí si vero sì verdadeiro sim nofollow nofollowed".split()
)
_FALSE = frozenset("false 0 0.0 no n - falsch nein faux non falso não dofollow follow followed".split())
_DAYS = (
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%Y/%m/%d",
    "%Y-%m-%d",
    "%d %b %Y",
    "%b %d, %Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%d %b '%y",
    "%d-%b-%Y",
    "%m/%d/%y",
    "%d/%m/%y",
    "%d.%m.%y",
)
"""Layouts beside ISO 8601. Where only 03/04/2025 and the like are there, the first wins; one 25/04/2025 in the column
decides."""
_TIMES = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p", ", %H:%M")
_DATE_SAMPLE = 500
_SERIAL = re.compile(r"[2-7]\d{4}(?:\.\d+)?")  # A spreadsheet's day number: 20000 is in 1954, 79999 in 2119
_SPREADSHEET_EPOCH = "1899-12-30"
_INVISIBLE = "[\\x{00AD}\\x{200B}\\x{200E}\\x{200F}\\x{202A}-\\x{202E}\\x{2060}-\\x{2064}\\x{FEFF}\\x{FFFD}]"
"""Zero-width and direction marks, soft hyphens, and the mark of a character that got lost."""
_JOINERS = "[\\x{200C}\\x{200D}]+"
"""Part of the spelling in Persian, Hindi and emoji; beside a space or a Latin letter they are left over."""
_STRAY_JOINERS = (
    (rf"^{_JOINERS}|{_JOINERS}$", ""),
    (rf"([\s\x{{00A0}}\x{{0000}}-\x{{024F}}]){_JOINERS}", "\\1"),
    (rf"{_JOINERS}([\s\x{{00A0}}\x{{0000}}-\x{{024F}}])", "\\1"),
)
_LINE_ENDS = "\\x{000A}-\\x{000D}\\x{0085}\\x{2028}\\x{2029}"
_CONTROL = "\\x{0000}-\\x{0009}\\x{000E}-\\x{001F}\\x{007F}-\\x{0084}\\x{0086}-\\x{009F}"
_WIDE = "\\x{00A0}\\x{1680}\\x{2000}-\\x{200A}\\x{202F}\\x{205F}\\x{3000}"
_SPACE = f" {_CONTROL}{_WIDE}"  # white space that ends no line; control characters count as such. In a character class
_ODD_SPACE = f"^ | $|  |[{_LINE_ENDS}{_CONTROL}{_WIDE}]"
_ANY_SPACE = f"[{_SPACE}{_LINE_ENDS}]+"
_SPACE_IN_A_LINE = f"[{_SPACE}]+"
_LINE_END = f" ?(?:\\r\\n|[{_LINE_ENDS}]) ?"
_RATINGS = frozenset({"url_rating", "domain_rating", "toxic_score"})  # number columns whose values are at most 100
_FOLLOW_WORDS = {r"(?i)^\s*(?:do)?follow(?:ed)?\s*$": "true", r"(?i)^\s*no-?follow(?:ed)?\s*$": "false"}
_FOLLOWED = frozenset({"dofollow", "is_dofollow"})  # headers of flags that say the opposite of nofollow
LONGEST_VALUE = 100  # characters of a number, a flag or a date
TOO_LONG, NO_RATING = "too long; only the beginning is used", "not from 0 to 100, and left blank"
NOTHING_KNOWN: Mapping[str, pd.Series] = {}


def clean_cells(text: pd.Series) -> pd.Series:
    """Return text without invisible characters, its white space single and none at the ends."""
    values = _visible(_as_arrow(text))
    if _any_match(values, _ODD_SPACE):
        values = pc.utf8_trim(pc.replace_substring_regex(values, _ANY_SPACE, " "), " ")
    return pd.Series(values, index=text.index, name=text.name, dtype="str")


def clean_prose(text: pd.Series) -> pd.Series:
    """Return text as `clean_cells` does, but with its lines, each ended by a line feed, at most one of them blank.

    Headings, menus and paragraphs of a page can only be distinguished by their lines.
    """
    values = _visible(_as_arrow(text))
    if _any_match(values, _ODD_SPACE):
        values = pc.replace_substring_regex(values, _SPACE_IN_A_LINE, " ")
        values = pc.replace_substring_regex(values, _LINE_END, "\n")
        values = pc.utf8_trim(pc.replace_substring_regex(values, "\n{3,}", "\n\n"), " \n")
    return pd.Series(values, index=text.index, name=text.name, dtype="str")


def _visible(values: pa.Array) -> pa.Array:
    """Return texts without the characters that nobody sees."""
    if pc.all(pc.string_is_ascii(values)).as_py():
        return values
    if _any_match(values, _INVISIBLE):
        values = pc.replace_substring_regex(values, _INVISIBLE, "")
    if _any_match(values, _JOINERS):
        for stray, kept in _STRAY_JOINERS:
            values = pc.replace_substring_regex(values, stray, kept)
    return values


def to_numbers(text: pd.Series, *, rating: bool = False) -> pd.Series:
    """Return float64. Whether a comma or a dot is the decimal mark is decided once for the whole column.

    `rating` says that the values are at most 100, so that "3,700" cannot be three thousand seven hundred.
    """
    encoded = _as_arrow(text).dictionary_encode()
    distinct = [_SPACES.sub("", value) for value in encoded.dictionary.to_pylist()]
    shown = [_mark_shown(value, rating) for value in distinct]
    decimal = _decimal_mark(distinct, shown)
    numbers = [parse_number(value, mark or decimal) for value, mark in zip(distinct, shown, strict=True)]
    values = np.array(numbers or [np.nan])
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    return pd.Series(values[codes] if len(codes) else [], index=text.index, name=text.name, dtype="float64")


def _mark_shown(value: str, rating: bool) -> str:
    """Return the decimal mark that a number shows by itself, "," or "."; "" where it may be either ("1,240")."""
    if not _MARKED.fullmatch(value):
        return ""
    mark = max(",.", key=value.rfind)
    if value.count(",") and value.count("."):
        return mark
    if rating or not _GROUPED.fullmatch(value):
        return mark
    return "" if value.count(mark) == 1 else ",.".replace(mark, "")


def _decimal_mark(values: Sequence[str], shown: Sequence[str]) -> str:
    """Return the mark that most values show; where none shows one, the other of what separates thousands."""
    found = Counter(filter(None, shown))
    if found:
        return max(".,", key=found.__getitem__)
    return "," if any("." in one for one in values) and not any("," in one for one in values) else "."


def parse_number(value: str, decimal: str = ".") -> float:
    """Return one number written without spaces; NaN if it is none, or too large to be counted with ("1e308").

    >>> parse_number("1,240"), parse_number("0,425", decimal=","), parse_number("1.2K"), parse_number("n/a")
    (1240.0, 0.425, 1200.0, nan)
    """
    value = value.replace("," if decimal == "." else ".", "").replace(decimal, ".").replace("\u2212", "-")
    match = _NUMBER.fullmatch(value)
    number = float(match[1]) * _FACTORS[match[2].lower()] if match else np.nan
    return number if abs(number) <= LARGEST else np.nan


def to_flags(text: pd.Series) -> pd.Series:
    """Return pandas "boolean" from true/false, 1/0, yes/no and their like in several languages."""
    encoded = _as_arrow(text).dictionary_encode()
    known = [_flag(value.strip().casefold()) for value in encoded.dictionary.to_pylist()]
    flags = pa.array(known, pa.bool_()).take(encoded.indices)
    values = pc.fill_null(flags, False).to_numpy(zero_copy_only=False)
    missing = flags.is_null().to_numpy(zero_copy_only=False)
    return pd.Series(pd.arrays.BooleanArray(values, missing), index=text.index, name=text.name)


def _flag(value: str) -> bool | None:
    return True if value in _TRUE else False if value in _FALSE else None


def to_dates(text: pd.Series) -> pd.Series:
    """Return datetime64 (times of day kept, time zones turned into UTC) from ISO 8601 or a layout of the column."""
    text = text.str.strip()
    dates = _parse_dates(text, "ISO8601")
    rest = text[dates.isna() & text.ne("")]
    while len(rest):
        found = _parse_rest(rest)
        if found.notna().sum() == 0:
            break
        dates = dates.fillna(found)
        rest = rest[found.isna()]
    return dates


def _parse_rest(rest: pd.Series) -> pd.Series:
    """Parse what is not ISO 8601, by the layout that reads most of a sample."""
    sample = rest.drop_duplicates().head(_DATE_SAMPLE)
    if sample.str.fullmatch(_SERIAL.pattern).all():
        days = pd.to_timedelta(pd.to_numeric(rest, errors="coerce"), unit="D")
        return (pd.Timestamp(_SPREADSHEET_EPOCH) + days).dt.round("s").astype("datetime64[us]")
    layouts: Sequence[str] = [day + time for day in _DAYS for time in _TIMES]
    best = max(layouts, key=lambda layout: int(_parse_dates(sample, layout).notna().sum()))
    return _parse_dates(rest, best)


def _parse_dates(text: pd.Series, layout: str) -> pd.Series:
    parsed = pd.to_datetime(text, format=layout, errors="coerce", utc=True)
    return parsed.dt.tz_localize(None).astype("datetime64[us]")


def _as_arrow(values: pd.Series) -> pa.Array:
    array = pa.array(values, type=pa.large_string(), from_pandas=True)
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return pc.fill_null(array, "") if array.null_count else array


def _any_match(values: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(values, pattern)).as_py())


def map_rows(
    raw: pd.DataFrame,
    name: str,
    layout: Format,
    columns: Mapping[str, str],
    known: Mapping[str, pd.Series] = NOTHING_KNOWN,
) -> pd.DataFrame:
    """Return the rows under our names: every column of the schema, in its order, with its type.

    `known` gives the values of columns by their text, where `raw` is a part of a file and its other parts count too:
    decimal marks and the order of day and month are found from whole columns (`known_values`).
    """
    table = {}
    for column in TABLES[layout.table].columns:
        if column.name in known:
            table[column.name] = _looked_up(raw[columns[column.name]], known[column.name])
        elif column.name in columns:
            theirs = _first_values(raw[columns[column.name]], column, layout)
            table[column.name] = _typed(theirs, column, layout, columns[column.name])
        elif column.name == "link_type" and layout.flags:
            table[column.name] = _link_types(raw, layout)
        else:
            table[column.name] = _missing(column, raw.index)
    table[SOURCE_FILE.name] = _repeated(name, raw.index)
    if TOOL.name in table:
        table[TOOL.name] = _repeated(layout.tool, raw.index)
        table[SCALE.name] = _repeated(scale_name(layout, columns), raw.index)
    return pd.DataFrame(table, index=raw.index)


def columns_read_whole(layout: Format, columns: Mapping[str, str]) -> tuple[Column, ...]:
    """Return the columns whose values cannot be read from a part of the file alone: numbers and dates."""
    return tuple(
        column
        for column in TABLES[layout.table].columns
        if column.name in columns and column.kind in ("number", "date")
    )


def known_values(texts: pd.Series, column: Column, layout: Format) -> pd.Series:
    return _typed(texts, column, layout).set_axis(pd.Index(texts))


def _first_values(text: pd.Series, column: Column, layout: Format) -> pd.Series:
    if not layout.joined_by or column.kind == "prose":
        return text
    return text.str.partition(layout.joined_by)[0]


def _looked_up(text: pd.Series, known: pd.Series) -> pd.Series:
    return pd.Series(known.array.take(known.index.get_indexer(pd.Index(text))), index=text.index, name=text.name)


def _typed(text: pd.Series, column: Column, layout: Format, header: str = "") -> pd.Series:
    text = _bounded(text, column.kind)
    if column.name == "follow":  # elsewhere a flag says nofollow, and such words mean the opposite
        text = text.replace(_FOLLOW_WORDS, regex=True)
    if column.kind == "number":
        numbers = to_numbers(text, rating=_is_of_100(column.name, layout))
        if _is_of_100(column.name, layout):
            return numbers.where(numbers.between(0, 100))
        is_large = column.name in RATINGS and layout.rated_to > 100 and numbers.max() > 100
        return numbers * (100 / layout.rated_to) if is_large else numbers
    if column.kind == "flag":
        return ~to_flags(text) if column.name == "nofollow" and header_key(header) in _FOLLOWED else to_flags(text)
    if column.kind == "date":
        return to_dates(text)
    return clean_prose(text) if column.kind == "prose" else clean_cells(text)


def _bounded(text: pd.Series, kind: Kind) -> pd.Series:
    most = LONGEST.get(kind, LONGEST_VALUE)
    long = text.str.len() > most
    return text.str.slice(0, most) if kind in LONGEST else text.mask(long, "")


def _is_of_100(name: str, layout: Format) -> bool:
    return name in _RATINGS and layout.rated_to == 100


def odd_cells(raw: pd.DataFrame, layout: Format, columns: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Return how many cells of each header are not read as they are, and why."""
    kinds = {column.name: column.kind for column in TABLES[layout.table].columns}
    found: Counter[tuple[str, str]] = Counter()
    for name, header in columns.items():
        if kinds[name] in LONGEST:
            found[header, TOO_LONG] = int((raw[header].str.len() > LONGEST[kinds[name]]).sum())
        elif _is_of_100(name, layout):
            ratings = to_numbers(_bounded(raw[header], "number"), rating=True)
            found[header, NO_RATING] = int((~ratings.dropna().between(0, 100)).sum())
    return +found


def _missing(column: Column, index: pd.Index) -> pd.Series:
    kinds = {"number": (np.nan, "float64"), "flag": (pd.NA, "boolean"), "date": (pd.NaT, "datetime64[us]")}
    value, dtype = kinds.get(column.kind, ("", "str"))
    return pd.Series(value, index=index, dtype=dtype)


def _repeated(value: str, index: pd.Index) -> pd.Series:
    return pd.Series(value, index=index, dtype="str")


def _link_types(raw: pd.DataFrame, layout: Format) -> pd.Series:
    """Return the link type from one true/false column for each type; "" where none is true."""
    types = _repeated("", raw.index)
    for word, headers in layout.flags.items():
        wanted = {header_key(header) for header in headers}
        for header in raw.columns:
            if header_key(header) in wanted:
                types = types.mask(to_flags(raw[header]).fillna(False).astype(bool), word)
    return types
