"""The rewritings of a move: what became of one part of many addresses, as in /blog/… -> /articles/….

A rewriting that leads many old pages to a page of the new site, and none to a page about something else, is a rule of
the site: its pages are sure. Where it also catches no page that it has no target for, one pattern serves all of them.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from urllib.parse import unquote, urlsplit

LEAST_PAGES = 5  # old pages that a rewriting holds for, at least
LEAST_LETTERS = 3  # letters of the part that stays, at least


@dataclass(frozen=True)
class Rewriting:
    """What is taken off both ends of a path, and put there; `pages` are the old rows it holds for.

    `host`: scheme and host of the new pages. `is_deep`: what stays may have several folders. `is_pattern`: it catches
    no other page of the old or new site, so that one pattern serves all.
    """

    before: str
    behind: str
    new_before: str
    new_behind: str
    host: str
    pages: tuple[int, ...]
    is_deep: bool = False
    is_pattern: bool = False

    @property
    def in_words(self) -> str:
        return f"{self.before}…{self.behind} -> {self.new_before}…{self.new_behind}"

    def kept(self, path: str) -> str | None:
        """Return the part of a path that stays; None where the rewriting does not apply."""
        if not path.startswith(self.before) or not path.endswith(self.behind):
            return None
        rest = path[len(self.before) : len(path) - len(self.behind)]
        return rest if rest and (self.is_deep or "/" not in rest) else None

    def applied(self, path: str) -> str | None:
        """Return the new path of an old one."""
        rest = self.kept(path)
        return None if rest is None else f"{self.new_before}{rest}{self.new_behind}"


def path_of(url: str) -> str:
    """Return the path of an address, decoded, without a slash at its end.

    >>> path_of("https://a.example/caf%C3%A9/")
    '/café'
    """
    return unquote(urlsplit(url if "://" in url else f"//{url}").path).rstrip("/")


def find_rewritings(
    old: Sequence[str], new: Sequence[str], lacking: Collection[int], differ: Collection[tuple[int, int]] = ()
) -> list[Rewriting]:
    """Return the rewritings of a site, those of most pages first. `lacking`: old rows without a page on the new site.

    `differ`: pairs of an old and a new row that are known to be about something else.
    """
    paths, new_paths = list(map(path_of, old)), list(map(path_of, new))
    by_path = {path: row for row, path in reversed(list(enumerate(new_paths)))}
    by_last: dict[str, list[int]] = defaultdict(list)
    for row, path in enumerate(new_paths):
        by_last[_stem(path)].append(row)
    asked = [row for row in lacking if paths[row] and not urlsplit(old[row]).query]
    tried = {
        ends
        for row in asked
        for target in by_last.get(_stem(paths[row]), ())[:LEAST_PAGES]
        if (ends := _ends(paths[row], new_paths[target])) is not None
    }
    found = [one for ends in sorted(tried) if (one := _judged(ends, paths, new, by_path, asked, set(differ)))]
    found.sort(key=lambda one: (-len(one.pages), one.before, one.behind))
    taken: set[int] = set()
    kept = []
    living = {path for row, path in enumerate(paths) if row not in set(lacking)} | set(new_paths)
    for one in found:
        if len(set(one.pages) - taken) < LEAST_PAGES:
            continue
        taken |= set(one.pages)
        caught = {row for row in asked if one.kept(paths[row]) is not None}
        is_pattern = caught == set(one.pages) and not any(one.kept(path) is not None for path in living)
        kept.append(Rewriting(**{**one.__dict__, "is_pattern": is_pattern}))
    return kept


def _stem(path: str) -> str:
    return re.sub(r"\.\w{2,5}$", "", path.rpartition("/")[2]).casefold()


def _ends(old: str, new: str) -> tuple[str, str, str, str] | None:
    """Return what differs at both ends of two paths around the longest part that stays; whole folders in front.

    >>> _ends("/shop/chairs/oak.html", "/store/chairs/oak")
    ('/shop/', '.html', '/store/', '')
    """
    stem = commonprefix([old.rpartition("/")[2], new.rpartition("/")[2]])
    if len(stem) < LEAST_LETTERS:
        return None
    folders = [path.split("/")[:-1] for path in (old, new)]
    same = 0
    while same < min(map(len, folders)) - 1 and folders[0][-1 - same] == folders[1][-1 - same]:
        same += 1
    before, new_before = ("/".join(parts[: len(parts) - same]) + "/" for parts in folders)
    ends = before, old.rpartition("/")[2][len(stem) :], new_before, new.rpartition("/")[2][len(stem) :]
    return ends if ends[:2] != ends[2:] and all(re.fullmatch(r"(?:\.\w{2,5})?", end) for end in ends[1::2]) else None


def _judged(
    ends: tuple[str, str, str, str],
    paths: Sequence[str],
    new: Sequence[str],
    by_path: Mapping[str, int],
    asked: Sequence[int],
    differ: Collection[tuple[int, int]],
) -> Rewriting | None:
    """Return a rewriting with the pages it holds for; None where they are few, or where it leads one astray."""
    before, behind, new_before, new_behind = ends
    one = Rewriting(before, behind, new_before, new_behind, "", (), is_deep=True)
    targets = {row: by_path[path] for row in asked if (path := one.applied(paths[row])) and path in by_path}
    if len(targets) < LEAST_PAGES or any((row, target) in differ for row, target in targets.items()):
        return None
    parts = urlsplit(new[next(iter(targets.values()))])
    is_deep = any("/" in (one.kept(paths[row]) or "") for row in targets)
    host = f"{parts.scheme or 'https'}://{parts.netloc}"
    return Rewriting(before, behind, new_before, new_behind, host, tuple(targets), is_deep=is_deep)
