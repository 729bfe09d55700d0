"""Which evidence a redirect needs besides its score, before it is called sure."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from backlink_audit.analysis.redirects import SAME_CONTENT, SAME_FROM, Likeness
from backlink_audit.text.languages import words
from backlink_audit.text.pages import PageTexts
from backlink_audit.text.urls import last_part

_NUMBER = re.compile(r"\d+")


def evident(
    ways: Sequence[Likeness],
    urls: tuple[pd.Series, pd.Series],
    texts: tuple[PageTexts, PageTexts],
    best: np.ndarray,
) -> np.ndarray:
    """Return which old pages are evidently the best new page under another address, bool (old pages,).

    No other page of either site has the same title and H1, the numbers in both titles are the same (“part 1” is not
    “part 2”), and the words of the contents are alike; without contents title, H1 and the URL's last part are the same.
    """
    old = np.arange(len(best))
    cosines = {one.name: one.pairs(old, best) for one in ways}
    none = np.zeros(len(best))
    same_names = (cosines.get("title", none) >= SAME_FROM) & (cosines.get("H1", none) >= SAME_FROM)
    new_parts = [last_part(url) for url in urls[1]]
    same_slugs = np.array(
        [one == new_parts[place] != "" for one, place in zip(map(last_part, urls[0]), best, strict=True)]
    )
    has_content = np.array([bool(body) for body in texts[0].bodies]) & np.array(
        [bool(texts[1].bodies[place]) for place in best]
    )
    alike = np.where(has_content, cosines.get("content", none) >= SAME_CONTENT, same_names & same_slugs)
    return alike & _alone(texts, best) & _same_numbers(texts, best)


def _alone(texts: tuple[PageTexts, PageTexts], best: np.ndarray) -> np.ndarray:
    """Return for which old pages neither they nor the best new page share their title and H1 with another page."""
    names = [
        [" ".join(words(f"{title} {heading}")) for title, heading in zip(site.titles, site.headings, strict=True)]
        for site in texts
    ]
    counts = [Counter(of_site) for of_site in names]
    alone = [
        counts[0][name] == 1 and counts[1][names[1][place]] == 1 for name, place in zip(names[0], best, strict=True)
    ]
    return np.array(alone)


def _same_numbers(texts: tuple[PageTexts, PageTexts], best: np.ndarray) -> np.ndarray:
    numbers = [[sorted(_NUMBER.findall(name)) for name in site.names] for site in texts]
    return np.array([one == numbers[1][place] for one, place in zip(numbers[0], best, strict=True)])
