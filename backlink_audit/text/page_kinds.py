"""What a page of a site is, before it is compared: of no use to readers of others, past, one of a family, a duplicate.

Structure is looked at first: how the addresses and titles of this site repeat. Words (`page_kinds.csv`) come second.
Each finding has its evidence in words, to be read beside the page. Groups are numbers, ALONE for a page in none.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from urllib.parse import unquote, urlsplit

import numpy as np
import regex
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from backlink_audit.text import read_list
from backlink_audit.text.languages import form, words
from backlink_audit.text.page_languages import Key, is_region, without_language

UTILITY, LISTING, PAST = "utility", "listing", "past"
"""No other page gains by a link to or from it: a login, a legal notice. It lists pages by tag, author or date. Its time
is over: an old version, an event."""
LEAST_FAMILY = 5  # pages whose titles differ at one place alone, from which they are a family
LONGEST_FILLING = 3  # words at that place
TITLE_SHARE = 0.5  # the words of a legal notice, a login … are at least this share of a title
REPEATED = 3
"""One word (“Privacy”, “Search”) makes a page a utility outside all folders, or where so many pages are called so."""
BEGINNING = 160  # characters of a text in which it says that its page is no longer valid
SHORT_TITLE = 7  # words of a title that is about the version it names
_YEAR = regex.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DATE = regex.compile(r"(?<!\d)((?:19|20)\d\d)[-/_.]?(0[1-9]|1[0-2])(?!\d)")
_VERSION = regex.compile(r"(?:v|version|release)?[-_.]?(\d+(?:\.\d+)+|(?<=v)\d+)(?:\.x)?(?:[-_]docs?)?", regex.I)
_PAGE_OF = regex.compile(
    r"(?:^|[?&])(?:p|page|paged|pag|seite|pagen_\d+|start|offset)=\d+|/(?:page|seite|pagina)[-/]?\d+(?:/|$)", regex.I
)
_RELEASE = regex.compile(
    r"\b(?:release|upgrade|upgrading)[ _-](?:notes?|logs?|from)\b|\bchange[ _-]?logs?\b|^releases?$"
    r"|\bwhat.?s[ _-]new\b|\bversionshinweise\b|\bnotes?[ _-]de[ _-](?:version|publication)\b|\bистория версий\b"
    r"|\bnotas?[ _-]de[ _-](?:la[ _-])?versi[oó]n\b|^v?\d+\.\d+(?:\.(?:\d+|x))?$"
    r"|\bv?\d+\.\d+[ -]+(?:to[ -]+)?v?\d+\.\d+\b",
    regex.I,
)
_SOURCE = regex.compile(r"^_|^\[.*\]$|^\{.*\}$")
Words = tuple[str, ...]
_LABELS = {"legal": "legal notice", "thanks": "thank-you page", "error": "error page", "contact": "about the company"}
ALONE = -1
ENOUGH_PAGES, MOST = 5, 0.6
"""A code in addresses names a language if this share of its pages, and so many, have a twin under another code."""
SLUG_WORDS = 2  # the last part of an address must have so many words to take two pages of different languages for twins

COUNTED = "part|chapter|step|lesson|episode|teil|kapitel|partie|chapitre|parte|cap[ií]tulo|capitolo|deel"
"""The words whose numbers tell the parts of a series."""
_NUMBER = regex.compile(
    rf"(?<!\b(?:{COUNTED})[ #.]*)"
    r"(?<![\p{L}\d][.,:/-]?)(?:v|fy|q)?\d+(?:[.,:/-]\d+)*",
    regex.I,
)
"""A number, date or version; that of a part of a series is none: parts of a series do link to each other."""
_MONTHS = frozenset(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)


@dataclass(frozen=True)
class PageKind:
    """What one page is: `kind` UTILITY, PAST or "", with the evidence; and its family, -1 for none.

    `filling` are the words by which its title differs from those of its family. `is_closed`: readers come to one
    page of the family and have no use of the others (a page for each city), as they have of a lamp in another
    colour. A list of pages is closed too.
    """

    kind: str = ""
    evidence: str = ""
    family: int = -1
    filling: Words = ()
    is_closed: bool = False
    around: Words = ()  # Of a list of pages: the folders whose pages it lists; links within them are of use


def page_kinds(
    urls: Sequence[str], names: Sequence[str], bodies: Sequence[str], stop: Set[str]
) -> tuple[PageKind, ...]:
    """Return what each page is. `names` are the titles without brand, `bodies` the contents ("" where unknown)."""
    site = _Site(urls, names)
    families = title_families(names, stop)
    found = []
    for page, (url, name, body) in enumerate(zip(urls, names, bodies, strict=True)):
        kind = _list_of_pages(url, site) or _utility(url, name, site) or _past(url, name, body, site) or PageKind()
        family = families.get(page)
        if family and kind.kind != LISTING:
            kind = replace(kind, family=family[0], filling=family[1], is_closed=family[2])
        found.append(kind)
    return tuple(found)


def title_families(names: Sequence[str], stop: Set[str]) -> dict[int, tuple[int, Words, bool]]:
    """Return the pages whose titles are of one pattern: number of the family, the words at its open place, closed.

    A pattern has more words around the open place than in it, and two that say something (three where all of them are
    on one side). It is closed where it is no mere compound: a small word or a number is in it, as in “Insurance in …”.

    >>> cities = ["Oslo", "Rome", "Bern", "Kyiv", "Lima"]
    >>> title_families([f"Cheap home insurance in {city}" for city in cities], {"in"})[0]
    (0, ('oslo',), True)
    """
    of_frame: dict[tuple[Words, Words], dict[Words, list[int]]] = defaultdict(lambda: defaultdict(list))
    small = {form(word) for word in stop}
    for page, name in enumerate(names):
        for before, filling, behind in _places([form(word) for word in words(name)], small):
            of_frame[before, behind][filling].append(page)
    found: dict[int, tuple[int, Words, bool]] = {}
    ordered = sorted(of_frame.items(), key=lambda item: (-len(item[1]), -len(item[0][0] + item[0][1]), item[0]))
    for number, ((before, behind), fillings) in enumerate(ordered):
        if len(fillings) < LEAST_FAMILY:
            break
        new = {page: filling for filling, pages in fillings.items() for page in pages if page not in found}
        if len(set(new.values())) >= LEAST_FAMILY:
            is_closed = any(word in small or word.isdigit() for word in (*before[1:], *behind))
            found |= {page: (number, filling, is_closed) for page, filling in new.items()}
    return found


def _places(title: Sequence[str], small: Set[str]) -> Iterator[tuple[Words, Words, Words]]:
    """Yield what of a title may be the open place of a pattern, with what stands before and behind it."""
    for start in range(len(title)):
        for stop in range(start + 1, min(start + LONGEST_FILLING, len(title)) + 1):
            filling, before, behind = tuple(title[start:stop]), tuple(title[:start]), tuple(title[stop:])
            if filling[0] in small or filling[-1] in small or len(before + behind) <= len(filling):
                continue
            told = [{word for word in part if word not in small and not word.isdigit()} for part in (before, behind)]
            if len(told[0] | told[1]) >= (2 if all(told) or len(before + behind) > LONGEST_FILLING else 3):
                yield before, filling, behind


class _Site:
    """What is asked of the whole site: its addresses, newest year and versions, and whether it is a shop."""

    def __init__(self, urls: Sequence[str], names: Sequence[str]) -> None:
        self.paths = {(host_path := _place(url))[0] + host_path[1]: name for url, name in zip(urls, names, strict=True)}
        pieces = [segments(url) for url in urls]
        self.is_shop = any(_has(piece, "shop", "folder") for path in pieces for piece in path[:-1])
        years = Counter(year for url in urls for year, _ in _DATE.findall(urlsplit(url).path))
        self.newest = max((int(year) for year in years), default=0)
        self.newest = self.newest or max((int(year) for name in names for year in _YEAR.findall(name)), default=0)
        self.versions: dict[Words, set[Words]] = defaultdict(set)
        for path in pieces:
            for place, version in _versions(path):
                self.versions[(*path[:place], *path[place + 1 :])].add(version)
        self.called = Counter(name.casefold() for name in names)
        self.plain = {tuple(path) for path in pieces}


def segments(url: str) -> list[str]:
    """Return the parts of an address's path, decoded, in lower case, without the ending of a file."""
    pieces = [piece for piece in unquote(urlsplit(url).path).casefold().split("/") if piece]
    return [*pieces[:-1], pieces[-1].removesuffix(".html").removesuffix(".htm").removesuffix(".php")] if pieces else []


def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.netloc.casefold(), parts.path.rstrip("/")


def _list_of_pages(url: str, site: _Site) -> PageKind | None:
    path = segments(url)
    for place, piece in enumerate(path[:-1]):
        for kind in ("tag", "author", *(() if site.is_shop else ("category",))):
            if _has(piece, kind, "folder"):
                return PageKind(
                    LISTING, f"A list of pages: “{piece}” in the address", is_closed=True, around=tuple(path[:place])
                )
    if path and _YEAR.fullmatch(path[0]) and all(piece.isdigit() for piece in path):
        return PageKind(LISTING, "A list of pages by date", is_closed=True)
    if len(path) == 1 and _has(path[0], "archive", "site"):
        return PageKind(LISTING, f"A list of pages: “{path[0]}”", is_closed=True)
    return None


def _utility(url: str, name: str, site: _Site) -> PageKind | None:
    path, query = segments(url), urlsplit(url).query
    if _PAGE_OF.search(query) or _PAGE_OF.search(urlsplit(url).path):
        return PageKind(UTILITY, "A further page of a list")
    if query and site.paths.get("".join(_place(url))) and f"{url.partition('?')[0]}" != url:
        return PageKind(UTILITY, f"The same page with “{query[:40]}”")
    last = path[-1] if path else ""
    if _SOURCE.match(last):
        return PageKind(UTILITY, f"“{last}” is a source of pages, not a page")
    said = words(name)
    is_outside = len(path) < 2
    is_repeated = is_outside or site.called[name.casefold()] >= REPEATED
    for kind, where, phrase in _phrases():
        if where not in ("name", "site"):
            continue
        is_long = where == "name" and len(phrase) > 1
        is_last, is_name = tuple(words(last)) == phrase, tuple(said) == phrase
        if (is_last and (is_outside or is_long)) or (is_name and (is_repeated or is_long)):
            return PageKind(UTILITY, f"{_LABELS.get(kind, kind).capitalize()}: “{' '.join(phrase)}”")
        if where == "name" and _mostly(said, phrase):
            return PageKind(UTILITY, f"{_LABELS.get(kind, kind).capitalize()}: “{' '.join(phrase)}”")
    return None


def _mostly(said: Sequence[str], phrase: Words) -> bool:
    if len(phrase) < 2 or len(phrase) < TITLE_SHARE * len(said):
        return False
    return tuple(said[: len(phrase)]) == phrase or tuple(said[-len(phrase) :]) == phrase


def _past(url: str, name: str, body: str, site: _Site) -> PageKind | None:
    path = segments(url)
    for place, version in _versions(path):
        rest = (*path[:place], *path[place + 1 :])
        newer = [other for other in site.versions[rest] if [*map(int, other)] > [*map(int, version)]]
        if newer or rest in site.plain:
            return PageKind(PAST, f"There is a newer version of “{path[place]}”")
    if is_release_note(name, "/".join(path)):
        return PageKind(PAST, "Release notes, or the notes of an upgrade")
    if told := _told("start", body[:BEGINNING]):
        return PageKind(PAST, f"The text says “{told}”")
    year = max(_year_in(name), _year_in(urlsplit(url).path))
    if 0 < year < site.newest and (told := _told("title", name)):
        return PageKind(PAST, f"“{told}” of {year}")
    return None


def page_years(urls: Sequence[str], names: Sequence[str]) -> np.ndarray:
    """Return the year in each page's address, else in its title, int (pages,); else the site's newest, but for 5 %.

    >>> page_years([f"https://a.org/{path}" for path in ("2019/fair", "2021/fair", "2022/fair", "")], ["", "", "", "A"])
    array([2019, 2021, 2021, 2021])
    """
    found = np.array([_year_in(urlsplit(url).path) or _year_in(name) for url, name in zip(urls, names, strict=True)])
    newest = np.quantile(found[found > 0], 0.95, method="lower") if found.any() else 0
    return np.where(found > 0, found.clip(max=newest), newest).astype(int)


def _told(where: str, text: str) -> str:
    said = f" {' '.join(words(text))} "
    return next((told for _, at, one in _phrases() if at == where and f" {(told := ' '.join(one))} " in said), "")


def _year_in(text: str) -> int:
    return max(map(int, _YEAR.findall(text)), default=0)


def is_release_note(title: str, path: str) -> bool:
    """Whether a page's title, or the last part of its address, says that it is about one version.

    >>> is_release_note("Release notes", "notes"), is_release_note("Upgrading", "docs/upgrading-1.4-1.5")
    (True, True)
    """
    short = len(words(title)) <= SHORT_TITLE and _RELEASE.search(title) is not None
    return short or _RELEASE.search(path.rpartition("/")[2]) is not None


def _versions(path: Sequence[str]) -> Iterator[tuple[int, Words]]:
    for place, piece in enumerate(path):
        if match := _VERSION.fullmatch(piece):
            yield place, tuple(match[1].split("."))


def _has(piece: str, kind: str, where: str) -> bool:
    return tuple(words(piece)) in _of(kind, where)


@cache
def _of(kind: str, where: str) -> frozenset[Words]:
    return frozenset(phrase for own, at, phrase in _phrases() if own == kind and at == where)


@cache
def _phrases() -> tuple[tuple[str, str, Words], ...]:
    rows = read_list("page_kinds")
    return tuple((row["kind"], row["where"], tuple(words(text))) for row in rows for text in row["words"].split("|"))


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
