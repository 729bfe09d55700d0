"""Which links are really there: an export's links against what their referring pages say.

A page that could not be read proves nothing, so a state is never just yes or no (`labels.CHECK_STATES`).
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from backlink_audit import labels
from backlink_audit.schema import LINK_FACTS
from backlink_audit.text.urls.chains import urls_of
from backlink_audit.text.urls.parts import normalise_url, normalise_urls
from backlink_audit.wording import count

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


class Checked(NamedTuple):
    """What was found of one link."""

    state: str
    note: str
    row: int | None
    """The row of the found link, None where there is none."""


def check_links(links: pd.DataFrame, pages: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Return for each link its check_state, check_note, and what its page says; the index is that of `links`.

    Args:
        links: Cleaned backlinks with their keys.
        pages: What is known of referring pages (`schema.PAGE_FACTS`).
        found: The links that were found on them (`schema.LINK_FACTS`).

    A link whose page is not among `pages` has the state "": nothing is known of it.
    """
    pages = pages.assign(key=normalise_urls(pages["url"])).drop_duplicates("key", keep="last").reset_index(drop=True)
    found = found.reset_index(drop=True)
    page_of = dict(zip(pages["key"], pages.to_dict("records"), strict=True))
    there = _by_page(found)
    rows = list(_rows(links, page_of, there))
    checked = pd.DataFrame(
        {
            "check_state": [one.state for one in rows],
            "check_note": [one.note for one in rows],
        },
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
    """Return what was found of one link."""
    if page["outcome"] in WITHOUT_CONCLUSION:
        return Checked(WITHOUT_CONCLUSION[page["outcome"]], _sentence([page["reason"]]), None)
    moved = normalise_url(page["final_url"] or page["url"]) != link["referring_key"]
    one = _same_link(link, there)
    if one is None:
        other = next((f"the page links to {other['target_url']} instead" for other in there), "")
        return Checked(labels.LINK_GONE.word, _sentence([other, _moved(page) if moved else ""]), None)
    rel = [name for name in RELS if _is(one[f"page_{name}"])]
    became = [name for name in rel if _is_not(link[name])]
    hidden = _hidden(page)
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
    """Return the link of a page that leads to the target, or to where the way to it begins; the same anchor first."""
    targets = {link["target_key"], *(normalise_url(url) for url in urls_of(link["redirect_urls"]) if url)}
    fitting = [one for one in there if one["target"] in targets]
    anchor = _folded(link["anchor"])
    return next((one for one in fitting if anchor and one["folded"] == anchor), fitting[0] if fitting else None)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _hidden(page: Mapping[Hashable, Any]) -> list[str]:
    """Return why search engines leave a page out."""
    here = normalise_url(page["final_url"] or page["url"])
    elsewhere = page["canonical"] and normalise_url(page["canonical"]) != here
    return [
        *(["the page is noindex"] if _is(page["noindex"]) else []),
        *([f"its canonical is {page['canonical']}"] if elsewhere else []),
    ]


def _rel_notes(link: Mapping[str, Any], rel: Iterable[str]) -> list[str]:
    """Return how rel differs from what the export says."""
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
    """Return notes as a sentence, "" without any."""
    words = "; ".join(filter(None, notes))
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _is(flag: Any) -> bool:
    return not pd.isna(flag) and bool(flag)


def _is_not(flag: Any) -> bool:
    return not pd.isna(flag) and not flag
