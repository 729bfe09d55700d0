"""The lists beside the links to add: pages to merge, old pages, blocks for families, and how focused the site is.

What to do with each is said in words; what is best to keep goes by clicks, else by links.
"""

from collections import Counter
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from backlink_audit.internal_links.competing import competing_pages
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.internal_links.run import off_topic_pages
from backlink_audit.text.page_kinds import LISTING, PAST, UTILITY
from backlink_audit.wording import count, percent

FEW_IN_A_BLOCK = 3  # titles of a family that are shown
FOR_EVENTS = "refresh for the next one, or leave"
ADVICE = {
    "There is a newer version": "redirect to the newer version, or set its canonical there",
    "The text says": "redirect to what took its place, or refresh it",
    "Release notes": "leave as it is: no new links to it",
}
"""What to do with an old page by the beginning of its evidence."""


def pages_to_merge(result: Opportunities) -> pd.DataFrame:
    """Return near duplicates, then competing pages, each with the page to keep and the redirect rule.

    Columns: merge_why, keep_url, keep_title, merge_url, merge_title, similarity, redirect_rule. Which one to keep goes
    by clicks where they are loaded, else by inlinks, else by how much each says, else the shorter address.
    """
    near = result.near_duplicates.assign(why="near duplicate")
    competing = competing_pages(result).assign(why="same subject, nearly the same title")
    pairs = pd.concat([near, competing], ignore_index=True)
    clicks = _clicks(result)
    pages = result.pages.set_index("url")
    weight = {
        url: (clicks.get(url, 0.0), inlinks, words)
        for url, inlinks, words in zip(
            pages.index, pages["inlinks"].fillna(0), pages["word_count"].fillna(0), strict=True
        )
    }
    rows = []
    columns = ("why", "source_url", "source_title", "target_url", "target_title", "similarity")
    for why, one, one_title, other, other_title, similarity in pairs[list(columns)].itertuples(index=False):
        ends = [(one, one_title), (other, other_title)]
        keep, merge = sorted(sorted(ends), key=lambda end: (*weight[end[0]], -len(end[0])), reverse=True)
        rule = f"Redirect 301 {urlsplit(merge[0]).path or '/'} {keep[0]}"
        rows.append((why, *keep, *merge, similarity, rule))
    named = ["merge_why", "keep_url", "keep_title", "merge_url", "merge_title", "similarity", "redirect_rule"]
    return pd.DataFrame(rows, columns=named)


def old_pages(result: Opportunities) -> pd.DataFrame:
    """Return the pages whose time is over, those with most inlinks first.

    Columns: title, purpose_evidence, page_advice, inlinks, url.
    """
    rows = result.pages[result.pages["purpose"] == PAST]
    advice = [
        next((told for start, told in ADVICE.items() if evidence.startswith(start)), FOR_EVENTS)
        for evidence in rows["purpose_evidence"]
    ]
    found = rows.assign(page_advice=pd.array(advice, dtype="str"))[
        ["title", "purpose_evidence", "page_advice", "inlinks", "url"]
    ]
    return found.sort_values("inlinks", ascending=False, kind="stable", na_position="last", ignore_index=True)


def pages_left_out(result: Opportunities) -> pd.DataFrame:
    """Return the pages that are no end of a suggested link: title, purpose, purpose_evidence, url."""
    rows = result.pages[result.pages["purpose"].isin((UTILITY, LISTING))]
    return rows[["purpose", "purpose_evidence", "title", "url"]].sort_values(
        ["purpose", "purpose_evidence"], kind="stable", ignore_index=True
    )


def blocks(result: Opportunities) -> pd.DataFrame:
    """Return one row per family of pages that one block of links should join: block, size, examples, parent_url.

    `parent_url`: the page of the folder that most of them are in, where the block belongs as well; "" without one.
    """
    urls = set(result.pages["url"].str.rstrip("/"))
    rows = []
    for family, pages in result.pages[result.pages["family"] >= 0].groupby("family"):
        titles = [title.split() for title in pages["title"]]
        shared = Counter(word for title in titles for word in set(title))
        pattern = [word if shared[word] > len(titles) / 2 else "…" for word in titles[0]]
        block = " ".join(word for at, word in enumerate(pattern) if word != "…" or not at or pattern[at - 1] != "…")
        parents = Counter(url.rstrip("/").rpartition("/")[0] for url in pages["url"])
        parent = next((url for url, _ in parents.most_common() if url in urls), "")
        rows.append((block, len(pages), "; ".join(pages["title"].head(FEW_IN_A_BLOCK)), parent, int(str(family))))
    found = pd.DataFrame(rows, columns=["block", "size", "examples", "parent_url", "family"])
    return found.sort_values("size", ascending=False, kind="stable", ignore_index=True)


def focus(result: Opportunities) -> tuple[str, pd.DataFrame]:
    """Return how focused the site is, in a sentence, and by section: section, size, focus, radius.

    Focus is the mean cosine of the pages to the mean of those of their language; radius the distance (1 − cosine) that
    nine tenths of them are within.
    """
    vectors, groups = result.vectors.vectors, result.compared
    near = np.zeros(len(vectors))
    for group in np.unique(groups):
        own = groups == group
        centre = vectors[own].mean(axis=0)
        near[own] = vectors[own] @ (centre / max(float(np.linalg.norm(centre)), 1e-9))
    far = off_topic_pages(result)
    stays = ~result.pages["url"].isin(far["url"]).to_numpy()
    said = f"The pages are {near.mean():.2f} near to the site's subject on average (1 is the most)."
    if len(far) and stays.any():
        said += f" {count(len(far), 'page')} pull it apart: without them it would be {near[stays].mean():.2f}."
        clicks = _clicks(result)
        if clicks and (total := sum(clicks.values())):
            said += f" They have {percent(sum(clicks.get(url, 0) for url in far['url']) / total)} of the clicks."
    sections = result.pages["url"].map(lambda url: f"/{urlsplit(url).path.strip('/').partition('/')[0]}")
    table = pd.DataFrame({"section": sections, "near": near}).groupby("section")["near"]
    found = pd.DataFrame({"size": table.size(), "focus": table.mean(), "radius": 1 - table.quantile(0.1)})
    return said, found.sort_values("size", ascending=False, kind="stable").reset_index()


def _clicks(result: Opportunities) -> dict[str, float]:
    if "target_clicks" not in result.table:
        return {}
    clicks = result.table.groupby("target_url")["target_clicks"].max().fillna(0)
    return {str(url): float(number) for url, number in clicks.items()}
