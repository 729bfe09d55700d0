"""Old URLs as a server sees them: which of them it cannot tell apart, and which would catch a living page."""

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

_SLASHES = re.compile("/{2,}")
_CAPITALS = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


class Address(NamedTuple):
    """What of a URL reaches a rule: the path, decoded and without a slash at its end, and the query as it is written.

    Bytes of a path that are no UTF-8 are kept as surrogates.
    """

    path: str
    query: str

    @property
    def folded(self) -> "Address":
        """The same for a server that ignores case, as nginx does in a map: A to Z in lower case."""
        return Address(self.path.translate(_CAPITALS), self.query.translate(_CAPITALS))


def address_of(url: str) -> Address:
    """Return what a rule sees of a URL.

    >>> address_of("https://shop.example//Caf%c3%A9/?ID=1#top")
    Address(path='/Café', query='ID=1')
    """
    parts = urlsplit(url if "://" in url else f"//{url}")
    path = unquote(parts.path, errors="surrogateescape")
    return Address(_SLASHES.sub("/", path).rstrip("/"), encoded(parts.query))


def encoded(text: str) -> str:
    """Return a URL or a part of it with everything encoded that is no character of a URL.

    >>> encoded("/stühle 1?a=%20b")
    '/st%C3%BChle%201?a=%20b'
    """
    return quote(text, safe="%/:?#[]@!$&'()*+,;=~-._")


def host_of(url: str) -> str:
    """Return the host of a URL in lower case, without www.

    >>> host_of("http://www.Shop.example:80/a")
    'shop.example'
    """
    host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    return host.removeprefix("www.")


class Living:
    """The addresses of the new site's pages, which no rule may catch."""

    def __init__(self, urls: Iterable[str]) -> None:
        """Keep the pages of each host by their folded addresses and paths."""
        seen = [(host_of(url), address_of(url)) for url in urls]
        self._paths = {(host, one.folded.path) for host, one in seen}
        self._folded = {(host, one.folded) for host, one in seen}
        self._same = set(seen)

    def is_like(self, url: str, address: Address) -> bool:
        """Return whether a rule that ignores case, and without a query any query, would catch a living page."""
        host, folded = host_of(url), address.folded
        return (host, folded) in self._folded if address.query else (host, folded.path) in self._paths

    def key(self, url: str) -> tuple[Address, bool]:
        """Return what two old URLs share that can have one rule alone: their address, and whether case counts in it."""
        address = address_of(url)
        exact = self.is_like(url, address)
        return (address if exact else address.folded), exact

    def has(self, url: str, address: Address) -> bool:
        """Return whether the address is that of a living page itself, to a server."""
        return (host_of(url), address) in self._same
