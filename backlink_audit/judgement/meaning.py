"""How near each referring page comes to what its target's site is about, known from two sides, and to kinds of pages.

The two sides are the site's own pages, and the pages that link to it: a sample of referring domains with one vote each,
without the domain of the link that is judged, and without votes of pages that have no subject. Only links that are
trusted for what they are by themselves teach (`trust`): else an attack would say what the site is about.
Every nearness is given in standard deviations above what the page's words come to by chance, with some hundred topics:
so a text that is near to everything passes for nothing by that, and the numbers of different models mean the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from backlink_audit.judgement.features import MEANING_FEATURES
from backlink_audit.judgement.fields import UNCLEAR, Topics, cosine_spread, field_names, field_shares, name_topics
from backlink_audit.progress import Progress, silent

ROWS_AT_ONCE = 4_096  # links compared in one go: about 50 MB of vectors and cosines
DECIMALS = 3  # what is kept of a feature: sums in another order, as of an export in parts, differ behind that
MANY_LINKS = 400  # external links from which a linking page has no vote
VOTERS = 300  # referring domains of a site that have a vote
LEAST_TRUST = 0.5
"""The probability of being about its target's subject, by what it is itself, from which a link teaches."""
LEAST_TRUST_OF_FEW = 0.25  # the same for a site with no link above the other
SPAM_SHARE = 0.5  # the share of risky fields from which a target's words are spam's
OWN_TRADE, RATED_PAGES, RATED_FROM = 0.4, 5, 10
"""Share of a risky field in at least so many linking pages of at least this rating, from which it is the site's own
trade if the site's name or pages are about it too: spam seldom has such pages, and an honest casino has."""
SAMPLE = 10  # trusted domains whose different targets are counted (`variety`)
ENOUGH_EVIDENCE = 10  # pages, and votes, of which a side of a site's subject weighs half of what many would
LEAST_AGREEMENT = 1.5  # standard deviations above chance below which the two sides of a site's subject differ
PAGES_TO_DIFFER = 30
"""Linked pages from which a site's own side is sure enough to differ: with fewer, honest sites did too."""
EXPECTATION = 0.75
"""How much the fields of the other linking pages count beside the page's own words, which count 1: with 0, fields are
right for 70.0 % and named for 63.6 % of the labelled links, with 0.5 for 71.9 and 68.3, with 1 for 70.7 and 74.2."""
LEAST_EXPECTED = 0.01  # what is added to how likely a field is, so that none is ruled out
LINKS_FOR_SALE = "Link and traffic selling"  # the field of pages that sell links


COLUMNS = {
    **dict.fromkeys(
        [feature.name for feature in MEANING_FEATURES if feature.name != "risky_target"]
        + ["to_linking_pages", "to_target", "to_site_name", "to_subject"],
        np.float32,
    ),
    "topic_field": object,
    "topic": object,
}
"""What `meanings` returns, by type."""


class Texts(Protocol):
    """One text of every link as vectors."""

    def __len__(self) -> int: ...

    def unit_vectors_at(self, rows: np.ndarray) -> np.ndarray: ...


@dataclass(frozen=True)
class Site:
    """What is known of a target site, as unit rows of float32; what has no text is 0.

    `pages`: its own pages; `name`: its name, one vector; `voters`: the linking pages that have a vote, with their
    `weights`, 0-1 (voters,). `risky`: 1 for each field that spam is about and the site is not, (fields,).
    """

    pages: np.ndarray
    name: np.ndarray
    voters: np.ndarray
    weights: np.ndarray
    risky: np.ndarray

    @property
    def own(self) -> np.ndarray:
        return unit(self.pages.sum(axis=0)) if len(self.pages) else self.name

    @property
    def linking(self) -> np.ndarray:
        return unit(self.weights @ self.voters)

    def seen_from(self, side: str) -> "Site":
        """Return the site as one side alone shows it: "pages" or "links"; as it is for "both"."""
        if side == "pages":
            votes = max(len(self.voters), 2)  # as many as before, so that each can still be left out
            return replace(self, voters=np.repeat(self.own[None, :], votes, axis=0), weights=np.ones(votes, np.float32))
        if side == "links":
            return replace(self, pages=self.linking[None, :], name=self.linking)
        return self


@dataclass(frozen=True)
class Chance:
    """What pages are compared with besides their target: topics of the whole web, and phrases of kinds of pages."""

    vectors: np.ndarray
    topics: Topics
    phrases: Mapping[str, np.ndarray]

    @cached_property
    def spread(self) -> float:
        return cosine_spread(self.vectors, self.topics)


def meanings(
    own: Texts,
    targets: Sequence[Texts],
    site_of: np.ndarray,
    voter_of: np.ndarray,
    sites: Sequence[Site],
    chance: Chance,
    named_fields: np.ndarray,
    on_progress: Progress = silent,
) -> dict[str, np.ndarray]:
    """Return what each referring page means beside its target, by column, in the order of the rows.

    `own`: the page's own words; `targets`: texts of the target page, the best of which counts; `site_of`: the place of
    each row's site among `sites`; `voter_of`: the place of its domain among the site's voters, -1 where it is none;
    `named_fields`: the fields that field words name, as bits (`text.links.field_words`).

    Columns: the features of meaning and of nearness (`judgement.features`) but risky_target, float32, NaN without a
    text; to_subject, the cosine with the site's subject; topic_field and topic, object.
    """
    found: dict[str, np.ndarray] = {}
    done, last, votes = 0, -1, np.empty(0)
    for place, rows in _blocks(site_of):
        if place != last:
            last, votes = place, voted_fields(sites[place], chance)
        vectors = own.unit_vectors_at(rows)
        to_topics = vectors @ chance.vectors.T
        has_text = np.asarray(vectors.any(axis=1))
        mean, deviation = to_topics.mean(axis=1), to_topics.std(axis=1) + np.finfo(np.float32).eps
        to_target = best_cosine(vectors, [text.unit_vectors_at(rows) for text in targets])
        cosines = _cosines(vectors, sites[place], voter_of[rows]) | {"to_target": to_target}
        block = {name: (cosine - mean) / deviation for name, cosine in cosines.items() if name != "to_subject"}
        expected = expected_fields(sites[place], votes, voter_of[rows])
        named = name_topics(to_topics, has_text, named_fields[rows], chance.spread, chance.topics, expected)
        block |= by_itself(vectors, to_topics, named.shares, sites[place].risky, chance)
        block["to_subject"] = cosines["to_subject"]
        block = {name: np.where(has_text, values, np.nan).astype(np.float32) for name, values in block.items()}
        block = {name: values.round(DECIMALS) for name, values in block.items()}
        for name, values in {**block, "topic_field": named.field, "topic": named.topic}.items():
            found.setdefault(name, np.empty(len(own), dtype=values.dtype))[rows] = values
        done += len(rows)
        on_progress("Comparing", done, len(own))
    return found or {name: np.empty(0, dtype) for name, dtype in COLUMNS.items()}


def by_itself(
    vectors: np.ndarray, to_topics: np.ndarray, shares: np.ndarray, risky: np.ndarray, chance: Chance
) -> dict[str, np.ndarray]:
    """Return the features of meaning of pages that link to one site, by column, but risky_target.

    `vectors` of the pages' words; `to_topics`: their cosines with the topics; `shares` of the fields (`field_shares`).
    """
    names = field_names(chance.topics)
    mean, deviation = to_topics.mean(axis=1), to_topics.std(axis=1) + np.finfo(np.float32).eps
    like = {kind: (vectors @ phrases.T).max(axis=1) for kind, phrases in chance.phrases.items()}
    return {
        **{f"like_{kind}": (cosine - mean) / deviation for kind, cosine in like.items()},
        "about_link_selling": shares[:, names == LINKS_FOR_SALE][:, 0],
        "risky_title": shares @ risky,
        "unclear_title": shares[:, names == UNCLEAR][:, 0],
    }


def voted_fields(site: Site, chance: Chance) -> np.ndarray:
    """Return what each linking page that is asked gives to each field, (voters, fields): its weight, in shares."""
    shares: np.ndarray = field_shares(site.voters @ chance.vectors.T, chance.spread, chance.topics)
    return site.weights[:, None] * shares


def expected_fields(site: Site, voted: np.ndarray, voter_of: np.ndarray) -> np.ndarray:
    """Return how likely each field is for pages that link to a site, (rows, fields), from the other linking pages.

    `voted`: the site's `voted_fields`; `voter_of`: as for `meanings`. Without votes every field is as likely as any.
    """
    own = voter_of >= 0
    total = np.repeat(voted.sum(axis=0)[None, :], len(voter_of), axis=0)
    votes = np.full((len(voter_of), 1), site.weights.sum())
    total[own] -= voted[voter_of[own]]
    votes[own] -= site.weights[voter_of[own], None]
    fields = total.shape[1]
    likely: np.ndarray = (total + ENOUGH_EVIDENCE / fields) / (votes + ENOUGH_EVIDENCE)
    return (likely + LEAST_EXPECTED) ** EXPECTATION


def agreement(site: Site, chance: Chance) -> float:
    """Return how near the two sides of a site's subject are, in standard deviations above chance; NaN without both."""
    if not len(site.pages) or not site.weights.any():
        return float("nan")
    to_topics = chance.vectors @ site.own
    return float((site.own @ site.linking - to_topics.mean()) / (to_topics.std() + np.finfo(np.float32).eps))


def different_subjects(site: Site, chance: Chance) -> str:
    """Return in words what a site's own pages and the linking pages are about, "" where the two fit or are few.

    They differ where their means come no nearer to each other than two topics do by chance.
    """
    enough = len(site.pages) >= PAGES_TO_DIFFER and site.weights.sum() >= ENOUGH_EVIDENCE
    if not enough or agreement(site, chance) >= LEAST_AGREEMENT:
        return ""
    nearest = [chance.topics.phrases[int((chance.vectors @ side).argmax())] for side in (site.own, site.linking)]
    return f"own pages “{nearest[0]}”, linking pages “{nearest[1]}”"


def vote_weights(vectors: np.ndarray, external_links: np.ndarray, chance: Chance) -> np.ndarray:
    """Return how much the vote of each linking page weighs, 0-1, float32 (voters,).

    `vectors`: of its words, float32 (voters, dimensions). The weight is the share of fields that a site can be about,
    not one of spam or of pages without a subject; nothing without words or with MANY_LINKS.
    """
    risky = {*chance.topics.fields[chance.topics.risky].astype(str), "unclear"}
    clear = ~np.isin(field_names(chance.topics), list(risky))
    shares = field_shares(vectors @ chance.vectors.T, chance.spread, chance.topics)
    counts = ~(external_links >= MANY_LINKS) & vectors.any(axis=1)
    weights: np.ndarray = (shares[:, clear].sum(axis=1) * counts).astype(np.float32)
    return weights


def risky_fields(chance: Chance) -> np.ndarray:
    """Return 1 for each field that spam is about, else 0, float32 (fields,)."""
    risky = np.isin(field_names(chance.topics), chance.topics.fields[chance.topics.risky].astype(str))
    return risky.astype(np.float32)


def risky_beside(own: np.ndarray, linking: np.ndarray, rating: np.ndarray, chance: Chance) -> np.ndarray:
    """Return 1 for each field that spam is about and a site is not, float32 (fields,).

    `own`: vectors of the site's name and pages; `linking`: of the pages that link, with their `rating`. An honest
    gambling site is linked to by gambling pages: by some that are rated, and its own pages or its name say it too.
    """
    risky = risky_fields(chance)
    rated = linking[(rating >= RATED_FROM) & linking.any(axis=1)]
    own = own[own.any(axis=1)]
    if len(rated) < RATED_PAGES or not len(own):
        return risky
    by_links, by_itself = (
        field_shares(side @ chance.vectors.T, chance.spread, chance.topics).mean(axis=0) for side in (rated, own)
    )
    trade = (by_links >= OWN_TRADE) & (by_itself >= OWN_TRADE / 2)
    return np.where(trade, 0, risky).astype(np.float32)


def risky_shares(texts: Texts, site_of: np.ndarray, sites: Sequence[Site], chance: Chance) -> np.ndarray:
    """Return the share that each field of spam has of texts, float32 (rows, fields); NaN where there is no text.

    `site_of`: the place of each text's site among `sites`; its own trade and other fields have 0.
    """
    risky = np.stack([site.risky for site in sites]) if sites else np.zeros((1, 1), np.float32)
    found = np.full((len(texts), risky.shape[1]), np.nan, np.float32)
    for start in range(0, len(texts), ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, len(texts)))
        vectors = texts.unit_vectors_at(rows)
        shares = field_shares(vectors @ chance.vectors.T, chance.spread, chance.topics) * risky[site_of[rows]]
        found[rows] = np.where(np.any(vectors, axis=1, keepdims=True), shares.round(DECIMALS), np.nan)
    return found


def variety(targets: np.ndarray) -> float:
    """Return how many different pages SAMPLE of these links go to, drawn at random, on average (Hurlbert, 1971).

    `targets`: a number for each link's target. Half of the links show as many as all do.
    """
    counts = np.unique(targets, return_counts=True)[1].astype(float)
    total, sample = counts.sum(), min(SAMPLE, int(counts.sum()))
    steps = np.arange(sample)[:, None]
    missed = np.clip((total - counts - steps) / np.maximum(total - steps, 1), 0, None).prod(axis=0)
    return float((1 - missed).sum()) if sample else 0.0


def unit(vector: np.ndarray) -> np.ndarray:
    """Return a vector, or each row of several, at length 1, float32; zeros stay."""
    length = np.linalg.norm(vector, axis=-1, keepdims=True)
    scaled: np.ndarray = (vector / np.where(length > 0, length, 1)).astype(np.float32)
    return scaled


def _blocks(site_of: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    order = np.argsort(site_of, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(site_of[order])) + 1):
        for start in range(0, len(rows), ROWS_AT_ONCE):
            yield int(site_of[rows[0]]), rows[start : start + ROWS_AT_ONCE]


def _cosines(vectors: np.ndarray, site: Site, voter_of: np.ndarray) -> dict[str, np.ndarray]:
    """Return the cosines of pages with what their site is about, each without its own domain's vote."""
    own_vote = np.where((voter_of >= 0)[:, None], site.voters[voter_of], 0) if len(site.voters) else 0 * vectors
    own_weight = np.where(voter_of >= 0, site.weights[voter_of], 0)[:, None] if len(site.voters) else 0
    votes = site.weights.sum() - own_weight
    linking = unit(site.weights @ site.voters - own_weight * own_vote)
    by_linking = np.einsum("ij,ij->i", vectors, linking)
    shown = len(site.pages) / (len(site.pages) + ENOUGH_EVIDENCE)
    subject = unit((shown if len(site.pages) else 0.01) * site.own + votes / (votes + ENOUGH_EVIDENCE) * linking)
    return {
        "to_linking_pages": np.where(linking.any(axis=1), by_linking, np.nan),
        "to_site_name": vectors @ site.name if site.name.any() else np.full(len(vectors), np.nan),
        "to_subject": np.where(subject.any(axis=1), np.einsum("ij,ij->i", vectors, subject), np.nan),
    }


def best_cosine(vectors: np.ndarray, others: Sequence[np.ndarray]) -> np.ndarray:
    """Return the highest cosine of each row with the same row of the others, NaN where one of them has no text."""
    best = np.full(len(vectors), np.nan)
    for other in others:
        best = np.fmax(best, np.where(other.any(axis=1), np.einsum("ij,ij->i", vectors, other), np.nan))
    return best
