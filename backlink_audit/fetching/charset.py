"""Bytes of a page -> text, whatever its server says about the charset."""

import codecs

from charset_normalizer import from_bytes
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

SAMPLE = 20_000
"""Bytes from which the charset is guessed where nobody says a fitting one."""


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
    """Return the text if all of it is in that charset; its end may be cut off within a character."""
    name = resolve_encoding(charset) if charset else None
    if name is None:
        return None
    try:
        return codecs.getincrementaldecoder(name)("strict").decode(body)
    except (UnicodeError, LookupError):
        return None
