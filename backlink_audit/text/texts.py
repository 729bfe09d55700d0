"""The words that stand for the two ends of a backlink, in each of the five modes (docs/definitions.md, similarity)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from backlink_audit.settings import LinkText
from backlink_audit.text.bags import Bags, Vocabulary
from backlink_audit.text.urls import map_distinct, normalise_urls, url_tokens, url_words

TITLE, ANCHOR, URL_WORDS, URL, URL_TOKENS = "title", "anchor", "URL words", "URL", "URL tokens"
"""The names of the evidences, as the result table shows them."""

LONGEST_TEXT = 1_000
"""Characters of a title or anchor that are read: the default model reads no more than about 256 word pieces."""

_NOISE = re.compile(r"[\s\u00ad\u200b-\u200f\u2060\ufeff\ufffd]+")
_NAKED_URL = re.compile(r"(?:https?://)?(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
_SITE = re.compile(r"\s*(?:(?:[a-z][a-z0-9+.-]*:)?//)?[^/?#]*", re.IGNORECASE)


@dataclass(frozen=True)
class LinkTexts:
    """What stands for the two ends of every link. Several evidences on a side: the link's similarity is the best pair.

    `subject` is the text that tells what the referring page is about (its topic); the anchor tells about the target.
    """

    vocabulary: Vocabulary
    referring: Mapping[str, Bags]
    target: Mapping[str, Bags]
    subject: Bags


def read_link_texts(links: pd.DataFrame, mode: LinkText, pages: pd.DataFrame | None = None) -> LinkTexts:
    """Return the texts of both ends of cleaned backlinks. `pages`: the mapped crawl of the target site, if loaded."""
    vocabulary = Vocabulary()
    return LinkTexts(
        vocabulary,
        referring=_referring_side(vocabulary, links, mode),
        target=_target_side(vocabulary, links, mode, pages),
        subject=_subject(vocabulary, links, mode),
    )


def clean_text(text: str) -> str:
    r"""Return a text without invisible characters and repeated spaces, cut at LONGEST_TEXT.

    >>> clean_text(" Oak\u200b\u00a0 chairs\n")
    'Oak chairs'
    """
    return _NOISE.sub(" ", text).strip()[:LONGEST_TEXT]


def anchor_text(anchor: str) -> str:
    """Return the words of an anchor; those of its URL where it is a naked one.

    >>> anchor_text("www.example.com/oak-chairs")
    'example oak chairs'
    >>> anchor_text("Our oak chairs")
    'Our oak chairs'
    """
    anchor = clean_text(anchor)
    if not _NAKED_URL.fullmatch(anchor):
        return anchor
    return url_words(anchor) or anchor


def page_words(url: str) -> str:
    """Return the words of a URL's path and parameters; those of its host where it has no others.

    >>> page_words("https://www.example.com/oak-chairs"), page_words("https://www.example.com/")
    ('oak chairs', 'example')
    """
    site = _SITE.match(url)
    words = url_words(url)
    return words.removeprefix(url_words(site[0]) if site else "").strip() or words


def _referring_side(vocabulary: Vocabulary, links: pd.DataFrame, mode: LinkText) -> dict[str, Bags]:
    urls, titles = links["referring_url"], links["referring_title"]
    if mode == "url":
        return {URL: vocabulary.bags(urls, _whole)}
    if mode == "url-tokens":
        return {URL_TOKENS: vocabulary.bags(urls, url_tokens)}
    if mode == "url-words":
        return {URL_WORDS: vocabulary.bags(urls, _only(url_words))}
    title = vocabulary.bags(titles, _only(clean_text))
    if mode == "title":
        untitled = urls.where(~pd.Series(title.has_text(), links.index), "")
        return {TITLE: title, URL_WORDS: vocabulary.bags(untitled, _only(url_words))}
    return {
        TITLE: title,
        ANCHOR: vocabulary.bags(_anchors_in_context(links), _only(anchor_text)),
        URL_WORDS: vocabulary.bags(urls, _only(url_words)),
    }


def _target_side(
    vocabulary: Vocabulary, links: pd.DataFrame, mode: LinkText, pages: pd.DataFrame | None
) -> dict[str, Bags]:
    urls = links["target_url"]
    if mode == "url":
        return {URL: vocabulary.bags(urls, _whole)}
    if mode == "url-tokens":
        return {URL_TOKENS: vocabulary.bags(urls, url_tokens)}
    if mode == "url-words":
        return {URL_WORDS: vocabulary.bags(urls, _only(url_words))}
    side = {URL_WORDS: vocabulary.bags(urls, lambda url: (url_words(url), page_words(url)))}
    if pages is not None:
        side[TITLE] = vocabulary.bags(_titles_of_targets(links, pages), _only(clean_text))
    return side


def _subject(vocabulary: Vocabulary, links: pd.DataFrame, mode: LinkText) -> Bags:
    """Return what the referring page is about: its title, else its URL's words; in the URL modes, what they compare."""
    urls, titles = links["referring_url"], links["referring_title"]
    if mode in ("evidence", "title"):
        titles = map_distinct(titles, clean_text)
        untitled = map_distinct(urls.where(titles == "", ""), url_words)
        return vocabulary.bags(titles.where(titles != "", untitled), _whole)
    return _referring_side(vocabulary, links, mode).popitem()[1]


def _anchors_in_context(links: pd.DataFrame) -> pd.Series:
    """Return each anchor between the words before and after it; a blank anchor stays blank (an image has no words)."""
    anchors = links["anchor"].str.strip()
    around = links["left_context"].str.strip() + " " + anchors + " " + links["right_context"].str.strip()
    return around.where(anchors != "", "").str.strip()


def _titles_of_targets(links: pd.DataFrame, pages: pd.DataFrame) -> pd.Series:
    """Return title and H1 of each link's target page, "" where the crawl does not hold it."""
    names = pages["title"].where(pages["title"] == pages["h1"], pages["title"] + " " + pages["h1"])
    names = names.set_axis(normalise_urls(pages["url"]))
    names = names[~names.index.duplicated()]
    return links["target_key"].map(names).fillna("")


def _only(words: Callable[[str], str]) -> Callable[[str], Sequence[str]]:
    return lambda value: (words(value),)


def _whole(value: str) -> Sequence[str]:
    return (value,)
