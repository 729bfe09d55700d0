"""Campaigns: links to review that are of one making, so that they are decided once."""

import pandas as pd

from backlink_audit.judgement.footprints import path_templates, title_templates
from backlink_audit.labels import REVIEW
from backlink_audit.text.page_texts import split_title
from backlink_audit.text.urls import map_distinct

FEWEST_SITES = 3  # sites that share a title or an address pattern from which it is one making
FEWEST_PAGES = 5  # links of one site from which they are one making
CAMPAIGN_COLUMNS = (
    *("campaign", "template", "made_by", "links", "domains", "first_seen", "newest", "sample", "followed_share"),
)
"""What `campaigns` says of each: its key, the words that its links share, what kind of words these are; its first and
newest date, the title of one page, and the share of followed links."""
BEGINNING = 5  # words of a title that are compared: what follows often is the name of the site
LONGEST = 60  # letters of a campaign's name
WAYS = {"title": "the same title", "address": "the same address pattern", "site": "one site"}


def campaign_of(links: pd.DataFrame) -> pd.Series:
    """Return the key of each link's campaign, "" where it stands alone or is not to review.

    The widest sharing comes first: a title, numbers and domains in it masked, then an address pattern, on at least
    `FEWEST_SITES` sites; then one site with at least `FEWEST_PAGES` links. `links` is judged.
    """
    rows = links[links["verdict"] == REVIEW.word]
    left = rows
    keys = pd.Series("", index=links.index, dtype="str")
    templates = {
        "title": (_beginnings(title_templates(rows["referring_title"])), FEWEST_SITES, "referring_domain"),
        "address": (path_templates(rows["referring_key"]), FEWEST_SITES, "referring_domain"),
        "site": (rows["referring_domain"], FEWEST_PAGES, "referring_url"),
    }
    for way, (texts, fewest, by) in templates.items():
        own = texts.loc[left.index]
        own = own[own != ""]
        sharing = left.loc[own.index, by].groupby(own).nunique()
        found = own[own.isin(sharing.index[sharing >= fewest])]
        keys.loc[found.index] = way + ": " + found
        left = left.drop(found.index)
    return keys


def campaigns(links: pd.DataFrame, keys: pd.Series) -> pd.DataFrame:
    """Return one row per campaign, most links first: `CAMPAIGN_COLUMNS`; `keys` are `campaign_of` these links."""
    rows = links.assign(campaign=keys)[keys != ""]
    groups = rows.groupby("campaign", sort=False)
    found = groups.agg(
        links=("referring_url", "size"),
        domains=("referring_domain", "nunique"),
        first_seen=("first_seen", "min"),
        newest=("first_seen", "max"),
        sample=("referring_title", _common),
        followed_share=("followed", "mean"),
    ).reset_index()
    parts = found["campaign"].str.split(": ", n=1, expand=True).reindex(columns=[0, 1])
    found = found.assign(template=parts[1].astype("str"), made_by=parts[0].map(WAYS).astype("str"))
    by_site = found["made_by"] == WAYS["site"]
    found["template"] = found["template"].where(by_site | (found["sample"] == ""), found["sample"])
    return found.sort_values(["links", "domains"], ascending=False, kind="stable", ignore_index=True)[
        list(CAMPAIGN_COLUMNS)
    ]


def _beginnings(templates: pd.Series) -> pd.Series:
    return map_distinct(templates, lambda words: " ".join(words.split()[:BEGINNING]))


def _common(titles: pd.Series) -> str:
    """Return the words with which all of these titles begin; of the first one what stands before its site's name."""
    words = [title.split() for title in titles.unique()]
    alike = 0
    for places in zip(*words, strict=False):
        if len({word.casefold() for word in places}) > 1:
            break
        alike += 1
    whole = next(iter(split_title(titles.iloc[0])), "")
    name = " ".join(words[0][:alike]).removesuffix(" from") if alike >= BEGINNING - 2 else whole
    return name if len(name) <= LONGEST else f"{name[:LONGEST].rsplit(' ', 1)[0]} …"
