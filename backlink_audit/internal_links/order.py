"""Which links are suggested, in which order: editorial, or by similarity alone."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.embedding.nearest import EXACT_ROWS, nearest
from backlink_audit.internal_links.result import path_mask
from backlink_audit.internal_links.suggestions import (
    LEAST_SCORE,
    MOST_FOLDERS,
    RANKED,
    Families,
    Found,
    Limits,
    Signal,
    editorial_signals,
    find_opportunities,
    pair_facts,
    places_in_groups,
    within_caps,
)
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import InterlinkSettings
from backlink_audit.site.links import LinkGraph, same_page
from backlink_audit.text.page_kinds import PAST, UTILITY, PageKind, page_years, segments
from backlink_audit.text.page_names import weigh_words
from backlink_audit.text.page_texts import PageTexts, language_groups
from backlink_audit.text.urls import registrable_domains
from backlink_audit.wording import count, percent

CANDIDATES = 200  # pages judged for each source: those nearest in meaning, the page itself among them
SAMPLED_SOURCES = 500  # pages that are judged against every page as well; chosen at random, the same at every run

ROUNDING = 1e-4  # scores that differ by less are equal


@dataclass(frozen=True, eq=False)
class Ordered:
    """The suggestions, what is known of each pair (see `pair_facts`; empty by similarity), and what to tell."""

    found: Found
    facts: dict[str, np.ndarray]
    notes: tuple[str, ...]


def find_in_order(
    unit: np.ndarray,
    texts: PageTexts,
    table: pd.DataFrame,
    graph: LinkGraph | None,
    settings: InterlinkSettings,
    apart: tuple[np.ndarray, ...],
    kinds: Sequence[PageKind],
    on_progress: Progress,
) -> Ordered:
    """Return the suggestions in the order of the settings.

    `apart` groups pages that are not suggested to each other, as in `Limits`. `kinds`: what each page is; a utility is
    no end of a link, and a page whose time is over no target.
    """
    same = same_page(table)
    useless = np.array([kind.kind == UTILITY for kind in kinds])
    past = np.array([kind.kind == PAST for kind in kinds])
    limits = Limits(
        per_page=settings.per_page,
        per_target=settings.per_target,
        min_similarity=settings.least_similarity,
        near_duplicate=settings.near_duplicate,
        sources=path_mask(table["url"], settings.source_contains, settings.source_excludes) & ~useless,
        targets=path_mask(table["url"], settings.target_contains, settings.target_excludes) & ~useless & ~past,
        linked=same + graph.linked if graph else same,
        apart=apart,
        together=_compared(texts, table["url"], settings),
        families=_families(kinds, table["url"].tolist()),
    )
    if settings.order == "similarity":
        found, recall = _find(unit, limits, [], on_progress)
        return Ordered(found, {}, _how_exact(recall))
    on_progress("Comparing words", 0, 1)
    words = weigh_words(texts)
    has_content = [bool(body) for body in texts.bodies]
    folders = _folders(table["url"])
    signals = editorial_signals(unit, words.bodies, words.mentioned, words.titles, has_content, words.named, folders)
    wide = replace(limits, per_page=max(RANKED, 2 * settings.per_page), per_target=None)
    candidates, recall = _find(unit, wide, signals, on_progress)
    years = page_years(table["url"].tolist(), texts.names)
    facts = pair_facts(candidates, signals[0], signals[2], folders, years)
    chosen = _within(candidates, limits)
    facts = {name: values[chosen] for name, values in facts.items()}
    return Ordered(_some(candidates, chosen), facts, _how_exact(recall))


def worth_suggesting(scores: np.ndarray, settings: InterlinkSettings) -> np.ndarray:
    """Return which scores are high enough, bool (pairs,); all where the reader has set a minimum similarity."""
    if settings.order == "similarity" or settings.min_similarity is not None:
        return np.ones(len(scores), dtype=bool)
    return scores >= LEAST_SCORE


def _compared(texts: PageTexts, urls: pd.Series, settings: InterlinkSettings) -> np.ndarray | None:
    """Return the group of each page: only pages of one site, and of one language unless wanted, are compared."""
    sites = registrable_domains(urls).factorize()[0]
    languages = np.zeros_like(sites) if settings.across_languages else language_groups(texts)
    groups = sites * (1 + languages.max(initial=0)) + languages
    return groups if groups.any() else None


def _find(unit: np.ndarray, limits: Limits, signals: list[Signal], on_progress: Progress) -> tuple[Found, float | None]:
    if len(unit) > EXACT_ROWS:
        return find_among_nearest(unit, limits, signals, on_progress)
    return find_opportunities(unit, limits, signals, on_progress), None


def _within(found: Found, limits: Limits) -> np.ndarray:
    """Return which of the candidates, those of one source side by side, are within the limits: row numbers."""
    places = places_in_groups(found.source)
    keep = places < limits.per_page
    if limits.per_target is not None:
        rows = np.unique(found.source, return_inverse=True)[1]
        shape = (rows.max(initial=-1) + 1, places.max(initial=-1) + 1)
        targets, value, there = np.zeros(shape, np.int64), np.zeros(shape), np.zeros(shape, bool)
        targets[rows, places], value[rows, places], there[rows, places] = found.target, found.score, True
        keep = within_caps(targets, value, there, limits.per_page, limits.per_target)[rows, places]
    return np.flatnonzero(keep)


def _some(found: Found, rows: np.ndarray) -> Found:
    source = found.source[rows]
    return replace(
        found,
        source=source,
        target=found.target[rows],
        similarity=found.similarity[rows],
        score=found.score[rows],
        rank=places_in_groups(source) + 1,
    )


def _families(kinds: Sequence[PageKind], urls: Sequence[str]) -> Families:
    """Return the families as numbers, and which pages stand below each other."""
    numbers = {filling: number for number, filling in enumerate({kind.filling for kind in kinds if kind.filling})}
    below: dict[tuple[str, ...], list[int]] = defaultdict(list)
    paths = [(urlsplit(url).netloc, *segments(url)) for url in urls]
    at: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for page, path in enumerate(paths):
        at[path].append(page)
        for depth in range(1, len(path)):
            below[path[:depth]].append(page)
    apart = [page for page, kind in enumerate(kinds) if kind.is_closed or kind.family >= 0]
    pairs = {
        (page, other)
        for page in apart
        for depth in range(2, len(paths[page]))
        for other in at.get(paths[page][:depth], ())
    }
    pairs |= {(page, other) for page in apart if len(paths[page]) > 1 for other in below.get(paths[page], ())}
    pairs |= {
        (page, other)
        for page in apart
        if kinds[page].around
        for other in below.get((paths[page][0], *kinds[page].around), ())
    }
    rows, columns = zip(*[*pairs, *((other, page) for page, other in pairs)], strict=True) if pairs else ((), ())
    shape = (len(urls), len(urls))
    return Families(
        family=np.array([kind.family for kind in kinds], dtype=np.int64),
        filling=np.array([numbers.get(kind.filling, -1) for kind in kinds], dtype=np.int64),
        closed=np.array([kind.is_closed for kind in kinds], dtype=bool),
        kin=sp.csr_matrix((np.ones(len(rows), dtype=bool), (rows, columns)), shape=shape),
    )


def _folders(urls: pd.Series) -> sp.csr_matrix:
    """Return which outer folders each address stands in, (pages, folders)."""
    numbers: dict[str, int] = {}
    rows, columns = [], []
    for row, url in enumerate(urls):
        parts = urlsplit(url).path.strip("/").split("/")[:-1]
        for depth in range(min(len(parts), MOST_FOLDERS)):
            rows.append(row)
            columns.append(numbers.setdefault("/".join(parts[: depth + 1]), len(numbers)))
    shape = (len(urls), max(1, len(numbers)))
    return sp.csr_matrix((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=shape)


def _how_exact(recall: float | None) -> tuple[str, ...]:
    if recall is None or np.isnan(recall):
        return ()
    return (
        f"With more than {count(EXACT_ROWS, 'page')}, not every pair of pages is compared. In a sample, this found "
        f"{percent(recall)} of all suggestions.",
    )


def find_among_nearest(
    vectors: np.ndarray, limits: Limits, signals: Sequence[Signal] = (), on_progress: Progress = silent
) -> tuple[Found, float]:
    """Return the best of each source's candidates, and the share of the true best targets that are among them.

    As `find_opportunities` otherwise. The share (0-1) is measured on a sample, without a cap of the targets; NaN where
    there is nothing to suggest.
    """
    rows, targets = np.flatnonzero(limits.sources), np.flatnonzero(limits.targets)
    wanted = min(max(CANDIDATES, 2 * limits.per_page), len(targets))
    together = np.zeros(len(vectors), dtype=np.int64) if limits.together is None else limits.together
    candidates = np.full((len(rows), wanted), -1, dtype=np.int32)
    for number in np.unique(together[rows]):
        own, others = np.flatnonzero(together[rows] == number), targets[together[targets] == number]
        most = min(wanted, len(others))
        # Of pages that are all the same a few are enough: they would leave no room for others.
        copies = limits.per_page + 1
        places, _ = nearest(vectors[rows[own]], vectors[others], most, on_progress, copies=copies)
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
