"""A page's HTML -> what it says about itself and its links to the sites that are looked for."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

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
from backlink_audit.fetching.link_places import place_of, text_around
from backlink_audit.fetching.requests import joined
from backlink_audit.fetching.walls import wall_of
from backlink_audit.text.urls import registrable_domain

ADDRESSES = {"a": "href", "area": "href", "iframe": "src", "frame": "src", "form": "action", "link": "href"}
LINKS = ", ".join(f"{tag}[{address}]" for tag, address in ADDRESSES.items())
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
KINDS = {"iframe": "frame", "frame": "frame", "form": "form"}
LINK_TAGS = ("canonical", "alternate")
"""Of a page's head: those that tools list as links."""
MOST_LINKS = 20_000
"""Of a page, that are looked at."""
MOST_FOUND = 200
"""Links to the sites looked for, of one page, that are kept."""
MOST_TEXT = 20_000
"""Characters of the main text that are kept."""


@dataclass(frozen=True)
class Link:
    """A link to one of the sites that are looked for, and the words around it."""

    url: str
    kind: str
    """text, image, frame, form, canonical or alternate."""
    anchor: str = ""
    rel: tuple[str, ...] = ()
    place: str = ""
    """content, navigation, header, footer, aside or head; "" where the page does not show it."""
    before: str = ""
    after: str = ""
    heading: str = ""
    """The one that stands last before it."""
    through: str = ""
    """The address in the page where that is not `url`: a page of its own that sends visitors on."""


@dataclass(frozen=True)
class Reading:
    """What a page says."""

    title: str = ""
    language: str = ""
    canonical: str = ""
    noindex: bool = False
    nofollow: bool = False
    """Whether the page as a whole asks not to follow its links."""
    refresh: str = ""
    """Where it sends its visitors by itself; "" where it does not."""
    external_links: int = 0
    links: tuple[Link, ...] = field(default_factory=tuple)
    text: str = ""
    """The main text of a page with a link that was looked for; "" else."""
    wall: str = ""
    """What is shown instead of the page, in a few words; "" where it is the page itself."""


def read_page(body: bytes, url: str, sites: Collection[str], content_type: str = "", robots_tag: str = "") -> Reading:
    """Return what a page says. `sites`: the registrable domains to which links are looked for."""
    html = decode_page(body, content_type)
    tree = LexborHTMLParser(html)
    base = base_of(tree, url)
    wall = wall_of(tree, url)
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
    import trafilatura

    return (trafilatura.extract(html, url=url or None, fast=True, include_comments=False) or "")[:most]


def _links(tree: LexborHTMLParser, base: str, own: str, sites: Collection[str]) -> tuple[list[Link], int]:
    """Return the links to the sites that are looked for, and how many links lead to other sites at all."""
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
    """Yield headings and links in the order of the page."""
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
    """Return what sort of link it is, "" for one that tools do not count."""
    tag = node.tag or ""
    if tag == "link":
        named = (node.attributes.get("rel") or "").lower().split()
        return next((one for one in LINK_TAGS if one in named), "")
    if tag == "a":
        return "text" if words_of(node) or node.css_first("img, picture, svg") is None else "image"
    return KINDS.get(tag, "image")


def _sent_on(address: str, sites: Collection[str]) -> str:
    """Return the page of a site looked for that a redirecting address names among its values, "" for none."""
    query = urlsplit(address).query
    if "http" not in query:
        return ""
    values = (value for _, value in parse_qsl(query) if value.startswith(("http://", "https://")))
    return next((value for value in values if registrable_domain(value) in sites), "")
