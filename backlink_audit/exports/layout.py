"""What a format is: which header of which tool is which of our columns, and how headers are compared.

A `Format` fits a file if the file has at least one header of every group in its signature and none of `without`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_PERIOD = re.compile(rf"{_DAY} ?[-–] ?{_DAY} (?=\S)")
"""What Search Console writes before a figure's name where it compares two periods."""

Headers = Mapping[str, tuple[str, ...]]
Signature = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Format:
    """One layout of one tool. `headers`: our column -> the tool's headers for it, the preferred one first.

    `scale` names the authority scale of its ratings (`analysis.scales`), "" where the headers show it or it has none.
    """

    name: str
    tool: str
    table: str
    headers: Headers
    signature: Signature
    scale: str = ""
    without: tuple[str, ...] = ()
    joined_by: str = ""
    """What separates several values of a cell, of which the first counts; "" where a cell has one."""
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Link type -> headers of true/false columns: tools that give one column to each type of link."""
    only: tuple[str, ...] = ()
    """Where a single header says little: all that the file may have."""

    def fits(self, keys: frozenset[str]) -> bool:
        """Whether a file with these header keys has this layout."""
        return _fits(self.signature, self.without, keys) and (not self.only or keys <= header_keys(self.only))

    def columns(self, headers: Iterable[str]) -> dict[str, str]:
        """Return our column -> the file's own header, for every column that the file has."""
        by_key: dict[str, str] = {}
        for header in headers:
            by_key.setdefault(header_key(header), header)
        found: dict[str, str] = {}
        for ours, aliases in self.headers.items():
            theirs = next((by_key[key] for key in map(header_key, aliases) if key in by_key), None)
            if theirs is not None:
                found[ours] = theirs
        return found


@dataclass(frozen=True)
class Lookalike:
    """A known file with nothing we can use. `name` says what it is, `instead` what to export."""

    name: str
    instead: str
    signature: Signature
    without: tuple[str, ...] = ()

    def fits(self, keys: frozenset[str]) -> bool:
        """Whether a file with these header keys is this look-alike."""
        return _fits(self.signature, self.without, keys)


def header_key(header: str) -> str:
    r"""Return the form in which headers are compared.

    >>> header_key("\ufeff Referring  page URL ")
    'referring page url'
    >>> header_key("10/1/25 - 12/31/25 Clicks")
    'clicks'
    """
    key = " ".join(unicodedata.normalize("NFC", header.replace("\ufeff", "")).casefold().split())
    period = _PERIOD.match(key)
    return key[period.end() :] if period else key


def has_period(header: str) -> bool:
    """Return whether a header names the period of its figures."""
    return bool(_PERIOD.match(" ".join(header.split())))


def header_keys(headers: Iterable[str]) -> frozenset[str]:
    """Return the keys of all headers."""
    return frozenset(map(header_key, headers))


def _fits(signature: Signature, without: tuple[str, ...], keys: frozenset[str]) -> bool:
    return all(not header_keys(group).isdisjoint(keys) for group in signature) and header_keys(without).isdisjoint(keys)
