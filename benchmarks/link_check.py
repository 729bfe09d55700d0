"""The link check of 100,000 pages on 5,000 hosts, killed at half: `python -m benchmarks.link_check [PAGES [HOSTS]]`.

All names lead to a server on this machine, which notes who was asked when. The limits are those
that every user gets: two seconds between two requests to a host.
"""

import asyncio
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure import MIB_PER_KIB, machine, table, write_section

PAGES, HOSTS = 100_000, 5_000
SITE = "our-site.com"
WORDS = "the club meets on Tuesday and its members bring chains saddles lamps tools maps bread and news of it".split()
ROBOTS = "/robots.txt"


@dataclass
class Seen:
    """What the server was asked."""

    asked: Counter[str] = field(default_factory=Counter)
    """How often, by host and path."""
    pages: int = 0
    ended: dict[str, float] = field(default_factory=dict)
    """By host: when its last answer was sent."""
    worst_gap: float = float("inf")
    """The shortest time between an answer of a host and its next request, seconds."""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                begun = time.monotonic()
                lines = head.decode("latin-1").split("\r\n")
                path = lines[0].split(" ")[1]
                host = next(line for line in lines if line.lower().startswith("host:"))[5:].strip().partition(":")[0]
                if host in self.ended:
                    self.worst_gap = min(self.worst_gap, begun - self.ended[host])
                self.asked[host + path] += 1
                self.pages += path != ROBOTS
                body = b"" if path == ROBOTS else page(path)
                kind = "text/plain" if path == ROBOTS else "text/html; charset=utf-8"
                start = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(start.encode() + body)
                self.ended[host] = time.monotonic()
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def page(path: str) -> bytes:
    """Return an article of about 3 KB with a link."""
    number = int(path[1:])
    words = [WORDS[(number * 7 + place * place) % len(WORDS)] for place in range(400)]
    text = "".join(f"<p>{' '.join(words[start : start + 50]).capitalize()}.</p>" for start in range(0, 400, 50))
    link = f'<p>More about <a href="https://{SITE}/chains">bicycle chains</a> on another page.</p>'
    return f"<!doctype html><title>Page {number}</title><main><h1>Page {number}</h1>{text}{link}</main>".encode()


def urls(port: int, pages: int, hosts: int) -> list[str]:
    """Return the addresses of all pages."""
    return [f"http://site{number % hosts}.example:{port}/{number}" for number in range(pages)]


def check(port: int, pages: int, hosts: int, answers: Path) -> None:
    """Check all pages, and print how many were read, how many links were found, and the peaks of memory in MiB."""
    from backlink_audit.fetching.answers import Age, AnswerCache, facts_of
    from backlink_audit.fetching.check import Network, check_pages
    from backlink_audit.fetching.requests import RequestLimits
    from backlink_audit.progress import silent

    async def here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    with AnswerCache(answers) as kept:
        asked = check_pages(urls(port, pages, hosts), {SITE}, kept, RequestLimits(), Age(), silent, Network(find=here))
        facts, links = facts_of(asked)
    peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print((facts["outcome"] == "read").sum(), len(links), *(round(peak * MIB_PER_KIB) for peak in peaks))


async def run(port: int, pages: int, hosts: int, answers: Path, seen: Seen, until: int) -> tuple[float, int, list[int]]:
    """Run a check in a process of its own, killed at so many pages; return seconds, peak MiB and what it printed."""
    command = [sys.executable, "-m", "benchmarks.link_check", "--check", *map(str, (port, pages, hosts, answers))]
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while True:
        ended, _, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        if seen.pages >= until:
            process.send_signal(signal.SIGKILL)
        await asyncio.sleep(0.05)
    assert process.stdout is not None
    told = [int(number) for number in process.stdout.read().split()]
    return time.monotonic() - begun, round(used.ru_maxrss * MIB_PER_KIB), told


async def measure(pages: int, hosts: int) -> None:
    """Measure, and write the table."""
    before, seen = machine(), Seen()
    server = await asyncio.start_server(seen.answer, "127.0.0.1", 0, backlog=512)
    port = server.sockets[0].getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder) / "checks.sqlite"
        first, peak, _ = await run(port, pages, hosts, answers, seen, pages // 2)
        killed_at, gap = seen.pages, seen.worst_gap
        seen.ended.clear()  # the second run does not know when the first one asked
        second, _, told = await run(port, pages, hosts, answers, seen, sys.maxsize)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
    server.close()
    assert told, "the second run failed"
    read, links, own, reader = told
    twice = sum(count > 1 for count in seen.asked.values())
    rows = [
        ("pages, hosts", f"{pages:,}, {hosts:,}"),
        ("read, with the link found", f"{read:,}, {links:,}"),
        ("seconds to the kill, and after it", f"{first:,.0f}, {second:,.0f}"),
        ("pages per second", f"{pages / (first + second):,.0f}"),
        ("peak MiB of the check, of a process that reads pages", f"{max(peak, own):,}, {reader:,}"),
        ("worst gap between two requests to a host, seconds (2 asked for)", f"{min(gap, seen.worst_gap):.3f}"),
        ("asked when it was killed", f"{killed_at:,}"),
        ("asked twice (at most 64 are under way at a kill)", f"{twice:,}"),
        ("answers on disk, MB", f"{size / 1e6:,.0f}"),
    ]
    note = "Every name leads to a server in the same machine; the server's own work is in the seconds."
    write_section("Link check", f"{before}. {note}\n\n{table(('what', 'figure'), rows)}")


if __name__ == "__main__":
    if "--check" in sys.argv:
        port, pages, hosts = map(int, sys.argv[2:5])
        check(port, pages, hosts, Path(sys.argv[5]))
    else:
        given = [int(number) for number in sys.argv[1:3]]
        asyncio.run(measure(*(given + [PAGES, HOSTS][len(given) :])))
