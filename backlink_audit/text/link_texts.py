"""The words that represent the two ends of a backlink, in each of the five modes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from backlink_audit.settings import LinkText
from backlink_audit.text import clean_text
from backlink_audit.text.sentences import sentence_gaps
from backlink_audit.text.text_vectors import Bags, Vocabulary
from backlink_audit.text.urls import (
    map_distinct,
    normalise_urls,
    old_addresses,
    registrable_domain,
    registrable_domains,
    url_tokens,
    url_words,
)

AROUND = ("place", "page_anchor", "text_before", "text_after", "heading", "page_title", "main_text", "site_titles")
"""What is known of the page that a link is on; of pages that are not known every one is "" """
IN_CONTENT = ("content", "")  # places whose sentences are read: a menu, a footer or a sidebar has none
LEAST_BESIDE = 25
"""Letters of a sentence besides the link's own: with fewer, it is an entry of a list or a name in a footer."""
LEAST_SENTENCE = 25  # letters from which a line of the page is read as a sentence
LEAST_OTHERS = 5  # other sentences from which it is known what a page is about
MOST_OTHERS = 24  # other sentences that are read, spread over the page
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
class PlaceTexts:
    """The texts around every link; a link that is not in a sentence of a page that is known has none."""

    words: pd.DataFrame  # `sentence`, the link's own, and `beside`, the rest of the page, one sentence a line
    sentence: Bags
    section: Bags
    page: Bags
    site: Bags
    target: pd.Series  # The anchor and the words of the target URL, in which field words are looked for


def read_place_texts(vocabulary: Vocabulary, around: pd.DataFrame, target_urls: pd.Series) -> PlaceTexts:
    """Return the texts around links as bags; `around` has the columns AROUND, in the order of the links."""
    words = pd.DataFrame(
        [_sentences(*row) for row in zip(*(around[name] for name in AROUND), strict=True)],
        columns=["sentence", "section", "beside", "site"],
        index=around.index,
        dtype="str",
    )
    bags = {name: vocabulary.bags(words[name], str.splitlines) for name in words}
    target = (around["page_anchor"] + " " + target_urls.map(url_words)).where(words["sentence"] != "", "")
    return PlaceTexts(
        words[["sentence", "beside"]], bags["sentence"], bags["section"], bags["beside"], bags["site"], target
    )


def sentence_around(before: str, anchor: str, after: str) -> str:
    """Return the sentence that a link stands in.

    >>> sentence_around("It rained. We sat on", "oak chairs", "by the fire. Then we ate.")
    'We sat on oak chairs by the fire.'
    """
    text = " ".join(part for part in (before, anchor, after) if part)
    at = len(before) + bool(before)
    gaps = list(sentence_gaps(text))
    start = max((end for _, end in gaps if end <= at), default=0)
    stop = min((begin for begin, _ in gaps if begin >= at + len(anchor)), default=len(text))
    return text[start:stop].strip()


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, each once, without lines that are too short for one."""
    gaps = [(0, 0), *sentence_gaps(text), (len(text), len(text))]
    found = (" ".join(text[start:stop].split()) for (_, start), (stop, _) in zip(gaps, gaps[1:], strict=False))
    return list(dict.fromkeys(sentence for sentence in found if len(sentence) >= LEAST_SENTENCE))


def _sentences(
    place: str, anchor: str, before: str, after: str, heading: str, title: str, main_text: str, site_titles: str
) -> tuple[str, str, str, str]:
    nothing = "", "", "", ""
    if place not in IN_CONTENT or not main_text:
        return nothing
    if not (before or after):
        before, after = _found_in(main_text, anchor)
    sentence = sentence_around(before, anchor, after)
    if len(sentence) - len(anchor) < LEAST_BESIDE:
        return nothing
    others = [one for one in sentences_of(f"{title}\n{main_text}") if one not in sentence and sentence not in one]
    if len(others) < LEAST_OTHERS:
        return nothing
    step = max(1.0, len(others) / MOST_OTHERS)
    others = [others[int(number * step)] for number in range(min(len(others), MOST_OTHERS))]
    section = " ".join(part for part in (heading, before, anchor, after) if part)
    return sentence, section, "\n".join(others), site_titles or title


def _found_in(text: str, anchor: str) -> tuple[str, str]:
    if not anchor or text.count(anchor) != 1:
        return "", ""
    before, _, after = text.partition(anchor)
    return " ".join(before.rpartition("\n")[2].split()), " ".join(after.partition("\n")[0].split())


def site_texts(urls: pd.Series, titles: pd.Series, headings: pd.Series) -> list[pd.Series]:
    """Return the texts that represent each page: the words of its URL, those of its path alone, and its title and H1.

    Text Series with the index of `urls`, "" where a page has no such text. The path's words are also used alone, so
    that the site's name does not outweigh the page's.
    """
    names = titles.where((titles == headings) | (headings == ""), titles + " " + headings)
    return [map_distinct(urls, url_words), map_distinct(urls, page_words), map_distinct(names, short_text)]


ASKED = 2_000  # links of a site that are asked what it is about: those of as many referring domains as that gives, …
ASKED_OF_A_DOMAIN = 5  # … of each the links to so many pages
OF_ASKED = ["target_domain", "referring_domain", "target_key", "referring_title", "referring_url", "target_url"]
OF_ASKED += ["anchor", "external_links", "url_rating", "nofollow"]


def asked_links(links: pd.DataFrame) -> pd.DataFrame:
    """Return a sample of the links to each target site, OF_ASKED; of cleaned links, or of those asked of several parts.

    Which links are in it follows from what they are, not from their order: domains by the hash of their names, and of
    a domain's links to one page the one with a title and the highest rating.
    """
    hashed = {name: _hashes(links[name]) for name in ("referring_domain", "target_key", "referring_url", "anchor")}
    rating = links["url_rating"].astype("float64").fillna(-1).to_numpy()
    best = np.lexsort((*list(hashed.values())[::-1], -rating, (links["referring_title"] == "").to_numpy()))
    first = links[OF_ASKED].iloc[best].drop_duplicates(["target_domain", "referring_domain", "target_key"])
    few = first[first.groupby(["target_domain", "referring_domain"]).cumcount() < ASKED_OF_A_DOMAIN]
    place = few.assign(order=_hashes(few["referring_domain"]))
    ordered = place.sort_values(["target_domain", "order", "referring_domain"], kind="stable")
    return ordered.groupby("target_domain").head(ASKED).drop(columns="order").reset_index(drop=True)


def _hashes(texts: pd.Series) -> np.ndarray:
    return pd.util.hash_array(texts.to_numpy(dtype=object), categorize=True)


@dataclass(frozen=True)
class LinkedSites:
    """What an export shows of the sites that it links to: `asked_links`."""

    asked: pd.DataFrame


@dataclass(frozen=True)
class OfSites:
    """Texts about target sites: row i has one about the site `sites[i]`, from the referring domain `domains[i]`."""

    sites: pd.Series
    domains: pd.Series
    texts: Bags


@dataclass(frozen=True)
class LinkTexts:
    """The texts that represent the two ends of every link, its anchor, and what its target's site is about."""

    vocabulary: Vocabulary
    words: pd.Series  # The own words of each referring page (`own_words`)
    own: Bags  # The same as bags
    referring: Bags  # What represents the referring page in this mode
    pages: tuple[Bags, ...]
    """The target page in this mode: the words of its URL, its title with its H1 where a crawl is loaded, and where
    links arrive over a redirect the words of the URL that they name. The best one counts."""
    targets: tuple[Bags, ...]  # The same in the mode subject, whatever the mode
    anchor: Bags | None  # The anchor's own words; None in the modes that compare URLs
    target_words: Bags  # The words of each target page's path
    site_pages: OfSites  # What the pages of a site's crawl are about, without domains
    site_names: OfSites  # Each site's name, without domains
    asked: OfSites  # The own words of the linking pages that are asked (`asked_links`)
    asked_targets: Bags  # The words of the paths of the pages that those link to, none for homepages and files
    topics: Bags  # Phrases that links are judged against, in order
    around: PlaceTexts | None = None  # The words around the links on their pages, where these are known


def read_link_texts(
    links: pd.DataFrame,
    mode: LinkText,
    pages: pd.DataFrame | None = None,
    topics: Sequence[str] = (),
    sites: LinkedSites | None = None,
    around: pd.DataFrame | None = None,
) -> LinkTexts:
    """Return the texts of both ends of cleaned backlinks, of their sites, and of what they are judged against.

    `pages`: the mapped crawl of the target site, if loaded. `sites`: of the whole export, where `links` are only a
    part of it. `around`: what is known of the pages of the links (`AROUND`).
    """
    vocabulary = Vocabulary()
    sites = sites or linked_sites(links)
    own = own_words(links["referring_title"], links["referring_url"])
    asked = sites.asked
    of_targets = map_distinct(asked["target_key"], own_page_words)
    names = {} if pages is None else _crawled_pages(pages)
    names = {site: texts for site, texts in names.items() if site in set(asked["target_domain"])}
    known = frozenset(names) | frozenset(asked["target_domain"][of_targets != ""])
    flat = pd.DataFrame([(site, text) for site, texts in names.items() for text in texts], columns=["site", "text"])
    flat = flat.astype("str")
    domains = pd.Series(asked["target_domain"].unique(), dtype="str")
    bags = vocabulary.bags(own, _whole)
    targets = _target_side(vocabulary, links, "subject", pages, known)
    is_url = mode in ("url", "url-tokens", "url-words")
    return LinkTexts(
        vocabulary,
        own,
        own=bags,
        referring=_compared(vocabulary, links["referring_url"], mode) if is_url else bags,
        pages=targets if mode == "subject" else _target_side(vocabulary, links, mode, pages, frozenset()),
        targets=targets,
        anchor=None if is_url else vocabulary.bags(links["anchor"], _only(anchor_text)),
        target_words=vocabulary.bags(links["target_key"], _only(page_words)),
        site_pages=OfSites(flat["site"], _blank(flat), vocabulary.bags(flat["text"], _whole)),
        site_names=OfSites(domains, _blank(domains), vocabulary.bags("https://" + domains + "/", _only(url_words))),
        asked=OfSites(
            asked["target_domain"],
            asked["referring_domain"],
            vocabulary.bags(own_words(asked["referring_title"], asked["referring_url"]), _whole),
        ),
        asked_targets=vocabulary.bags(of_targets, _whole),
        topics=vocabulary.bags(pd.Series([*topics], dtype="str"), _whole),
        around=None if around is None else read_place_texts(vocabulary, around, links["target_url"]),
    )


def own_words(titles: pd.Series, urls: pd.Series) -> pd.Series:
    """Return the own words of each page: its title, else the words of its URL."""
    titles = map_distinct(titles, short_text)
    return titles.where(titles != "", map_distinct(urls.where(titles == "", ""), url_words))


def linked_sites(links: pd.DataFrame) -> LinkedSites:
    return LinkedSites(asked_links(links))


def short_text(text: str) -> str:
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
    if mode in ("url", "url-tokens", "url-words"):
        return (_compared(vocabulary, links["target_url"], mode),)
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
    return () if is_homepage(key) else (url_words(key), page_words(key))


def own_page_words(key: str) -> str:
    """Return the words of a page of a site that say what the site is about, "" for homepages and files.

    >>> own_page_words("shop.example/oak-chairs"), own_page_words("shop.example/en"), own_page_words("a.example/b.jpg")
    ('oak chairs', '', '')
    """
    words = "" if _FILE.search(key) else page_words(key)
    return "" if HOME_WORDS.issuperset(words.split()) else words


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


def _compared(vocabulary: Vocabulary, urls: pd.Series, mode: LinkText) -> Bags:
    return vocabulary.bags(urls, {"url": _whole, "url-tokens": url_tokens}.get(mode, _only(url_words)))


def _blank(rows: pd.Series | pd.DataFrame) -> pd.Series:
    return pd.Series("", index=rows.index, dtype="str")


def _page_names(pages: pd.DataFrame) -> pd.Series:
    return pages["title"].where(pages["title"] == pages["h1"], pages["title"] + " " + pages["h1"])


def _titles_of_targets(links: pd.DataFrame, pages: pd.DataFrame) -> pd.Series:
    names = _page_names(pages).set_axis(normalise_urls(pages["url"]))
    names = names[~names.index.duplicated()]
    return links["target_key"].map(names).fillna("")


def _only(words: Callable[[str], str]) -> Callable[[str], Sequence[str]]:
    return lambda value: (words(value),)


def _whole(value: str) -> Sequence[str]:
    return (value,)
