"""The words that represent the pages of a site when other texts look for the closest of them."""

import pandas as pd

from backlink_audit.text.links.link_texts import page_words, short_text
from backlink_audit.text.urls.parts import map_distinct, url_words


def site_texts(urls: pd.Series, titles: pd.Series, headings: pd.Series) -> list[pd.Series]:
    """Return the texts that represent each page: the words of its URL, those of its path alone, and its title and H1.

    Text Series with the index of `urls`, "" where a page has no such text. The path's words are also used alone, so
    that the site's name does not outweigh the page's.
    """
    names = titles.where((titles == headings) | (headings == ""), titles + " " + headings)
    return [map_distinct(urls, url_words), map_distinct(urls, page_words), map_distinct(names, short_text)]
