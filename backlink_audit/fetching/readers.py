"""Takes pages and sitemaps apart in limited child processes, each of which can be ended: see `reading.serve`."""

import asyncio
import json
import os
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Collection
from contextlib import suppress
from dataclasses import fields
from typing import Any, Protocol

from backlink_audit import limited_child
from backlink_audit.errors import AuditError
from backlink_audit.fetching.reading import Link, Reading, SitePage, page_from
from backlink_audit.fetching.requests import Response

LONGEST_ANSWER = 32 * 1024**2
PATIENCE = 5
"""Times the seconds of a processor: how long a page may take by the clock, as many others are read beside it."""
TOO_LONG = "HTML that takes too long to read"


class Reader(Protocol):
    """Reads pages for the link check."""

    async def read(self, response: Response, sites: Collection[str]) -> Reading: ...

    async def close(self) -> None: ...


class Readers:
    """Child processes that read pages, begun when they are needed; close them in the end."""

    def __init__(self, seconds: float, most: int | None = None) -> None:
        """Give each page so many seconds of a processor; at most so many processes, by default one for each core."""
        self._seconds = seconds
        self._all: list[Process] = []
        self._idle: list[Process] = []
        self._places = asyncio.Semaphore(most or min(8, os.cpu_count() or 1))

    async def read(self, response: Response, sites: Collection[str]) -> Reading:
        return reading_from(await self._read(response, sites=sorted(sites)))

    async def read_site_page(self, response: Response) -> SitePage:
        return page_from(await self._read(response))

    async def listed(self, response: Response) -> tuple[list[str], list[str]] | None:
        """Return the sitemaps and the pages that a sitemap lists, None where it is none."""
        told = await self._read(response, listing=True)
        return (told["sitemaps"], told["pages"]) if "sitemaps" in told else None

    async def _read(self, response: Response, **told: object) -> dict[str, Any]:
        told |= {
            "url": response.url,
            "content_type": response.headers.get("content-type", ""),
            "robots_tag": response.headers.get("x-robots-tag", ""),
            "seconds": self._seconds,
            "bytes": len(response.body),
        }
        async with self._places:
            child = self._idle.pop() if self._idle else await self._begin()
            line = b""
            try:
                async with asyncio.timeout(PATIENCE * self._seconds):
                    line = await _ask(child, json.dumps(told).encode() + b"\n" + response.body)
            except (TimeoutError, OSError, ValueError):
                pass  # it ended itself, or takes too long
            if not line:
                await _end(child)
                self._all.remove(child)
                return {"wall": TOO_LONG}
            self._idle.append(child)
        return json.loads(line)

    async def close(self) -> None:
        """End the processes."""
        for child in self._all:
            await _end(child)
        self._all.clear()
        self._idle.clear()

    async def _begin(self) -> Process:
        command = limited_child.command(f"{__package__}.reading:serve", "page")
        child = await asyncio.create_subprocess_exec(
            *command, env=limited_child.environment(), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LONGEST_ANSWER
        )
        self._all.append(child)
        ready = b""
        with suppress(OSError):  # it had ended before it was asked
            ready = await _ask(child, json.dumps({"url": "", "sites": [], "seconds": 0, "bytes": 0}).encode() + b"\n")
        if not ready:
            raise AuditError(
                "Pages cannot be read: the program's own process for this does not start on this computer."
            )
        return child


def reading_from(told: dict[str, object]) -> Reading:
    """Return a reading from what was written of it; what a newer or older version wrote beside is left out."""
    links = told.pop("links", ())
    assert isinstance(links, list | tuple)
    known = {one.name for one in fields(Reading)}
    given = {name: value for name, value in told.items() if name in known}
    return Reading(**given, links=tuple(Link(**{**one, "rel": tuple(one["rel"])}) for one in links))  # type: ignore[arg-type]


async def _ask(child: Process, question: bytes) -> bytes:
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(question)
    await child.stdin.drain()
    return await child.stdout.readline()


async def _end(child: Process) -> None:
    with suppress(ProcessLookupError):  # it has ended by itself
        child.kill()
    await child.communicate()
