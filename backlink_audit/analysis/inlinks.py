"""What to do about the links that a site has already: a verdict and its reason."""

from typing import Any

import numpy as np
import pandas as pd

from backlink_audit.labels import (
    EXACT_MATCH,
    FAR_OFF,
    GENERIC,
    GOOD_LINK,
    MEND,
    NAKED_URL,
    NO_ANCHOR,
    PARTIAL_MATCH,
    REWORD,
)
from backlink_audit.settings import InlinkSettings
from backlink_audit.wording import count

REFUSED = (403, 429, 999)
"""HTTP answers that say that the crawler was not let in, not that the page is dead."""
CLOSE = 0.2
"""A cosine of two pages from which they are never called off-topic, however alike the rest of the site is."""
TITLES_ALONE_BELOW = 15
"""The limit of off-topic where pages are compared by titles or URLs: of the links that editors set 1 in 20 is below."""
BY_CHANCE = 50
"""The relevance of two pages of chance."""
MANY_PAGES = 3
"""Pages that one anchor leads to from which it no longer distinguishes them; two are often a guide and its
reference."""
_HOME = r"^[a-zA-Z]+://[^/]+/?$"
SAYS_LITTLE = (GENERIC.word, NAKED_URL.word, NO_ANCHOR.word)
VERDICT_OF = {
    "broken": MEND.word,
    "moved": MEND.word,
    "nofollow": MEND.word,
    "little": REWORD.word,
    "named": REWORD.word,
    "shared": REWORD.word,
    "many": REWORD.word,
    "far": FAR_OFF.word,
    "fine": GOOD_LINK.word,
}
"""The verdict of each reason, in the order in which reasons are tried."""


def is_broken(status: pd.Series) -> pd.Series:
    """Return whether a page is dead by its HTTP status; not where that is unknown, or the crawler was refused."""
    return (status >= 400) & ~status.isin(REFUSED)


def inlink_verdicts(links: pd.DataFrame, settings: InlinkSettings, *, with_content: bool) -> pd.DataFrame:
    """Return verdict and why for each link, with the index of `links`.

    `links`: status (of the URL it names), end_status (of the page it leads to), steps (redirects), circle (bool), end
    (URL of that page), named (URL of another page whose title or H1 the anchor is, "" for none), followed, anchor
    (its words), anchor_class, target (a number for each page), target_host, similarity and page_relevance (NaN:
    unknown), in_menu (bool: menus of most pages lead to the target). `with_content`: whether the pages were compared
    by their content. The first verdict that fits wins.
    """
    anchor = links["anchor"].str.casefold().str.split().str.join(" ")
    same_pages = links["target"].groupby(anchor).transform("nunique").where(anchor != "", 1)
    same_links = links.groupby([anchor, links["target"]])["target"].transform("size")
    moved = links["status"].between(300, 399) | (links["steps"] > 0)
    broken = is_broken(links["status"]) | is_broken(links["end_status"])
    names_it = links["anchor_class"] == EXACT_MATCH.word  # an anchor that is a page's name means that page
    in_part = links["anchor_class"] == PARTIAL_MATCH.word
    is_home = links["end"].str.contains(_HOME)  # the site's address is its name
    says_little = (
        links["anchor_class"].isin(SAYS_LITTLE)
        & ~_is_code(links)
        & ~((links["anchor_class"] == NAKED_URL.word) & is_home)
    )
    names_other = (links["named"] != "") & ~names_it
    shared = (same_pages >= MANY_PAGES) & ~names_it & ~in_part
    limit = settings.off_topic_below if with_content else min(TITLES_ALONE_BELOW, settings.off_topic_below)
    far = (links["page_relevance"] < limit) & (links["similarity"] < CLOSE) & ~links["in_menu"] & ~(names_it | in_part)
    reasons = {
        "broken": broken | links["circle"],
        "moved": moved,
        "nofollow": ~links["followed"],
        "little": says_little,
        "named": names_other,
        "shared": shared,
        "many": (same_links >= settings.same_anchor) & (anchor != ""),
        "far": far,
    }
    reason = pd.Series(
        np.select([found.to_numpy(bool) for found in reasons.values()], list(reasons), "fine"), links.index
    )
    rows = links.assign(reason=reason, same_pages=same_pages, same_links=same_links).itertuples()
    return pd.DataFrame(
        {
            "verdict": reason.map(VERDICT_OF).astype("str"),
            "why": pd.Series([_why(row) for row in rows], links.index, dtype="str"),
        }
    )


def _is_code(links: pd.DataFrame) -> pd.Series:
    """Return which naked URLs are none: “app.config.js” looks like an address, but names no site and has no scheme."""
    address = links["anchor"].str.contains(r"(?i)://|www\.")
    own = [host in anchor for host, anchor in zip(links["target_host"], links["anchor"].str.casefold(), strict=True)]
    return (links["anchor_class"] == NAKED_URL.word) & ~address & ~pd.Series(own, links.index, dtype=bool)


def _why(link: Any) -> str:
    match link.reason:
        case "broken" if link.circle:
            return "It is in a redirect loop."
        case "broken":
            code = link.end_status if link.end_status >= 400 else link.status
            return f"The page returns {code:.0f}."
        case "moved":
            steps = f" in {link.steps} steps" if link.steps > 1 else ""
            return f"It is redirected{steps} to {link.end}: link there." if link.steps else "It is redirected."
        case "nofollow":
            return "It is nofollow, so it passes no authority to your own page."
        case "little":
            return _says_little(link)
        case "named":
            return f"“{link.anchor}” is the name of another page: {link.named}."
        case "shared":
            return (
                f"“{link.anchor}” links to {count(link.same_pages, 'page')} of the site and is not the name of this "
                "page."
            )
        case "many":
            return f"{count(link.same_links, 'link')} to this page have the same anchor."
        case "far":
            return (
                "These two pages are less similar to each other than to many other pages of the site "
                f"({_relevance(link)})."
            )
    what = "The pages are about similar subjects" if link.page_relevance >= BY_CHANCE else "Nothing to do"
    return f"{what} ({_relevance(link)})."


def _says_little(link: Any) -> str:
    if link.anchor_class == NO_ANCHOR.word:
        return "It has no text: an image without alt text, or an empty link."
    kind = "is only a URL" if link.anchor_class == NAKED_URL.word else "does not describe the page"
    return f"“{link.anchor}” {kind}."


def _relevance(link: Any) -> str:
    return (
        "relevance not known" if link.page_relevance != link.page_relevance else f"relevance {link.page_relevance:.0f}"
    )
