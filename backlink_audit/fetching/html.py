"""What a page's HTML says about the page as a whole."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from backlink_audit.fetching.requests import joined

HIDDEN = ["script", "style", "noscript", "template"]
SOON = 10.0
"""Seconds up to which a refresh counts as a redirect; a live ticker that reloads itself is none."""
_REFRESH = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"'\s]*)", re.IGNORECASE)


def words_of(node: LexborNode | None) -> str:
    """Return the text of an element on one line, "" for none."""
    return " ".join(node.text(deep=True).split()) if node is not None else ""


def attribute_of(tree: LexborHTMLParser, selector: str, attribute: str) -> str:
    """Return an attribute of the first such element, "" where there is none."""
    node = tree.css_first(selector)
    return (node.attributes.get(attribute) or "").strip() if node is not None else ""


def base_of(tree: LexborHTMLParser, url: str) -> str:
    """Return the URL from which the page's addresses count."""
    return joined(url, attribute_of(tree, "base[href]", "href")) or url


def canonical_of(tree: LexborHTMLParser, base: str) -> str:
    """Return the page's canonical URL, "" where it names none."""
    address = attribute_of(tree, "link[rel~=canonical i][href]", "href")
    return joined(base, address) if address else ""


def directives_of(tree: LexborHTMLParser) -> str:
    """Return what a page asks of search engines."""
    asked = tree.css("meta[name=robots i], meta[name=googlebot i]")
    return ",".join(node.attributes.get("content") or "" for node in asked[:10])


def asks(directives: str, one: str) -> bool:
    """Whether a page asks search engines for noindex or nofollow.

    >>> asks("Index, NoFollow", "nofollow"), asks("none", "noindex"), asks("max-snippet:-1", "noindex")
    (True, True, False)
    """
    directives = directives.lower()
    return one in directives or "none" in {word.strip() for word in directives.split(",")}


def refresh_of(tree: LexborHTMLParser, base: str) -> str:
    """Return where the page sends its visitors by itself, "" where it does not."""
    said = _REFRESH.match(attribute_of(tree, "meta[http-equiv=refresh i]", "content"))
    return joined(base, said[2]) if said and said[2] and float(said[1]) <= SOON else ""
