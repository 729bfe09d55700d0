"""Connections that lead to the very address that was checked, whatever a name means a moment later."""

import ssl
from collections.abc import Iterable

import httpcore2 as httpcore

from backlink_audit.fetching.addresses import Find

KEPT_SECONDS = 5.0
"""How long an idle connection is kept open for the next page of its host."""


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
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Refuse: nothing of this machine is asked."""
        raise httpcore.ConnectError("no sockets of this machine")

    async def sleep(self, seconds: float) -> None:
        """Wait before another attempt."""
        await self._backend.sleep(seconds)


def connections(find: Find, most: int, trusted: ssl.SSLContext | None = None) -> httpcore.AsyncConnectionPool:
    """Return a pool of at most so many connections; no proxy and no cookie is ever used.

    `trusted`: which certificates count; None: those that the system trusts.
    """
    return httpcore.AsyncConnectionPool(
        ssl_context=trusted,
        max_connections=most,
        max_keepalive_connections=most,
        keepalive_expiry=KEPT_SECONDS,
        http2=True,
        network_backend=CheckedBackend(find),
    )
