"""How figures are written in sentences: with thousands, with nouns and verbs that agree, and shares as whole percent.

Columns of figures keep one decimal of a percent instead, so that they line up; see `columns` and `report.workbook`.
"""

from collections.abc import Mapping, Sequence
from errno import ENOSPC

NAMED = 10  # so many names are in one sentence


Figure = tuple[str, str | int | float | None, str]
"""A number of a result for its reader: its name, the value (None: not known), and what it is or why it is not known."""


def by_number(number: int, one: str, many: str) -> str:
    """Return the form of a word that agrees with a number.

    >>> f"the link {by_number(1, 'is', 'are')} new", f"the links {by_number(0, 'is', 'are')} new"
    ('the link is new', 'the links are new')
    """
    return one if number == 1 else many


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with thousands and its noun.

    >>> count(1, "backlink"), count(2436, "backlink"), count(0, "match", "matches")
    ('1 backlink', '2,436 backlinks', '0 matches')
    """
    return f"{number:,} {by_number(number, noun, plural or noun + 's')}"


def time_in_words(seconds: float) -> str:
    """Say a time in words, not more exactly than it can be known.

    >>> time_in_words(3), time_in_words(90), time_in_words(600), time_in_words(9000)
    ('5 seconds', '90 seconds', '10 minutes', '2.5 hours')
    """
    if seconds < 120:
        return count(max(5, round(seconds / 5) * 5), "second")
    minutes = seconds / 60
    return count(round(minutes), "minute") if minutes < 120 else f"{minutes / 60:.1f} hours"


def part_of(part: int, whole: int, noun: str) -> str:
    """Return a part of a whole with the noun of the whole; a verb after it agrees with the part.

    >>> part_of(1, 1, "link"), part_of(1, 2436, "link")
    ('1 of 1 link', '1 of 2,436 links')
    """
    return f"{part:,} of {count(whole, noun)}"


def first_of(names: Sequence[str], most: int = NAMED) -> str:
    """Return the first names of a list, and how many more there are.

    >>> first_of(["a.com", "b.com", "c.com"], most=2), first_of(["a.com"])
    ('a.com, b.com and 1 more', 'a.com')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def uncapitalised(words: str) -> str:
    """Return a label as it is written within a sentence; names in capitals keep them.

    >>> uncapitalised("Not HTML"), uncapitalised("DR below 30")
    ('not HTML', 'DR below 30')
    """
    return words if words[1:2].isupper() else words[:1].lower() + words[1:]


def what_helps(error: OSError, otherwise: str) -> str:
    """Say what to do where a file cannot be written: make room if that is what lacks, or else something else.

    >>> what_helps(OSError(ENOSPC, "No space left on device"), "choose another place")
    'free some space or choose another place'
    """
    return f"free some space or {otherwise}" if error.errno == ENOSPC else otherwise


def set_aside(removed: Mapping[str, int], rows: int) -> str:
    """Say how many rows of a file which filters removed; "" if none did.

    >>> set_aside({"Not HTML": 3, "Exact duplicates": 0, "Status not 200": 6}, 2436)
    '9 of 2,436 rows are excluded (not HTML: 3; status not 200: 6).'
    """
    total = sum(removed.values())
    excluded = f"{by_number(total, 'is', 'are')} excluded ({reasons(removed)})"
    return f"{part_of(total, rows, 'row')} {excluded}." if total else ""


def reasons(numbers: Mapping[str, int]) -> str:
    """Return reasons with how many each has, those that have none left out; "" if none has any.

    >>> reasons({"Status not 200": 6, "Not HTML": 0, "DR below 30": 1805})
    'status not 200: 6; DR below 30: 1,805'
    """
    return "; ".join(f"{uncapitalised(reason)}: {number:,}" for reason, number in numbers.items() if number)


def percent(share: float) -> str:
    """Write a share (0-1) as whole percent, without rounding some down to none or nearly all up to all.

    >>> percent(0.2734), percent(0.001), percent(0.0), percent(0.9996), percent(1.0)
    ('27%', 'under 1%', '0%', 'over 99%', '100%')
    """
    whole = round(share * 100)
    if share > 0 and whole == 0:
        return "under 1%"
    if share < 1 and whole == 100:
        return "over 99%"
    return f"{whole}%"
