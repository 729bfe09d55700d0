"""What to do about the links that a site has already: a verdict and its reason."""

from typing import Any

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.settings import InlinkSettings
from backlink_audit.site.links import is_broken
from backlink_audit.wording import count

CLOSE = 0.2  # A cosine of two pages from which they are never called off-topic, however alike the rest of the site is
TITLES_ALONE_BELOW = 15
"""The limit of off-topic where pages are compared by titles or URLs: of the links that editors set 1 in 20 is below."""
BY_CHANCE = 50  # the relevance of two pages of chance
MANY_PAGES = 3
"""Pages that one anchor leads to, and names none of, from which it no longer distinguishes them; two are often a guide
and its reference."""
_HOME = r"^[a-zA-Z]+://[^/]+/?$"
NAMES_IT = (labels.EXACT_MATCH.word, labels.PARTIAL_MATCH.word)
SAYS_LITTLE = (labels.GENERIC.word, labels.NAKED_URL.word, labels.NO_ANCHOR.word)
VERDICT_OF = {
    "broken": labels.MEND.word,
    "moved": labels.MEND.word,
    "nofollow": labels.MEND.word,
    "little": labels.REWORD.word,
    "named": labels.REWORD.word,
    "many": labels.REWORD.word,
    "far": labels.FAR_OFF.word,
    "fine": labels.GOOD_LINK.word,
}
"""The verdict of each reason, in the order in which reasons are tried."""
SAMPLED_PAGES = 1_000  # pages that a pair is judged against, spread over the site; of a smaller site all
ROWS_AT_ONCE = 1_024


def inlink_verdicts(links: pd.DataFrame, settings: InlinkSettings, *, with_content: bool) -> pd.DataFrame:
    """Return verdict and why for each link, with the index of `links`.

    `links`: status (of the URL it names), end_status (of the page it leads to), steps (redirects), circle (bool), end
    (URL of that page), named (URL of another page whose title or H1 the anchor is, "" for none), followed, anchor
    (its words), anchor_class, in_target (bool: the target is about the anchor's words), target (a number for each
    page), target_host, similarity and page_relevance (NaN: unknown), in_menu (bool: menus of most pages lead to the
    target). `with_content`: whether the pages were compared by their content. The first verdict that fits wins.
    """
    anchor = _folded(links["anchor"])
    same_links = links.groupby([anchor, links["target"]])["target"].transform("size")
    moved = links["status"].between(300, 399) | (links["steps"] > 0)
    broken = is_broken(links["status"]) | is_broken(links["end_status"])
    names_it = links["anchor_class"] == labels.EXACT_MATCH.word  # an anchor that is a page's name means that page
    is_home = links["end"].str.contains(_HOME)  # the site's address is its name
    says_little = (
        links["anchor_class"].isin(SAYS_LITTLE)
        & ~_is_code(links)
        & ~((links["anchor_class"] == labels.NAKED_URL.word) & is_home)
    )
    names_other = (links["named"] != "") & ~names_it
    limit = settings.off_topic_below if with_content else min(TITLES_ALONE_BELOW, settings.off_topic_below)
    far = (links["page_relevance"] < limit) & (links["similarity"] < CLOSE) & ~links["in_menu"]
    far &= ~(links["anchor_class"].isin(NAMES_IT) | links["in_target"])
    reasons = {
        "broken": broken | links["circle"],
        "moved": moved,
        "nofollow": ~links["followed"],
        "little": says_little,
        "named": names_other,
        "many": (same_links >= settings.same_anchor) & (anchor != ""),
        "far": far,
    }
    reason = pd.Series(
        np.select([found.to_numpy(bool) for found in reasons.values()], list(reasons), "fine"), links.index
    )
    rows = links.assign(reason=reason, same_links=same_links).itertuples()
    return pd.DataFrame(
        {
            "verdict": reason.map(VERDICT_OF).astype("str"),
            "why": pd.Series([_why(row) for row in rows], links.index, dtype="str"),
        }
    )


def shared_anchors(links: pd.DataFrame) -> pd.DataFrame:
    """Return the anchors that lead to several pages, those to be reworded first, then by pages and links.

    `links`: anchor, anchor_class, target (a number for each page), target_url. One row per anchor: anchor, targets,
    links, verdict, why, example_targets (three URLs). To be reworded is what says little, or names none of
    `MANY_PAGES` pages.
    """
    folded = _folded(links["anchor"])
    unnamed = links["target"].where(~links["anchor_class"].isin(NAMES_IT))
    little = links["anchor_class"].isin(SAYS_LITTLE)
    found = links.assign(folded=folded, unnamed=unnamed, little=little)[folded != ""].groupby("folded", sort=False)
    table = found.agg(
        anchor=("anchor", "first"),
        targets=("target", "nunique"),
        links=("target", "size"),
        unnamed=("unnamed", "nunique"),
        little=("little", "any"),
        example_targets=("target_url", lambda urls: " · ".join(urls.drop_duplicates().head(3))),
    )
    table = table[table["targets"] > 1]
    whys = [_why_shared(row) for row in table.itertuples()]
    judged = table.assign(why=pd.Series(whys, table.index, dtype="str"), fine=[not why for why in whys])
    judged["verdict"] = (
        judged["why"].map(lambda why: labels.REWORD.word if why else labels.GOOD_LINK.word).astype("str")
    )
    ordered = judged.sort_values(["fine", "targets", "links"], ascending=[True, False, False], kind="stable")
    columns = ["anchor", "targets", "links", "verdict", "why", "example_targets"]
    return ordered[columns].reset_index(drop=True)


def _why_shared(anchor: Any) -> str:
    if anchor.little:
        return "It does not describe a page."
    if anchor.unnamed >= MANY_PAGES:
        return f"It does not name {anchor.unnamed:,} of the pages that it links to."
    return ""


def _folded(anchors: pd.Series) -> pd.Series:
    return anchors.str.casefold().str.split().str.join(" ")


def _is_code(links: pd.DataFrame) -> pd.Series:
    address = links["anchor"].str.contains(r"(?i)://|www\.")
    own = [host in anchor for host, anchor in zip(links["target_host"], links["anchor"].str.casefold(), strict=True)]
    return (links["anchor_class"] == labels.NAKED_URL.word) & ~address & ~pd.Series(own, links.index, dtype=bool)


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
    if link.anchor_class == labels.NO_ANCHOR.word:
        return "It has no text: an image without alt text, or an empty link."
    kind = "is only a URL" if link.anchor_class == labels.NAKED_URL.word else "does not describe the page"
    return f"“{link.anchor}” {kind}."


def _relevance(link: Any) -> str:
    return (
        "relevance not known" if link.page_relevance != link.page_relevance else f"relevance {link.page_relevance:.0f}"
    )


def page_relevance(vectors: np.ndarray, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the relevance of each pair of pages, 0 to 100, float64 (pairs,).

    `vectors` (pages, dimensions) have length 1; `source` and `target` (pairs,) are their rows. The mean of two shares:
    of the pages that are less like the target than the source is, and of those less like the source than the target.
    A pair of chance has 50.
    """
    if not len(source):
        return np.zeros(0)
    sample = np.unique(np.linspace(0, len(vectors) - 1, min(SAMPLED_PAGES, len(vectors))).astype(int))
    others = vectors[sample]
    cosines = np.einsum("ij,ij->i", vectors[source], vectors[target])
    shares = [_share_below(vectors, sample, others, end, cosines) for end in (source, target)]
    return 100 * np.mean(shares, axis=0)


def _share_below(
    vectors: np.ndarray, sample: np.ndarray, others: np.ndarray, page: np.ndarray, cosines: np.ndarray
) -> np.ndarray:
    """Return for each pair the share of the sampled pages, the page itself left out, less like the page."""
    found = np.empty(len(page))
    order = np.argsort(page, kind="stable")
    distinct, starts = np.unique(page[order], return_index=True)
    ends = np.append(starts[1:], len(page))
    for first in range(0, len(distinct), ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        block = vectors[distinct[part]] @ others.T
        block[sample[None, :] == distinct[part, None]] = np.nan
        block.sort(axis=1)  # NaN last
        known = np.isfinite(block).sum(axis=1)
        for row, (start, end) in enumerate(zip(starts[part], ends[part], strict=True)):
            pairs = order[start:end]
            low = np.searchsorted(block[row, : known[row]], cosines[pairs] - 1e-6, "left")
            high = np.searchsorted(block[row, : known[row]], cosines[pairs] + 1e-6, "right")
            found[pairs] = (low + high) / 2 / max(1, known[row])
    return found
