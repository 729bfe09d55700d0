"""The topic map: the site's pages, and with them the pages that link to it, laid out by what they are about."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from threadpoolctl import threadpool_limits

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.cas import chosen_links
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import BacklinkFilters, LinkChoice
from backlink_audit.text.link_texts import short_text
from backlink_audit.text.urls import map_distinct, url_words

MOST_PAGES = 2_000
"""Pages of the site on the map: an even sample of a larger one. The layout's time grows with the points."""
MOST_REFERRING = 1_000  # referring pages on the map: those of the highest rating


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


PERPLEXITY = 30  # about how many neighbours a point keeps near (the usual choice, van der Maaten and Hinton 2008)
COMPONENTS = 50  # dimensions that t-SNE starts from, as its authors advise
FEWEST_FOR_TSNE = 8  # below so many distinct points the two principal components say as much


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
                init="pca",
                learning_rate="auto",
                perplexity=min(PERPLEXITY, (len(distinct) - 1) / 3),
                random_state=seed,
            ).fit_transform(_principal(distinct, COMPONENTS))
    places = places - (places.max(axis=0) + places.min(axis=0)) / 2
    return (places / max(np.abs(places).max(), 1e-9))[where.ravel()]


def _principal(vectors: np.ndarray, wanted: int) -> np.ndarray:
    number = min(wanted, *vectors.shape)
    if len(vectors) == 1:
        return np.zeros((1, wanted), dtype=np.float32)
    found = PCA(number, svd_solver="full").fit_transform(vectors)
    return np.pad(found, ((0, 0), (0, wanted - number))).astype(np.float32)
