"""What the title of a page says of the page itself, without the name of its site or its software.

"Blues guitar lessons | Oak Tables Ltd" in the forum of a furniture shop is about guitars; a page of search results is
about what was searched for; and "bulktreeoil" is a name of three words.
"""

from urllib.parse import parse_qsl, urlsplit

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from backlink_audit.text.brands import page_part
from backlink_audit.text.joined_words import split_joined
from backlink_audit.text.languages import words
from backlink_audit.text.page_shapes import VISITORS, shape_pattern
from backlink_audit.text.urls import map_distinct

FEWEST_WORDS = 4
"""Words of a visitor's title without the site's name; of fewer ("General discussion") the site says more."""

_SEARCH_NAMES = frozenset("query search keyword keywords search_query".split())
_SEARCH = rf"(?i)[?&](?:{'|'.join(sorted(_SEARCH_NAMES))})=[^&]"


def page_subjects(titles: pd.Series, urls: pd.Series) -> pd.Series:
    """Return the titles without what is not of the page itself; text Series with the same index."""
    by_visitors = _matched(urls, f"(?i){shape_pattern(VISITORS)}")
    shortened = titles.where(~by_visitors, map_distinct(titles.where(by_visitors, ""), without_site))
    parted = map_distinct(shortened, split_joined)
    searched = _matched(urls, _SEARCH)
    if not searched.any():
        return parted
    found = [search_words(title, url) for title, url in zip(parted[searched], urls[searched], strict=True)]
    return parted.where(~searched, pd.Series(found, parted.index[searched], dtype="str").reindex(parted.index))


def without_site(title: str) -> str:
    """Return a title without its last part, where a site writes its name; whole where few words are left.

    >>> without_site("How to play the blues guitar | Oak Tables"), without_site("General discussion | Oak Tables")
    ('How to play the blues guitar', 'General discussion | Oak Tables')
    """
    part = page_part(title)
    return part if part.count(" ") + 1 >= FEWEST_WORDS else title


def search_words(title: str, url: str) -> str:
    """Return what a page of search results was searched for where its title does not say it, else the title.

    >>> search_words("Findall", "https://findall.example/?search=oak%20chairs")
    'oak chairs'
    """
    try:
        pairs = parse_qsl(urlsplit(url).query)
    except ValueError:
        return title
    found = next((value for name, value in pairs if name.lower() in _SEARCH_NAMES), "").replace("+", " ").strip()
    searched = words(found)
    if all(word.isdigit() for word in searched) or set(searched).issubset(words(title)):
        return title
    return found


def _matched(texts: pd.Series, pattern: str) -> pd.Series:
    """Return which texts an RE2 pattern matches anywhere, bool."""
    array = pa.array(texts, type=pa.large_string(), from_pandas=True)
    found = pc.fill_null(pc.match_substring_regex(array, pattern), False)
    return pd.Series(found.to_numpy(zero_copy_only=False), index=texts.index)
