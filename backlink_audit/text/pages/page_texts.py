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
from backlink_audit.text.clean import clean_text
from backlink_audit.text.languages.any_language import UNSPACED, words
from backlink_audit.text.languages.page_languages import page_languages, without_language
from backlink_audit.text.pages.brands import find_brands, strip_brands
from backlink_audit.text.pages.no_link_spans import strip_permalink
from backlink_audit.text.urls.parts import registrable_domains, url_words

CHUNK_CHARACTERS = 1_000
"""About 200 English words or 256 word pieces, the longest input of the default model."""
UNSPACED_CHARACTERS = 220
"""The same for scripts without spaces, where nearly every character is a piece of its own."""

_LETTER_OR_DIGIT = regex.compile(r"[\p{L}\p{N}]")
_SENTENCE_END = regex.compile(r"[.!?…][\"”’)\]]*+(\s++)|[。！？．]()")
"""The group is what is between two sentences."""


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
    slugs: tuple[str, ...]
    """The words of each URL."""
    bodies: tuple[str, ...]
    texts: tuple[str, ...]
    languages: tuple[str, ...]
    brand_words: frozenset[str]
    """The words of the brands, and of the site's domain."""
    fallbacks: int
    """How many pages lacked the chosen text and took the next best."""


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
    """Return title and content where at least half of the pages have content, else the H1."""
    return "title+content" if bodies and 2 * sum(map(bool, bodies)) >= len(bodies) else "h1"


def split_into_chunks(text: str, heading: str = "") -> list[str]:
    """Return a long text as pieces a model can take in whole, cut between sentences where it can be.

    Each piece begins with the heading, so that none loses its subject. A short text is one piece.

    >>> split_into_chunks("One. Two.")
    ['One. Two.']
    """
    limit = _chunk_characters(text)
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


def _chunk_characters(text: str) -> int:
    unspaced = len(regex.findall(f"[{UNSPACED}]", text[:CHUNK_CHARACTERS]))
    share = unspaced / max(1, len(text[:CHUNK_CHARACTERS]))
    return round(CHUNK_CHARACTERS - share * (CHUNK_CHARACTERS - UNSPACED_CHARACTERS))


def _domain_name(urls: pd.Series) -> str:
    """Return what the domain of most pages is called, without its ending."""
    domains = registrable_domains(urls)
    return str(domains.mode().iloc[0]).partition(".")[0] if len(domains) else ""


def _joined_cells(columns: pd.DataFrame) -> list[str]:
    """Return for each row its cells that are not blank, as sentences."""
    cells = [list(map(clean_text, columns[header])) for header in columns.columns]
    return [". ".join(filter(None, row)) for row in zip(*cells, strict=True)]


def _worded(texts: Iterable[str]) -> list[str]:
    """Return the texts, blank where they say nothing."""
    return [text if _LETTER_OR_DIGIT.search(text) else "" for text in texts]


def _first(*sources: str) -> str:
    return next((source for source in sources if source), "")


def _join(names: Sequence[str], bodies: Sequence[str], *, always: bool = False) -> list[str]:
    """Put each name before its body; without a body, the name alone if `always`, else nothing."""
    return [f"{name}. {body}" if body else name * always for name, body in zip(names, bodies, strict=True)]
