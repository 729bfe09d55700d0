"""A page's bytes -> its text and tree: charset, what it says as a whole, interstitials, where its links stand."""

import codecs
import re
from collections.abc import Iterator

from charset_normalizer import from_bytes
from selectolax.lexbor import LexborHTMLParser, LexborNode
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from backlink_audit.fetching.requests import joined

SAMPLE = 20_000  # bytes from which the charset is guessed where nobody says a fitting one
HIDDEN = ["script", "style", "noscript", "template"]
SOON = 10.0  # seconds up to which a refresh counts as a redirect; a live ticker that reloads itself is none
_REFRESH = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"'\s]*)", re.IGNORECASE)
NO_TEXT = "no text without JavaScript"
LITTLE_TEXT = 250  # characters; a page of less, with scripts, is put together only in a browser
SHORT_TEXT = 3_000  # characters; an article that only speaks of robots or logins is longer than a wall
_LOGIN = re.compile(r"(?:log|sign)[-_]?(?:in|on)\b|/(?:auth|account|anmelden|connexion|acceso|accedi)\b", re.IGNORECASE)
_BOT_WALL = re.compile(
    r"just a moment\.\.\.|attention required! \| cloudflare|checking your browser|checking if the site connection"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|are you a (?:robot|human)\b|i'?m not a robot|ddos protection by"
    r"|access denied|request unsuccessful\. incapsula|please enable cookies|unusual traffic|pardon our interruption"
    r"|enable javascript and cookies to continue|sicherheitsüberprüfung|vérification de sécurité",
    re.IGNORECASE,
)
_MARKS = "#challenge-form, #challenge-running, #px-captcha, .g-recaptcha, .h-captcha, [class*=cf-challenge]"
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
DEEPEST = 200  # elements around a link that are looked at
CONTEXT = 300  # characters before and after a link that are kept


def decode_page(body: bytes, content_type: str = "") -> str:
    """Return a page's text.

    What is UTF-8 is read as that, for hardly a text of another charset is by chance; else what the mark at its
    beginning, the server and the page say is tried in this order, and last the charset is guessed.

    >>> decode_page("Größe".encode("utf-8"), "text/html; charset=iso-8859-1")
    'Größe'
    """
    marked, _ = read_bom(body)
    said = [marked, http_content_type_encoding(content_type), html_body_declared_encoding(body[:4096])]
    for charset in ("utf-8" if not marked else None, *said):
        text = _decoded(body, charset)
        if text is not None:
            return text.lstrip("\ufeff")
    guess = from_bytes(body[:SAMPLE]).best()
    return body.decode(guess.encoding if guess else next(filter(None, said), "utf-8"), "replace").lstrip("\ufeff")


def _decoded(body: bytes, charset: str | None) -> str | None:
    name = resolve_encoding(charset) if charset else None
    if name is None:
        return None
    try:
        return codecs.getincrementaldecoder(name)("strict").decode(body)
    except (UnicodeError, LookupError):
        return None


def words_of(node: LexborNode | None) -> str:
    return " ".join(node.text(deep=True).split()) if node is not None else ""


def attribute_of(tree: LexborHTMLParser, selector: str, attribute: str) -> str:
    """Return an attribute of the first such element, "" where there is none."""
    node = tree.css_first(selector)
    return (node.attributes.get(attribute) or "").strip() if node is not None else ""


def base_of(tree: LexborHTMLParser, url: str) -> str:
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


def interstitial_of(tree: LexborHTMLParser, url: str) -> str:
    """Return what is shown instead of the page, in a few words; "" where it is the page itself."""
    title = tree.css_first("title")
    text = _visible(tree)
    words = f"{title.text() if title is not None else ''} {text[:SHORT_TEXT]}"
    if len(text) < SHORT_TEXT and (_BOT_WALL.search(words) or tree.css_first(_MARKS) is not None):
        return "a wall against programs"
    if tree.css_first("input[type=password i]") is not None and (_LOGIN.search(url) or len(text) < SHORT_TEXT // 3):
        return "a login"
    if len(text) < LITTLE_TEXT and tree.css_first("script") is not None:
        return NO_TEXT
    return ""


def _visible(tree: LexborHTMLParser) -> str:
    copy = tree.clone()
    copy.strip_tags(["script", "style", "noscript", "template", "title"])
    return " ".join(copy.body.text(deep=True, separator=" ").split()) if copy.body is not None else ""


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
    one = node.parent
    for _ in range(DEEPEST):
        if one is None:
            return
        yield one
        one = one.parent


def text_around(node: LexborNode) -> tuple[str, str]:
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
