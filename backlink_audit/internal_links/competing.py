"""Pages that compete for one subject: alike in meaning and in title, surest where searches find both of them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np
import pandas as pd

from backlink_audit.embedding.nearest import EXACT_ROWS, nearest
from backlink_audit.embedding.similarity import top_k
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.text.languages import stop_words_of, words
from backlink_audit.wording import first_of

SAME_SUBJECT = 0.75  # cosine of two pages from which they may compete for one subject
SAME_WORDS = 0.5  # share of the words of two titles that both have, from which they do
NEIGHBOURS = 5  # most similar pages of each that are looked at
TEMPLATE_PAGES = 3
"""Titles that differ at one place alone, from which they are of one template: a page for each town, or model."""
LONGEST_PLACE = 3  # words at that place, as in “New York City”
QUERIES_SHOWN = 3
Pair = tuple[int, int]
Frame = tuple[tuple[str, ...], tuple[str, ...]]
"""The words before and after the place at which the titles of a template differ."""


def competing_pages(result: Opportunities) -> pd.DataFrame:
    """Return pairs of pages about one subject whose titles share most words, the surest first.

    Near duplicates are no such pairs: they are to be merged. Nor are pages of one template, whose titles differ by a
    number, a place or the like. Columns: source_title, target_title, similarity, shared_words, source_url, target_url;
    where it is known which queries find which page also shared_queries, and the pairs that share most come first.
    """
    titles, urls = result.pages["title"].tolist(), result.pages["url"].tolist()
    named = [words(title) for title in titles]
    alike = {pair: cosine for pair, cosine in _similar(result).items() if _share_words(*(named[one] for one in pair))}
    templates = _of_one_template(alike, named, stop_words_of(result.texts.languages))
    rows = [
        (
            titles[one],
            titles[other],
            cosine,
            " ".join(sorted(set(named[one]) & set(named[other]))),
            _shared(result.queries.get(urls[one], {}), result.queries.get(urls[other], {})),
            urls[one],
            urls[other],
        )
        for (one, other), cosine in alike.items()
        if (one, other) not in templates
    ]
    rows.sort(key=lambda row: (-len(row[4]), -row[2], row[5], row[6]))
    columns = ["source_title", "target_title", "similarity", "shared_words", "shared_queries", "source_url"]
    found = pd.DataFrame(rows, columns=[*columns, "target_url"])
    if not result.queries:
        return found.drop(columns="shared_queries")
    shown = [first_of(queries, QUERIES_SHOWN) for queries in found["shared_queries"]]
    return found.assign(shared_queries=pd.array(shown, dtype="str"))


def _similar(result: Opportunities) -> dict[Pair, float]:
    """Return the cosine of each two pages that are compared and about one subject, but no near duplicates."""
    vectors, groups, urls = result.vectors.vectors, result.compared, result.pages["url"].tolist()
    pairs: dict[Pair, float] = {}
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        search = top_k if len(rows) <= EXACT_ROWS else nearest
        near, cosines = search(vectors[rows], vectors[rows], NEIGHBOURS + 1)  # one of them is the page itself
        fits = (near >= 0) & (cosines >= SAME_SUBJECT) & (cosines < result.settings.near_duplicate)
        for place, column in np.argwhere(fits):
            one, other = sorted((int(rows[place]), int(rows[near[place, column]])), key=urls.__getitem__)
            if one != other:
                pairs.setdefault((one, other), float(cosines[place, column]))
    return pairs


def _share_words(one: Sequence[str], other: Sequence[str]) -> bool:
    both, either = set(one) & set(other), set(one) | set(other)
    return len(both) >= SAME_WORDS * max(1, len(either)) and not _is_series(set(one), set(other))


def _is_series(one: set[str], other: set[str]) -> bool:
    numbers = [{word for word in of_title if any(map(str.isdigit, word))} for of_title in (one, other)]
    return bool(numbers[0] and numbers[1] and numbers[0] != numbers[1])


def _of_one_template(
    pairs: Collection[Pair], titles: Sequence[Sequence[str]], says_nothing: frozenset[str]
) -> set[Pair]:
    """Return the pairs whose titles differ at one place alone, where titles of the site differ as a rule.

    That is: `TEMPLATE_PAGES` titles differ there, as pages for each town do, or so many pairs differ by the same words,
    as the small and the large size do. Titles that differ by words that say nothing are not counted: “oil a table” and
    “oil the table” are one subject.
    """
    differences = {pair: found for pair in pairs if (found := _difference(*(titles[one] for one in pair))) is not None}
    wanted = {frame for frame, _ in differences.values()}
    fillings: dict[Frame, set[tuple[str, ...]]] = defaultdict(set)
    for title in titles if wanted else ():
        for frame, filling in _places(title):
            if frame in wanted and not (filling and says_nothing >= set(filling)):
                fillings[frame].add(filling)
    exchanged = Counter(exchange for _, exchange in set(differences.values()))
    return {
        pair
        for pair, (frame, exchange) in differences.items()
        if max(len(fillings[frame]), exchanged[exchange]) >= TEMPLATE_PAGES
    }


def _difference(one: Sequence[str], other: Sequence[str]) -> tuple[Frame, frozenset[tuple[str, ...]]] | None:
    """Return what stands around the place at which two titles differ, and what each has there; None for no such place.

    >>> _difference(["oak", "small"], ["oak", "large"]) == ((("oak",), ()), frozenset({("small",), ("large",)}))
    True
    """
    shorter = min(len(one), len(other))
    before = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    after = next((n for n in range(shorter - before) if one[-1 - n] != other[-1 - n]), shorter - before)
    fillings = frozenset(tuple(title[before : len(title) - after]) for title in (one, other))
    if not before + after or len(fillings) == 1 or max(map(len, fillings)) > LONGEST_PLACE:
        return None
    return (tuple(one[:before]), tuple(one[len(one) - after :])), fillings


def _places(title: Sequence[str]) -> Iterator[tuple[Frame, tuple[str, ...]]]:
    for start in range(len(title) + 1):
        for stop in range(start, min(start + LONGEST_PLACE, len(title)) + 1):
            yield (tuple(title[:start]), tuple(title[stop:])), tuple(title[start:stop])


def _shared(one: dict[str, float], other: dict[str, float]) -> list[str]:
    return sorted(one.keys() & other.keys(), key=lambda query: (-min(one[query], other[query]), query))
