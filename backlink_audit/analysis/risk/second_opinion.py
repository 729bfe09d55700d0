"""A second opinion on what a tool flags as spam or toxic: links that the audit finds worth keeping."""

import pandas as pd

from backlink_audit.labels import PRAISE
from backlink_audit.wording import by_number, part_of


def second_opinions(links: pd.DataFrame, flags: pd.Series, signals: pd.Series) -> pd.DataFrame:
    """Return the links that the tool flags and the audit finds fine, with second_opinion: why, in words.

    Fine are links with a verdict of links worth keeping, and no other signal that counts.

    Args:
        links: Links of an audit, with verdict and why.
        flags: What the tool says against each in words, "" for nothing (`facts.own_flag`); same index.
        signals: How many risk signals each has, the flag included; same index.
    """
    praised = links["verdict"].isin([label.word for label in PRAISE])
    fine = (flags != "") & praised & (signals <= 1)
    words = "Flagged by the tool (" + flags[fine] + "); fine here: " + links.loc[fine, "why"]
    return links[fine].assign(second_opinion=words.astype("str"))


def in_a_sentence(fine: int, flags: int) -> str:
    """Return how many of the tool's flags the audit finds fine, in a sentence; "" where the tool flags nothing.

    >>> in_a_sentence(1, 2)
    '1 of 2 links that the tool flags is fine by this audit.'
    """
    if not flags:
        return ""
    return f"{part_of(fine, flags, 'link')} that the tool flags {by_number(fine, 'is', 'are')} fine by this audit."
