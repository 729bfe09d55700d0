"""What came out for one page, and how it is kept."""

import json
import zlib
from dataclasses import asdict, dataclass, field
from typing import Literal

from backlink_audit.fetching.readers import reading_from
from backlink_audit.fetching.reading import Reading
from backlink_audit.fetching.robots import NO_RULES

Outcome = Literal["read", "gone", "not readable", "not asked"]
GONE = (404, 410)


@dataclass(frozen=True)
class Answer:
    """One page, asked once or twice."""

    url: str
    outcome: Outcome
    reason: str = ""
    """In a few words, why it was not read."""
    status: int = 0
    """The last HTTP status; 0: there was none."""
    final_url: str = ""
    """Where the redirects led; that is a site looked for where the page itself redirects to it."""
    asked_at: float = 0.0
    """Seconds since 1970."""
    times: int = 1
    """How often it was asked with this outcome, one after the other."""
    reading: Reading = field(default_factory=Reading)

    @property
    def may_change_soon(self) -> bool:
        """Whether it is worth asking a second time: gone for the first time, or not readable for the moment."""
        if self.outcome == "gone":
            return self.times < 2
        if self.outcome == "not asked":
            return self.reason == NO_RULES
        return self.outcome == "not readable" and (self.status in (0, 408, 425, 429) or self.status >= 500)


def packed(answer: Answer) -> bytes:
    """Return an answer as bytes."""
    return zlib.compress(json.dumps(asdict(answer), ensure_ascii=False).encode("utf-8", "surrogatepass"))


def unpacked(data: bytes) -> Answer:
    """Return what `packed` made bytes of. Raises ValueError, TypeError, KeyError or zlib.error for anything else."""
    told = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return Answer(**{**told, "reading": reading_from(told["reading"])})
