"""What a backlink profile is made of: counts and shares of the values that links have, and the texts they link with."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from backlink_audit.exports.load import fold_anchor
from backlink_audit.exports.recognise import Export
from backlink_audit.exports.search_console import site_given, site_of
from backlink_audit.judgement.anchor_classes import brand_of, classify_anchors
from backlink_audit.judgement.referring_sites import roll_up
from backlink_audit.judgement.scales import CHECK_FROM, MIDDLE_FROM, STRONG_FROM, site_authority
from backlink_audit.labels import ANCHOR_CLASSES, BAND_RELEVANT, BRANDED, EXACT_MATCH, GENERIC, NAKED_URL, OTHER_ANCHOR
from backlink_audit.schema import SOURCE_FILE
from backlink_audit.text.urls import map_distinct, normalise_urls, registrable_domain
from backlink_audit.wording import Figure, by_number, count, part_of, percent, uncapitalised

TARGET_UNKNOWN = "target unknown"
"""Class of a text that is neither brand, address nor generic, and that no link of ours has: a list names no target."""
ABOUT = (
    "{tool} lists these texts by number of links, but without the links and their target pages. They do "
    "not change the number of links."
)
NO_SITE = "The file name does not contain your site, so branded texts cannot be found."
JUDGED = ("similarity", "relevance", "cas", "topic", "topic_field", "verdict")
"""Columns that only an audit's links have."""
AUTHORITY_BANDS = ("50+", "20–49", "1–19 (check)", "0", "not given")
"""Bands of authority on any scale, strongest first. From 1 to 19: check, no more; every site starts there."""
NOT_CHECKED = 0  # the HTTP status of a page that the tool did not ask
ATTRIBUTES = {"nofollow": "nofollow", "UGC": "ugc", "sponsored": "sponsored"}
DOMINANT_SHARE = 0.15
"""An exact-match anchor on more than this share of the followed domains looks bought (definitions: profile)."""
SPIKE_SCORE = 3.5
"""Modified z-score from which a month stands out (Iglewicz and Hoaglin, How to detect and handle outliers, 1993)."""
FEWEST_MONTHS = 6  # with fewer months nothing is usual, so nothing stands out
FEWEST_DOMAINS = 5  # fewer domains in a month are no spike, however quiet the other months
_MAD_TO_SIGMA, _MEAN_DEVIATION_TO_SIGMA = 1.4826, 1.2533
COLUMNS = ("month", "new_domains", "lost_domains", "net_domains", "net_per_day", "spike")
"""The columns of `by_month`, in order."""


@dataclass(frozen=True, eq=False)
class LinkingTexts:
    """The texts, classed. `table`: one row per text, the tool's order: list_place, linking_text, anchor_class.

    Beside links also links and domains: how many of the chosen ones have the text as anchor (0: none).
    """

    export: Export
    table: pd.DataFrame
    brands: tuple[str, ...]
    site: str  # The site that the list is of; "" where it is not known

    @cached_property
    def class_mix(self) -> pd.DataFrame:
        """How many texts each class has, most frequent first: anchor_class, texts, share (0-1)."""
        counts = self.table["anchor_class"].value_counts()
        mix = pd.DataFrame({"anchor_class": counts.index.astype("str"), "texts": counts.to_numpy()})
        return mix.assign(share=mix["texts"] / max(1, len(self.table)))

    @property
    def tool(self) -> str:
        """Who lists the texts: Google where Search Console does."""
        tool = self.export.format.tool
        return "Google" if tool == "Search Console" else tool or "The file"

    @property
    def about(self) -> str:
        return ABOUT.format(tool=self.tool)

    @property
    def note(self) -> str:
        """Say how many of the texts are anchors of our links; "" without links."""
        if "links" not in self.table:
            return ""
        found = int((self.table["links"] > 0).sum())
        are = by_number(found, "is an anchor", "are anchors")
        return f"{part_of(found, len(self.table), 'linking text')} listed by {self.tool} {are} of the chosen links."

    def of_another_site(self, targets: Collection[str]) -> str:
        """Say that the list is of another site than the links lead to, by their target domains; "" where it is not."""
        if not self.site or registrable_domain(self.site) in targets:
            return ""
        return f"{self.export.name} is a list of {self.site}, but none of the links point to that site."

    @property
    def figures(self) -> list[Figure]:
        """The overview of the texts alone."""
        sums = dict(zip(self.class_mix["anchor_class"], self.class_mix["texts"], strict=True))

        def share(word: str) -> str:
            return percent(sums.get(word, 0) / max(1, len(self.table)))

        named = bool(self.brands)
        return [
            ("Linking texts", len(self.table), self.about),
            ("Branded", share(BRANDED.word) if named else None, BRANDED.meaning if named else NO_SITE),
            ("Naked URLs", share(NAKED_URL.word), NAKED_URL.meaning),
            ("Generic", share(GENERIC.word), GENERIC.meaning),
        ]

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        said = [f"{value} {uncapitalised(label)}" for label, value, _ in self.figures[1:] if value is not None]
        listed = f"{self.tool} lists {count(len(self.table), 'linking text')} of {self.site or 'your site'}"
        return f"{listed}: {', '.join(said)}."


def read_texts(
    texts: Export, brands: Collection[str] = (), anchors: pd.DataFrame | None = None, site: str = ""
) -> LinkingTexts:
    """Return the tool's texts with their classes; of several files each text once.

    `brands`: names of the site, besides that of `site` or of the file's name. `anchors`: the anchors of our links
    (`top_anchors`): a text that is one of them has its class. Raises InvalidSetting for a
    `site` that is none.
    """
    named = next(filter(None, map(site_of, texts.table[SOURCE_FILE.name].unique())), "")
    host = site_given(site) if site else named
    names = tuple(dict.fromkeys(filter(None, [*brands, brand_of(registrable_domain(host)) if host else ""])))
    rows = texts.table.assign(key=map_distinct(texts.table["linking_text"], fold_anchor))
    counts = [name for name in ("tool_domains", "tool_links") if rows[name].notna().any()]
    if counts:
        rows = rows.sort_values(["list_place", *counts], ascending=[True, *([False] * len(counts))], kind="stable")
    table = rows.drop_duplicates("key")[["list_place", "linking_text", *counts, "key"]].reset_index(drop=True)
    places = pd.Series(range(1, len(table) + 1), dtype="float64")
    table["list_place"] = table["list_place"].fillna(places).astype("int64")
    blank = pd.Series("", index=table.index, dtype="str")
    as_links = pd.DataFrame({"anchor": table["linking_text"], "target_key": blank, "target_domain": blank})
    classes = classify_anchors(as_links, names)
    table["anchor_class"] = classes.replace({OTHER_ANCHOR.word: TARGET_UNKNOWN})
    if anchors is not None:
        ours = anchors.assign(key=map_distinct(anchors["anchor"], fold_anchor)).groupby("key")
        table["anchor_class"] = table["key"].map(ours["anchor_class"].first()).fillna(table["anchor_class"])
        for name in ("links", "domains"):
            table[name] = table["key"].map(ours[name].sum()).fillna(0).astype("int64")
    return LinkingTexts(texts, table.drop(columns="key"), names, host)


def is_judged(links: pd.DataFrame) -> bool:
    return all(name in links for name in JUDGED)


def breakdown(values: pd.Series, domains: pd.Series) -> pd.DataFrame:
    """Return one row per value, most frequent first: value, links, domains (distinct), share (0-1); "" is left out.

    >>> breakdown(pd.Series(["en", "de", "en", ""]), pd.Series(["a", "b", "a", "c"])).to_dict("list")
    {'value': ['en', 'de'], 'links': [2, 1], 'domains': [1, 1], 'share': [0.6666666666666666, 0.3333333333333333]}
    """
    known = (values != "").to_numpy()
    codes, distinct = pd.factorize(values[known])
    domain_codes, _ = pd.factorize(domains[known])
    links = np.bincount(codes, minlength=len(distinct))
    table = pd.DataFrame(
        {
            "value": pd.Series(distinct, dtype="str"),
            "links": links,
            "domains": distinct_per_group(codes, domain_codes, len(distinct)),
            "share": links / max(1, len(codes)),
        }
    )
    return table.sort_values("links", ascending=False, kind="stable", ignore_index=True)


def distinct_per_group(groups: np.ndarray, members: np.ndarray, count: int) -> np.ndarray:
    """Return how many distinct members each of `count` groups has; both are codes from 0, row by row.

    >>> distinct_per_group(np.array([0, 0, 1, 0]), np.array([5, 5, 5, 7]), 2).tolist()
    [2, 1]
    """
    width = int(members.max(initial=0)) + 1
    pairs = np.unique(groups.astype(np.int64) * width + members)
    return np.bincount(pairs // width, minlength=count)


def referring_domains(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per referring domain, strongest first, as `judgement.referring_sites.roll_up` gives them."""
    if is_judged(links):
        domains = roll_up(links)
    else:
        blank = links.assign(similarity=np.nan, relevance=np.nan, cas=np.nan, topic="", verdict="")
        domains = roll_up(blank).drop(columns=["mean_similarity", "mean_relevance", "best_cas", "topic", "verdict"])
    by = ["authority", "links"]
    return domains.sort_values(by, ascending=False, kind="stable", na_position="last", ignore_index=True)


def authority_band(authority: pd.Series) -> pd.Series:
    """Return the band of each authority (0-100), one of `AUTHORITY_BANDS`.

    >>> authority_band(pd.Series([72, 49.9, 20, 19, 0.5, None])).tolist()
    ['50+', '20–49', '20–49', '1–19 (check)', '0', 'not given']
    """
    strong, middle, low, none, unknown = AUTHORITY_BANDS
    chosen = np.select(
        [authority >= STRONG_FROM, authority >= MIDDLE_FROM, authority >= CHECK_FROM, authority.notna()],
        [strong, middle, low, none],
        unknown,
    )
    return pd.Series(chosen, index=authority.index, dtype="str")


def authority_bands(domains: pd.DataFrame) -> pd.DataFrame:
    """Return how many referring domains and links each band has: value, links, domains, share of the domains."""
    bands = authority_band(domains["authority"])
    table = pd.DataFrame({"links": domains["links"].groupby(bands).sum(), "domains": bands.value_counts()})
    table = table.reindex(AUTHORITY_BANDS, fill_value=0).rename_axis("value").reset_index()
    return table.assign(share=table["domains"] / max(1, len(domains)))


def link_attributes(links: pd.DataFrame) -> pd.DataFrame:
    """Return how many links are followed, nofollow, UGC and sponsored; the last three may overlap."""
    rows = {"followed": links["followed"]}
    rows |= {name: links[column].fillna(False).astype(bool) for name, column in ATTRIBUTES.items()}
    return pd.DataFrame(
        [
            {
                "value": name,
                "links": int(found.sum()),
                "domains": int(links.loc[found, "referring_domain"].nunique()),
                "share": float(found.mean()),
            }
            for name, found in rows.items()
        ]
    )


def http_statuses(status: pd.Series) -> pd.Series:
    """Return HTTP statuses as words: "200", "not checked", "" where missing.

    >>> http_statuses(pd.Series([200.0, 0, None])).tolist()
    ['200', 'not checked', '']
    """
    words = status.astype("Int64").astype("str").fillna("")
    return words.mask(status == NOT_CHECKED, "not checked")


def toxic_bands(scores: pd.Series, toxic: float, maybe: float) -> pd.Series:
    """Return the band of each toxic score in words, "" where there is none.

    >>> toxic_bands(pd.Series([70, 50, 3, None]), 60, 45).tolist()
    ['toxic (60 or more)', 'potentially toxic (45 to 59)', 'below 45', '']
    """
    words = [f"toxic ({toxic:g} or more)", f"potentially toxic ({maybe:g} to {toxic - 1:g})", f"below {maybe:g}"]
    chosen = np.select([scores >= toxic, scores >= maybe, scores.notna()], words, "")
    return pd.Series(chosen, index=scores.index, dtype="str")


def may_bring_visitors(links: pd.DataFrame, visits: float) -> pd.DataFrame:
    """Return the relevant links that are not followed on pages with so many monthly visits, the busiest first."""
    found = links[
        (links["band"] == BAND_RELEVANT.word) & ~links["followed"].astype(bool) & (links["page_traffic"] >= visits)
    ]
    return found.sort_values("page_traffic", ascending=False, kind="stable")


def target_pages(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per target page, the most linked by domains first.

    Columns: target_url (as first written), links, domains, followed_share, authority (the best referring domain's),
    and for an audit's links mean_similarity, mean_relevance, best_cas.
    """
    figures = {
        "target_url": ("target_url", "first"),
        "links": ("followed", "size"),
        "followed_share": ("followed", "mean"),
        "authority": ("authority", "max"),
    }
    if is_judged(links):
        figures |= {
            "mean_similarity": ("similarity", "mean"),
            "mean_relevance": ("relevance", "mean"),
            "best_cas": ("cas", "max"),
        }
    codes, distinct = pd.factorize(links["target_key"])
    rows = links.assign(authority=site_authority(links), followed=links["followed"].astype("float64"))
    pages = rows.groupby(codes).agg(**figures)
    domain_codes, _ = pd.factorize(links["referring_domain"])
    pages.insert(2, "domains", distinct_per_group(codes, domain_codes, len(distinct)))
    return pages.sort_values(["domains", "links"], ascending=False, kind="stable", ignore_index=True)


def best_pages(figures: pd.DataFrame, by: str, targets: pd.DataFrame) -> pd.DataFrame:
    """Return one row per page with figures, the highest `by` first, with its links: 0 where none is known.

    `figures` is by page key (`site.pages`), `targets` as `target_pages` gives it. Columns: page, the figures
    that any page has, links, domains, followed_share (NaN without links).
    """
    linked = targets.set_axis(normalise_urls(targets["target_url"]))[["links", "domains", "followed_share"]]
    found = figures.dropna(axis=1, how="all").join(linked)
    found = found.assign(**{name: found[name].fillna(0).astype("int64") for name in ("links", "domains")})
    return found.sort_values(by, ascending=False, kind="stable", na_position="last", ignore_index=True) if by else found


def topic_mix(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per topic of an audit's links: topic_field, topic, links, domains, share."""
    both = (links["topic_field"] + "\0" + links["topic"]).where(links["topic_field"] != "", "")
    topics = breakdown(both, links["referring_domain"]).rename(columns={"value": "topic"})
    names = topics["topic"].str.split("\0", n=1)
    topics["topic"] = names.str[1].astype("str")
    topics.insert(0, "topic_field", names.str[0].astype("str"))
    return topics


def top_anchors(links: pd.DataFrame, classes: pd.Series) -> pd.DataFrame:
    """Return one row per anchor, upper and lower case together, the one on most domains first.

    `classes` is the class of each link's anchor; an anchor that links to pages of several kinds has its most frequent
    one. Columns: anchor (as first written), anchor_class, links, domains, followed_domains, domain_share (followed
    domains among all followed domains, 0-1), and for an audit's links mean_similarity and mean_relevance.
    """
    codes, distinct = pd.factorize(links["anchor"].str.strip().str.casefold())
    domain_codes, _ = pd.factorize(links["referring_domain"])
    followed = links["followed"].to_numpy(dtype=bool)
    groups = links.assign(anchor=links["anchor"].str.strip()).groupby(codes)
    anchors = pd.DataFrame(
        {
            "anchor": groups["anchor"].first(),
            "anchor_class": _most_frequent(codes, classes, len(distinct)),
            "links": np.bincount(codes, minlength=len(distinct)),
            "domains": distinct_per_group(codes, domain_codes, len(distinct)),
            "followed_domains": distinct_per_group(codes[followed], domain_codes[followed], len(distinct)),
        }
    )
    anchors["domain_share"] = anchors["followed_domains"] / max(1, len(np.unique(domain_codes[followed])))
    if "similarity" in links:
        anchors["mean_similarity"] = groups["similarity"].mean()
        anchors["mean_relevance"] = groups["relevance"].mean()
    return anchors.sort_values(["domains", "links"], ascending=False, kind="stable", ignore_index=True)


def class_mix(links: pd.DataFrame, classes: pd.Series) -> pd.DataFrame:
    """Return one row per anchor class, in the order of `ANCHOR_CLASSES`: anchor_class, links, domains, share, means."""
    groups = links.groupby(classes.to_numpy())
    mix = pd.DataFrame({"links": groups.size(), "domains": groups["referring_domain"].nunique()})
    mix = mix.reindex([label.word for label in ANCHOR_CLASSES], fill_value=0)
    mix["share"] = mix["links"] / max(1, len(links))
    if "similarity" in links:
        mix["mean_similarity"] = groups["similarity"].mean()
        mix["mean_relevance"] = groups["relevance"].mean()
    return mix.rename_axis("anchor_class").reset_index()


def dominant_anchors(anchors: pd.DataFrame) -> pd.DataFrame:
    return anchors[(anchors["anchor_class"] == EXACT_MATCH.word) & (anchors["domain_share"] > DOMINANT_SHARE)]


def most_frequent(anchors: pd.DataFrame, anchor_class: str = "") -> tuple[str, float]:
    """Return the anchor with words on most followed domains, and its share of them, 0-1; "" and 0.0 without one."""
    of_class = anchors["anchor_class"] == anchor_class if anchor_class else anchors["anchor"] != ""
    found = anchors[of_class]
    if found.empty:
        return "", 0.0
    first = found.sort_values("domain_share", ascending=False, kind="stable").iloc[0]
    return str(first["anchor"]), float(first["domain_share"])


def _most_frequent(codes: np.ndarray, classes: pd.Series, count: int) -> pd.Series:
    class_codes, names = pd.factorize(classes, sort=True)
    counts = np.zeros((count, max(1, len(names))), dtype=np.int64)
    np.add.at(counts, (codes, class_codes), 1)
    return pd.Series(np.asarray(names, dtype=object)[counts.argmax(axis=1)], dtype="str")


def lifetimes(links: pd.DataFrame) -> pd.DataFrame:
    """Return when each referring domain came and went: first_seen and lost_on, NaT where unknown or still there."""
    lost_on = links["lost_date"].fillna(links["last_seen"].where(links["is_lost"]))
    rows = pd.DataFrame(
        {"first_seen": links["first_seen"], "lost_on": lost_on, "is_lost": links["is_lost"].astype(bool)}
    )
    domains = rows.groupby(links["referring_domain"].to_numpy(), sort=False).agg(
        first_seen=("first_seen", "min"), lost_on=("lost_on", "max"), gone=("is_lost", "min")
    )
    return domains.assign(lost_on=domains["lost_on"].where(domains["gone"].astype(bool))).drop(columns="gone")


def by_month(domains: pd.DataFrame, until: pd.Timestamp) -> pd.DataFrame:
    """Return one row per month from the first to that of `until`, the day the export knows of last.

    Dates in later months are left out: a single wrong one would stretch the months to its year. `domains` is
    what `lifetimes` returns. Columns: month (its first day), new_domains, lost_domains, net_domains, net_per_day (over
    the days of the month that have passed), spike ("", "new", "lost" or "new and lost").
    """
    last = until.to_period("M")
    new, lost = (
        months[months <= last].value_counts()
        for months in (domains[name].dropna().dt.to_period("M") for name in ("first_seen", "lost_on"))
    )
    known = new.index.union(lost.index)
    if known.empty:
        return pd.DataFrame({name: [] for name in COLUMNS})
    months = pd.period_range(known.min(), last, freq="M")
    table = pd.DataFrame({"new_domains": new, "lost_domains": lost}).reindex(months).fillna(0).astype("int64")
    days = np.where(months == last, until.day, months.days_in_month)
    net = table["new_domains"] - table["lost_domains"]
    table = table.assign(net_domains=net, net_per_day=net / days, spike=_spikes(table))
    return table.set_axis(months.to_timestamp(), axis=0).rename_axis("month").reset_index()


def with_clicks(months: pd.DataFrame, clicks: pd.DataFrame) -> pd.DataFrame:
    """Return months, as `by_month` gives them or with fewer columns, with the clicks of each.

    `clicks` is what `site.pages.clicks_by_month` returns; its months before and after those of the links are
    added. Where the links or the clicks of a month are not known, they are blank.
    """
    counted = [name for name in ("new_domains", "lost_domains", "net_domains") if name in months]
    joined = months.merge(clicks, on="month", how="outer").sort_values("month", ignore_index=True)
    figures = [*counted, *clicks.columns.drop("month")]
    return joined.astype(dict.fromkeys(figures, "Int64")).fillna({"spike": ""})


def spikes(counts: pd.Series) -> pd.Series:
    """Return which months' counts are far above the usual ones, bool; none among fewer than `FEWEST_MONTHS`.

    >>> spikes(pd.Series([4, 6, 5, 4, 90, 5, 6])).tolist()
    [False, False, False, False, True, False, False]
    """
    above = counts - counts.median()
    spread = _MAD_TO_SIGMA * above.abs().median() or _MEAN_DEVIATION_TO_SIGMA * above.abs().mean()
    if len(counts) < FEWEST_MONTHS or not spread:
        return pd.Series(False, index=counts.index)
    return (above / spread > SPIKE_SCORE) & (counts >= FEWEST_DOMAINS)


def _spikes(table: pd.DataFrame) -> np.ndarray:
    new, lost = spikes(table["new_domains"]), spikes(table["lost_domains"])
    return np.select([new & lost, new, lost], ["new and lost", "new", "lost"], "")
