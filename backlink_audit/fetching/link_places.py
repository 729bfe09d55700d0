"""Where on its page a link stands, and the words before and after it."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

PLACES = {
    "nav": "navigation",
    "header": "header",
    "footer": "footer",
    "aside": "aside",
    "main": "content",
    "article": "content",
    "head": "head",
}
ROLES = {
    "navigation": "navigation",
    "menu": "navigation",
    "banner": "header",
    "contentinfo": "footer",
    "complementary": "aside",
    "main": "content",
    "article": "content",
}
BY_NAME = (
    ("navigation", re.compile(r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?)(?:$|[\s_-])", re.IGNORECASE)),
    ("footer", re.compile(r"(?:^|[\s_-])(?:footer|colophon)(?:$|[\s_-])", re.IGNORECASE)),
    ("aside", re.compile(r"(?:^|[\s_-])(?:aside|sidebar|widgets?|blogroll)(?:$|[\s_-])", re.IGNORECASE)),
)
"""What designers call these parts where HTML has no element for them, or they use none."""
BLOCKS = frozenset(
    "p li td th dd dt div section article main blockquote figcaption figure h1 h2 h3 h4 h5 h6 body aside nav header "
    "footer form fieldset table ul ol dl address center".split()
)
DEEPEST = 200
"""Elements around a link that are looked at."""
CONTEXT = 300
"""Characters before and after a link that are kept."""


def place_of(node: LexborNode) -> str:
    """Return where a link stands: content, navigation, header, footer, aside or head; "" where nothing shows it.

    The nearest part of the page decides. The header of an article is content; that of a page is none.
    """
    found = ""
    for one in _around(node):
        place = _place(one)
        if place == "header" or (found == "header" and place == ""):
            found = "header"
        elif found == "header":
            return "content" if place == "content" else "header"
        elif place:
            return place
    return found


def _place(node: LexborNode) -> str:
    tag = node.tag or ""
    attributes = node.attributes if tag not in ("body", "html") else {}
    role = ROLES.get((attributes.get("role") or "").lower())
    if role or tag in PLACES:
        return role or PLACES[tag]
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"[:300]
    return next((place for place, pattern in BY_NAME if pattern.search(names)), "")


def _around(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements around a node, the nearest first."""
    one = node.parent
    for _ in range(DEEPEST):
        if one is None:
            return
        yield one
        one = one.parent


def text_around(node: LexborNode) -> tuple[str, str]:
    """Return the words before and after a link in its paragraph, list entry or cell."""
    return _side(node, before=True), _side(node, before=False)


def _side(node: LexborNode, before: bool) -> str:
    pieces: list[str] = []
    size = 0
    one = node
    for around in _around(node):
        beside = one.prev if before else one.next
        while beside is not None and size < CONTEXT and (beside.tag or "") not in BLOCKS:
            piece = _text(beside)
            pieces.append(piece)
            size += len(piece)
            beside = beside.prev if before else beside.next
        if (around.tag or "") in BLOCKS or size >= CONTEXT:
            break
        one = around
    words = " ".join("".join(reversed(pieces) if before else pieces).split())
    return words[-CONTEXT:] if before else words[:CONTEXT]


def _text(node: LexborNode) -> str:
    if node.is_comment_node:
        return ""
    return " " if node.tag == "br" else str(node.text(deep=True))
