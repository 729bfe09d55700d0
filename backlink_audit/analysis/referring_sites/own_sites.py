"""Which referring domains are the target site's own: its old domains, those that have its name, and shorter ones."""

import pandas as pd

from backlink_audit.analysis.anchor_classes import brand_of
from backlink_audit.analysis.referring_sites.site_mentions import plain_words
from backlink_audit.text.urls.parts import map_distinct

SHORTEST_NAME = 4
"""Letters of a name that is hardly anybody else's."""
FEWEST_PAGES = 3
"""Pages of a domain that link, and pages that they link to, from which the beginning of a name is the owner's too."""


def own_sites(links: pd.DataFrame, names: pd.DataFrame, prints: pd.DataFrame) -> pd.Series:
    """Return the name that shows that each link comes from a site of the target's owner, "" where none does.

    `links` has referring_domain and target_domain; `names` as `site_mentions.names_of_sites` gives them; `prints` the
    footprints referring_page and target_page (`footprints`) of the same links. A name that is a plain word,
    or shorter than `SHORTEST_NAME`, may be anybody's. So may one that only begins like the site's, with half of its
    letters at least, unless several pages there link to several of the site's pages.
    """
    distinctive = names[~names["is_plain_word"] & (names["word"].str.len() >= SHORTEST_NAME)]
    called = map_distinct(links["referring_domain"], brand_of)
    ours = links["target_domain"] + "\0" + called
    by_name = ours.isin(set(distinctive["site"] + "\0" + distinctive["word"]))
    pairs = set(names["site"] + "\0" + names["domain"])
    by_domain = (links["target_domain"] + "\0" + links["referring_domain"]).isin(pairs)
    by_beginning = ours.isin(_beginnings(ours, distinctive, prints))
    return links["referring_domain"].where(by_domain, called.where(by_name | by_beginning, "")).astype("str")


def _beginnings(ours: pd.Series, names: pd.DataFrame, prints: pd.DataFrame) -> set[str]:
    """Return which sites and names, as one text each, are the owner's, since a name of the site begins so."""
    words = names.groupby("site")["word"].agg(tuple).to_dict()
    short = {}
    for pair in ours.unique():
        site, _, called = pair.partition("\0")
        if _begins(called, words.get(site, ())):
            short[pair] = called
    plain = plain_words(set(short.values()))
    rows = ours.isin([pair for pair, called in short.items() if called not in plain])
    pages = prints.loc[rows.to_numpy(), ["referring_page", "target_page"]].groupby(ours[rows].to_numpy()).nunique()
    return set(pages.index[(pages >= FEWEST_PAGES).all(axis=1)])


def _begins(called: str, words: tuple[str, ...]) -> bool:
    """Tell whether one of a site's names is longer than what a domain is called, and begins with it."""
    long_enough = [word for word in words if len(called) < len(word) <= 2 * len(called)]
    return len(called) >= SHORTEST_NAME and any(word.startswith(called) for word in long_enough)
