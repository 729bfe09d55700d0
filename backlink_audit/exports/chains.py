"""Where redirects lead in the end: chains are followed, circles have no end."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class End:
    """Where a redirect leads: the last URL and how many steps away it is; None where it runs in a circle."""

    url: str | None
    steps: int


def follow_redirects(redirects: Mapping[str, str]) -> dict[str, End]:
    """Return for each URL that redirects where it leads in the end. One that redirects to itself does not redirect.

    >>> follow_redirects({"a": "b", "b": "c", "x": "y", "y": "x"})["a"]
    End(url='c', steps=2)
    >>> follow_redirects({"a": "b", "b": "c", "x": "y", "y": "x"})["x"]
    End(url=None, steps=2)
    """
    real = {one: other for one, other in redirects.items() if one != other}
    return {url: _end(url, real) for url in real}


def _end(url: str, redirects: Mapping[str, str]) -> End:
    seen = {url}
    while url in redirects:
        url = redirects[url]
        if url in seen:
            return End(None, len(seen))
        seen.add(url)
    return End(url, len(seen) - 1)
