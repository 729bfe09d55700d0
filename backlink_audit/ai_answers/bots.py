"""Server logs -> which bots read which pages: Common and Combined Log Format, plain or gz, of any size."""

import csv
import gzip
import ipaddress
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

import pandas as pd

from backlink_audit.errors import UnreadableFile
from backlink_audit.progress import Progress, silent
from backlink_audit.wording import count

CHUNK = 8 * 1024**2
LONGEST_LINE = 64 * 1024  # bytes; a longer line is none of a server's, and is left out
MOST_PAGES = 300_000  # pages and bots that are counted apart, so that addresses without end take no memory without end
LINES_LOOKED_AT = 200
_LINE = re.compile(
    rb"([0-9A-Fa-f:.]{2,45}) \S{1,300} \S{1,300} \[(\d\d)/(\w{3})/(\d{4})[^\]\n]{0,40}\] "
    rb'"(?:[A-Z]{3,10} )?(\S{1,8000})[^"\n]{0,40}" (\d{3}) \S{1,20}(?: "[^"\n]{0,8000}" "([^"\n]{0,2000})")?'
)
"""Address, day, month, year, path, status, and of the combined format the user agent."""
_MONTHS = {
    name: f"{number:02}" for number, name in enumerate(b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)
}
SURE, FALSE, SAYS = "yes", "no", "says it is"
Networks = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]
OTHERS = "(other pages)"


class Bot(NamedTuple):
    """A bot: what its user agent has, its name, who sends it, and what for."""

    token: str
    bot: str
    owner: str
    does: str


@cache
def known_bots() -> tuple[Bot, ...]:
    """Return the bots that are looked for."""
    with (Path(__file__).parent / "data" / "bots.csv").open(encoding="utf-8", newline="") as file:
        return tuple(Bot(**row) for row in csv.DictReader(file))


@dataclass
class Visits:
    """What the logs say: visits by bot, whether it is that bot, and page with its last status; and by bot and day."""

    by_page: Counter[tuple[str, str, str, int]] = field(default_factory=Counter)
    by_day: Counter[tuple[str, str]] = field(default_factory=Counter)
    lines: int = 0
    unread: int = 0

    @property
    def pages(self) -> pd.DataFrame:
        """Columns bot, bot_verified, page_path, answer_status, visits; the most visited first."""
        rows = [(*key, visits) for key, visits in self.by_page.most_common()]
        return pd.DataFrame(rows, columns=["bot", "bot_verified", "page_path", "answer_status", "visits"])

    @property
    def days(self) -> pd.DataFrame:
        """Columns bot, visited_on, visits; by day."""
        rows = [(bot, day, visits) for (bot, day), visits in sorted(self.by_day.items(), key=lambda item: item[0][1])]
        return pd.DataFrame(rows, columns=["bot", "visited_on", "visits"])

    @property
    def note(self) -> str:
        """What was read, in a sentence."""
        left = f" {count(self.unread, 'line')} of another form skipped." if self.unread else ""
        return (
            f"{count(sum(self.by_page.values()), 'visit')} of bots in {count(self.lines, 'line')} that name one.{left}"
        )


def read_logs(paths: Sequence[Path], ranges: Mapping[str, Networks], on_progress: Progress = silent) -> Visits:
    """Return the visits of bots in log files.

    A bot is sure where its address lies in its published ranges (`read_ranges`), false where these are known and it
    does not; without them it says it is. Raises UnreadableFile for a file that is no such log.
    """
    visits = Visits()
    addresses: dict[tuple[str, bytes], str] = {}
    tokens = [(bot.token.encode(), bot.bot) for bot in known_bots()]
    for path in paths:
        for number, chunk in enumerate(_chunks(path, visits)):
            if not number:
                _require_log(path, chunk)
            on_progress("Reading the logs", visits.lines, 0)
            for line, bot in _lines_of_bots(chunk, tokens):
                visits.lines += 1
                found = _LINE.search(line)
                agent = found[7] if found else None
                if found is None or agent is None or bot[0] not in agent:
                    visits.unread += found is None
                    continue
                key = bot[1], found[1]
                if key not in addresses:
                    addresses[key] = _verified(found[1], ranges.get(bot[1].casefold()))
                page = _path(found[5])
                one = bot[1], addresses[key], page, int(found[6])
                if one not in visits.by_page and len(visits.by_page) >= MOST_PAGES:
                    one = bot[1], addresses[key], OTHERS, int(found[6])
                visits.by_page[one] += 1
                visits.by_day[bot[1], f"{found[4].decode()}-{_MONTHS.get(found[3], 1):02}-{found[2].decode()}"] += 1
    return visits


def read_ranges(paths: Sequence[Path]) -> dict[str, Networks]:
    """Return the address ranges of bots by name, as the file is named (gptbot.json). Raises UnreadableFile."""
    found: dict[str, Networks] = {}
    for path in paths:
        name = re.sub(r"[^a-z]", "", path.stem.casefold())
        bots = [bot.bot for bot in known_bots() if re.sub(r"[^a-z]", "", bot.bot.casefold()) in name]
        if not bots:
            raise UnreadableFile(path.name, "its name has no bot that is known, such as gptbot.json or googlebot.json.")
        try:
            prefixes = json.loads(path.read_bytes())["prefixes"]
            networks = [ipaddress.ip_network(text, strict=False) for one in prefixes for text in one.values()]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UnreadableFile(path.name, "it has no list of address ranges (“prefixes”) as bots publish.") from error
        found[max(bots, key=len).casefold()] = networks
    return found


def _verified(address: bytes, networks: Networks | None) -> str:
    if networks is None:
        return SAYS
    try:
        one = ipaddress.ip_address(address.decode())
    except ValueError:
        return FALSE
    return SURE if any(one in network for network in networks) else FALSE


def _path(asked: bytes) -> str:
    """Return the path that was asked for, without host and query.

    >>> _path(b"/oak/?x=1"), _path(b"https://shop.example/")
    ('/oak', '/')
    """
    text = asked.split(b"?", 1)[0].decode("utf-8", "replace")
    text = re.sub(r"^https?://[^/]{1,255}", "", text)
    return text.rstrip("/")[:2000] or "/"


def _lines_of_bots(chunk: bytes, tokens: Sequence[tuple[bytes, str]]) -> Iterator[tuple[bytes, tuple[bytes, str]]]:
    """Yield the lines that name a bot, each once, and the bot: found by its token, so that other lines cost little."""
    seen: set[int] = set()
    for token, bot in tokens:
        place = chunk.find(token)
        while place >= 0:
            start = chunk.rfind(b"\n", 0, place) + 1
            end = chunk.find(b"\n", place)
            end = len(chunk) if end < 0 else end
            if start not in seen:
                seen.add(start)
                yield chunk[start:end], (token, bot)
            place = chunk.find(token, end)


def _chunks(path: Path, visits: Visits) -> Iterator[bytes]:
    """Yield a log in pieces of whole lines; lines that are too long are left out. Raises UnreadableFile."""
    rest, skipping = b"", False
    try:
        with _opened(path) as file:
            while piece := file.read(CHUNK):
                if skipping:
                    _, ended, piece = piece.partition(b"\n")
                    skipping = not ended
                whole, end, rest = (rest + piece).rpartition(b"\n")
                if len(rest) > LONGEST_LINE:
                    rest, skipping, visits.unread = b"", True, visits.unread + 1
                if end:
                    yield whole
    except (OSError, EOFError) as error:
        raise UnreadableFile(path.name, "the file cannot be read to its end; copy it again.") from error
    if rest:
        yield rest


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path) if packed else path.open("rb")  # type: ignore[return-value]


def _require_log(path: Path, chunk: bytes) -> None:
    """Raise UnreadableFile where the first lines are no log, or name no user agents."""
    lines = chunk[: LINES_LOOKED_AT * 1000].split(b"\n", LINES_LOOKED_AT)[:LINES_LOOKED_AT]
    found = [match for line in lines if (match := _LINE.search(line[:LONGEST_LINE]))]
    if not found:
        raise UnreadableFile(path.name, "it has no line of a server's log in the common or combined format.")
    if not any(match[7] for match in found):
        raise UnreadableFile(
            path.name,
            "its lines name no user agent (common format), so bots cannot be recognised; use the combined format.",
        )
