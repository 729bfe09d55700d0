"""The words that represent a page of a site: its name, its text in the chosen mode, and its chunks.

A page's name is its title without the parts that all titles share, else its H1, else the words of its URL; so no page
is without a name. A blank H1 falls back to the title, a blank content to the name. A title or H1 without any letter or
digit ("18F | >" without its brand) is blank too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape

import numpy as np
import pandas as pd
import regex

from backlink_audit.settings import PageText
from backlink_audit.text import clean_text
from backlink_audit.text.languages import UNSPACED, words
from backlink_audit.text.page_languages import page_languages, without_language
from backlink_audit.text.sentences import strip_permalink
from backlink_audit.text.urls import registrable_domains, url_words

CHUNK_CHARACTERS = 1_000  # about 200 English words or 256 word pieces, the longest input of the default model
UNSPACED_CHARACTERS = 220  # the same for scripts without spaces, where nearly every character is a piece of its own

_LETTER_OR_DIGIT = regex.compile(r"[\p{L}\p{N}]")
_SENTENCE_END = regex.compile(r"[.!?…][\"”’)\]]*+(\s++)|[。！？．]()")  # the group is what is between two sentences
SEPARATOR = regex.compile(r"(?<!\s)\s++(?:[|·•»«›‹>—–~]+|-{1,2}|::)\s+|(?:(?<!\s)\s++)?[｜│┃]\s*|(?<=\p{L}|\p{N}):\s+")
"""What separates the parts of a title. A colon needs space after it, a hyphen on both sides.

White space is looked at once, from its beginning."""

LEAST_SHARE = 0.2  # A part on at least this share of the site's distinct titles belongs to the site, not to the page
LEAST_TITLES = 4  # fewer titles than this with the same part are a coincidence
FEWEST_OF_A_FORM = 2
"""The same for a brand that is known with one more word: "Acme Blog" where "Acme" is on many titles."""


@dataclass(frozen=True)
class PageTexts:
    """The texts that represent the pages of a crawl, one entry per page, in the crawl's order.

    `mode` says what `texts` are: a page text, or the headers of the columns joined. `texts` are embedded, `names` are
    what a reader calls the page, `titles` and `headings` the title without brand and the H1 ("" where blank), `bodies`
    the content letter for letter ("" where there is none).
    """

    mode: str
    brands: tuple[str, ...]
    language: str
    names: tuple[str, ...]
    titles: tuple[str, ...]
    headings: tuple[str, ...]
    slugs: tuple[str, ...]  # The words of each URL
    bodies: tuple[str, ...]
    texts: tuple[str, ...]
    languages: tuple[str, ...]
    brand_words: frozenset[str]  # The words of the brands, and of the site's domain
    fallbacks: int  # How many pages lacked the chosen text and took the next best


def read_page_texts(
    pages: pd.DataFrame,
    mode: PageText | None = None,
    brands: Sequence[str] | None = None,
    columns: pd.DataFrame | None = None,
    hreflang: Sequence[str] | None = None,
) -> PageTexts:
    """Return the texts of the pages of a mapped crawl (columns url, title, h1, content, and language if it has one).

    `mode` None: title and content where at least half of the pages have content, else the H1.
    `brands` None: the shared parts of the titles are found; else exactly the given ones are cut.
    `columns`: any texts of the same pages; joined, they represent a page in place of the mode. `hreflang`: the
    language that other pages name each page's by, "" for none.
    """
    raw_titles = [clean_text(unescape(title)) for title in pages["title"]]
    headings = _worded(strip_permalink(clean_text(unescape(heading))) for heading in pages["h1"])
    bodies = [body.strip() for body in pages["content"]]
    cut = tuple(find_brands(raw_titles)) if brands is None else tuple(brands)
    titles = _worded(map(strip_permalink, strip_brands(raw_titles, cut)))
    slugs = [url_words(url) for url in pages["url"]]
    names = [_first(*sources) for sources in zip(titles, headings, slugs, pages["url"], strict=True)]
    chosen = mode or default_mode(bodies)
    prose = list(map(clean_text, bodies))
    wanted = (
        {"h1": headings, "title": titles, "content": prose, "title+content": _join(names, prose)}[chosen]
        if columns is None
        else _joined_cells(columns)
    )
    described = _join(names, prose, always=True)
    attributes = pages["language"].tolist() if "language" in pages else [""] * len(pages)
    in_addresses = [without_language(url)[1] for url in pages["url"]]
    languages = page_languages(described, [hreflang or [""] * len(pages), attributes, in_addresses])
    return PageTexts(
        mode=chosen if columns is None else " + ".join(columns.columns),
        brands=cut,
        language=Counter(languages).most_common(1)[0][0] if languages else "en",
        names=tuple(names),
        titles=tuple(titles),
        headings=tuple(headings),
        slugs=tuple(slugs),
        bodies=tuple(bodies),
        texts=tuple(text or name for text, name in zip(wanted, names, strict=True)),
        languages=tuple(languages),
        brand_words=frozenset(word for name in (*cut, _domain_name(pages["url"])) for word in words(name)),
        fallbacks=sum(not text for text in wanted),
    )


def language_groups(texts: PageTexts) -> np.ndarray:
    """Return the number of each page's language, int (pages,), that of the most pages first."""
    order = {language: number for number, (language, _) in enumerate(Counter(texts.languages).most_common())}
    return np.array([order[language] for language in texts.languages], dtype=np.int64)


def default_mode(bodies: Sequence[str]) -> PageText:
    return "title+content" if bodies and 2 * sum(map(bool, bodies)) >= len(bodies) else "h1"


def split_into_chunks(text: str, heading: str = "") -> list[str]:
    """Return a long text as pieces a model can take in whole, cut between sentences where it can be.

    Each piece begins with the heading, so that none loses its subject. A short text is one piece.

    >>> split_into_chunks("One. Two.")
    ['One. Two.']
    """
    unspaced = len(regex.findall(f"[{UNSPACED}]", text[:CHUNK_CHARACTERS]))
    share = unspaced / max(1, len(text[:CHUNK_CHARACTERS]))
    limit = round(CHUNK_CHARACTERS - share * (CHUNK_CHARACTERS - UNSPACED_CHARACTERS))
    if len(text) <= limit:
        return [text]
    pieces: list[str] = []
    for sentence in _sentences(text):
        for start in range(0, len(sentence), limit):
            part = sentence[start : start + limit]
            if pieces and len(pieces[-1]) + len(part) < limit:
                pieces[-1] += " " + part
            else:
                pieces.append(part)
    prefix = f"{heading[: limit // 5]}. " if heading else ""
    return [prefix + piece if index and prefix else piece for index, piece in enumerate(pieces)]


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(text):
        gap = 1 if end[1] is not None else 2
        yield text[start : end.start(gap)]
        start = end.end(gap)
    yield text[start:]


def _domain_name(urls: pd.Series) -> str:
    domains = registrable_domains(urls)
    return str(domains.mode().iloc[0]).partition(".")[0] if len(domains) else ""


def _joined_cells(columns: pd.DataFrame) -> list[str]:
    cells = [list(map(clean_text, columns[header])) for header in columns.columns]
    return [". ".join(filter(None, row)) for row in zip(*cells, strict=True)]


def _worded(texts: Iterable[str]) -> list[str]:
    return [text if _LETTER_OR_DIGIT.search(text) else "" for text in texts]


def _first(*sources: str) -> str:
    return next((source for source in sources if source), "")


def _join(names: Sequence[str], bodies: Sequence[str], *, always: bool = False) -> list[str]:
    return [f"{name}. {body}" if body else name * always for name, body in zip(names, bodies, strict=True)]


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
    return [without_parts(title, cut) for title in titles]


def split_title(title: str) -> list[str]:
    """Return the parts of a title between its separators.

    >>> split_title("How-to: oil a table | Care - Acme")
    ['How-to', 'oil a table', 'Care', 'Acme']
    """
    return [part for part in SEPARATOR.split(title.strip()) if part]


def without_parts(title: str, cut: set[str]) -> str:
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
    words = part.casefold().split()
    return any(brand.casefold().split() in (words[:-1], words[1:]) for brand in found)
