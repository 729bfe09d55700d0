"""The words that stand for the pages of a site when other texts look for the closest of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from backlink_audit.text.bags import Bags, Vocabulary
from backlink_audit.text.texts import clean_text, page_words
from backlink_audit.text.urls import url_words


@dataclass(frozen=True)
class SiteTexts:
    """What stands for each page, in order: the words of its URL, and its title and H1 where they are known."""

    vocabulary: Vocabulary
    sides: Mapping[str, Bags]

    def vectors(self, vectors: np.ndarray) -> list[np.ndarray]:
        """Return a matrix (pages, dimensions) for each side; a row of zeros where a page has no such text.

        `vectors` are those of the vocabulary's texts, unit rows.
        """
        return [side.unit_vectors(vectors, 0, len(side.codes)) for side in self.sides.values()]


def read_site_texts(urls: pd.Series, titles: pd.Series, headings: pd.Series) -> SiteTexts:
    """Return the texts of a site's pages; titles and headings are "" where unknown.

    Of a URL's words, those of the path count twice, so that the site's name does not drown the page's.
    """
    vocabulary = Vocabulary()
    names = titles.where((titles == headings) | (headings == ""), titles + " " + headings)
    return SiteTexts(
        vocabulary,
        {
            "URL words": vocabulary.bags(urls, _words_of_url),
            "title": vocabulary.bags(names, lambda name: (clean_text(name),)),
        },
    )


def _words_of_url(url: str) -> Sequence[str]:
    return tuple(words for words in (url_words(url), page_words(url)) if words)
