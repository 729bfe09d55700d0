"""Which evidence a redirect needs besides its score, before it is called sure."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from backlink_audit.analysis.redirects.matching import KEPT_CONTENT, SAME_CONTENT, SAME_FROM, Likeness
from backlink_audit.pipelines.redirects.likenesses import CONTENT, NAMES
from backlink_audit.pipelines.redirects.pages import with_query
from backlink_audit.text.languages.any_language import words
from backlink_audit.text.pages.page_texts import PageTexts
from backlink_audit.text.urls.parts import last_part

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
    same_names = cosines.get(NAMES, none) >= SAME_FROM
    has_content = np.array([bool(body) for body in texts[0].bodies]) & np.array(
        [bool(texts[1].bodies[place]) for place in best]
    )
    alike = np.where(has_content, cosines.get(CONTENT, none) >= SAME_CONTENT, same_names & _same_last(urls, best))
    return alike & _alone(urls, texts, best) & _same_numbers(texts, best)


def kept(ways: Sequence[Likeness], urls: tuple[pd.Series, pd.Series], best: np.ndarray) -> np.ndarray:
    """Return which old pages kept the last part of their URL and nearly all of their text, bool (old pages,)."""
    [content] = [one.pairs(np.arange(len(best)), best) for one in ways if one.name == CONTENT] or [np.zeros(len(best))]
    return _same_last(urls, best) & (content >= KEPT_CONTENT)


def _same_last(urls: tuple[pd.Series, pd.Series], best: np.ndarray) -> np.ndarray:
    """Return for which old pages the last part of the URL is that of the best new page."""
    new = [last_part(url) for url in urls[1]]
    return np.array([one == new[place] != "" for one, place in zip(map(last_part, urls[0]), best, strict=True)])


def _alone(urls: tuple[pd.Series, pd.Series], texts: tuple[PageTexts, PageTexts], best: np.ndarray) -> np.ndarray:
    """Return for which old pages neither they nor the best new page share their title and H1 with another page.

    A page with a query is none to one without: mostly it is the same, sorted or filtered.
    """
    old, new = (
        [" ".join(words(f"{title} {heading}")) for title, heading in zip(site.titles, site.headings, strict=True)]
        for site in texts
    )
    of_old, of_new = Counter(old), Counter(new)
    queried = with_query(urls[0])
    plain = Counter(name for name, has_query in zip(old, queried, strict=True) if not has_query)
    alone = [
        (of_old if has_query else plain)[name] == 1 == of_new[new[place]]
        for name, has_query, place in zip(old, queried, best, strict=True)
    ]
    return np.array(alone)


def _same_numbers(texts: tuple[PageTexts, PageTexts], best: np.ndarray) -> np.ndarray:
    numbers = [[sorted(_NUMBER.findall(name)) for name in site.names] for site in texts]
    return np.array([one == numbers[1][place] for one, place in zip(numbers[0], best, strict=True)])
