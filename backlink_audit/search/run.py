"""Search by meaning: texts -> vectors and words (once) -> the rows that a query means (at once)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit.embedding.encoder import Encoder, number_texts
from backlink_audit.embedding.nearest import WordTable, joined, word_table
from backlink_audit.errors import InvalidSetting
from backlink_audit.judgement.fields import load_topics
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import Tables, WholeTables, sheet
from backlink_audit.schema import PAGES
from backlink_audit.text.languages import stop_words, words
from backlink_audit.text.link_texts import own_words, short_text
from backlink_audit.text.urls import url_words
from backlink_audit.wording import count

EXACT, WORDS, MEANING = "exact words", "words", "meaning"  # why a row was found, the strongest first


_SHEET = sheet("search.found", lambda found: found.table)
FOUND = 100  # rows that a search returns unless asked for more
ALIKE, NOT_UNLIKE, ALIKE_A_NAME = 4.0, 2.0, 6.5
"""Standard deviations above a query's mean cosine with the topics of all fields: from the first on, a row is found by
its meaning alone; from the second on, with any of the query's words; the third takes the place of the first for a query
that stands in rows but means nothing like them, as names do. They are the same for every model."""
MOST_WORDS = 0.4  # share of the best row's weight of words from which a row is found by its words alone
LEAST_SPREAD = 1e-6  # of the cosines with the topics, so that it can be divided by
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")  # that a query's words without meaning are known of


@dataclass(frozen=True, eq=False)
class Found:
    """The rows that fit a query, best first.

    `table` has the searched table's columns and index, and match (`EXACT`, `WORDS` or `MEANING`) and query_similarity
    (the cosine of the query and the row, 0 where the row has no text).
    """

    query: str
    table: pd.DataFrame
    noun: str
    searched: int  # How many rows were searched

    def first(self, most: int) -> "Found":
        return replace(self, table=self.table.head(most))

    @property
    def exact(self) -> int:
        return int((self.table["match"] == EXACT).sum())

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        if self.table.empty:
            return f"Nothing matches “{self.query}” among {count(self.searched, self.noun)}."
        return (
            f"{len(self.table):,} of {count(self.searched, self.noun)} for “{self.query}”, best match first; "
            f"{self.exact:,} with exactly these words."
        )


def tables(found: Found) -> WholeTables:
    """Return the found rows as tables, best match first."""
    words = {column.name: column.label for column in PAGES.columns} if found.noun == "page" else {}
    table = replace(_SHEET, headers=words).written(found.table, found)
    return Tables(lambda: table, lambda: {_SHEET.name: table})


@dataclass(frozen=True, eq=False)
class SearchIndex:
    """What a table is searched by. `rows` is the table itself.

    `ends`: one array (rows,) for each text by which a row is found, with places in `vectors` (unit rows of float32);
    the nearest one counts.
    """

    rows: pd.DataFrame
    noun: str
    vectors: np.ndarray
    ends: tuple[np.ndarray, ...]
    words: WordTable
    phrases: pa.Array

    def similarity(self, query: np.ndarray) -> np.ndarray:
        """Return the cosine of a query's vector and every row, float32 (rows,)."""
        cosines = self.vectors @ query
        return np.maximum.reduce([cosines[end] for end in self.ends])


def index_links(links: pd.DataFrame, encoder: Encoder, on_progress: Progress = silent) -> SearchIndex:
    """Return the index of scored or cleaned links: by the referring page's own words, the anchor and the address."""
    own = own_words(links["referring_title"], links["referring_url"])
    addresses = _addresses(links["referring_url"])
    return index_rows(links, "link", [own], [own, links["anchor"], addresses], encoder, on_progress)


def index_pages(pages: pd.DataFrame, encoder: Encoder, on_progress: Progress = silent) -> SearchIndex:
    """Return the index of crawled pages: by the meaning of their titles and H1s, and by their addresses' words."""
    names = own_words(pages["title"], pages["url"])
    texts = [names, pages["h1"], pages["meta_description"], _addresses(pages["url"])]
    return index_rows(pages, "page", [names, pages["h1"].map(short_text)], texts, encoder, on_progress)


def index_prospects(domains: pd.DataFrame, encoder: Encoder, on_progress: Progress = silent) -> SearchIndex:
    """Return the index of a gap's domains: by the page of each that links to a competitor."""
    own = own_words(domains["example_title"], domains["example_url"])
    texts = [own, domains["example_anchor"], domains["referring_domain"], _addresses(domains["example_url"])]
    return index_rows(domains, "domain", [own], texts, encoder, on_progress)


def index_pairs(pairs: pd.DataFrame, encoder: Encoder, on_progress: Progress = silent) -> SearchIndex:
    """Return the index of suggested links: by the titles of both pages, and by the words of anchor and sentence."""
    titles = [own_words(pairs[f"{end}_title"], pairs[f"{end}_url"]) for end in ("source", "target")]
    texts = [*titles, pairs["anchor"], pairs["sentence"], pairs["source_url"], pairs["target_url"]]
    return index_rows(pairs, "suggestion", titles, texts, encoder, on_progress)


def index_rows(
    rows: pd.DataFrame,
    noun: str,
    meanings: Sequence[pd.Series],
    texts: Sequence[pd.Series],
    encoder: Encoder,
    on_progress: Progress = silent,
) -> SearchIndex:
    """Return the index of a table: by the meaning of some texts (from the cache, where known), and by all words."""
    distinct, numbers = number_texts([text for end in meanings for text in end])
    vectors = encoder.encode(distinct, on_progress)
    vectors[[place for place, text in enumerate(distinct) if not text]] = 0
    return SearchIndex(rows, noun, vectors, tuple(np.split(numbers, len(meanings))), *_by_words(texts))


def index_page_vectors(pages: pd.DataFrame, vectors: np.ndarray) -> SearchIndex:
    return index_vectors(pages, "page", vectors, [pages["title"], pages["url"]])


def index_vectors(rows: pd.DataFrame, noun: str, vectors: np.ndarray, texts: Sequence[pd.Series]) -> SearchIndex:
    return SearchIndex(rows, noun, vectors, (np.arange(len(rows)),), *_by_words(texts))


def search(index: SearchIndex, query: str, encoder: Encoder, most: int = FOUND) -> Found:
    """Return the rows that a query means, best first. Raises InvalidSetting for a query without any word."""
    query = short_text(query)
    asked = words(query)
    if not asked:
        raise InvalidSetting("Type one word or more to search for.")
    topics = encoder.encode(load_topics().phrases)
    return find(index, query, asked, encoder.encode([query])[0], topics, most)


def find(
    index: SearchIndex, query: str, asked: Sequence[str], vector: np.ndarray, topics: np.ndarray, most: int = FOUND
) -> Found:
    """Return the rows that a query means, of its words and its vector (dimensions,).

    `topics`: unit vectors of texts about everything, which show how alike texts are by chance.
    """
    meaning = index.similarity(vector)
    by_words = index.words.scores(_telling(asked))
    exact = np.asarray(pc.match_substring(index.phrases, _phrase(asked)))
    chance = topics @ vector
    above = (meaning - chance.mean()) / max(chance.std(), LEAST_SPREAD)
    some_words = (by_words > 0) & ((above >= NOT_UNLIKE) | (by_words >= MOST_WORDS * by_words.max(initial=0)))
    # A name that stands in the rows, and says nothing to the model: what is like it is so by chance.
    is_name = exact.any() and above[exact].max() < ALIKE
    kept = np.flatnonzero(exact | some_words | (above >= (ALIKE_A_NAME if is_name else ALIKE)))
    order = kept[joined(meaning[kept], by_words[kept], exact[kept])][:most]
    match = np.select([exact[order], by_words[order] > 0], [EXACT, WORDS], MEANING)
    table = index.rows.iloc[order].assign(
        match=pd.array(match, dtype="str"), query_similarity=meaning[order].astype("float64")
    )
    return Found(query, table, index.noun, len(index.rows))


def once_a_site(found: Found, site: str = "referring_domain", title: str = "referring_title") -> Found:
    """Return what was found with each title of a site once, its best row: templates repeat theirs on every page."""
    keep = ~found.table.duplicated([site, title])
    return replace(found, table=found.table[keep])


def _addresses(urls: pd.Series) -> pd.Series:
    hosts = urls.str.extract(r"^(?:[a-z]+://)?([^/?#]+)", expand=False).fillna("")
    return hosts.str.replace(".", " ", regex=False) + " " + urls.map({text: url_words(text) for text in urls.unique()})


def _by_words(texts: Sequence[pd.Series]) -> tuple[WordTable, pa.Array]:
    known: dict[str, list[str]] = {}
    columns = [[known[t] if t in known else known.setdefault(t, words(t)) for t in column] for column in texts]
    rows = [[word for part in row for word in part] for row in zip(*columns, strict=True)]
    phrases = ["".join(map(_phrase, row)) for row in zip(*columns, strict=True)]
    return word_table(rows), pa.array(phrases, pa.large_string())


def _telling(asked: Sequence[str]) -> list[str]:
    """Return the words of a query without those that say nothing in its language ("and"), unless all are such."""
    nothing = max(map(stop_words, LANGUAGES), key=lambda known: sum(word in known for word in asked))
    return [word for word in asked if word not in nothing] or list(asked)


def _phrase(asked: Sequence[str]) -> str:
    return f" {' '.join(asked)} "
