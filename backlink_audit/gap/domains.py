"""Which sites link to competitors: referring domains side by side, classed, and filtered to prospects.

Every export, whether it lists links or domains, first becomes rows of one kind (`ROW_COLUMNS`); the classes, figures
and examples are read off those.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.judgement.scales import limits_of, rating_names
from backlink_audit.settings import GapSettings, RatingLimits
from backlink_audit.text.urls import with_countries

ROW_COLUMNS = (
    *("referring_domain", "links", "followed_links", "content_links", "authority", "rating", "page_level"),
    *("example_url", "example_title", "example_anchor", "example_target", "example_rating"),
    *("example_external_links", "example_nofollow", "example_ugc", "example_platform", "example_kind"),
    *("example_author", "first_seen", "country", "domain_traffic"),
)
"""One row per link, or per listed domain. `links` of a listed domain may be NaN: it links, how often is unknown.
`followed_links` and `content_links` are NaN where unknown. `rating`: what the authority is (`judgement.scales.Rating`).
`page_level`: it is that of the page, where the domain's is not known."""


EXAMPLE = (
    *("example_url", "example_title", "example_anchor", "example_target", "example_external_links"),
    *("example_nofollow", "example_ugc", "example_platform", "example_rating", "example_author"),
)
"""The columns of a domain's best example."""

KINDS_IN_ORDER = {
    label.word: place
    for place, label in enumerate(
        (labels.KIND_PAGE, labels.KIND_UNCLEAR, labels.KIND_VISITORS, labels.KIND_LIST, labels.KIND_SPAM)
    )
}
"""Kinds of pages, those first on which a link is worth asking for."""


def rows_of_links(links: pd.DataFrame, knows_follow: bool = True) -> pd.DataFrame:
    """Return ROW_COLUMNS of a cleaned backlinks table. `knows_follow`: whether the export marks followed links."""
    page_level = links["domain_rating"].isna()
    return pd.DataFrame(
        {
            "referring_domain": links["referring_domain"],
            "links": 1.0,
            "followed_links": links["followed"].astype("float64") if knows_follow else np.nan,
            "content_links": links["in_content"].astype("Float64").to_numpy("float64", na_value=np.nan),
            "authority": links["domain_rating"].fillna(links["url_rating"]),
            "rating": rating_names(links["scale"], "domain_rating").mask(
                page_level, rating_names(links["scale"], "url_rating")
            ),
            "page_level": page_level,
            "example_url": links["referring_url"],
            "example_title": links["referring_title"],
            "example_anchor": links["anchor"],
            "example_target": links["target_url"],
            "example_rating": links["url_rating"],
            "example_external_links": links["external_links"],
            "example_nofollow": links["nofollow"].fillna(False).astype(bool),
            "example_ugc": links["ugc"].fillna(False).astype(bool),
            "example_platform": links["platform"],
            "example_kind": links["page_kind"] if "page_kind" in links else labels.KIND_UNCLEAR.word,
            "example_author": links["author"],
            "first_seen": links["first_seen"],
            "country": "",
            "domain_traffic": links["domain_traffic"],
        }
    )[list(ROW_COLUMNS)]


def rows_of_domains(domains: pd.DataFrame) -> pd.DataFrame:
    """Return ROW_COLUMNS of a referring-domains table; domains with a lost date do not link any more."""
    here = domains[domains["lost_date"].isna()]
    no_page = pd.Series(False, index=here.index)
    return pd.DataFrame(
        {
            "referring_domain": here["referring_domain"],
            "links": here["backlinks"],
            "followed_links": here["followed_backlinks"],
            "content_links": np.nan,
            "authority": here["domain_rating"],
            "rating": rating_names(here["scale"], "domain_rating"),
            "page_level": no_page,
            **dict.fromkeys(("example_url", "example_title", "example_anchor", "example_target", "example_author"), ""),
            "example_rating": np.nan,
            "example_external_links": np.nan,
            "example_nofollow": False,
            "example_ugc": False,
            "example_platform": "",
            "example_kind": labels.KIND_UNCLEAR.word,
            "first_seen": here["first_seen"],
            "country": here["country"],
            "domain_traffic": here["traffic"],
        }
    )[list(ROW_COLUMNS)]


def join_sites(rows: Mapping[str, Sequence[pd.DataFrame]]) -> pd.DataFrame:
    """Return the rows of all sites as one table, with the columns site and file.

    `rows` gives each site's ROW_COLUMNS tables, one per export. Rows of the sites' own domains are left out: what a
    site or its competitor links to itself is no prospect.
    """
    tables = [
        table.assign(site=site, file=number) for site, tables in rows.items() for number, table in enumerate(tables)
    ]
    everything = pd.concat(tables, ignore_index=True)
    return everything[~everything["referring_domain"].isin(["", *rows])].reset_index(drop=True)


def links_by_site(rows: pd.DataFrame, sites: Sequence[str]) -> pd.DataFrame:
    """Return how often each referring domain links to each site: index referring_domain, a column per site.

    0 means no link, NaN that it links, how often is unknown. Two exports of one site may have the same links: of two
    counts the larger one is used.
    """
    by_file = rows.groupby(["referring_domain", "site", "file"])["links"].sum(min_count=1)
    by_site = by_file.groupby(level=["referring_domain", "site"]).max()
    present = pd.Series(True, index=by_site.index).unstack("site", fill_value=False)
    wide = by_site.unstack("site").where(present, 0.0)
    return wide.reindex(columns=list(sites), fill_value=0.0)


def compare_sites(rows: pd.DataFrame, links: pd.DataFrame, ours: str) -> pd.DataFrame:
    """Return one row per referring domain of any of the sites, the most promising classes first.

    `rows` is `join_sites`' table, `links` that of `links_by_site`, `ours` the own site's name.

    Columns: referring_domain, gap_class, competitors (names, comma-separated), competitor_count, authority (NaN if
    unknown), authority_scale (which rating it is, "" if unknown), links (to competitors), our_links, followed_share
    and content_share (of the links to competitors whose kind is known; 0-1, NaN where none is), and the best example
    of a link to a competitor: EXAMPLE ("" where the exports list domains only). Also first_seen (of the links to
    competitors), domain_traffic, and country with country_from (`text.urls.countries`).
    """
    competitors = [site for site in links.columns if site != ours]
    theirs = rows[rows["site"] != ours]
    domains = pd.DataFrame({"gap_class": classify(links[ours].to_numpy(), links[competitors].to_numpy())}, links.index)
    domains["competitors"] = _names(links[competitors])
    domains["competitor_count"] = (links[competitors] != 0).sum(axis=1)
    domains = domains.join(_authorities(rows))
    domains["links"] = links[competitors].sum(axis=1, min_count=1).where(domains["competitor_count"] > 0, 0.0)
    domains["our_links"] = links[ours]
    domains["followed_share"] = _share(theirs, "followed_links")
    domains["content_share"] = _share(theirs, "content_links")
    domains = domains.join(best_examples(rows, ours))
    domains["first_seen"] = theirs.groupby("referring_domain")["first_seen"].min()
    domains["domain_traffic"] = rows.groupby("referring_domain")["domain_traffic"].max()
    countries = rows[rows["country"] != ""].drop_duplicates("referring_domain").set_index("referring_domain")["country"]
    domains = with_countries(domains.rename_axis("referring_domain").reset_index(), countries)
    position = domains["gap_class"].map({label.word: place for place, label in enumerate(labels.GAP_CLASSES)})
    order = np.lexsort([-domains["authority"].fillna(-1), -domains["competitor_count"], position])
    return domains.iloc[order].reset_index(drop=True).fillna({"authority_scale": ""})


def classify(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return the class of each domain from its links to us (n,) and to the competitors (n, competitors), n >= 0.

    0 means no link, NaN that it links, how often is unknown. A domain that some but not all of three or more
    competitors have is neither missing nor unique: its class is "several". Of a single competitor, whatever we lack is
    missing.

    >>> theirs = np.array([[1, 1, 1], [1, 1, 0], [0, 9, 0], [0, 3, 0], [2, 0, 1], [0, 0, 0]])
    >>> classify(np.array([0, 0, 0, 1, 2, 1]), theirs).tolist()
    ['missing', 'several', 'unique', 'weak', 'shared', 'ours alone']
    """
    has, linked = theirs != 0, ours != 0
    count = has.sum(axis=1)
    more = (theirs > ours[:, None]).any(axis=1)
    return np.select(
        [linked & (count == 0), linked & more, linked, count == theirs.shape[1], count == 1],
        [labels.OURS_ALONE.word, labels.WEAKER.word, labels.SHARED.word, labels.MISSING.word, labels.UNIQUE.word],
        default=labels.SEVERAL.word,
    )


def _names(links: pd.DataFrame) -> pd.Series:
    has = links != 0
    patterns, places = np.unique(has.to_numpy(), axis=0, return_inverse=True)
    joined = np.array([", ".join(links.columns[pattern]) for pattern in patterns], dtype=object)
    return pd.Series(joined[places.ravel()], index=links.index, dtype="str")


def _authorities(rows: pd.DataFrame) -> pd.DataFrame:
    """The best known authority of each domain and its rating; a domain's own goes before that of its best page.

    Of a domain that several tools rate, the best is what is furthest above the limit of its own scale.
    """
    known = rows[rows["authority"].notna()]
    above = known["authority"] - limits_of(known["rating"], "prospect_from")
    ranked = known.assign(above=above).sort_values(["page_level", "above"], ascending=[True, False])
    best = ranked.drop_duplicates("referring_domain").set_index("referring_domain")
    return best[["authority", "rating"]].rename(columns={"rating": "authority_scale"})


def _share(rows: pd.DataFrame, column: str) -> pd.Series:
    known = rows[rows[column].notna() & rows["links"].notna()]
    sums = known.groupby("referring_domain")[[column, "links"]].sum()
    return sums[column] / sums["links"].where(sums["links"] > 0)


def best_examples(rows: pd.DataFrame, ours: str) -> pd.DataFrame:
    """Return each domain's best link (columns EXAMPLE, index referring_domain).

    To a competitor rather than to us, on a page of its own rather than one of visitors, a list or spam, followed, in
    content, from the page with most authority, with the fewest links to other sites, with a title; of equals the first
    by its address.
    """
    order: dict[str, pd.Series] = {
        "site": rows["site"] == ours,
        "kind": rows["example_kind"].map(KINDS_IN_ORDER),
        "followed": -rows["followed_links"].fillna(0).clip(upper=1),
        "content": -rows["content_links"].fillna(0.5),
        "rating": -rows["example_rating"].fillna(-1),
        "external": rows["example_external_links"].fillna(np.inf),
        "untitled": rows["example_title"] == "",
        **{name: rows[name] for name in ("example_url", "example_target", "example_anchor")},
    }
    ranked = rows.iloc[np.lexsort([values.to_numpy() for values in reversed(order.values())])]
    return ranked.drop_duplicates("referring_domain").set_index("referring_domain")[list(EXAMPLE)]


def find_prospects(domains: pd.DataFrame, settings: GapSettings) -> tuple[pd.Series, dict[str, int]]:
    """Return which domains of `compare_sites` are prospects (bool), and how many each filter set aside, in order.

    `domains` has tied_to (`related_sites`) and page_kind too. A prospect links to a competitor and not
    to us, and neither belongs to a compared site nor is a list or spam: nobody there chooses links for a reader. What
    an export does not have sets nothing aside: a domain without known authority stays unless
    `settings.keep_unknown_authority` is off, one without known follow or placement stays.
    """
    kept = ~_links_to_us(domains)
    set_aside = {
        "belongs to a compared site": domains["tied_to"] != "",
        "list of sites": domains["page_kind"] == labels.KIND_LIST.word,
        "spam": domains["page_kind"] == labels.KIND_SPAM.word,
    }
    if not settings.by_visitors:
        set_aside["user-generated link"] = domains["page_kind"] == labels.KIND_VISITORS.word
    tests = {name: ~found for name, found in set_aside.items() if (kept & found).any()}
    tests |= {
        f"{rating} below {limit:g}": ~((domains["authority_scale"] == rating) & (domains["authority"] < limit))
        for rating, limit in prospect_limits(domains, settings.min_authority).items()
        if limit
    }
    if not settings.keep_unknown_authority:
        tests["unknown authority"] = domains["authority"].notna()
    if settings.followed_only:
        tests["no followed link"] = ~(domains["followed_share"] == 0)
    if settings.in_content_only:
        tests["no link in content"] = ~(domains["content_share"] == 0)
    removed = {}
    for name, passes in tests.items():
        removed[name] = int((kept & ~passes).sum())
        kept = kept & passes
    return kept, removed


def prospect_limits(domains: pd.DataFrame, chosen: RatingLimits = ()) -> dict[str, float]:
    """Return a prospect's lowest authority for each rating of sites that do not link to us, frequent ones first."""
    rated = domains["authority"].notna() & ~_links_to_us(domains)
    ratings = domains.loc[rated, "authority_scale"].value_counts().index.to_series()
    return dict(zip(ratings, limits_of(ratings, "prospect_from", chosen).tolist(), strict=True))


def _links_to_us(domains: pd.DataFrame) -> pd.Series:
    return domains["gap_class"].isin([labels.OURS_ALONE.word, labels.SHARED.word, labels.WEAKER.word])


def overlaps(links: pd.DataFrame) -> pd.DataFrame:
    """Return how many domains each combination of sites shares, most first: a bool column per site, and domains."""
    has = links != 0
    counts = has.groupby(list(has.columns), sort=False).size().rename("domains").reset_index()
    return counts.sort_values("domains", ascending=False, kind="stable", ignore_index=True)
