"""What an audit knows of the sites that its links go to, as vectors; and the cosines of the two ends of each link."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from backlink_audit.analysis.relevance.meaning import Chance, Site, best_cosine, different_subjects, vote_weights
from backlink_audit.settings import SubjectFrom
from backlink_audit.text.links.bags import distinct_rows
from backlink_audit.text.links.link_texts import LinkedSites, LinkTexts, OfSites, is_homepage

ROWS_AT_ONCE = 8_192
"""Pairs of texts compared in one go."""


@dataclass(frozen=True)
class KnownSites:
    """The sites of an export, in the order of `names`.

    `linked_pages`: how many of a site's pages have links, homepages apart; `rated`: the share of its voters whose page
    has an authority, NaN where none is known. `voters`: target_domain and referring_domain of those that were asked.
    """

    names: list[str]
    sites: Sequence[Site]
    linked_pages: np.ndarray
    rated: np.ndarray
    voters: pd.DataFrame
    subjects: np.ndarray
    """In words what a site's own pages and the linking pages are about, where that differs; "" elsewhere, object."""

    def voter_of(self, links: pd.DataFrame) -> np.ndarray:
        """Return the place of each link's referring domain among its site's voters, -1 where it is none, int64."""
        keys = ["target_domain", "referring_domain"]
        place = self.voters.groupby("target_domain").cumcount().set_axis(pd.MultiIndex.from_frame(self.voters[keys]))
        found = place.reindex(pd.MultiIndex.from_frame(links[keys]))
        return found.fillna(-1).to_numpy(dtype=np.int64)


def known_sites(
    texts: LinkTexts, linked: LinkedSites, vectors: np.ndarray, chance: Chance, subject_from: SubjectFrom
) -> KnownSites:
    """Return what is known of each site that links go to, seen from one side or from both."""
    names = linked.targets["target_domain"].unique().tolist()
    voters = linked.voters.reset_index(drop=True)
    asked = _of_sites(texts.voters, vectors)
    weights = vote_weights(asked, voters["external_links"].to_numpy(dtype=np.float64, na_value=np.nan), chance)
    pages, called = _of_sites(texts.site_pages, vectors), _of_sites(texts.site_names, vectors)
    rows = [_rows_by_site(texts.site_pages), _rows_by_site(texts.site_names), _rows_by_site(texts.voters)]
    sites: list[Site] = []
    differ: list[str] = []
    for name in names:
        of_pages, of_name, of_voters = (by_site.get(name, np.empty(0, np.int64)) for by_site in rows)
        site = Site(pages[of_pages], called[of_name].sum(axis=0), asked[of_voters], weights[of_voters])
        differ.append(different_subjects(site, chance))
        # A bought or expired domain: what linked to the old site says nothing of the new one, unless the user says so.
        sites.append(site.seen_from("pages" if differ[-1] and subject_from == "both" else subject_from))
    inner = linked.targets[~linked.targets["target_key"].map(is_homepage).astype(bool)]
    rating = voters["url_rating"].astype("float64")
    rated = (rating >= 1).astype("float64").where(rating.notna()).groupby(voters["target_domain"]).mean()
    return KnownSites(
        names,
        sites,
        inner["target_domain"].value_counts().reindex(names, fill_value=0).to_numpy(),
        rated.reindex(names).to_numpy(dtype=np.float32),
        voters[["target_domain", "referring_domain"]],
        np.array(differ, dtype=object),
    )


def compared_pairs(texts: LinkTexts, vectors: np.ndarray) -> dict[str, np.ndarray]:
    """Return the cosine of the two ends of each link, and of its anchor with its target page, NaN where blank."""
    sides = [texts.referring, *([texts.anchor] if texts.anchor is not None else [])]
    first, which = distinct_rows([bags.codes for bags in (*sides, *texts.pages)])
    found = [np.full(len(first), np.nan, np.float32) for _ in range(2)]
    pages = [bags.embedded(vectors) for bags in texts.pages]
    for start in range(0, len(first), ROWS_AT_ONCE):
        rows = first[start : start + ROWS_AT_ONCE]
        targets = [page.unit_vectors_at(rows) for page in pages]
        for place, side in enumerate(sides):
            one = side.embedded(vectors).unit_vectors_at(rows)
            found[place][start : start + len(rows)] = np.where(one.any(axis=1), best_cosine(one, targets), np.nan)
    return {name: cosines[which] for name, cosines in zip(("similarity", "anchor_fit"), found, strict=True)}


def _of_sites(texts: OfSites, vectors: np.ndarray) -> np.ndarray:
    return texts.texts.embedded(vectors).unit_vectors_at(np.arange(len(texts.sites)))


def _rows_by_site(texts: OfSites) -> dict[str, np.ndarray]:
    grouped = pd.Series(np.arange(len(texts.sites))).groupby(texts.sites.to_numpy())
    return {str(site): rows.to_numpy() for site, rows in grouped}
