"""The words that stand for the two ends of a backlink, in each of the five modes (docs/definitions.md, similarity)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

import pandas as pd

from backlink_audit.settings import LinkText
from backlink_audit.text.bags import Bags, Vocabulary
from backlink_audit.text.urls import map_distinct, normalise_urls, registrable_domain, url_tokens, url_words

TITLE, ANCHOR, URL_WORDS, URL, URL_TOKENS = "title", "anchor", "URL words", "URL", "URL tokens"
"""The names of the evidences, as the result table shows them."""

SITE_WEIGHT = 2.0
"""What a homepage's site weighs beside its URL's words: docs/decisions/similarity.md."""
PAGES_OF_A_SITE = 200
"""How many of a site's pages, the most linked ones, tell what it is about."""

HOME_WORDS = frozenset(
    "home index main default start welcome homepage accueil inicio startseite principal pagina "
    "ar bg br ca ch cn cs cz da de dk el en es et eu fi fr gb gr he hi hr hu id in it ja jp ko kr lt lv mx nl no pl pt "
    "ro ru se sk sl sr sv th tr tw ua uk us vi zh".split()
)
"""A path of nothing but these, a word for home or a language or country, leads to a homepage too (/en-us/home)."""

LONGEST_TEXT = 1_000
"""Characters of a title or anchor that are read: the default model reads no more than about 256 word pieces."""

_NOISE = re.compile(r"[\s\u00ad\u200b\u200e\u200f\u2060\ufeff\ufffd]+")
_NAKED_URL = re.compile(r"(?:https?://)?(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|ico|pdf|mp[34])(?:\?.*)?\Z", re.IGNORECASE)
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
    chance: Bags
    """What the links are judged against, in the form that is compared: one row per topic, then per site name."""


def read_link_texts(
    links: pd.DataFrame,
    mode: LinkText,
    pages: pd.DataFrame | None = None,
    topics: Sequence[str] = (),
    site_names: Sequence[str] = (),
    targets: pd.DataFrame | None = None,
) -> LinkTexts:
    """Return the texts of both ends of cleaned backlinks, and of what they are judged against.

    `pages`: the mapped crawl of the target site, if loaded. `targets`: the `count_targets` of the whole export, where
    `links` are only a part of it.
    """
    vocabulary = Vocabulary()
    return LinkTexts(
        vocabulary,
        referring=_referring_side(vocabulary, links, mode),
        target=_target_side(vocabulary, links, mode, pages, count_targets(links) if targets is None else targets),
        subject=_subject(vocabulary, links, mode),
        chance=_chance(vocabulary, mode, topics, site_names),
    )


def count_targets(links: pd.DataFrame) -> pd.DataFrame:
    """Return the target pages of cleaned backlinks, the most linked first: target_domain, target_key, count."""
    targets = links[["target_domain", "target_key"]]
    return most_linked(targets.value_counts(sort=False).reset_index())


def most_linked(targets: pd.DataFrame) -> pd.DataFrame:
    """Return target pages, the most linked first, equals by their address, each once.

    `targets` holds the counts of one or more parts of an export, as `count_targets` gives them.
    """
    totals = targets.groupby(["target_domain", "target_key"])["count"].sum().reset_index()
    return totals.sort_values(["count", "target_key"], ascending=[False, True], ignore_index=True)


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
    """Return the words of a URL's path and parameters, without its host's.

    >>> page_words("https://www.example.com/oak-chairs"), page_words("https://www.example.com/")
    ('oak chairs', '')
    """
    site = _SITE.match(url)
    return url_words(url).removeprefix(url_words(site[0]) if site else "").strip()


def _referring_side(vocabulary: Vocabulary, links: pd.DataFrame, mode: LinkText) -> dict[str, Bags]:
    urls, titles = links["referring_url"], links["referring_title"]
    if mode == "url":
        return {URL: vocabulary.bags(urls, _whole)}
    if mode == "url-tokens":
        return {URL_TOKENS: vocabulary.bags(urls, url_tokens)}
    if mode == "url-words":
        return {URL_WORDS: vocabulary.bags(urls, _only(url_words))}
    titles = map_distinct(titles, clean_text)
    if mode == "title":
        untitled = urls.where(titles == "", "")
        return {TITLE: vocabulary.bags(titles, _whole), URL_WORDS: vocabulary.bags(untitled, _only(url_words))}
    return {
        TITLE: vocabulary.bags(titles, _whole),
        ANCHOR: vocabulary.bags(_anchors_in_context(links), _only(clean_text)),
        URL_WORDS: vocabulary.bags(urls, _only(url_words)),
    }


def _target_side(
    vocabulary: Vocabulary, links: pd.DataFrame, mode: LinkText, pages: pd.DataFrame | None, targets: pd.DataFrame
) -> dict[str, Bags]:
    urls = links["target_url"]
    if mode == "url":
        return {URL: vocabulary.bags(urls, _whole)}
    if mode == "url-tokens":
        return {URL_TOKENS: vocabulary.bags(urls, url_tokens)}
    if mode == "url-words":
        return {URL_WORDS: vocabulary.bags(urls, _only(url_words))}
    side = {URL_WORDS: vocabulary.weighted_bags(links["target_key"], _target_words(targets))}
    if pages is not None:
        side[TITLE] = vocabulary.bags(_titles_of_targets(links, pages), _only(clean_text))
    return side


def _target_words(targets: pd.DataFrame) -> Callable[[str], Sequence[tuple[str, float]]]:
    """Return the function that tells the words of a target page from its normalised URL.

    A page: its URL's words, and once more those of its path, so that the site's name does not drown the page's. A
    homepage: its URL's words, and what the site's other linked pages are about, since a bare host says little.
    """
    pages_of = _linked_pages(targets)

    def words_of(key: str) -> list[tuple[str, float]]:
        page = page_words(key)
        if not HOME_WORDS.issuperset(page.split()):
            return [(url_words(key), 1.0), (page, 1.0)]
        pages = pages_of.get(registrable_domain(key), [])
        return [(url_words(key), 1.0), *((page, SITE_WEIGHT / len(pages)) for page in pages)]

    return words_of


def _linked_pages(targets: pd.DataFrame) -> dict[str, list[str]]:
    """Return the words of each target site's most linked pages, homepage and files apart."""
    targets = targets[~targets["target_key"].str.contains(_FILE)]
    targets = targets.assign(words=map_distinct(targets["target_key"], page_words))
    named = targets[~targets["words"].str.split().map(HOME_WORDS.issuperset).astype(bool)]
    named = named.drop_duplicates(["target_domain", "words"])
    kept = named.groupby("target_domain").head(PAGES_OF_A_SITE)
    return {str(site): words.tolist() for site, words in kept.groupby("target_domain")["words"]}


def _subject(vocabulary: Vocabulary, links: pd.DataFrame, mode: LinkText) -> Bags:
    """Return what the referring page is about: its title, else its URL's words; in the URL modes, what they compare."""
    urls, titles = links["referring_url"], links["referring_title"]
    if mode in ("evidence", "title"):
        titles = map_distinct(titles, clean_text)
        untitled = map_distinct(urls.where(titles == "", ""), url_words)
        return vocabulary.bags(titles.where(titles != "", untitled), _whole)
    return _referring_side(vocabulary, links, mode).popitem()[1]


def _chance(vocabulary: Vocabulary, mode: LinkText, topics: Sequence[str], site_names: Sequence[str]) -> Bags:
    """Return the subjects; as invented URLs where whole URLs are compared, since any two URLs are alike."""
    subjects = pd.Series([*topics, *site_names], dtype="str")
    if mode not in ("url", "url-tokens"):
        return vocabulary.bags(subjects, _whole)
    sites = cycle(site_names)
    pages = [f"https://www.{site}.com/{topic.replace(' ', '-')}" for topic, site in zip(topics, sites, strict=False)]
    urls = pd.Series([*pages, *(f"https://www.{site}.com/" for site in site_names)], dtype="str")
    return vocabulary.bags(urls, _whole if mode == "url" else url_tokens)


def _anchors_in_context(links: pd.DataFrame) -> pd.Series:
    """Return each anchor between the words before and after it; a blank anchor stays blank (an image has no words)."""
    anchors = map_distinct(links["anchor"], anchor_text)
    around = links["left_context"] + " " + anchors + " " + links["right_context"]
    return around.where(anchors != "", "")


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
