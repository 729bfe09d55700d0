"""How close the two ends of each link are, how far above chance that is, and how sure it makes us of the subject.

Chance is what unrelated subjects come to (`analysis.topics`). Both ends are compared: a subject counts with how near it
comes to the referring page or to the target, whichever is nearer. So neither a text that is near to everything nor the
mean of a site's many pages, which is nearer to everything than a single page, passes for that alone. Cosines of
different models mean different things; how many standard deviations one is above chance is the same for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Protocol

import numpy as np

from backlink_audit.analysis.topics import UNCLEAR, Topics, cosine_spread, field_names, name_topics
from backlink_audit.labels import BANDS
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import BandLimits

ROWS_AT_ONCE = 4_096
"""Links compared in one go: about 50 MB of vectors and cosines at a few hundred subjects."""
NEAREST_TOPICS = 3
"""A target is about the fields of so many topics, those nearest to it; all topics of these fields are related to it."""
PAGE_HANDICAP = 1.0
"""Standard deviations by which one page must stand out more than the whole site's subject: docs/decisions/relevance.md.
A single slug fits something by chance more often."""

INTERCEPT, PER_STANDING, PER_KINSHIP, WHEN_NAMED = -1.4, 0.9, 2.0, 1.0
"""Weights of relevance, fitted on 300 labelled links of four sites and rounded: docs/decisions/relevance.md."""


class Side(Protocol):
    """One side of every link as vectors, made block by block."""

    def __len__(self) -> int:
        """Return how many links there are."""
        ...

    def has_text(self, start: int, stop: int) -> np.ndarray:
        """Return which of the rows have a text, bool (stop - start,)."""
        ...

    def unit_vectors(self, start: int, stop: int) -> np.ndarray:
        """Return the rows' unit vectors, float32 (stop - start, dimensions); 0 where there is no text."""
        ...


@dataclass(frozen=True)
class Chance:
    """The vectors of what links are judged against, unit rows of float32: topics first, then invented site names."""

    vectors: np.ndarray
    topics: Topics
    """What the first rows of `vectors` mean; those beyond them are names."""

    @cached_property
    def spread(self) -> float:
        """The model's own unit of nearness (`analysis.topics.cosine_spread`)."""
        return cosine_spread(self.vectors[: len(self.topics)], self.topics)

    @cached_property
    def field_names(self) -> np.ndarray:
        """The fields, each once, in order."""
        return field_names(self.topics)

    @cached_property
    def field_of_topic(self) -> np.ndarray:
        """The place of each topic's field among `field_names`."""
        return np.searchsorted(self.field_names, self.topics.fields.astype(str))


@dataclass(frozen=True)
class Comparison:
    """What was found for each link, in order; blank is NaN, or -1 for a place in a list."""

    similarity: np.ndarray
    """Cosine of the referring page with the nearer of target page and site's subject, -1 to 1, float32."""
    beaten: np.ndarray
    """Share of the unrelated subjects that come less near than that, 0-100, float32."""
    standing: np.ndarray
    """How many standard deviations the similarity is above those of the unrelated subjects, float32."""
    field: np.ndarray
    """What field the referring page is of (`analysis.topics`), object; "" without a text, else perhaps unclear."""
    topic: np.ndarray
    """What its topic in that field is, blank or unclear in the same way."""
    own_field: np.ndarray
    """Whether the target is about that field too, bool."""
    anchor_fit: np.ndarray
    """Cosine of the anchor with the target page, or its site's subject where the page says nothing, float32."""

    def take(self, places: np.ndarray) -> "Comparison":
        """Return what was found for the links at these places."""
        return Comparison(**{part.name: getattr(self, part.name)[places] for part in fields(self)})


def compare(
    referring: Side,
    pages: Sequence[Side],
    site: Side | None,
    chance: Chance,
    anchor: Side | None = None,
    known: np.ndarray | None = None,
    named_fields: np.ndarray | None = None,
    on_progress: Progress = silent,
) -> Comparison:
    """Compare the referring page of every link with what it links to, and with chance.

    `pages`: the texts of the target page, the best of which counts. `site`: the subject of the target's site.
    `known`: which referring texts are in a language that the model knows, bool (links,); default all. `named_fields`:
    the fields that their field words name, as bits (`text.field_words.fields_of_texts`); default none.
    """
    rows = len(referring)
    known = np.ones(rows, dtype=bool) if known is None else known
    named_fields = np.zeros(rows, dtype=np.int64) if named_fields is None else named_fields
    found = _nothing_yet(rows)
    for start in range(0, rows, ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, rows)
        block = slice(start, stop)
        ends = _ends(pages, site, chance, start, stop)
        vectors, has_text = referring.unit_vectors(start, stop), referring.has_text(start, stop)
        to_chance = vectors @ chance.vectors.T
        about = _fields([end.to_chance for end in ends], chance)
        unrelated = np.ones(to_chance.shape, dtype=bool)
        unrelated[:, : len(chance.topics)] = ~about[:, chance.field_of_topic]
        found.similarity[block], found.beaten[block], found.standing[block] = _nearest_end(
            vectors, has_text, to_chance, ends, unrelated
        )
        to_topics = to_chance[:, : len(chance.topics)]
        named = name_topics(to_topics, known[block], has_text, named_fields[block], chance.spread, chance.topics)
        found.field[block], found.topic[block] = named.field, named.topic
        found.own_field[block] = _contains(about, named.field, chance.field_names)
        if anchor is not None:
            found.anchor_fit[block] = _anchor_fit(anchor, ends, site is not None, start, stop)
        on_progress("Comparing", stop, rows)
    return found


def relevance(standing: np.ndarray, kinship: np.ndarray, named: np.ndarray, has_subject: np.ndarray) -> np.ndarray:
    """Return how sure it is that each page is about its target's subject, 0-100, float32; NaN where nothing is known.

    A logistic curve over its `standing` (`Comparison`), its `kinship` of letters (`analysis.letters`), and whether it
    has `named` the site in its title or URL. A page that has no subject of its own has 0. How the four weights were
    found: docs/decisions/relevance.md.
    """
    sure = 100 / (1 + np.exp(-(INTERCEPT + PER_STANDING * standing + PER_KINSHIP * kinship + WHEN_NAMED * named)))
    return np.where(has_subject | np.isnan(standing), sure, 0).astype(np.float32)


def bands(relevance: np.ndarray, limits: BandLimits) -> np.ndarray:
    """Return the band of each relevance (0-100): relevant, weak or off-topic; "" where it is blank."""
    named = [relevance >= limits.relevant, relevance >= limits.weak, relevance < limits.weak]
    return np.select(named, [label.word for label in BANDS], "")


def _nothing_yet(rows: int) -> Comparison:
    return Comparison(
        similarity=np.full(rows, np.nan, np.float32),
        beaten=np.full(rows, np.nan, np.float32),
        standing=np.full(rows, np.nan, np.float32),
        field=np.full(rows, "", dtype=object),
        topic=np.full(rows, "", dtype=object),
        own_field=np.zeros(rows, dtype=bool),
        anchor_fit=np.full(rows, np.nan, np.float32),
    )


@dataclass(frozen=True)
class _End:
    """One text of the target of each link of a block."""

    vectors: np.ndarray
    has_text: np.ndarray
    to_chance: np.ndarray
    handicap: float


def _ends(pages: Sequence[Side], site: Side | None, chance: Chance, start: int, stop: int) -> list[_End]:
    """Return the texts of the targets, that of the site last."""
    handicaps = [(page, 0.0 if site is None else PAGE_HANDICAP) for page in pages]
    ends = []
    for side, handicap in handicaps if site is None else [*handicaps, (site, 0.0)]:
        vectors = side.unit_vectors(start, stop)
        ends.append(_End(vectors, side.has_text(start, stop), vectors @ chance.vectors.T, handicap))
    return ends


def _nearest_end(
    vectors: np.ndarray, has_text: np.ndarray, to_chance: np.ndarray, ends: Sequence[_End], unrelated: np.ndarray
) -> np.ndarray:
    """Return the highest similarity, share beaten and standing of each row with any of the ends, (3, rows)."""
    best = np.full((3, len(vectors)), np.nan, np.float32)
    for end in ends:
        cosine = np.einsum("ij,ij->i", vectors, end.vectors)
        beaten, standing = _above_chance(cosine, np.maximum(to_chance, end.to_chance), unrelated)
        for row, value in enumerate((cosine, beaten, standing - end.handicap)):
            best[row] = np.fmax(best[row], np.where(has_text & end.has_text, value, np.nan))
    return best


def _anchor_fit(anchor: Side, ends: Sequence[_End], has_site: bool, start: int, stop: int) -> np.ndarray:
    """Return the cosine of each anchor with its target page; with the site's subject where the page has no text."""
    vectors, has_text = anchor.unit_vectors(start, stop), anchor.has_text(start, stop)
    cosines = [
        np.where(has_text & end.has_text, np.einsum("ij,ij->i", vectors, end.vectors), np.nan).astype(np.float32)
        for end in ends
    ]
    to_pages = cosines[:-1] if has_site else cosines
    fit = np.fmax.reduce([np.full(stop - start, np.nan, np.float32), *to_pages])
    return np.where(np.isnan(fit), cosines[-1], fit) if has_site else fit


def _fields(targets: Sequence[np.ndarray], chance: Chance) -> np.ndarray:
    """Return which fields each target is about, those of the topics nearest to it: bool (rows, fields).

    `targets`: the cosines of each of its texts with all subjects.
    """
    closeness = np.maximum.reduce(targets)[:, : len(chance.topics)]
    closeness = np.where(chance.topics.fields == UNCLEAR, -np.inf, closeness)
    nearest = np.argpartition(-closeness, NEAREST_TOPICS - 1, axis=1)[:, :NEAREST_TOPICS]
    fields = np.zeros((len(closeness), len(chance.field_names)), dtype=bool)
    fields[np.arange(len(closeness))[:, None], chance.field_of_topic[nearest]] = True
    return fields


def _contains(fields: np.ndarray, named: np.ndarray, names: np.ndarray) -> np.ndarray:
    """Return which rows of `fields` contain the field that is named for the row, bool (rows,)."""
    place = np.searchsorted(names, named.astype(str)).clip(max=len(names) - 1)
    return (names[place] == named.astype(str)) & fields[np.arange(len(fields)), place]


def _above_chance(cosine: np.ndarray, by_chance: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the share (0-100) of the subjects that come less near than `cosine`, and its standing above them all.

    `by_chance` (rows, subjects): how near each subject comes; only those that `counts` marks are used.
    """
    used = counts.sum(axis=1)
    beaten = 100 * ((by_chance < cosine[:, None]) & counts).sum(axis=1) / used
    mean = np.einsum("ij,ij->i", by_chance, counts) / used
    away = np.where(counts, by_chance - mean[:, None], 0)
    spread = np.sqrt(np.einsum("ij,ij->i", away, away) / used)
    return beaten, (cosine - mean) / np.maximum(spread, np.finfo(np.float32).eps)
