"""Which links are suggested, in which order: editorial, learned from the site's own links, or by similarity alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.embedding.nearest import EXACT_ROWS, Search, nearest, search_graph
from backlink_audit.internal_links.learned_order import (
    CANDIDATES,
    LEAST_LINKS,
    Lesson,
    best_pairs,
    learned_scores,
    read_pairs,
    teaching_links,
    try_out,
)
from backlink_audit.internal_links.result import path_mask
from backlink_audit.internal_links.suggestions import Found, Limits, Signal, editorial_signals, find_opportunities
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import InterlinkSettings, Order
from backlink_audit.site.links import LinkGraph, same_page
from backlink_audit.text.mentions import weigh_words
from backlink_audit.text.page_texts import PageTexts, language_groups
from backlink_audit.wording import count, percent


@dataclass(frozen=True, eq=False)
class Ordered:
    """The suggestions, the order they are in, what the site's links taught, and what the reader should know."""

    found: Found
    order: Order
    lesson: Lesson | None
    notes: tuple[str, ...]


def find_in_order(
    unit: np.ndarray,
    texts: PageTexts,
    table: pd.DataFrame,
    graph: LinkGraph | None,
    settings: InterlinkSettings,
    apart: tuple[np.ndarray, ...],
    on_progress: Progress,
    search: Search,
) -> Ordered:
    """Return the suggestions in the order of the settings; the learned order only where it proves to be better.

    `apart` groups pages that are not suggested to each other, as in `Limits`.
    """
    same = same_page(table)
    limits = Limits(
        per_page=settings.per_page,
        per_target=settings.per_target,
        min_similarity=settings.min_similarity,
        near_duplicate=settings.near_duplicate,
        sources=path_mask(table["url"], settings.source_contains, settings.source_excludes),
        targets=path_mask(table["url"], settings.target_contains, settings.target_excludes),
        linked=same + graph.linked if graph else same,
        apart=apart,
        together=None if settings.across_languages else language_groups(texts),
    )
    signals: list[Signal] = []
    if settings.order != "similarity":
        on_progress("Comparing words", 0, 1)
        words = weigh_words(texts)
        has_content = [bool(body) for body in texts.bodies]
        signals = editorial_signals(unit, words.bodies, words.mentioned, words.titles, has_content)

    def find(within: Limits) -> tuple[Found, float | None]:
        if len(unit) > EXACT_ROWS:
            return find_among_nearest(unit, within, signals, on_progress, search)
        return find_opportunities(unit, within, signals, on_progress), None

    if settings.order != "learned":
        found, recall = find(limits)
        return Ordered(found, settings.order, None, _how_exact(recall))
    links = teaching_links(_between(graph.linked, limits)) if graph else sp.csr_matrix((len(unit), len(unit)))
    if links.nnz < LEAST_LINKS:
        found, recall = find(limits)
        return Ordered(found, "editorial", None, (_too_few(links.nnz, graph), *_how_exact(recall)))
    wide = replace(limits, per_page=max(CANDIDATES, 2 * settings.per_page), per_target=None, linked=same)
    candidates, recall = find(wide)
    on_progress("Learning from existing links", 0, 1)
    pairs = read_pairs(candidates, signals, _folders(table["url"]))
    lesson = try_out(pairs, links, settings.per_page)
    notes = (_what_was_learned(lesson), *_how_exact(recall))
    if not lesson.is_better:
        return Ordered(find(limits)[0], "editorial", lesson, notes)
    return Ordered(best_pairs(candidates, learned_scores(pairs, links), limits), "learned", lesson, notes)


def _between(linked: sp.csr_matrix, limits: Limits) -> sp.csr_matrix:
    """Return the links from pages that may be a source to pages that may be a target."""
    return (sp.diags(limits.sources.astype(np.float32)) @ linked @ sp.diags(limits.targets.astype(np.float32))).tocsr()


def _folders(urls: pd.Series) -> sp.csr_matrix:
    """Return which folders each address stands in, (pages, folders)."""
    numbers: dict[str, int] = {}
    rows, columns = [], []
    for row, url in enumerate(urls):
        parts = urlsplit(url).path.strip("/").split("/")[:-1]
        for depth in range(len(parts)):
            rows.append(row)
            columns.append(numbers.setdefault("/".join(parts[: depth + 1]), len(numbers)))
    shape = (len(urls), max(1, len(numbers)))
    return sp.csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)


def _too_few(links: int, graph: LinkGraph | None) -> str:
    known = f"there {'is' if links == 1 else 'are'} {count(links, 'link')}" if graph else "no suitable inlinks export"
    return (
        f"The order learned from your existing links needs at least {LEAST_LINKS} links in the content between these "
        f"pages ({known}), so the editorial order (by shared words, mentions and meaning) is used."
    )


def _what_was_learned(lesson: Lesson) -> str:
    used = "So the learned order is used." if lesson.is_better else "So the editorial order is used."
    return (
        f"The order was learned from {count(lesson.links, 'existing link')} between the pages. In a test in which "
        f"a fifth of these links were withheld at a time, it found {percent(lesson.learned)} of them; the editorial "
        f"order (by shared words, mentions and meaning) found {percent(lesson.editorial)}. {used}"
    )


def _how_exact(recall: float | None) -> tuple[str, ...]:
    if recall is None or np.isnan(recall):
        return ()
    return (
        f"With more than {count(EXACT_ROWS, 'page')}, not every pair of pages is compared. In a sample, this found "
        f"{percent(recall)} of all suggestions.",
    )


SAME_NAMED_CANDIDATES = 200
"""Pages judged for each source: those nearest in meaning, the page itself among them."""
SAMPLED_SOURCES = 500
"""Pages that are judged against every page as well; chosen at random, the same at every run."""

ROUNDING = 1e-4
"""Scores that differ by less are equal."""


def find_among_nearest(
    vectors: np.ndarray,
    limits: Limits,
    signals: Sequence[Signal] = (),
    on_progress: Progress = silent,
    search: Search = search_graph,
) -> tuple[Found, float]:
    """Return the best of each source's candidates, and the share of the true best targets that are among them.

    As `find_opportunities` otherwise. The share (0-1) is measured on a sample, without a cap of the targets; NaN where
    there is nothing to suggest.
    """
    rows, targets = np.flatnonzero(limits.sources), np.flatnonzero(limits.targets)
    wanted = min(max(SAME_NAMED_CANDIDATES, 2 * limits.per_page), len(targets))
    together = np.zeros(len(vectors), dtype=np.int64) if limits.together is None else limits.together
    candidates = np.full((len(rows), wanted), -1, dtype=np.int32)
    for number in np.unique(together[rows]):
        own, others = np.flatnonzero(together[rows] == number), targets[together[targets] == number]
        most = min(wanted, len(others))
        # Of pages that are all the same a few are enough: they would leave no room for others.
        copies = limits.per_page + 1
        places, _ = nearest(vectors[rows[own]], vectors[others], most, on_progress, copies=copies, search=search)
        candidates[own, :most] = np.where(places >= 0, others[places] if most else -1, -1)
    # In the order of the pages, as everywhere: it decides between equals.
    candidates.sort(axis=1)
    found = find_opportunities(vectors, limits, signals, on_progress, candidates)
    return found, _recall(vectors, limits, signals, rows, candidates)


def _recall(
    vectors: np.ndarray, limits: Limits, signals: Sequence[Signal], rows: np.ndarray, candidates: np.ndarray
) -> float:
    """Return the share of what an exact search suggests for some sources that the candidates match.

    A suggestion is matched by one as good: among equal pages it does not matter which.
    """
    sampled = np.sort(np.random.default_rng(0).permutation(len(rows))[:SAMPLED_SOURCES])
    few = replace(limits, sources=np.isin(np.arange(len(vectors)), rows[sampled]), per_target=None)
    exact = find_opportunities(vectors, few, signals)
    found = find_opportunities(vectors, few, signals, candidates=candidates[sampled])
    worst = np.full(len(vectors), np.inf)
    np.minimum.at(worst, exact.source, exact.score)
    as_good = np.count_nonzero(found.score >= worst[found.source] - ROUNDING)
    return as_good / len(exact.source) if len(exact.source) else float("nan")
