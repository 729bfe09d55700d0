"""Which addresses may be asked: public ones alone, with ordinary names and ports; connections lead to those."""

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpcore2 as httpcore

from backlink_audit.text.urls import idna_host

Find = Callable[[str, int], Awaitable[list[str]]]
"""Returns the addresses of a host and port that may be asked, the best first. Raises Refused or OSError."""
Place = Callable[[str], tuple[str, int]]  # returns the host and port of a URL that may be asked. Raises Refused
Resolve = Callable[[str, int], Awaitable[list[str]]]

LAST_RESERVED_PORT = 1023  # ports up to this one belong to other services than web servers, but for the two of the web
WEB_PORTS = (80, 443)
_ENDS_IN_NUMBER = re.compile(r"(?:^|\.)(?:\d+|0[xX][0-9a-fA-F]*)\.?$")
"""How a host ends that a browser takes for an IPv4 address in any form, decimal, octal or hexadecimal."""
_WITHOUT_DNS = (".localhost", ".local", ".internal", ".home.arpa", ".onion", ".invalid", ".test")
NEVER = tuple(
    map(
        ipaddress.ip_network,
        """
        0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
        192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
        203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
        ::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20
        5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
        """.split(),
    )
)
"""Networks that are not the public web: IANA's special-purpose registries of 2025, and Azure's address of its own."""
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""The IPv6 network whose addresses are those of IPv4 in other words (RFC 6052)."""
KEPT_SECONDS = 5.0  # how long an idle connection is kept open for the next page of its host


class Refused(Exception):
    """An address that is never asked. Its text says why, in a few words for the user."""


def host_and_port(url: str) -> tuple[str, int]:
    """Return the host and port of a URL that may be asked, as far as the URL itself shows it.

    Raises Refused (it is no http(s) URL with an ordinary name and port).

    >>> host_and_port("https://www.Example.com/a"), host_and_port("http://93.184.215.14:8080/")
    (('www.example.com', 443), ('93.184.215.14', 8080))
    """
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        host = idna_host(parts.hostname or "")
    except ValueError:
        raise Refused("not a valid web address") from None
    if parts.scheme not in ("http", "https") or not host:
        raise Refused("not a web address")
    if parts.username is not None or parts.password is not None:
        raise Refused("a web address with a user name")
    if port <= LAST_RESERVED_PORT and port not in WEB_PORTS:
        raise Refused(f"port {port} is not for web pages")
    if not _is_ordinary(host):
        raise Refused("not a public address")
    return host, port


def _is_ordinary(host: str) -> bool:
    try:
        return is_public(host)
    except ValueError:
        return "." in host and not _ENDS_IN_NUMBER.search(host) and not host.endswith(_WITHOUT_DNS)


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet. Raises ValueError for what is none.

    >>> is_public("93.184.215.14"), is_public("10.0.0.1"), is_public("::ffff:127.0.0.1"), is_public("fe80::1%eth0")
    (True, False, False, False)
    """
    one = ipaddress.ip_address(address)
    if isinstance(one, ipaddress.IPv6Address):
        wrapped = _wrapped_ipv4(one)
        if wrapped is not None:
            return is_public(str(wrapped))
        if one.scope_id is not None:
            return False
    special = any(one in network for network in NEVER if network.version == one.version)
    return not special and one.is_global and not one.is_reserved and not one.is_multicast


def _wrapped_ipv4(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, as the system finds them. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


async def public_addresses(host: str, port: int, resolve: Resolve = resolve) -> list[str]:
    """Return the addresses of a host if every one of them is public; they are what is then connected to.

    Raises:
        Refused: one of them is not: what a name means may change between a look and the next.
        OSError: the name is not known.
    """
    found = await resolve(host, port)
    if not found or not all(map(is_public, found)):
        raise Refused("not a public address")
    return found


@dataclass(frozen=True)
class OwnServer:
    """A server that the user named as their own: it may be asked although its address is not public, and no other."""

    host: str
    port: int

    def place(self, url: str) -> tuple[str, int]:
        """Return the host and port of a URL that may be asked. Raises Refused."""
        parts = urlsplit(url)
        if (parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)) == (self.host, self.port):
            return self.host, self.port
        return host_and_port(url)

    async def find(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host and port that may be asked. Raises Refused or OSError."""
        return await (resolve if (host, port) == (self.host, self.port) else public_addresses)(host, port)


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Looks a host up once, and connects to one of the addresses that were found fit."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first checked address that answers."""
        try:
            addresses = await self._find(host, port)
        except (OSError, UnicodeError):
            raise httpcore.ConnectError("the name is not known") from None
        problem: Exception = httpcore.ConnectError("no address")
        for address in addresses:
            try:
                return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                problem = error
        raise problem

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None
    ) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("no sockets of this computer")

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)


def connections(find: Find, most: int, trusted: ssl.SSLContext | None = None) -> httpcore.AsyncConnectionPool:
    """Return a pool of at most so many connections; no proxy and no cookie is ever used."""
    return httpcore.AsyncConnectionPool(
        ssl_context=trusted,
        max_connections=most,
        max_keepalive_connections=most,
        keepalive_expiry=KEPT_SECONDS,
        http2=True,
        network_backend=CheckedBackend(find),
    )
