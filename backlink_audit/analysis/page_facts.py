"""What a crawl of the referring pages says, and an export's links corrected by it.

The crawl's two files become the tables that the link check makes of answers (`schema.PAGE_FACTS` and LINK_FACTS), so
that both are read by the same rules. What could not be read proves nothing: there the export's word stays.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.link_check import GONE, NO_CONCLUSION, RELS, check_links
from backlink_audit.analysis.redirects.chains import follow_redirects
from backlink_audit.schema import LINK_FACTS, PAGE_FACTS, Table
from backlink_audit.text.links.link_places import AROUND
from backlink_audit.text.urls.chains import urls_of
from backlink_audit.text.urls.parts import normalise_urls, registrable_domain, registrable_domains

PAGES, LINKS, CHECK = "referring_pages", "outlinks", "checked"
"""The roles of the crawl's two files, and of a link check's table."""
CHECKED = ("check_state", "check_note")
"""What a corrected link has besides: its state on the page, and how it differs from the export."""
GONE_STATUS = (404, 410)
TYPES = {"number": "float64", "flag": "boolean", "date": "datetime64[s]"}
"""Of columns that are no text."""
TITLES_OF_A_SITE = 8
"""Titles of other pages that show what a referring site is about."""
NO_LINKS = "the crawl has no links of this page"


def checked_links(links: pd.DataFrame, sources: Mapping[str, pd.DataFrame]) -> pd.DataFrame | None:
    """Return what the pages of cleaned links say of them, None where nothing is known of these pages.

    Args:
        links: Cleaned backlinks with their keys, states, rel and counts.
        sources: Mapped tables by role: `outlinks` (`schema.INLINKS`), and `referring_pages` (`schema.PAGES`), which
            alone knows dead pages, noindex and canonicals; or `checked` (`schema.CHECKED_LINKS`), which goes first.
    """
    if CHECK in sources:
        return found_before(links, sources[CHECK])
    if LINKS in sources:
        pages, found = facts_of(sources.get(PAGES), sources[LINKS])
        return check_links(links, pages, found[_asked_for(found["target_url"], links)])
    return None


def corrected(links: pd.DataFrame, checked: pd.DataFrame) -> pd.DataFrame:
    """Return cleaned links as their pages have them (`checked_links`), with CHECKED and the place on the page.

    State, nofollow, UGC, sponsored and external links become the page's. A link on a page that search engines leave out
    is not followed, for it gives nothing.
    """
    state = checked["check_state"]
    gone, there = state.isin(GONE), ~state.isin([*GONE, *NO_CONCLUSION])
    rel = {name: checked[f"page_{name}"].where(there).fillna(links[name]) for name in RELS}
    hidden = state == labels.THERE_NOT_INDEXED.word
    marked = np.logical_or.reduce([flags.fillna(False).to_numpy(dtype=bool) for flags in rel.values()])
    words = links["link_state"].mask(there, labels.LINK_LIVE.word).mask(gone, labels.LINK_LOST.word)
    return links.assign(
        **rel,
        followed=~marked & ~hidden,
        is_lost=links["is_lost"].mask(there, False).mask(gone, True),
        link_state=words,
        external_links=checked["page_external_links"].where(there).fillna(links["external_links"]),
        **checked[[*CHECKED, "place"]],
    )


def around_links(checked: pd.DataFrame, links: pd.DataFrame, sources: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the words around each link on its page (`link_places.AROUND`), "" where they are not known."""
    pages = sources.get(CHECK, sources.get(PAGES))
    titles = _titles_by_site(pages) if pages is not None else {}
    of_site = links["referring_domain"].map(lambda site: titles.get(site, ""))
    return checked.assign(site_titles=of_site)[list(AROUND)].astype("str")


def _titles_by_site(pages: pd.DataFrame) -> dict[str, str]:
    """Return the titles of the pages of each referring domain, a line each, where several are known."""
    url, title = ("url", "title") if "url" in pages else ("referring_url", "page_title")
    named = pd.DataFrame({"site": registrable_domains(pages[url]), "title": pages[title]})
    by_site = named[named["title"] != ""].drop_duplicates().groupby("site")["title"]
    return {str(site): "\n".join(titles.head(TITLES_OF_A_SITE)) for site, titles in by_site if len(titles) > 1}


def found_before(links: pd.DataFrame, checked: pd.DataFrame) -> pd.DataFrame:
    """Return what a link check found of each link (`schema.CHECKED_LINKS`), state "" where it did not have the link.

    A link is the same by its two normalised URLs and its anchor, whatever its case; our csv files put an apostrophe
    before some anchors, so that no spreadsheet runs them.
    """
    known = checked.set_axis(_keys(checked)).loc[lambda table: ~table.index.duplicated()]
    found = known.reindex(_keys(links)).set_axis(links.index)
    return found.fillna(dict.fromkeys(found.select_dtypes("str"), ""))


def _keys(links: pd.DataFrame) -> pd.Index:
    ends = [normalise_urls(links[name]) for name in ("referring_url", "target_url")]
    return pd.Index(ends[0] + "\n" + ends[1] + "\n" + links["anchor"].str.removeprefix("'").str.casefold().str.strip())


def gives_nothing(links: pd.DataFrame) -> pd.Series:
    """Return which links are on pages that search engines leave out (noindex, canonical elsewhere), bool."""
    known = "check_state" in links
    return links["check_state"] == labels.THERE_NOT_INDEXED.word if known else pd.Series(False, links.index)


def facts_of(pages: pd.DataFrame | None, outlinks: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return PAGE_FACTS and LINK_FACTS of a crawl's pages (None: those that have links) and of its outlinks."""
    hyperlinks = outlinks[outlinks["link_type"].str.casefold().isin(["", "hyperlink"])]
    found = _links(hyperlinks)
    key = normalise_urls(found["referring_url"])
    domains = registrable_domains(found["target_url"])
    outside = found[(domains != registrable_domains(found["referring_url"])) & (domains != "")]
    counts = outside.groupby(key[outside.index]).size().reindex(key.unique(), fill_value=0)
    if pages is None:
        known = found.drop_duplicates("referring_url")[["referring_url"]].set_axis(["url"], axis=1)
        known = known.assign(
            http_status=200.0, indexability_status="", canonical="", redirect_url="", title="", content=""
        )
    else:
        known = pages
    table = _pages(known.reset_index(drop=True), counts)
    moved = table.loc[
        (table["outcome"] == "read") & (normalise_urls(table["final_url"]) != normalise_urls(table["url"]))
    ]
    starts = pd.DataFrame({"key": normalise_urls(moved["final_url"]), "start": moved["url"]})
    copies = found.assign(key=key).merge(starts, on="key").drop(columns=["key", "referring_url"])
    copies = copies.rename(columns={"start": "referring_url"})[list(LINK_FACTS.names)]
    return table, pd.concat([found, copies], ignore_index=True)


def _asked_for(urls: pd.Series, links: pd.DataFrame) -> pd.Series:
    """Return which of the URLs are of a site that the links go to, or where one of their redirects begins, bool."""
    starts = {registrable_domain(url) for chain in links["redirect_urls"].unique() for url in urls_of(chain) if url}
    return registrable_domains(urls).isin({*links["target_domain"], *starts})


def _links(rows: pd.DataFrame) -> pd.DataFrame:
    rel = rows["rel"].str.casefold().str.split()
    says = rows["rel"] != ""
    flags = {name: rel.map(lambda words, name=name: name in words).astype("boolean") for name in RELS}
    known = {name: value.where(says | rows["follow"].notna()) for name, value in flags.items()}
    known["nofollow"] = known["nofollow"].mask(rows["follow"].eq(False).fillna(False), True)
    return _table(
        LINK_FACTS,
        {
            "referring_url": rows["source_url"],
            "target_url": rows["target_url"],
            "kind": rows["link_type"].str.casefold(),
            "page_anchor": rows["anchor"].where(rows["anchor"] != "", rows["alt_text"]),
            "place": rows["link_position"].str.casefold(),
            **{f"page_{name}": value for name, value in known.items()},
        },
        rows.index,
    )


def _pages(pages: pd.DataFrame, counts: pd.Series) -> pd.DataFrame:
    """Return PAGE_FACTS of crawled pages, redirects followed inside of the crawl; `counts`: external links by key."""
    keys = normalise_urls(pages["url"])
    steps = dict(zip(keys, normalise_urls(pages["redirect_url"]), strict=True))
    ends = follow_redirects({start: end for start, end in steps.items() if end})
    place = {key: number for number, key in enumerate(keys)}
    at = [place.get(ends[key].url or "", -1) if key in ends else number for number, key in enumerate(keys)]
    last = pages.reindex(at).set_axis(pages.index)
    status, why = last["http_status"], last["indexability_status"].fillna("").str.casefold()
    count = normalise_urls(last["url"].fillna("")).map(counts)
    read = status.between(200, 299) & count.notna()
    outcome = np.select(
        [read, status.isin(GONE_STATUS), why.str.contains("robots")], ["read", "gone", "not asked"], "not readable"
    )
    reason = np.where(
        status.between(200, 299), NO_LINKS, "HTTP status " + status.map("{:.0f}".format) + " in the crawl"
    )
    return _table(
        PAGE_FACTS,
        {
            "url": pages["url"],
            "outcome": outcome,
            "reason": np.where(read, "", reason),
            "http_status": status,
            "final_url": last["url"].fillna(""),
            "title": last["title"].fillna(""),
            "noindex": why.str.contains("noindex").astype("boolean"),
            "canonical": last["canonical"].fillna(""),
            "external_links": count,
            "main_text": last["content"].fillna(""),
        },
        pages.index,
    )


def _table(table: Table, values: Mapping[str, object], index: pd.Index) -> pd.DataFrame:
    """Return a table of ours with these values, and nothing in its other columns."""
    types = {column.name: TYPES.get(column.kind, "str") for column in table.columns}
    blank = {name: "" if kind == "str" else None for name, kind in types.items()}
    return pd.DataFrame({**blank, **values}, index=index)[list(table.names)].astype(types)
