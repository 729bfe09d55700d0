"""Clusters of pages: the topic map they are laid out on, a result that answers for itself, and its tables."""

from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from threadpoolctl import threadpool_limits

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.clean import Cleaned, clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import TERMS
from backlink_audit.judgement.scales import chosen_links
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import Tables, WholeTables, rows_of_file, rows_of_notes, sheet, shown, summary_table
from backlink_audit.schema import PERFORMANCE
from backlink_audit.settings import BacklinkFilters, ClusterSettings, LinkChoice
from backlink_audit.site.links import LinkGraph
from backlink_audit.site.pages import FIGURES, add_up, at_stake, read_figures
from backlink_audit.site.vectors import PageVectors
from backlink_audit.text.link_texts import short_text
from backlink_audit.text.page_texts import PageTexts
from backlink_audit.text.urls import map_distinct, url_words
from backlink_audit.wording import by_number, count

MOST_PAGES = 2_000
"""Pages of the site on the map: an even sample of a larger one. The layout's time grows with the points."""
MOST_REFERRING = 1_000  # referring pages on the map: those of the highest rating
PERPLEXITY = 30  # about how many neighbours a point keeps near (the usual choice, van der Maaten and Hinton 2008)
COMPONENTS = 50  # dimensions that t-SNE starts from, as its authors advise
FEWEST_FOR_TSNE = 8  # below so many distinct points the two principal components say as much
TO_HUB, FROM_HUB, BETWEEN_PAGES = "page to hub", "hub to page", "page to page"
"""The directions of a link inside a cluster."""
WITHOUT_HUB = "No hub page"  # in place of the hub's title where no page is about what its cluster is called
GROUPS = sheet("clusters.groups", lambda clusters: clusters.groups)
MISSING = sheet("clusters.missing", lambda clusters: clusters.missing_links)
PAGES = sheet("clusters.pages", lambda clusters: clusters.pages)
ON_MAP = sheet("clusters.on_map", lambda clusters: clusters.pages)
LINKING = sheet("clusters.linking", lambda clusters: clusters.topic_map.referring)
CURVE = sheet("clusters.curve", lambda clusters: clusters.curve.astype({"k": "int64"}) if len(clusters.curve) else None)


@dataclass(frozen=True, eq=False)
class TopicMap:
    """Places in two dimensions, -1 to 1.

    `pages` (x, y) has the index labels of the clusters' pages; `referring` has title, url, target_url, x and y.
    """

    pages: pd.DataFrame = field(default_factory=lambda: pd.DataFrame({"x": [], "y": []}))
    referring: pd.DataFrame = field(
        default_factory=lambda: pd.DataFrame({"title": [], "url": [], "target_url": [], "x": [], "y": []})
    )
    notes: tuple[str, ...] = ()


NO_MAP = TopicMap()


def make_map(
    pages: pd.DataFrame,
    vectors: np.ndarray,
    encoder: Encoder | None,
    backlinks: Export | None,
    seed: int,
    on_progress: Progress = silent,
) -> TopicMap:
    """Lay out the pages (rows of `vectors`), and with them the referring pages of `backlinks`.

    `encoder`: the one that `vectors` are from; without it there are only the site's pages.
    """
    step = max(1, -(-len(pages) // MOST_PAGES))
    drawn, points = pages.iloc[::step], vectors[::step]
    referring, notes = _referring(backlinks) if backlinks and encoder else (NO_MAP.referring, [])
    if encoder is not None and len(referring):
        texts = referring["title"].where(referring["title"] != "", map_distinct(referring["url"], url_words))
        points = np.vstack([points, encoder.encode(list(texts), on_progress)])
    if step > 1:
        notes.append(f"The map shows a sample of {len(drawn):,} of {len(pages):,} pages.")
    on_progress("Creating the map", 0, 1)
    places = lay_out(points, seed)
    own = pd.DataFrame(places[: len(drawn)], columns=["x", "y"], index=drawn.index)
    others = referring.assign(x=places[len(drawn) :, 0], y=places[len(drawn) :, 1])
    return TopicMap(own, others, tuple(notes))


def _referring(backlinks: Export) -> tuple[pd.DataFrame, list[str]]:
    """Return the distinct referring pages, the highest rated first, with a sentence if some are left out."""
    try:
        scored = clean_backlinks(backlinks, BacklinkFilters()).table
        links = scored[chosen_links(scored, LinkChoice())]
    except NoRowsLeft as problem:
        return NO_MAP.referring, [str(problem)]
    links = links.sort_values("url_rating", ascending=False, kind="stable").drop_duplicates("referring_key")
    kept = links.head(MOST_REFERRING)
    notes: list[str] = []
    if len(kept) < len(links):
        notes.append(f"The map shows the {len(kept):,} referring pages with the highest rating, of {len(links):,}.")
    table = pd.DataFrame(
        {
            "title": map_distinct(kept["referring_title"], short_text),
            "url": kept["referring_url"],
            "target_url": kept["target_url"],
        }
    )
    return table.reset_index(drop=True), notes


def lay_out(vectors: np.ndarray, seed: int) -> np.ndarray:
    """Return a place for each row, float (rows, 2), within -1 to 1; equal rows share theirs.

    t-SNE from scikit-learn, begun at the principal components. Distances between far groups mean little, nearness
    means likeness. The same vectors and seed give the same map: it runs in one thread.
    """
    distinct, where = np.unique(vectors, axis=0, return_inverse=True)
    with threadpool_limits(1):
        places = _principal(distinct, 2)
        if len(distinct) >= FEWEST_FOR_TSNE:
            places = TSNE(
                init="pca", learning_rate="auto", perplexity=min(PERPLEXITY, (len(distinct) - 1) / 3), random_state=seed
            ).fit_transform(_principal(distinct, COMPONENTS))
    places = places - (places.max(axis=0) + places.min(axis=0)) / 2
    return (places / max(np.abs(places).max(), 1e-9))[where.ravel()]


def _principal(vectors: np.ndarray, wanted: int) -> np.ndarray:
    number = min(wanted, *vectors.shape)
    if len(vectors) == 1:
        return np.zeros((1, wanted), dtype=np.float32)
    found = PCA(number, svd_solver="full").fit_transform(vectors)
    return np.pad(found, ((0, 0), (0, wanted - number))).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Clusters:
    """Finished clusters.

    `pages` has one row per cleaned page, in the order of the file, indexed as `cleaned.export.raw`: cluster (its name),
    cluster_number (from 0, the largest first), title, url, url_key, similarity (to the cluster's centre) and is_hub.
    `groups` has one row per cluster, the largest first: cluster, size, page_share, mean_similarity, hub_title
    (WITHOUT_HUB: there is none), hub_url, and missing_links where there is an inlinks export. `missing_links` (None
    without one) has one row per link inside a cluster that does not exist yet, between a page and its hub or between
    two pages that are more alike than most: cluster, direction, source_title, source_url, target_title, target_url,
    similarity (of the two). `links` are the links that exist (None: unknown). With a file of clicks or visits
    (`with_figures`), pages and groups have its figures too (`site.pages.FIGURES`). `curve`
    (k, silhouette) is empty where k was given.
    """

    cleaned: Cleaned
    settings: ClusterSettings
    model: str
    device: str
    texts: PageTexts
    vectors: PageVectors
    pages: pd.DataFrame
    groups: pd.DataFrame
    curve: pd.DataFrame
    links: LinkGraph | None = None
    missing_links: pd.DataFrame | None = None
    topic_map: TopicMap = NO_MAP
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def k(self) -> int:
        return len(self.groups)

    @property
    def mean_similarity(self) -> float:
        return float(self.pages["similarity"].mean())

    @property
    def worth(self) -> tuple[str, str] | None:
        """The figure that says best what a cluster earns, as its column and in words; None without such a file."""
        name = at_stake(self.groups)
        return (name, PERFORMANCE.column(name).label.lower()) if name else None

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
            sentence += f"; {count(links, 'link')} {by_number(links, 'is', 'are')} missing inside the clusters"
        return sentence + "."


def with_figures(clusters: Clusters, performance: Export) -> Clusters:
    """Return the clusters with the figures of their pages, and those of each cluster added up."""
    earned = read_figures(performance, clusters.pages["url"])
    if earned is None:
        return clusters
    figures = earned.of(clusters.pages["url"])
    summed = add_up(figures, clusters.pages["cluster_number"]).reindex(columns=figures.columns)
    note = earned.note(clusters.pages["url"], "crawled pages")
    return replace(
        clusters, pages=clusters.pages.join(figures), groups=clusters.groups.join(summed), notes=(*clusters.notes, note)
    )


def tables(clusters: Clusters) -> WholeTables:
    return Tables(lambda: main_table(clusters), lambda: sheets(clusters))


def main_table(clusters: Clusters) -> pd.DataFrame:
    """Return one row per page; the first three columns are exactly cluster, title and url."""
    whole = clusters.groups.drop(columns=["cluster", *FIGURES], errors="ignore")
    pages = clusters.pages.join(whole, on="cluster_number")
    pages = pages.sort_values(["cluster_number", "is_hub", "similarity"], ascending=[True, False, False], kind="stable")
    table = pd.DataFrame(
        {
            "cluster": pages["cluster"],
            "title": pages["title"],
            "url": pages["url"],
            "Hub page URL": pages["hub_url"],
            "Hub": pages["is_hub"],
            "Pages": pages["size"],
            "Mean similarity": pages["mean_similarity"],
            "Similarity": pages["similarity"],
        }
    )
    return table.join(shown(pages, FIGURES)).reset_index(drop=True)


def sheets(clusters: Clusters) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    made = {one.name: one.table(clusters) for one in (GROUPS, MISSING, CURVE)}
    found = {name: table for name, table in made.items() if table is not None}
    return {"Summary": summary(clusters), "Pages": main_table(clusters), **found}


def summary(clusters: Clusters) -> pd.DataFrame:
    """Return what was done, with what, and what came out, as rows of Part, What and Value."""
    settings, texts = clusters.settings, clusters.texts
    tried = clusters.curve["k"].astype("int64")
    chosen = (
        "given" if settings.k or tried.empty else f"best silhouette score of {tried.min()} to {tried.max()} clusters"
    )
    return summary_table(
        [
            ("Clusters", "File", clusters.cleaned.export.name),
            ("Clusters", "Format", clusters.cleaned.export.format.name),
            ("Clusters", "Created", clusters.made_at),
            ("Clusters", "Model", clusters.model),
            ("Settings", "Text compared", texts.mode),
            ("Settings", "Remove from titles", ", ".join(texts.brands) or "nothing"),
            ("Settings", "Number of clusters", chosen),
            ("Settings", "Random seed", str(settings.seed)),
            *rows_of_file(len(clusters.cleaned.export.raw), clusters.cleaned.removed),
            ("Rows", "Clustered", len(clusters.pages)),
            ("Result", "In a sentence", clusters.headline),
            ("Result", "Mean similarity", f"{clusters.mean_similarity:.3f}"),
            ("Method", "Clusters", "k-means on the normalised embeddings of the pages, with a fixed seed"),
            ("Method", "Names", "phrases by class-based TF-IDF, weighted by their cosine to the cluster's centre"),
            ("Method", "Hub", TERMS["is_hub"].help),
            ("Method", "Similarity", "cosine of a page to its cluster's centre, -1 to 1"),
            *rows_of_notes(clusters.notes),
        ]
    )
