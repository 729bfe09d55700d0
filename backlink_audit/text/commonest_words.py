"""The words of English by how common they are: the counts that the package pyspellchecker carries."""

import gzip
import json
from functools import cache
from importlib.resources import files

EVERYDAY = 3_000
"""The commonest words of English (price, plan, days) say little."""
COMMON = 30_000
"""The words that most readers know (Asia, natural, language)."""


@cache
def commonest(number: int) -> frozenset[str]:
    """Return so many commonest English words, in small letters."""
    return frozenset(by_frequency()[:number])


@cache
def by_frequency() -> tuple[str, ...]:
    """Return all English words of the list, about 160,000, the commonest first."""
    listed = (files("spellchecker.resources") / "en.json.gz").read_bytes()
    counts: dict[str, int] = json.loads(gzip.decompress(listed))
    return tuple(sorted(counts, key=counts.__getitem__, reverse=True))
