"""The words that represent the two ends of a backlink, in each of the five modes (docs/definitions.md, similarity)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

import pandas as pd

from backlink_audit.settings import LinkText
from backlink_audit.text.bags import Bags, Vocabulary
from backlink_audit.text.chains import old_addresses
from backlink_audit.text.clean import clean_text
from backlink_audit.text.page_subjects import page_subjects
from backlink_audit.text.urls import (
    map_distinct,
    normalise_urls,
    registrable_domain,
    registrable_domains,
    url_tokens,
    url_words,
)

PAGES_OF_A_SITE = 200
"""How many of a site's pages show what it is about: the most linked ones, or an even sample of its crawl."""

HOME_WORDS = frozenset(
    "home index main default start welcome homepage accueil inicio startseite principal pagina "
    "ar bg br ca ch cn cs cz da de dk el en es et eu fi fr gb gr he hi hr hu id in it ja jp ko kr lt lv mx nl no pl pt "
    "ro ru se sk sl sr sv th tr tw ua uk us vi zh".split()
)
"""A path of nothing but these, a word for home or a language or country, leads to a homepage too (/en-us/home)."""

LONGEST_TEXT = 1_000
"""Characters of a title or anchor that are read: the default model reads no more than about 256 word pieces."""

_NAKED_URL = re.compile(r"(?:https?://)?(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|ico|pdf|mp[34])(?:\?.*)?\Z", re.IGNORECASE)
_SITE = re.compile(r"\s*(?:(?:[a-z][a-z0-9+.-]*:)?//)?[^/?#]*", re.IGNORECASE)


@dataclass(frozen=True)
class LinkTexts:
    """The texts that represent the two ends of every link, and its anchor."""

    vocabulary: Vocabulary
    words: pd.Series
    """The text of each referring page (`referring_texts`)."""
    sites: Mapping[str, Sequence[str]]
    """What the pages of each target site are about (`site_pages`)."""
    referring: Bags
    """The referring page's own words."""
    pages: tuple[Bags, ...]
    """The target page: the words of its URL, its title with its H1 where a crawl is loaded, and where links arrive over
    a redirect the words of the URL that they name. The best one counts."""
    site: Bags | None
    """The subject of the target's site, as all its pages together; None in the modes that compare two pages alone."""
    anchor: Bags | None
    """The anchor's own words; None in the modes that compare URLs."""
    topics: Bags
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
    `links` are only a part of it. `site_names` are used in the modes that compare whole URLs.
    """
    vocabulary = Vocabulary()
    words = referring_texts(links, mode)
    names = site_pages(count_targets(links) if targets is None else targets, pages)
    by_subject = mode == "subject"
    return LinkTexts(
        vocabulary,
        words,
        names,
        referring=vocabulary.bags(words, url_tokens if mode == "url-tokens" else _whole),
        pages=_target_side(vocabulary, links, mode, pages, frozenset(names) if by_subject else frozenset()),
        site=vocabulary.bags(links["target_domain"], lambda site: names.get(site, ())) if by_subject else None,
        anchor=vocabulary.bags(links["anchor"], _only(anchor_text)) if mode in ("subject", "title") else None,
        topics=_topics(vocabulary, mode, topics, site_names),
    )


def referring_texts(links: pd.DataFrame, mode: LinkText) -> pd.Series:
    """Return the text of each referring page: its title, else its URL's words; in the URL modes, what they compare.

    Of a title only what is of the page itself counts (`page_subjects`).
    """
    urls = links["referring_url"]
    if mode in ("url", "url-tokens"):
        return urls
    if mode == "url-words":
        return map_distinct(urls, url_words)
    titles = page_subjects(map_distinct(links["referring_title"], short_text), urls)
    return titles.where(titles != "", map_distinct(urls.where(titles == "", ""), url_words))


def site_pages(targets: pd.DataFrame, pages: pd.DataFrame | None = None) -> dict[str, list[str]]:
    """Return what the pages of each target site are about, by its domain; a site that nothing is known of is left out.

    The pages of its crawl by their titles and H1s; without a crawl of that site, its linked pages by the words of
    their paths, the most linked first. Homepages and files say nothing about a subject.
    """
    found = _linked_pages(targets)
    crawled = _crawled_pages(pages) if pages is not None else {}
    return found | {site: names for site, names in crawled.items() if site in set(targets["target_domain"])}


def count_targets(links: pd.DataFrame) -> pd.DataFrame:
    """Return the target pages of cleaned backlinks, the most linked first: target_domain, target_key, count."""
    targets = links[["target_domain", "target_key"]]
    return most_linked(targets.value_counts(sort=False).reset_index())


def most_linked(targets: pd.DataFrame) -> pd.DataFrame:
    """Return target pages, the most linked first, equals by their address, each once.

    `targets` has the counts of one or more parts of an export, as `count_targets` gives them.
    """
    totals = targets.groupby(["target_domain", "target_key"])["count"].sum().reset_index()
    return totals.sort_values(["count", "target_key"], ascending=[False, True], ignore_index=True)


def short_text(text: str) -> str:
    """Return a text as a reader sees it, cut at LONGEST_TEXT."""
    return clean_text(text)[:LONGEST_TEXT]


def anchor_text(anchor: str) -> str:
    """Return the words of an anchor; those of its URL where it is a naked one.

    >>> anchor_text("www.example.com/oak-chairs")
    'example oak chairs'
    >>> anchor_text("Our oak chairs")
    'Our oak chairs'
    """
    anchor = short_text(anchor)
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


def is_homepage(key: str) -> bool:
    """Return whether a normalised URL leads to a homepage, that of a language included.

    >>> is_homepage("example.com"), is_homepage("example.com/en-us/home"), is_homepage("example.com/chairs")
    (True, True, False)
    """
    return HOME_WORDS.issuperset(page_words(key).split())


def _target_side(
    vocabulary: Vocabulary, links: pd.DataFrame, mode: LinkText, pages: pd.DataFrame | None, known: frozenset[str]
) -> tuple[Bags, ...]:
    """Return the texts of the target page. `known`: the sites with a subject, which represents their homepages."""
    urls = links["target_url"]
    if mode in ("url", "url-tokens"):
        return (vocabulary.bags(urls, url_tokens if mode == "url-tokens" else _whole),)
    if mode == "url-words":
        return (vocabulary.bags(urls, _only(url_words)),)
    by_words = vocabulary.bags(links["target_key"], _target_words(known))
    titles = [] if pages is None else [vocabulary.bags(_titles_of_targets(links, pages), _only(short_text))]
    old = old_addresses(links)
    linked = [vocabulary.bags(old, _words_of_old_address)] if old.ne("").any() else []
    return by_words, *titles, *linked


def _target_words(known: frozenset[str]) -> Callable[[str], Sequence[str]]:
    """Return the function that gives the words of a target page from its normalised URL.

    A page: its URL's words, and once more those of its path, so that the site's name does not outweigh the page's. A
    homepage says nothing that its site does not; where the site is unknown, it has its name at least.
    """

    def words_of(key: str) -> Sequence[str]:
        if is_homepage(key):
            return () if registrable_domain(key) in known else (url_words(key),)
        return url_words(key), page_words(key)

    return words_of


def _words_of_old_address(key: str) -> Sequence[str]:
    """Return the words of an old page that redirects to the target; of a homepage none: they are a name alone."""
    return () if is_homepage(key) else (url_words(key), page_words(key))


def _linked_pages(targets: pd.DataFrame) -> dict[str, list[str]]:
    """Return the words of each target site's most linked pages, homepage and files apart."""
    targets = targets[~targets["target_key"].str.contains(_FILE)]
    targets = targets.assign(words=map_distinct(targets["target_key"], page_words))
    named = targets[~targets["words"].str.split().map(HOME_WORDS.issuperset).astype(bool)]
    named = named.drop_duplicates(["target_domain", "words"])
    kept = named.groupby("target_domain").head(PAGES_OF_A_SITE)
    return {str(site): words.tolist() for site, words in kept.groupby("target_domain")["words"]}


def _crawled_pages(pages: pd.DataFrame) -> dict[str, list[str]]:
    """Return titles and H1s of an even sample of the crawled pages of each site; pages that did not answer say none."""
    answered = pages["http_status"].isna() | pages["http_status"].between(200, 299)
    html = (pages["content_type"] == "") | pages["content_type"].str.contains("html", case=False)
    names = map_distinct(_page_names(pages), short_text)
    named = pd.DataFrame({"site": registrable_domains(pages["url"]), "name": names})[answered & html & (names != "")]
    named = named.drop_duplicates()
    return {
        str(site): group.tolist()[:: max(1, -(-len(group) // PAGES_OF_A_SITE))]
        for site, group in named.groupby("site")["name"]
    }


def _topics(vocabulary: Vocabulary, mode: LinkText, topics: Sequence[str], site_names: Sequence[str]) -> Bags:
    """Return the topics; as invented URLs, and bare hosts, where whole URLs are compared: any two URLs are alike."""
    if mode not in ("url", "url-tokens"):
        return vocabulary.bags(pd.Series([*topics], dtype="str"), _whole)
    sites = cycle(site_names)
    pages = [f"https://www.{site}.com/{topic.replace(' ', '-')}" for topic, site in zip(topics, sites, strict=False)]
    urls = pd.Series([*pages, *(f"https://www.{site}.com/" for site in site_names)], dtype="str")
    return vocabulary.bags(urls, _whole if mode == "url" else url_tokens)


def _page_names(pages: pd.DataFrame) -> pd.Series:
    """Return title and H1 of crawled pages, once where they are the same."""
    return pages["title"].where(pages["title"] == pages["h1"], pages["title"] + " " + pages["h1"])


def _titles_of_targets(links: pd.DataFrame, pages: pd.DataFrame) -> pd.Series:
    """Return title and H1 of each link's target page, "" where the crawl does not have it."""
    names = _page_names(pages).set_axis(normalise_urls(pages["url"]))
    names = names[~names.index.duplicated()]
    return links["target_key"].map(names).fillna("")


def _only(words: Callable[[str], str]) -> Callable[[str], Sequence[str]]:
    return lambda value: (words(value),)


def _whole(value: str) -> Sequence[str]:
    return (value,)
