"""Internal link opportunities: clean -> texts -> embed -> compare -> anchors, and a result that answers for itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import groupby

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.analysis.interlinks import Found, Limits, editorial_signals, find_opportunities
from backlink_audit.analysis.similarity import top_k
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import Cleaned, clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines import interlink_sheets
from backlink_audit.pipelines.link_graph import LinkGraph, read_links, why_nothing_matched
from backlink_audit.pipelines.page_vectors import PageVectors, embed_pages, fit_vectors
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import InterlinkSettings
from backlink_audit.text.anchors import NO_ANCHOR, Anchor, Content, read_title
from backlink_audit.text.mentions import weigh_words, word_rarity
from backlink_audit.text.pages import PageTexts, read_page_texts

YES, NO, UNKNOWN = "yes", "no", "unknown"
HEADING_WORDS = 3
"""A page's own headings of at least so many words are looked for in its content, where no anchor is suggested."""


@dataclass(frozen=True, eq=False)
class Opportunities:
    """The suggested links of a site.

    `table` has one row per pair, by source page and rank: source_url, target_url, similarity, score, rank, anchor,
    sentence, existing ("no", "unknown"), near_duplicate (bool), reverse ("yes", "no", "unknown"), source_title,
    target_title. `pages` has one row per page kept: url, title, inlinks (NaN: unknown), nearest (its highest
    similarity; NaN where the filters leave it out). `notes` are sentences the user should read.
    """

    cleaned: Cleaned
    settings: InterlinkSettings
    texts: PageTexts
    vectors: PageVectors
    table: pd.DataFrame
    pages: pd.DataFrame
    notes: tuple[str, ...]
    device: str = ""
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        if self.table.empty:
            return f"No two of the {len(self.pages):,} pages are similar enough to suggest a link."
        if self.suggested.empty:
            pairs = f"{len(self.near_duplicates):,} pairs of the {len(self.pages):,} pages"
            return f"Nothing but near duplicates was found: {pairs} are so alike that merging them comes first."
        sources = self.suggested["source_url"].nunique()
        return (
            f"{len(self.suggested):,} links worth adding on {sources:,} of {len(self.pages):,} pages; "
            f"{self.with_anchor:,} can be put on words that are there already."
        )

    @cached_property
    def suggested(self) -> pd.DataFrame:
        """The pairs that are no near duplicates."""
        return self.table[~self.table["near_duplicate"]]

    @cached_property
    def near_duplicates(self) -> pd.DataFrame:
        """Pairs so alike that merging the pages is worth a thought, each pair once, most alike first."""
        alike = self.table[self.table["near_duplicate"]]
        pair = [frozenset(both) for both in zip(alike["source_url"], alike["target_url"], strict=True)]
        once = alike[~pd.Series(pair, index=alike.index, dtype="object").duplicated()]
        return once.sort_values("similarity", ascending=False, kind="stable")

    @property
    def with_anchor(self) -> int:
        """How many suggested links have words to stand on."""
        return len(self.placeable)

    @cached_property
    def placeable(self) -> pd.DataFrame:
        """The suggested links that have words to stand on, best score first."""
        strongest = self.strongest()
        return strongest[strongest["anchor"] != ""]

    @cached_property
    def orphans(self) -> pd.DataFrame | None:
        """Pages that no other page links to; None where neither crawl nor inlinks export tells."""
        if self.pages["inlinks"].isna().all():
            return None
        return self.pages[self.pages["inlinks"] == 0]

    @property
    def isolated(self) -> pd.DataFrame:
        """Pages without any page as similar as the minimum."""
        return self.pages[self.pages["nearest"] < self.settings.min_similarity]

    @property
    def mean_similarity(self) -> float:
        """Mean similarity of the suggested links; NaN without any."""
        return float(self.suggested["similarity"].mean())

    def sources_for(self, url: str) -> pd.DataFrame:
        """Return the pages that should link to this one, best score first."""
        rows = self.table[self.table["target_url"] == url]
        return rows.sort_values("score", ascending=False, kind="stable")

    def targets_for(self, url: str) -> pd.DataFrame:
        """Return the pages this one should link to, best first."""
        return self.table[self.table["source_url"] == url]

    def strongest(self, n: int | None = None) -> pd.DataFrame:
        """Return the n suggested links with the highest score (None: all), best first."""
        return self.suggested.sort_values("score", ascending=False, kind="stable").head(n or len(self.suggested))

    def similarities(self, urls: Sequence[str]) -> pd.DataFrame:
        """Return the cosines of the chosen pages with each other, labelled with their URLs on both sides."""
        rows = pd.Index(self.vectors.urls).get_indexer(pd.Index(urls))
        chosen = self.vectors.vectors[rows]
        return pd.DataFrame((chosen @ chosen.T).clip(-1, 1), index=list(urls), columns=list(urls))

    def matrix_pages(self) -> tuple[np.ndarray, np.ndarray]:
        """Return which pages the matrix has as rows (sources) and as columns (targets): row numbers, by the filters."""
        chosen, urls = self.settings, self.pages["url"]
        return (
            np.flatnonzero(path_mask(urls, chosen.source_contains, chosen.source_excludes)),
            np.flatnonzero(path_mask(urls, chosen.target_contains, chosen.target_excludes)),
        )

    def nearest_pairs(self, k: int) -> pd.DataFrame:
        """Return the k most similar targets of every source, exactly: the matrix of a site too large for it."""
        rows, columns = self.matrix_pages()
        vectors = self.vectors.vectors
        urls = self.pages["url"].to_numpy(dtype=object)
        found, scores = top_k(vectors[rows], vectors[columns], k + 1)
        source, target = np.repeat(rows, found.shape[1]), columns[found.ravel()]
        table = pd.DataFrame(
            {"Source URL": urls[source], "Target URL": urls[target], "Similarity Score": scores.ravel().round(3)}
        )[source != target]
        return table.groupby("Source URL", sort=False).head(k).reset_index(drop=True)

    def main_table(self) -> pd.DataFrame:
        """Return every pair under the headers of the pairs csv."""
        return interlink_sheets.pairs(self.table)

    def sheets(self) -> dict[str, pd.DataFrame]:
        """Return the workbook's sheets by name."""
        return interlink_sheets.sheets(self)


def find_internal_links(
    pages: Export,
    settings: InterlinkSettings,
    encoder: Encoder,
    inlinks: Export | None = None,
    vectors: PageVectors | None = None,
    on_progress: Progress = silent,
) -> Opportunities:
    """Find the links that the pages of a crawl should have. `inlinks`: the links they have already.

    `vectors`: given embeddings instead of the encoder's. Without a page text in the settings, that of the given
    embeddings holds. Raises NoRowsLeft, EmbeddingMismatch, Cancelled.
    """
    on_progress("Reading the pages", 0, 1)
    cleaned = clean_pages(pages, settings.filters)
    mode = settings.text or (vectors.text if vectors else None)
    texts = read_page_texts(cleaned.table, mode, settings.brands)
    unit = (
        fit_vectors(vectors, cleaned.table, encoder.name, encoder.dimensions, texts.mode)
        if vectors
        else embed_pages(texts, encoder, on_progress)
    )
    graph = read_links(inlinks, cleaned.table, content_only=settings.content_links_only) if inlinks else None
    found = _find(unit, texts, cleaned.table, graph, settings, on_progress)
    anchors = _anchors(found, texts, cleaned.table, graph, on_progress)
    model = vectors.model if vectors else encoder.name
    return Opportunities(
        cleaned=cleaned,
        settings=settings,
        texts=texts,
        vectors=PageVectors(tuple(cleaned.table["url"]), unit, model, texts.mode),
        table=_table(found, anchors, texts, cleaned.table["url"].to_numpy(dtype=object), graph, settings),
        pages=_pages(cleaned.table, texts, graph, found.nearest),
        notes=_notes(cleaned.table, texts, inlinks, graph),
        device="" if vectors else getattr(encoder, "device", ""),
    )


def _find(
    unit: np.ndarray,
    texts: PageTexts,
    table: pd.DataFrame,
    graph: LinkGraph | None,
    settings: InterlinkSettings,
    on_progress: Progress,
) -> Found:
    limits = Limits(
        per_page=settings.per_page,
        per_target=settings.per_target,
        min_similarity=settings.min_similarity,
        near_duplicate=settings.near_duplicate,
        sources=path_mask(table["url"], settings.source_contains, settings.source_excludes),
        targets=path_mask(table["url"], settings.target_contains, settings.target_excludes),
        linked=graph.linked if graph else sp.csr_matrix((len(table), len(table)), dtype=bool),
    )
    if settings.order == "similarity":
        return find_opportunities(unit, limits, on_progress=on_progress)
    on_progress("Weighing words", 0, 1)
    words = weigh_words(texts)
    has_content = [bool(body) for body in texts.bodies]
    signals = editorial_signals(unit, words.bodies, words.mentioned, words.titles, has_content)
    return find_opportunities(unit, limits, signals, on_progress)


def path_mask(urls: pd.Series, contains: str, excludes: str) -> np.ndarray:
    """Return which URLs hold the one text and not the other in what follows the host, letter for letter.

    >>> path_mask(pd.Series(["https://a.example/blog/1", "https://blog.example/"]), "blog", "").tolist()
    [True, False]
    """
    paths = urls.str.replace(r"^(?:[a-zA-Z][\w+.-]*:)?(?://)?[^/?#]*", "", regex=True)
    mask = np.ones(len(urls), dtype=bool)
    if contains:
        mask &= paths.str.contains(contains, regex=False).to_numpy(dtype=bool)
    if excludes:
        mask &= ~paths.str.contains(excludes, regex=False).to_numpy(dtype=bool)
    return mask


def _anchors(
    found: Found, texts: PageTexts, table: pd.DataFrame, graph: LinkGraph | None, on_progress: Progress
) -> list[Anchor]:
    """Return the anchor of each pair; sources without content have none."""
    if not any(texts.bodies):
        return [NO_ANCHOR] * len(found.source)
    rarity = word_rarity(texts)
    titles = [
        [read_title(title, rarity) for title in dict.fromkeys((name, heading)) if title]
        for name, heading in zip(texts.names, texts.headings, strict=True)
    ]
    second_headings = table["h2"].tolist()
    anchors: list[Anchor] = []
    for source, pairs in groupby(
        zip(found.source.tolist(), found.target.tolist(), strict=True), key=lambda pair: pair[0]
    ):
        on_progress("Looking for anchors", len(anchors), len(found.source))
        own = (texts.names[source], texts.headings[source], second_headings[source])
        taken = [heading for heading in own if len(heading.split()) >= HEADING_WORDS]
        content = Content(texts.bodies[source], [*taken, *(graph.anchors[source] if graph else ())])
        anchors.extend(content.find(titles[target]) for _, target in pairs)
    return anchors


def _table(
    found: Found,
    anchors: Sequence[Anchor],
    texts: PageTexts,
    urls: np.ndarray,
    graph: LinkGraph | None,
    settings: InterlinkSettings,
) -> pd.DataFrame:
    titles = np.array(texts.names, dtype=object)
    reverse = np.where(graph.has(found.target, found.source), YES, NO) if graph else UNKNOWN
    return pd.DataFrame(
        {
            "source_url": urls[found.source],
            "target_url": urls[found.target],
            "similarity": found.similarity.astype("float64"),
            "score": found.score.astype("float64"),
            "rank": found.rank.astype("int64"),
            "anchor": [anchor.phrase for anchor in anchors],
            "sentence": [anchor.sentence for anchor in anchors],
            "existing": NO if graph else UNKNOWN,
            "near_duplicate": found.similarity >= settings.near_duplicate,
            "reverse": reverse,
            "source_title": titles[found.source],
            "target_title": titles[found.target],
        }
    ).astype({"source_url": "str", "target_url": "str", "anchor": "str", "sentence": "str"})


def _pages(table: pd.DataFrame, texts: PageTexts, graph: LinkGraph | None, nearest: np.ndarray) -> pd.DataFrame:
    known = table["unique_inlinks"].fillna(table["inlinks"])
    return pd.DataFrame(
        {
            "url": table["url"].to_numpy(),
            "title": texts.names,
            "inlinks": graph.inlinks.astype("float64") if graph else known.to_numpy(dtype="float64"),
            "nearest": nearest.astype("float64"),
        }
    )


def _notes(table: pd.DataFrame, texts: PageTexts, inlinks: Export | None, graph: LinkGraph | None) -> tuple[str, ...]:
    notes = []
    if inlinks is not None and graph is None:
        notes.append(why_nothing_matched(inlinks, table))
    if texts.fallbacks:
        notes.append(
            f"{texts.fallbacks:,} of {len(table):,} pages have no {texts.mode.replace('+', ' and ')}; "
            "their title, else their H1, else the words of their URL stand in for it."
        )
    if len(table) == 1:
        notes.append("There is only one page, so there is nothing to link it with.")
    repeated = len(texts.texts) - len(set(texts.texts))
    if 2 * repeated > len(table):
        notes.append(
            f"{repeated:,} of {len(table):,} pages have the same text as another; "
            "a crawl with the pages' content would tell them apart."
        )
    return tuple(notes)
