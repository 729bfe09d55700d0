"""Which pages should link to those that deserve more: relevant, with words to link, by what each link would pass on."""

from dataclasses import replace

import numpy as np
import pandas as pd

from backlink_audit.analysis.internal_links.page_relevance import page_relevance
from backlink_audit.analysis.vectors.similarity import top_k
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.authority.result import SiteAuthority
from backlink_audit.pipelines.crawl.anchors import find_anchors
from backlink_audit.pipelines.crawl.link_graph import read_links
from backlink_audit.pipelines.crawl.vectors import embed_pages
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import PageFilters
from backlink_audit.text.pages.page_texts import read_page_texts
from backlink_audit.wording import count

LINKS = ("link_type", "source_url", "target_url", "anchor", "link_position")
"""What is read of an inlinks export: which words are links already."""
LOOKED_AT = 60
"""Nearest pages of each target that are looked through."""
SHOWN = 10
"""Sources of each target."""
RELEVANT = 60.0
"""Least relevance of source and target; two pages of chance have 50."""
MOST_TARGETS = 500
"""Targets that sources are found for, the strongest of the pages first."""
COLUMNS = ["target_url", "source_url", "source_title", "anchor", "sentence", "page_relevance", "passes"]


def with_sources(
    result: SiteAuthority, crawl: Export, links: pd.DataFrame, encoder: Encoder, on_progress: Progress = silent
) -> SiteAuthority:
    """Return the result with the sources worth linking from, for each page that is underlinked or deserves more.

    `links`: the inlinks export as a mapped table with LINKS. What a link passes is the source's share, divided by its
    links and one more, times the relevance of the two pages. Without content in the crawl the words to link are blank;
    with it, a page without such words is no source.
    """
    pages = clean_pages(crawl, PageFilters()).table.reset_index(drop=True)
    place = pd.Index(pages["url_key"]).get_indexer(pd.Index(result.pages["key"]))
    deserving = result.pages["deserving"].to_numpy(bool)
    rows = place[deserving & (place >= 0)][:MOST_TARGETS]
    if not len(rows) or len(pages) < 2:
        return replace(result, sources=_nothing(), notes=(*result.notes, *_left_out(int(deserving.sum()), 0)))
    texts = read_page_texts(pages, None)
    vectors = embed_pages(texts, encoder, on_progress)
    near, _ = top_k(vectors[rows], vectors, LOOKED_AT + 1)
    target, source = np.repeat(rows, near.shape[1]), near.ravel()
    of_page = result.pages.set_index("key").reindex(pages["url_key"])
    graph = read_links(links, pages, content_only=True)
    there = graph.has(source, target) if graph else np.zeros(len(source), dtype=bool)
    usable = (source != target) & ~there & of_page["pagerank"].notna().to_numpy()[source]
    source, target = source[usable], target[usable]
    order = np.argsort(source, kind="stable")
    source, target = source[order], target[order]
    relevance = page_relevance(vectors, source, target)
    anchors = find_anchors(
        source, target, texts, pages["h2"].tolist(), graph, on_progress, keys=pages["url_key"].tolist()
    )
    share, out = of_page["pagerank"].to_numpy()[source], of_page["links_out"].to_numpy()[source]
    found = pd.DataFrame(
        {
            "target_url": pages["url"].to_numpy()[target],
            "source_url": pages["url"].to_numpy()[source],
            "source_title": np.array(texts.names, dtype=object)[source],
            "anchor": [anchor.phrase for anchor in anchors],
            "sentence": [anchor.sentence for anchor in anchors],
            "page_relevance": relevance,
            "passes": share / (out + 1) * relevance / 100,
        }
    ).astype(dict.fromkeys(COLUMNS[:5], "str"))
    worth = found[(found["page_relevance"] >= RELEVANT) & ((found["anchor"] != "") | (not any(texts.bodies)))]
    ranked = worth.sort_values("passes", ascending=False, kind="stable").groupby("target_url", sort=False).head(SHOWN)
    strength = {url: rank for rank, url in enumerate(pages["url"].to_numpy()[rows])}
    ranked = ranked.sort_values("target_url", key=lambda urls: urls.map(strength), kind="stable", ignore_index=True)
    left = _left_out(int(deserving.sum()), ranked["target_url"].nunique())
    return replace(result, sources=ranked, notes=(*result.notes, *left))


def _nothing() -> pd.DataFrame:
    types = dict.fromkeys(COLUMNS[:5], "str") | dict.fromkeys(COLUMNS[5:], "float64")
    return pd.DataFrame(columns=COLUMNS).astype(types)


def _left_out(deserving: int, supplied: int) -> list[str]:
    """Say for how many of the pages that deserve more there is no source."""
    without = deserving - supplied
    if not without:
        return []
    return [f"For {count(without, 'page')} that should be stronger, no relevant page to link from was found."]
