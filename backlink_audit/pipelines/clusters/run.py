"""Clusters of pages: clean -> texts -> embed -> group -> name -> map, and the result that answers for itself."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
import pandas as pd

from backlink_audit.analysis.cluster_names import Phrases, candidates, choose_names, numbered
from backlink_audit.analysis.clusters import Partition, best_k, group, most_groups, silhouettes
from backlink_audit.analysis.hub_links import missing_hub_links
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import Cleaned, clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.clusters.topic_map import NO_MAP, TopicMap, make_map
from backlink_audit.pipelines.crawl.link_graph import read_links, why_nothing_matched
from backlink_audit.pipelines.crawl.texts import read_chosen_texts
from backlink_audit.pipelines.crawl.vectors import PageVectors, embed_pages, fit_vectors
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import ClusterSettings
from backlink_audit.text.pages import PageTexts
from backlink_audit.text.phrases import BODY_CHARACTERS, page_phrases, spell, spellings
from backlink_audit.wording import by_number, count

TO_HUB, FROM_HUB = "page to hub", "hub to page"
"""The two directions of a link between a page and its cluster's hub."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """Finished clusters.

    `pages` holds one row per cleaned page, in the order of the file, indexed as `cleaned.export.raw`: cluster (its
    name), cluster_number (from 0, the largest first), title, url, url_key, similarity (to the cluster's centre) and
    is_hub. `groups` holds one row per cluster, the largest first: cluster, size, page_share, mean_similarity,
    hub_title, hub_url, and missing_links where an inlinks export tells. `missing_links` (None without one) has one row
    per link between a page and its hub that does not exist yet. `curve` (k, silhouette) is empty where k was given.
    """

    cleaned: Cleaned
    settings: ClusterSettings
    model: str
    device: str
    texts: PageTexts
    pages: pd.DataFrame
    groups: pd.DataFrame
    curve: pd.DataFrame
    missing_links: pd.DataFrame | None = None
    topic_map: TopicMap = NO_MAP
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def k(self) -> int:
        """How many clusters there are."""
        return len(self.groups)

    @property
    def mean_similarity(self) -> float:
        """Mean cosine of the pages to their clusters' centres."""
        return float(self.pages["similarity"].mean())

    @property
    def median_size(self) -> float:
        """Half of the clusters have more pages."""
        return float(self.groups["size"].median())

    @property
    def silhouette(self) -> float | None:
        """The silhouette of the chosen number of clusters; None where it was given."""
        found = self.curve.loc[self.curve["k"] == self.k, "silhouette"]
        return float(found.iloc[0]) if len(found) else None

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        largest = self.groups.iloc[0]
        pages = len(self.pages)
        sentence = f"{count(pages, 'page')} {by_number(pages, 'forms', 'form')} {count(self.k, 'cluster')}"
        if self.k > 1:
            sentence += f"; the largest, “{largest['cluster']}”, has {largest['size']:,}"
        if self.missing_links is not None and len(self.pages) > self.k:
            links = len(self.missing_links)
            sentence += f"; {count(links, 'link')} {by_number(links, 'is', 'are')} missing between pages and their hubs"
        return sentence + "."


def find_clusters(
    pages: Export,
    settings: ClusterSettings,
    encoder: Encoder,
    *,
    inlinks: Export | None = None,
    backlinks: Export | None = None,
    vectors: PageVectors | None = None,
    with_map: bool = True,
    on_progress: Progress = silent,
) -> Clusters:
    """Group the pages of a crawl by subject.

    Args:
        pages: The crawl.
        settings: How many clusters, of which text.
        encoder: Gives the vectors of pages and of the phrases that name clusters.
        inlinks: The site's internal links; with them the links missing to and from the hubs are listed.
        backlinks: Backlinks to the site; their pages stand on the topic map too.
        vectors: Given embeddings in place of the encoder's. Without a page text in the settings, theirs holds.
        with_map: Lay out the topic map, which no file holds.
        on_progress: Told how far the run is.

    Raises NoRowsLeft when the filters leave nothing, MissingColumns for a chosen column that the file lacks,
    EmbeddingMismatch when `vectors` do not fit the pages or the model, Cancelled when `on_progress` stops the run.
    """
    on_progress("Cleaning", 0, 1)
    cleaned = clean_pages(pages, settings.filters)
    texts = read_chosen_texts(cleaned, settings, vectors)
    unit = (
        fit_vectors(vectors, cleaned.table, encoder.name, encoder.dimensions, texts.mode)
        if vectors
        else embed_pages(texts, encoder, on_progress)
    )
    own_model = vectors is None or vectors.model == encoder.name
    curve = {} if settings.k else silhouettes(unit, settings.k_range, settings.seed, on_progress)
    on_progress("Clustering", 0, 1)
    found = group(unit, settings.k or best_k(curve), settings.seed)
    names = name_clusters(texts, found, unit, encoder if own_model else None, on_progress)
    table = _pages(cleaned.table, texts, found, unit, names)
    topic_map = NO_MAP
    if with_map:
        topic_map = make_map(table, unit, encoder if own_model else None, backlinks, settings.seed, on_progress)
    result = Clusters(
        cleaned=cleaned,
        settings=settings,
        model=vectors.model if vectors else encoder.name,
        device="" if vectors else encoder.device,
        texts=texts,
        pages=table,
        groups=_groups(table, names),
        curve=pd.DataFrame({"k": list(curve), "silhouette": list(curve.values())}, dtype="float64"),
        topic_map=topic_map,
        notes=(*_notes(settings, unit, found), *topic_map.notes),
    )
    return result if inlinks is None else _with_missing_links(result, found, unit, inlinks)


def name_clusters(
    texts: PageTexts, found: Partition, vectors: np.ndarray, encoder: Encoder | None, on_progress: Progress = silent
) -> list[str]:
    """Return a name for each cluster, as a reader writes it; no two are the same.

    `encoder`: the one that `vectors` are from; without it the phrases' meaning is left out of account.
    """
    on_progress("Naming the clusters", 0, 1)
    bodies = [body[:BODY_CHARACTERS] for body in texts.bodies]
    phrases = Phrases.of(_phrases(texts.names, texts.languages), _phrases(bodies, texts.languages))
    weights = candidates(phrases, found.labels, found.k)
    if encoder is not None:
        weights = _fitting(weights, found.centres, encoder, on_progress)
    fallbacks = [texts.names[hub] for hub in found.hubs(vectors)]
    written = spellings([*texts.names, *bodies])
    return numbered([", ".join(spell(name, written)) for name in choose_names(weights, fallbacks)])


def _phrases(texts: Sequence[str], languages: Sequence[str]) -> list[set[str]]:
    return [page_phrases(text, language) for text, language in zip(texts, languages, strict=True)]


def _fitting(
    weights: list[dict[str, float]], centres: np.ndarray, encoder: Encoder, on_progress: Progress
) -> list[dict[str, float]]:
    """Return the candidates' weights times their cosine to the centre; those that point away are left out."""
    vectors = encoder.encode([phrase for own in weights for phrase in own], on_progress)
    owners = np.repeat(np.arange(len(weights)), [len(own) for own in weights])
    cosines = iter(np.einsum("ij,ij->i", vectors, centres[owners]).tolist())
    fits = [{phrase: (weight, next(cosines)) for phrase, weight in own.items()} for own in weights]
    return [{phrase: weight * fit for phrase, (weight, fit) in own.items() if fit > 0} for own in fits]


def _pages(
    table: pd.DataFrame, texts: PageTexts, found: Partition, vectors: np.ndarray, names: Sequence[str]
) -> pd.DataFrame:
    hubs = np.zeros(len(table), dtype=bool)
    hubs[found.hubs(vectors)] = True
    return pd.DataFrame(
        {
            "cluster": pd.Series([names[label] for label in found.labels], dtype="str", index=table.index),
            "cluster_number": found.labels,
            "title": pd.Series(texts.names, dtype="str", index=table.index),
            "url": table["url"],
            "url_key": table["url_key"],
            "similarity": found.similarities(vectors).astype("float64"),
            "is_hub": hubs,
        },
        index=table.index,
    )


def _groups(pages: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    by_number = pages.groupby("cluster_number")
    hubs = pages[pages["is_hub"]].set_index("cluster_number")
    return pd.DataFrame(
        {
            "cluster": list(names),
            "size": by_number.size(),
            "page_share": by_number.size() / len(pages),
            "mean_similarity": by_number["similarity"].mean(),
            "hub_title": hubs["title"],
            "hub_url": hubs["url"],
        }
    ).rename_axis(None)


def _with_missing_links(result: Clusters, found: Partition, vectors: np.ndarray, inlinks: Export) -> Clusters:
    graph = read_links(inlinks, result.pages, content_only=True)
    if graph is None:
        return replace(result, notes=(*result.notes, why_nothing_matched(inlinks, result.pages)))
    sources, targets = missing_hub_links(found.labels, found.hubs(vectors), graph.linked)
    missing = _link_table(result.pages, sources, targets)
    counts = missing["cluster"].value_counts()
    groups = result.groups.assign(missing_links=result.groups["cluster"].map(counts).fillna(0).astype("int64"))
    return replace(result, missing_links=missing, groups=groups)


def _link_table(pages: pd.DataFrame, sources: np.ndarray, targets: np.ndarray) -> pd.DataFrame:
    """Return one row per link, by cluster, the pages nearest to their hub first."""
    source, target = (pages.iloc[rows].reset_index(drop=True) for rows in (sources, targets))
    table = pd.DataFrame(
        {
            "cluster": source["cluster"],
            "direction": np.where(target["is_hub"], TO_HUB, FROM_HUB),
            "source_title": source["title"],
            "source_url": source["url"],
            "target_title": target["title"],
            "target_url": target["url"],
            "similarity": source["similarity"].where(target["is_hub"], target["similarity"]),
        }
    )
    return table.iloc[np.lexsort((-table["similarity"], source["cluster_number"]))].reset_index(drop=True)


def _notes(settings: ClusterSettings, vectors: np.ndarray, found: Partition) -> list[str]:
    if not settings.k or found.k == settings.k:
        return []
    texts = len(np.unique(vectors, axis=0))
    return [
        f"{settings.k} clusters were asked for, but {count(len(vectors), 'page')} with "
        f"{count(texts, 'different text')} {by_number(texts, 'allows', 'allow')} no more than {most_groups(vectors)}."
    ]
