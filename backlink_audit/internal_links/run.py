"""Internal link opportunities: clean -> texts -> embed -> compare -> anchors."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import Cleaned, clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.internal_links.anchors import find_anchors
from backlink_audit.internal_links.near_anchors import likeness_to
from backlink_audit.internal_links.order import Ordered, find_in_order, worth_suggesting
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.internal_links.suggestions import pair_scores
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import InterlinkSettings
from backlink_audit.site.links import LinkGraph, read_links, what_is_unknown, why_nothing_matched
from backlink_audit.site.pages import read_chosen_texts, read_hreflang
from backlink_audit.site.vectors import PageVectors, page_vectors
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text import read_list
from backlink_audit.text.anchor_places import Anchor
from backlink_audit.text.languages import words
from backlink_audit.text.page_kinds import PageKind, page_kinds, template_groups, translation_groups
from backlink_audit.text.page_names import site_stop_words
from backlink_audit.text.page_texts import PageTexts
from backlink_audit.text.urls import registrable_domains

YES, NO, UNKNOWN = "yes", "no", "unknown"
NO_TEXT = (
    "The crawl has no page texts, so the targets' titles are suggested as anchors, in sentences of their own. For "
    "anchors in your own sentences, store the text: in Screaming Frog a custom extraction of the main element as text, "
    "named Content (Configuration > Custom > Custom Extraction); in Sitebulb a content extraction named Content; our "
    "crawl stores it by itself."
)
MISSING = {"h1": "H1", "title": "title", "content": "content", "title+content": "content"}
"""What a page lacks that does not have the chosen text."""
FAR = 2.5  # robust standard deviations below the median, from which a page is far from what its site is about
NORMAL = 1.4826  # of a normal distribution: a standard deviation in median deviations
LEAST_PAGES = 20  # pages of a language from which there is a subject to be far from
TRANSLATIONS, TEMPLATES = 0, 1  # the places of the two groupings


def find_internal_links(
    pages: Export,
    settings: InterlinkSettings,
    encoder: Encoder,
    sources: Sources = NO_SOURCES,
    vectors: PageVectors | None = None,
    on_progress: Progress = silent,
) -> Opportunities:
    """Find the links that the pages of a crawl should have. `sources`: the links they have already.

    `vectors`: given embeddings instead of the encoder's. Without a page text in the settings, that of the given
    embeddings holds. Raises NoRowsLeft, MissingColumns,
    EmbeddingMismatch, Cancelled.
    """
    inlinks = sources.inlinks
    on_progress("Reading the pages", 0, 1)
    cleaned = clean_pages(pages, settings.filters)
    texts = read_chosen_texts(cleaned, settings, vectors)
    used = page_vectors(cleaned.table, texts, encoder, vectors, on_progress)
    unit = used.vectors
    graph = read_links(inlinks.table, cleaned.table, content_only=settings.content_links_only) if inlinks else None
    apart = groups_apart(cleaned, texts)
    kinds = _kinds(cleaned.table, texts, settings)
    ordered = find_in_order(unit, texts, cleaned.table, graph, settings, apart, kinds, on_progress)
    found = ordered.found
    urls = cleaned.table["url"].to_numpy(dtype=object)
    second = cleaned.table["h2"].tolist()
    keys = cleaned.table["url_key"].tolist()
    likeness = likeness_to(used, texts, encoder)
    anchors = find_anchors(found.source, found.target, texts, second, graph, on_progress, found.score, keys, likeness)
    return Opportunities(
        cleaned=cleaned,
        settings=settings,
        texts=texts,
        vectors=used,
        table=_table(ordered, anchors, texts, urls, graph, settings),
        near_duplicates=_pairs(found.alike, unit, texts, urls),
        translations=_pairs(found.kin[found.kin[:, 2] == TRANSLATIONS, :2], unit, texts, urls),
        templates=_pairs(found.kin[found.kin[:, 2] == TEMPLATES, :2], unit, texts, urls),
        pages=_pages(cleaned.table, texts, graph, found.nearest, kinds),
        notes=(
            *_notes(cleaned, texts, inlinks, graph),
            *_kept_apart(texts, cleaned.table["url"], settings),
            *ordered.notes,
        ),
        knows_links=graph is not None,
        device="" if vectors else encoder.device,
    )


def _kinds(table: pd.DataFrame, texts: PageTexts, settings: InterlinkSettings) -> tuple[PageKind, ...]:
    if not settings.page_kinds:
        return (PageKind(),) * len(table)
    return page_kinds(table["url"].tolist(), texts.names, texts.bodies, site_stop_words(texts))


def _table(
    ordered: Ordered,
    anchors: Sequence[Anchor],
    texts: PageTexts,
    urls: np.ndarray,
    graph: LinkGraph | None,
    settings: InterlinkSettings,
) -> pd.DataFrame:
    titles, found = np.array(texts.names, dtype=object), ordered.found
    reverse = np.where(graph.has(found.target, found.source), YES, NO) if graph else UNKNOWN
    has_anchor = np.array([bool(anchor.phrase) for anchor in anchors], dtype=bool)
    score = pair_scores(ordered.facts, has_anchor) if ordered.facts else found.score.astype("float64")
    table = pd.DataFrame(
        {
            "source_url": urls[found.source],
            "target_url": urls[found.target],
            "similarity": found.similarity.astype("float64"),
            "score": score,
            "rank": found.rank.astype("int64"),
            "anchor": [anchor.phrase for anchor in anchors],
            "sentence": [anchor.sentence for anchor in anchors],
            "anchor_match": [anchor.match for anchor in anchors],
            "anchor_at": [anchor.at for anchor in anchors],
            "existing": NO if graph else UNKNOWN,
            "near_duplicate": found.similarity >= settings.near_duplicate,
            "reverse": reverse,
            "source_title": titles[found.source],
            "target_title": titles[found.target],
            "see_also": np.where(has_anchor, "", see_also(texts, found.source, found.target)),
        }
    ).astype(dict.fromkeys(("source_url", "target_url", "anchor", "sentence", "anchor_match", "see_also"), "str"))
    last = table["near_duplicate"].to_numpy() & bool(ordered.facts)
    order = np.lexsort((-score, last, found.source))
    order = order[(worth_suggesting(score, settings) | last)[order]]
    ranked = table.iloc[order].reset_index(drop=True)
    return ranked.assign(rank=ranked.groupby(found.source[order]).cumcount() + 1)


def see_also(texts: PageTexts, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return a sentence of its own for each pair, with the target's title as anchor, in the source's language."""
    begin = {row["language"]: row["words"] for row in read_list("see_also")}
    told = [
        f"{begin.get(texts.languages[one], begin['en'])}: {texts.headings[other] or texts.names[other]}"
        for one, other in zip(source.tolist(), target.tolist(), strict=True)
    ]
    return np.array(told, dtype=object)


def _pairs(pages: np.ndarray, vectors: np.ndarray, texts: PageTexts, urls: np.ndarray) -> pd.DataFrame:
    one, other = pages.T
    titles = np.array(texts.names, dtype=object)
    table = pd.DataFrame(
        {
            "source_url": urls[one],
            "target_url": urls[other],
            "similarity": np.einsum("ij,ij->i", vectors[one], vectors[other]).clip(-1, 1).astype("float64"),
            "source_title": titles[one],
            "target_title": titles[other],
        }
    )
    order = ["similarity", "source_url", "target_url"]
    return table.sort_values(order, ascending=[False, True, True], ignore_index=True)


def _pages(
    table: pd.DataFrame, texts: PageTexts, graph: LinkGraph | None, nearest: np.ndarray, kinds: Sequence[PageKind]
) -> pd.DataFrame:
    known = table["unique_inlinks"].fillna(table["inlinks"])
    return pd.DataFrame(
        {
            "url": table["url"].to_numpy(),
            "title": texts.names,
            "language": texts.languages,
            "inlinks": graph.inlinks.astype("float64") if graph else known.to_numpy(dtype="float64"),
            "word_count": _word_counts(table),
            "nearest": nearest.astype("float64"),
            "purpose": pd.array([kind.kind for kind in kinds], dtype="str"),
            "purpose_evidence": pd.array([kind.evidence for kind in kinds], dtype="str"),
            "family": pd.array([kind.family for kind in kinds], dtype="int64"),
        }
    )


def _word_counts(table: pd.DataFrame) -> np.ndarray:
    counted = table["content"].map(lambda text: len(words(text)) if text else np.nan)
    return table["word_count"].fillna(counted).to_numpy(dtype="float64")


def _kept_apart(texts: PageTexts, urls: pd.Series, settings: InterlinkSettings) -> list[str]:
    """Say how many pages are in which language, and on which site, where there is more than one."""
    languages = [] if settings.across_languages else texts.languages
    notes = []
    for where, values in (("in {} languages", languages), ("on {} sites", registrable_domains(urls))):
        pages = Counter(values).most_common()
        if len(pages) > 1:
            listed = ", ".join(
                f"{name} {number:,}" for name, number in sorted(pages, key=lambda one: (-one[1], one[0]))
            )
            between = "pages in different languages" if values is languages else "sites"
            notes.append(
                f"The pages are {where.format(len(pages))} ({listed}). No links are suggested between {between}."
            )
    return notes


def _notes(cleaned: Cleaned, texts: PageTexts, inlinks: Export | None, graph: LinkGraph | None) -> tuple[str, ...]:
    notes, table = [], cleaned.table
    if inlinks is not None and graph is None:
        notes.append(why_nothing_matched(inlinks, table))
    elif inlinks is not None and (unknown := what_is_unknown(inlinks, cleaned.export)):
        notes.append(unknown)
    if texts.fallbacks:
        notes.append(
            f"{texts.fallbacks:,} of {len(table):,} pages have no {MISSING.get(texts.mode, texts.mode)}; their "
            "title, H1 or the words of their URL are used instead."
        )
    if len(table) > 1 and not any(texts.bodies):
        notes.append(NO_TEXT)
    if len(table) == 1:
        notes.append("There is only one page, so no links can be suggested.")
    repeated = len(texts.texts) - len(set(texts.texts))
    if 2 * repeated > len(table):
        notes.append(
            f"{repeated:,} of {len(table):,} pages have the same text as another page. Use a crawl with the content "
            "of the pages for better results."
        )
    return tuple(notes)


def off_topic_pages(result: Opportunities) -> pd.DataFrame:
    """Return the pages that are far from what the other pages of their language are about, the farthest first.

    Columns: url, title, language, site_similarity (cosine with the mean of these pages).
    """
    vectors, groups = result.vectors.vectors, result.compared
    similarity, is_far = np.full(len(vectors), np.nan), np.zeros(len(vectors), dtype=bool)
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        if len(rows) < LEAST_PAGES:
            continue
        centre = vectors[rows].mean(axis=0)
        similarity[rows] = vectors[rows] @ (centre / max(float(np.linalg.norm(centre)), 1e-9))
        median = np.median(similarity[rows])
        spread = NORMAL * np.median(np.abs(similarity[rows] - median))
        is_far[rows] = similarity[rows] < median - FAR * spread
    pages = result.pages[["url", "title", "language"]].assign(site_similarity=similarity)[is_far]
    return pages.sort_values("site_similarity", kind="stable", ignore_index=True)


def groups_apart(cleaned: Cleaned, texts: PageTexts) -> tuple[np.ndarray, np.ndarray]:
    """Return for each page its group of translations and its group of one template, int (pages,), -1 for none."""
    urls = cleaned.table["url"].tolist()
    return translation_groups(urls, texts.languages, read_hreflang(cleaned).alternates), template_groups(texts.names)
