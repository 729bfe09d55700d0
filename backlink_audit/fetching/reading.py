"""A page's HTML -> what it says: for the link check the links that are looked for, for a crawl what an export says."""

import json
import logging
import re
import signal
import sys
import zlib
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field
from html import unescape
from typing import Any, BinaryIO
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from backlink_audit.fetching.html import (
    HIDDEN,
    NO_TEXT,
    asks,
    attribute_of,
    base_of,
    canonical_of,
    decode_page,
    directives_of,
    interstitial_of,
    place_of,
    refresh_of,
    text_around,
    words_of,
)
from backlink_audit.fetching.requests import joined
from backlink_audit.text.urls import registrable_domain

ADDRESSES = {"a": "href", "area": "href", "iframe": "src", "frame": "src", "form": "action", "link": "href"}
LINKS = ", ".join(f"{tag}[{address}]" for tag, address in ADDRESSES.items())
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
KINDS = {"iframe": "frame", "frame": "frame", "form": "form"}
LINK_TAGS = ("canonical", "alternate")  # of a page's head: those that tools list as links
MOST_LINKS = 20_000
"""Of a page, that are looked at; of a page of one's own site that is crawled only MOST_SITE_LINKS are kept."""
MOST_SITE_LINKS = 5_000
MOST_HEAD = 16_384  # bytes in which the root of a sitemap begins
MOST_FOUND = 200  # links to the sites looked for, of one page, that are kept
MOST_TEXT = 20_000  # characters of the main text that are kept
MOST_SITE_TEXT = 100_000  # characters of the main text that are kept
MOST_WORDS = 2_000  # characters that are kept of a title, heading or description
MOST_ALTERNATES = 100  # of a page, that are kept
OUTSIDE_THE_TEXT = ["nav", "footer", "title"]  # elements whose words are not counted
GZIP = b"\x1f\x8b"
MOST_SITEMAP = 50_000_000
"""Bytes of a sitemap, unpacked, and `MOST_LISTED` addresses in it: as many as its definition allows."""
MOST_LISTED, MOST_LISTED_TEXT = 50_000, 20_000_000
_SITEMAP = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*>)*+<(?:\w+:)?(urlset|sitemapindex)\b", re.S
)
_ADDRESS = re.compile(rb"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]+)")


@dataclass(frozen=True)
class Link:
    """A link to one of the sites that are looked for, and the words around it."""

    url: str
    kind: str  # text, image, frame, form, canonical or alternate
    anchor: str = ""
    rel: tuple[str, ...] = ()
    place: str = ""  # content, navigation, header, footer, aside or head; "" where the page does not show it
    before: str = ""
    after: str = ""
    heading: str = ""  # The one that stands last before it
    through: str = ""  # The address in the page where that is not `url`: a page of its own that sends visitors on


@dataclass(frozen=True)
class Reading:
    """What a page says."""

    title: str = ""
    language: str = ""
    canonical: str = ""
    noindex: bool = False
    nofollow: bool = False  # Whether the page as a whole asks not to follow its links
    refresh: str = ""  # Where it sends its visitors by itself; "" where it does not
    external_links: int = 0
    links: tuple[Link, ...] = field(default_factory=tuple)
    text: str = ""  # The main text of a page with a link that was looked for; "" else
    wall: str = ""  # What is shown instead of the page, in a few words; "" where it is the page itself


def read_page(body: bytes, url: str, sites: Collection[str], content_type: str = "", robots_tag: str = "") -> Reading:
    """Return what a page says. `sites`: the registrable domains to which links are looked for."""
    html = decode_page(body, content_type)
    tree = LexborHTMLParser(html)
    base = base_of(tree, url)
    wall = interstitial_of(tree, url)
    directives = f"{robots_tag},{directives_of(tree)}"
    title, language = words_of(tree.css_first("title")), attribute_of(tree, "html[lang]", "lang")
    refresh = refresh_of(tree, base)
    tree.strip_tags(HIDDEN)
    links, external = _links(tree, base, registrable_domain(url), sites)
    return Reading(
        title=title[:500],
        language=language[:20],
        canonical=canonical_of(tree, base),
        noindex=asks(directives, "noindex"),
        nofollow=asks(directives, "nofollow"),
        refresh=refresh,
        external_links=external,
        links=tuple(links),
        text=main_text(html, url) if links else "",
        wall="" if links else wall,
    )


def main_text(html: str, url: str = "", most: int = MOST_TEXT) -> str:
    """Return the main text of a page, at most so many characters; "" where there is none."""
    import trafilatura  # noqa: F401 (loading it is not the first page's time)

    return (trafilatura.extract(html, url=url or None, fast=True, include_comments=False) or "")[:most]


def _links(tree: LexborHTMLParser, base: str, own: str, sites: Collection[str]) -> tuple[list[Link], int]:
    found: list[Link] = []
    external = 0
    heading = ""
    for node in _linking(tree):
        if node.tag in HEADINGS:
            heading = words_of(node)[:300]
            continue
        address = joined(base, node.attributes.get(ADDRESSES[node.tag or ""]) or "")
        if not address.startswith(("http://", "https://")):
            continue
        site = registrable_domain(address)
        external += site != own and node.tag in ("a", "area")
        target = address if site in sites else _sent_on(address, sites)
        if target and len(found) < MOST_FOUND and (kind := _kind(node)):
            found.append(_link(node, kind, target, address, heading))
    return found, external


def _linking(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    for place, node in enumerate(tree.css(f"{LINKS}, {', '.join(HEADINGS)}")):
        if place == MOST_LINKS:
            return
        yield node


def _link(node: LexborNode, kind: str, target: str, address: str, heading: str) -> Link:
    before, after = text_around(node)
    anchor = words_of(node)
    if not anchor and (image := node.css_first("img[alt]")) is not None:
        anchor = " ".join((image.attributes.get("alt") or "").split())
    return Link(
        url=target,
        kind=kind,
        anchor=anchor[:500],
        rel=tuple((node.attributes.get("rel") or "").lower().split())[:10],
        place=place_of(node),
        before=before,
        after=after,
        heading=heading,
        through=address if address != target else "",
    )


def _kind(node: LexborNode) -> str:
    tag = node.tag or ""
    if tag == "link":
        named = (node.attributes.get("rel") or "").lower().split()
        return next((one for one in LINK_TAGS if one in named), "")
    if tag == "a":
        return "text" if words_of(node) or node.css_first("img, picture, svg") is None else "image"
    return KINDS.get(tag, "image")


def _sent_on(address: str, sites: Collection[str]) -> str:
    query = urlsplit(address).query
    if "http" not in query:
        return ""
    values = (value for _, value in parse_qsl(query) if value.startswith(("http://", "https://")))
    return next((value for value in values if registrable_domain(value) in sites), "")


@dataclass(frozen=True)
class SiteLink:
    """A link to a page of the same site."""

    url: str
    anchor: str = ""
    alt_text: str = ""
    rel: str = ""
    follow: bool = True
    place: str = ""  # content, navigation, header, footer, aside or head; "" where the page does not show it


@dataclass(frozen=True)
class SitePage:
    """What a page says. URLs are whole."""

    title: str = ""
    h1: str = ""
    h2: str = ""
    description: str = ""
    robots: str = ""  # What its HTML asks of search engines
    noindex: bool = False  # Whether its HTML or its server asks not to be indexed
    canonical: str = ""
    language: str = ""
    alternates: tuple[tuple[str, str], ...] = ()  # Language and URL of each translation that it names
    refresh: str = ""  # Where it sends its visitors by itself
    words: int = 0  # Of its text without menus (nav) and footer
    text: str = ""  # The main text, with its lines
    external_links: int = 0
    links: tuple[SiteLink, ...] = field(default_factory=tuple)
    remark: str = ""  # What is shown instead of a page, in a few words; "" where it is one


def site_of(url: str) -> str:
    """Return the name of the site that a page belongs to: host and port, whether with www. and https or without.

    >>> site_of("https://www.shop.example/a"), site_of("http://shop.example:80/"), site_of("http://127.0.0.1:8000/b")
    ('shop.example', 'shop.example', '127.0.0.1:8000')
    """
    parts = urlsplit(url)
    port = parts.port if parts.port not in (None, 80, 443) else None
    host = (parts.hostname or "").removeprefix("www.")
    return f"{host}:{port}" if port else host


def read_site_page(body: bytes, url: str, content_type: str = "", robots_tag: str = "") -> dict[str, Any]:
    """Return what a page of one's own site says, as the fields of SitePage."""
    html = decode_page(body, content_type)
    tree = LexborHTMLParser(html)
    base = base_of(tree, url)
    robots = directives_of(tree)
    asked = f"{robots_tag},{robots}"
    wall = interstitial_of(tree, url)
    title, refresh = words_of(tree.css_first("title")), refresh_of(tree, base)
    tree.strip_tags(HIDDEN)
    links, external = _site_links(tree, base, site_of(url), page_follows=not asks(asked, "nofollow"))
    page = SitePage(
        title=title[:MOST_WORDS],
        h1=words_of(tree.css_first("h1"))[:MOST_WORDS],
        h2=words_of(tree.css_first("h2"))[:MOST_WORDS],
        description=attribute_of(tree, "meta[name=description i]", "content")[:MOST_WORDS],
        robots=robots[:MOST_WORDS],
        noindex=asks(asked, "noindex"),
        canonical=canonical_of(tree, base),
        language=attribute_of(tree, "html[lang]", "lang")[:20],
        alternates=tuple(_alternates(tree, base)),
        refresh=refresh if refresh != url else "",
        words=_words(tree),
        text=main_text(html, url, MOST_SITE_TEXT),
        external_links=external,
        links=tuple(links),
        remark="" if wall == NO_TEXT and links else wall,
    )
    return asdict(page)


def page_from(told: dict[str, Any]) -> SitePage:
    """Return a page from the fields that `read_site_page` made; a broken one has the remark alone."""
    if "wall" in told:
        return SitePage(remark=str(told["wall"]))
    links = tuple(SiteLink(**link) for link in told["links"])
    return SitePage(**{**told, "links": links, "alternates": tuple(map(tuple, told["alternates"]))})


def _site_links(tree: LexborHTMLParser, base: str, site: str, page_follows: bool) -> tuple[list[SiteLink], int]:
    found: list[SiteLink] = []
    external = 0
    for node in tree.css("a[href], area[href]")[:MOST_LINKS]:
        address = page_address(base, node.attributes.get("href") or "")
        if not address:
            continue
        if site_of(address) == site:
            if len(found) < MOST_SITE_LINKS:
                found.append(_site_link(node, address, page_follows))
        else:
            external += 1
    return found, external


def page_address(base: str, address: str) -> str:
    """Return an address in a page as a whole URL without fragment, "" for one that is no web page's.

    >>> page_address("https://shop.example/a", "b#c"), page_address("https://shop.example", ""), page_address("", "a:b")
    ('https://shop.example/b', 'https://shop.example/', '')
    """
    url = joined(base, address)
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (it is read here: one that is no number raises)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return url if parts.path else parts._replace(path="/").geturl()


def _site_link(node: LexborNode, address: str, page_follows: bool) -> SiteLink:
    rel = (node.attributes.get("rel") or "").lower()
    image = node.css_first("img[alt]")
    return SiteLink(
        url=address,
        anchor=words_of(node)[:500],
        alt_text=" ".join((image.attributes.get("alt") or "").split())[:500] if image is not None else "",
        rel=rel[:100],
        follow=page_follows and not {"nofollow", "ugc", "sponsored"} & set(rel.split()),
        place=place_of(node),
    )


def _alternates(tree: LexborHTMLParser, base: str) -> list[tuple[str, str]]:
    found = tree.css("link[rel~=alternate i][hreflang][href]")[:MOST_ALTERNATES]
    return [
        ((node.attributes.get("hreflang") or "")[:20], page_address(base, node.attributes.get("href") or ""))
        for node in found
    ]


def _words(tree: LexborHTMLParser) -> int:
    copy = tree.clone()
    copy.strip_tags(OUTSIDE_THE_TEXT)
    return len(copy.body.text(deep=True, separator=" ").split()) if copy.body is not None else 0


def read_sitemap(body: bytes) -> dict[str, list[str]]:
    """Return the sitemaps and pages that a sitemap lists, packed or not; {} where it is none. Damage ends its list.

    >>> read_sitemap(b"<urlset><url><loc>https://shop.example/a?b=1&amp;c=2</loc></url>")
    {'sitemaps': [], 'pages': ['https://shop.example/a?b=1&c=2']}
    """
    if body.startswith(GZIP):
        try:
            body = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, MOST_SITEMAP)
        except zlib.error:
            return {}
    root = _SITEMAP.match(body[:MOST_HEAD])
    if root is None:
        return {}
    addresses, length = list[str](), 0
    for one in _ADDRESS.finditer(body):
        address = page_address("", unescape(one[1].decode("utf-8", "replace").strip()))
        length += len(address)
        if len(addresses) == MOST_LISTED or length > MOST_LISTED_TEXT:
            break
        addresses += [address] if address else []
    return {"sitemaps": [], "pages": addresses} if root[1] == b"urlset" else {"sitemaps": addresses, "pages": []}


def serve() -> None:
    """Take apart what comes on standard input, one page after the other, in a child of `limited_child`.

    HTML can be made so that any parser takes hours over it. That ends this process then, and nothing else. A page is a
    line of JSON and so many bytes of its body; the answer is a line of JSON.
    """
    logging.disable()
    answer_all(sys.stdin.buffer, sys.stdout.buffer)


def answer_all(pages: BinaryIO, answers: BinaryIO) -> None:
    """Read pages until there are no more."""
    for line in iter(pages.readline, b""):
        told = json.loads(line)
        body = pages.read(told.pop("bytes"))
        _limit_time(told.pop("seconds"))
        try:
            found = _read(body, **told)
        except Exception:  # whatever a parser meets in foreign bytes
            found = {"wall": "HTML that cannot be read"}
        _limit_time(0)
        answers.write(json.dumps(found).encode() + b"\n")
        answers.flush()


def _read(body: bytes, listing: bool = False, **told: Any) -> dict[str, Any]:
    if listing:
        return read_sitemap(body)
    return asdict(read_page(body, **told)) if "sites" in told else read_site_page(body, **told)


def _limit_time(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)
