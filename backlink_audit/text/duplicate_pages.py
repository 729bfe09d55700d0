"""Pages that no editor would link to each other: translations of one page, and pages of one template in a row.

Each function returns for every page the number of its group, ALONE where it is in none.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

import numpy as np
import regex
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from backlink_audit.text.languages import form, words
from backlink_audit.text.page_languages import Key, is_region, without_language

ALONE = -1
ENOUGH_PAGES, MOST = 5, 0.6
"""A code in addresses names a language if this share of its pages, and so many, have a twin under another code."""
SLUG_WORDS = 2  # the last part of an address must have so many words to take two pages of different languages for twins

_NUMBER = regex.compile(
    r"(?<!\b(?:part|chapter|step|lesson|episode|teil|kapitel|partie|chapitre|parte|cap[ií]tulo|capitolo|deel)[ #.]*)"
    r"(?<![\p{L}\d][.,:/-]?)(?:v|fy|q)?\d+(?:[.,:/-]\d+)*",
    regex.I,
)
"""A number, date or version; that of a part of a series is none: parts of a series do link to each other."""
_MONTHS = frozenset(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)


def template_groups(names: Sequence[str]) -> np.ndarray:
    """Return the groups of pages whose names differ by nothing but numbers, dates and versions, int (pages,).

    >>> template_groups(["Accepted CVEs 5.0.4", "Accepted CVEs 5.0.5", "Sails, part 1", "Sails, part 2"]).tolist()
    [0, 0, -1, -1]
    """
    of_template: dict[Key, list[int]] = defaultdict(list)
    for page, name in enumerate(names):
        found = words(_NUMBER.sub(" 0 ", name))
        template = tuple("0" if word in _MONTHS else form(word) for word in found)
        if "0" in template and any(not word.isdigit() for word in template):
            of_template[template].append(page)
    runs = [pages for pages in of_template.values() if len({names[page] for page in pages}) > 1]
    return _groups(len(names), runs)


def translation_groups(
    urls: Sequence[str], languages: Sequence[str], alternates: Iterable[Sequence[int]]
) -> np.ndarray:
    """Return the groups of pages that are one page in several languages, int (pages,).

    `languages` is the language of each page's text, `alternates` are pages that name each other by hreflang. Addresses
    count too: the same but for a language's code, or the same last part in different languages.
    """
    marked = [without_language(url) for url in urls]
    members: dict[Key, list[int]] = defaultdict(list)
    for page, (rest, _) in enumerate(marked):
        members[rest].append(page)
    codes = [code for _, code in marked]
    believed = _believed(codes, languages, members)
    same_address = []
    for pages in members.values():
        chosen = [page for page in pages if codes[page] in believed or not codes[page]]
        if len({codes[page] for page in chosen}) > 1:
            same_address.append(chosen)
    return _groups(len(urls), [*same_address, *_same_slug(urls, languages), *alternates])


def _believed(codes: Sequence[str], languages: Sequence[str], members: dict[Key, list[int]]) -> set[str]:
    """Return the codes that name languages here: "it" may be a department as well."""
    twins = {page for pages in members.values() if len({codes[page] for page in pages}) > 1 for page in pages}
    pages_of: dict[str, list[int]] = defaultdict(list)
    for page, code in enumerate(codes):
        pages_of[code].append(page)
    return {
        code
        for code, pages in pages_of.items()
        if code
        and (
            is_region(code)
            or 2 * sum(languages[page] == code for page in pages) > len(pages)
            or (len(pages) >= ENOUGH_PAGES and sum(page in twins for page in pages) >= MOST * len(pages))
        )
    }


def _same_slug(urls: Sequence[str], languages: Sequence[str]) -> list[list[int]]:
    of_slug: dict[str, list[int]] = defaultdict(list)
    for page, url in enumerate(urls):
        slug = urlsplit(url.lower()).path.strip("/").rpartition("/")[2]
        if len(words(slug)) >= SLUG_WORDS:
            of_slug[slug].append(page)
    return [pages for pages in of_slug.values() if len({languages[page] for page in pages}) == len(pages) > 1]


def _groups(pages: int, together: Iterable[Sequence[int]]) -> np.ndarray:
    """Return the number of each page's group; what shares a page is one group."""
    pairs = [(one, other) for group in together for one, other in zip(group, group[1:], strict=False)]
    numbers = np.full(pages, ALONE, dtype=np.int64)
    if not pairs:
        return numbers
    rows, columns = np.array(pairs).T
    joined = sp.csr_matrix((np.ones(len(rows), dtype=bool), (rows, columns)), shape=(pages, pages))
    _, labels = connected_components(joined, directed=False)
    grouped = np.flatnonzero(np.bincount(labels)[labels] > 1)
    numbers[grouped] = np.unique(labels[grouped], return_inverse=True)[1]
    return numbers
