"""A page of the user's own site: its HTML -> what a crawler's export says of it, and its links inside the site."""

from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from backlink_audit.fetching.charset import decode_page
from backlink_audit.fetching.html import (
    HIDDEN,
    asks,
    attribute_of,
    base_of,
    canonical_of,
    directives_of,
    refresh_of,
    words_of,
)
from backlink_audit.fetching.link_places import place_of
from backlink_audit.fetching.reading import MOST_LINKS, main_text
from backlink_audit.fetching.requests import joined
from backlink_audit.fetching.walls import NO_TEXT, wall_of

MOST_TEXT = 100_000
"""Characters of the main text that are kept."""
MOST_WORDS = 2_000
"""Characters that are kept of a title, heading or description."""
MOST_ALTERNATES = 100
"""Of a page, that are kept."""
OUTSIDE_THE_TEXT = ["nav", "footer", "title"]
"""Elements whose words are not counted."""


@dataclass(frozen=True)
class SiteLink:
    """A link to a page of the same site."""

    url: str
    anchor: str = ""
    alt_text: str = ""
    rel: str = ""
    follow: bool = True
    place: str = ""
    """content, navigation, header, footer, aside or head; "" where the page does not show it."""


@dataclass(frozen=True)
class SitePage:
    """What a page says. URLs are whole."""

    title: str = ""
    h1: str = ""
    h2: str = ""
    description: str = ""
    robots: str = ""
    """What its HTML asks of search engines."""
    noindex: bool = False
    """Whether its HTML or its server asks not to be indexed."""
    canonical: str = ""
    language: str = ""
    alternates: tuple[tuple[str, str], ...] = ()
    """Language and URL of each translation that it names."""
    refresh: str = ""
    """Where it sends its visitors by itself."""
    words: int = 0
    """Of its text without menus (nav) and footer."""
    text: str = ""
    """The main text, with its lines."""
    external_links: int = 0
    links: tuple[SiteLink, ...] = field(default_factory=tuple)
    remark: str = ""
    """What is shown instead of a page, in a few words; "" where it is one."""


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
    wall = wall_of(tree, url)
    title, refresh = words_of(tree.css_first("title")), refresh_of(tree, base)
    tree.strip_tags(HIDDEN)
    links, external = _links(tree, base, site_of(url), page_follows=not asks(asked, "nofollow"))
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
        text=main_text(html, url, MOST_TEXT),
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


def _links(tree: LexborHTMLParser, base: str, site: str, page_follows: bool) -> tuple[list[SiteLink], int]:
    """Return the links inside the site, and how many lead out of it."""
    found: list[SiteLink] = []
    external = 0
    for node in tree.css("a[href], area[href]")[:MOST_LINKS]:
        address = page_address(base, node.attributes.get("href") or "")
        if not address:
            continue
        if site_of(address) == site:
            found.append(_link(node, address, page_follows))
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


def _link(node: LexborNode, address: str, page_follows: bool) -> SiteLink:
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
