"""The parts that a site's titles share ("… | Brand", "Brand: …"): found, and cut, so that titles are distinct."""

from collections import Counter
from collections.abc import Iterable, Sequence

import regex

SEPARATOR = regex.compile(r"(?<!\s)\s++(?:[|·•»«›‹>—–~]+|-{1,2}|::)\s+|(?:(?<!\s)\s++)?[｜│┃]\s*|(?<=\p{L}|\p{N}):\s+")
"""What separates the parts of a title. A colon needs space after it, a hyphen on both sides.

White space is looked at once, from its beginning."""

LEAST_SHARE = 0.2
"""A part on at least this share of the site's distinct titles belongs to the site, not to the page."""
LEAST_TITLES = 4
"""Fewer titles than this with the same part are a coincidence."""
FEWEST_OF_A_FORM = 2
"""The same for a brand that is known with one more word: "Acme Blog" where "Acme" is on many titles."""


def find_brands(titles: Iterable[str]) -> tuple[str, ...]:
    """Return the first or last parts that many distinct titles share, most frequent first.

    Parts are found from the outside in, so that "Sofas | Living room | Brand" may lose both shared parts. Where "Acme"
    is one, so is "Acme Blog".

    >>> find_brands(["Sofas | Acme", "Beds | Acme", "Lamps | Acme", "Rugs | Acme", "About us"])
    ('Acme',)
    >>> find_brands(["Plumber in Rome", "Plumber in Oslo", "Plumber in Bern", "Plumber in Kyiv"])
    ()
    """
    distinct = {title.strip() for title in titles if title.strip()}
    remaining = {title: split_title(title) for title in distinct}
    found: list[str] = []
    while brand := _most_shared_end(remaining.values(), len(distinct), found):
        found.append(brand)
        cut = brand.casefold()
        remaining = {title: _without(parts, {cut}) for title, parts in remaining.items()}
    return tuple(found)


def strip_brands(titles: Sequence[str], brands: Sequence[str]) -> list[str]:
    """Return the titles without the given parts at either end; a title made of nothing else keeps its first part.

    >>> strip_brands(["Acme: Sofas | Living – Acme", "Acme", "Acme & sons"], ["Acme"])
    ['Sofas | Living', 'Acme', 'Acme & sons']
    """
    cut = {brand.strip().casefold() for brand in brands if brand.strip()}
    return [_strip(title, cut) for title in titles]


def split_title(title: str) -> list[str]:
    """Return the parts of a title between its separators.

    >>> split_title("How-to: oil a table | Care - Acme")
    ['How-to', 'oil a table', 'Care', 'Acme']
    """
    return [part for part in SEPARATOR.split(title.strip()) if part]


def _strip(title: str, cut: set[str]) -> str:
    """Cut outer parts, keeping the separators between those that stay."""
    rest = title.strip()
    while True:
        first = SEPARATOR.search(rest)
        if not first:
            return rest
        *_, last = SEPARATOR.finditer(rest)
        if rest[last.end() :].casefold() in cut:
            rest = rest[: last.start()]
        elif rest[: first.start()].casefold() in cut:
            rest = rest[first.end() :]
        else:
            return rest


def _without(parts: Sequence[str], cut: set[str]) -> list[str]:
    rest = list(parts)
    while len(rest) > 1 and rest[-1].casefold() in cut:
        rest.pop()
    while len(rest) > 1 and rest[0].casefold() in cut:
        rest.pop(0)
    return rest


def _most_shared_end(titles: Iterable[Sequence[str]], count: int, found: Sequence[str]) -> str | None:
    """Return the part that is first or last on most titles (as most often spelled), if it is on enough of them.

    Of a form of what is `found` already a few are enough.
    """
    spellings: dict[str, Counter[str]] = {}
    for parts in titles:
        for part in {parts[0], parts[-1]} if len(parts) > 1 else ():
            spellings.setdefault(part.casefold(), Counter())[part] += 1
    if not spellings:
        return None
    usual = max(LEAST_TITLES, LEAST_SHARE * count)
    enough = [
        counts
        for part, counts in spellings.items()
        if counts.total() >= (FEWEST_OF_A_FORM if _is_form(part, found) else usual)
    ]
    best = max(enough, key=lambda counts: counts.total(), default=None)
    return best.most_common(1)[0][0] if best else None


def _is_form(part: str, found: Iterable[str]) -> bool:
    """Whether a part is one that is found already with one more word beside it."""
    words = part.casefold().split()
    return any(brand.casefold().split() in (words[:-1], words[1:]) for brand in found)
