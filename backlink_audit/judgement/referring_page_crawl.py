"""What a crawl of the referring pages says, and an export's links corrected by it.

The crawl's two files become the tables that the link check makes of answers (`schema.PAGE_FACTS` and LINK_FACTS), so
that both are read by the same rules. What could not be read proves nothing: there the export's word stays.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.exports.clean import follow_redirects
from backlink_audit.schema import LINK_FACTS, PAGE_FACTS, Table
from backlink_audit.site.links import HYPERLINKS
from backlink_audit.text.link_texts import AROUND
from backlink_audit.text.urls import normalise_url, normalise_urls, registrable_domain, registrable_domains, urls_of
from backlink_audit.wording import count

PAGES, LINKS, CHECK = "referring_pages", "outlinks", "checked"
"""The roles of the crawl's two files, and of a link check's table."""
CHECKED = ("check_state", "check_note")
"""What a corrected link has besides: its state on the page, and how it differs from the export."""
GONE_STATUS = (404, 410)
TYPES = {"number": "float64", "flag": "boolean", "date": "datetime64[s]"}  # of columns that are no text
TITLES_OF_A_SITE = 8  # titles of other pages that show what a referring site is about
NO_LINKS = "the crawl has no links of this page"
RELS = ("nofollow", "ugc", "sponsored")
GONE = (labels.LINK_GONE.word, labels.PAGE_GONE.word)
NO_CONCLUSION = ("", labels.NOT_READABLE.word, labels.NOT_ASKED.word)
"""States that prove nothing; "": nothing is known of the page."""
NOW = (
    ("sponsored", labels.THERE_SPONSORED.word),
    ("ugc", labels.THERE_UGC.word),
    ("nofollow", labels.THERE_NOFOLLOW.word),
)
"""Of what a link became, the first of these is its state."""
WITHOUT_CONCLUSION = {
    "gone": labels.PAGE_GONE.word,
    "not readable": labels.NOT_READABLE.word,
    "not asked": labels.NOT_ASKED.word,
}
IN_HEAD = ("canonical", "alternate")
BY_REDIRECT = "redirect"
FROM_PAGE = tuple(name for name in LINK_FACTS.names if name not in ("referring_url", "target_url"))
"""What a checked link has of the link that was found."""


def checked_links(links: pd.DataFrame, sources: Mapping[str, pd.DataFrame]) -> pd.DataFrame | None:
    """Return what the pages of cleaned links say of them, None where nothing is known of these pages.

    `sources`: mapped tables by role: `outlinks`, and `referring_pages`, which alone knows dead pages, noindex and
    canonicals; or `checked` (`schema.CHECKED_LINKS`), which goes first.
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
    hyperlinks = outlinks[outlinks["link_type"].str.contains(HYPERLINKS)]
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
        status.between(200, 299), NO_LINKS, "HTTP status " + status.map("{:.0f}".format).astype("str") + " in the crawl"
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
    types = {column.name: TYPES.get(column.kind, "str") for column in table.columns}
    blank = {name: "" if kind == "str" else None for name, kind in types.items()}
    return pd.DataFrame({**blank, **values}, index=index)[list(table.names)].astype(types)


class Checked(NamedTuple):
    """What was found of one link."""

    state: str
    note: str
    row: int | None  # The row of the found link, None where there is none


def check_links(links: pd.DataFrame, pages: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Return for each link its check_state, check_note, and what its page says; the index is that of `links`.

    `pages`: what is known of referring pages (`schema.PAGE_FACTS`); `found`: the links on them (`schema.LINK_FACTS`). A
    link whose page is not among `pages` has the state "": nothing is known of it.
    """
    pages = pages.assign(key=normalise_urls(pages["url"])).drop_duplicates("key", keep="last").reset_index(drop=True)
    found = found.reset_index(drop=True)
    page_of = dict(zip(pages["key"], pages.to_dict("records"), strict=True))
    there = _by_page(found)
    rows = list(_rows(links, page_of, there))
    checked = pd.DataFrame(
        {"check_state": [one.state for one in rows], "check_note": [one.note for one in rows]},
        index=links.index,
        dtype="str",
    )
    at = pd.Index([-1 if one.row is None else one.row for one in rows])
    of_link = found[list(FROM_PAGE)].reindex(at).set_axis(links.index)
    of_page = pages.set_index("key").reindex(links["referring_key"]).set_axis(links.index)
    told = {name: of_link[name].fillna("") if found[name].dtype == "str" else of_link[name] for name in FROM_PAGE}
    return checked.assign(
        **told,
        final_url=of_page["final_url"].fillna(""),
        page_status=of_page["http_status"],
        page_title=of_page["title"].fillna(""),
        main_text=of_page["main_text"].fillna(""),
        page_external_links=of_page["external_links"],
        checked_at=of_page["checked_at"],
    )


def _rows(
    links: pd.DataFrame, page_of: Mapping[str, Mapping[Hashable, Any]], there: Mapping[str, list[dict[Hashable, Any]]]
) -> Iterator[Checked]:
    names = ["referring_key", "target_key", "redirect_urls", "anchor", "link_state", "external_links", *RELS]
    for values in zip(*(links[name] for name in names), strict=True):
        link = dict(zip(names, values, strict=True))
        page = page_of.get(link["referring_key"])
        yield Checked("", "", None) if page is None else _checked(link, page, there.get(link["referring_key"], []))


def _checked(link: Mapping[str, Any], page: Mapping[Hashable, Any], there: list[dict[Hashable, Any]]) -> Checked:
    if page["outcome"] in WITHOUT_CONCLUSION:
        return Checked(WITHOUT_CONCLUSION[page["outcome"]], _sentence([page["reason"]]), None)
    moved = normalise_url(page["final_url"] or page["url"]) != link["referring_key"]
    one = _same_link(link, there)
    if one is None:
        other = next((f"the page links to {other['target_url']} instead" for other in there), "")
        return Checked(labels.LINK_GONE.word, _sentence([other, _moved(page) if moved else ""]), None)
    rel = [name for name in RELS if _is(one[f"page_{name}"])]
    became = [name for name in rel if _is_not(link[name])]
    here = normalise_url(page["final_url"] or page["url"])
    elsewhere = page["canonical"] and normalise_url(page["canonical"]) != here
    hidden = [
        *(["the page is noindex"] if _is(page["noindex"]) else []),
        *([f"its canonical is {page['canonical']}"] if elsewhere else []),
    ]
    notes = [
        *(["the export says that it is lost"] if link["link_state"] != labels.LINK_LIVE.word else []),
        *_rel_notes(link, rel),
        *hidden,
        *([_moved(page)] if moved and one["kind"] != BY_REDIRECT else []),
        *_notes_on_words(link, one),
        *_notes_on_count(link, page),
    ]
    if hidden:
        state = labels.THERE_NOT_INDEXED.word
    elif became:
        state = next(word for name, word in NOW if name in became)
    else:
        state = labels.MOVED.word if moved and one["kind"] != BY_REDIRECT else labels.THERE.word
    return Checked(state, _sentence(notes), int(one["row"]))


def _by_page(found: pd.DataFrame) -> dict[str, list[dict[Hashable, Any]]]:
    """Return the found links of each page, those of its text before those of its head."""
    table = found.assign(
        page=normalise_urls(found["referring_url"]),
        target=normalise_urls(found["target_url"]),
        folded=found["page_anchor"].map(_folded),
        row=range(len(found)),
        late=found["kind"].isin(IN_HEAD),
    ).sort_values("late", kind="stable")
    by_page: dict[str, list[dict[Hashable, Any]]] = {}
    for row in table.to_dict("records"):
        by_page.setdefault(row["page"], []).append(row)
    return by_page


def _same_link(link: Mapping[str, Any], there: list[dict[Hashable, Any]]) -> dict[Hashable, Any] | None:
    targets = {link["target_key"], *(normalise_url(url) for url in urls_of(link["redirect_urls"]) if url)}
    fitting = [one for one in there if one["target"] in targets]
    anchor = _folded(link["anchor"])
    return next((one for one in fitting if anchor and one["folded"] == anchor), fitting[0] if fitting else None)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _rel_notes(link: Mapping[str, Any], rel: Iterable[str]) -> list[str]:
    notes = []
    for name in RELS:
        known = link[name]
        if _is(known) and name not in rel:
            notes.append(f"not {name} any more")
        elif not _is(known) and name in rel:
            notes.append(f"{name} on the page, {'not in the export' if _is_not(known) else 'the export does not say'}")
    return notes


def _notes_on_words(link: Mapping[str, Any], one: Mapping[Hashable, Any]) -> list[str]:
    if _folded(link["anchor"]) == one["folded"] or not (link["anchor"] and one["page_anchor"]):
        return []
    return [f"the anchor is “{one['page_anchor']}”"]


def _notes_on_count(link: Mapping[str, Any], page: Mapping[Hashable, Any]) -> list[str]:
    said, counted = link["external_links"], page["external_links"]
    if pd.isna(said) or pd.isna(counted) or said == counted:
        return []
    return [f"{count(int(counted), 'external link')}, {said:,.0f} in the export"]


def _moved(page: Mapping[Hashable, Any]) -> str:
    return f"the page is now at {page['final_url']}"


def _sentence(notes: Iterable[str]) -> str:
    words = "; ".join(filter(None, notes))
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _is(flag: Any) -> bool:
    return not pd.isna(flag) and bool(flag)


def _is_not(flag: Any) -> bool:
    return not pd.isna(flag) and not flag
