"""Which page of a new site takes the place of each old page, how sure that is, and the rewritings of the move.

A rewriting that leads many old pages to a page of the new site, and none to a page about something else, is a rule of
the site: its pages are sure. Where it also catches no page that it has no target for, one pattern serves all of them.

The score of an old and a new page is the mean of the cosines that the old page has texts for: words of the URL, of
title and H1, and of the content. Every pair is judged, in blocks, so that memory stays bounded on any site.
How the limits were chosen: docs/decisions/redirects.md.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix
from urllib.parse import unquote, urlsplit

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.embedding.nearest import top_k_blocks
from backlink_audit.labels import CHOOSE, LIKELY, NO_GOOD_TARGET, SURE
from backlink_audit.progress import Progress, silent
from backlink_audit.redirects.pages import with_query
from backlink_audit.settings import PageText
from backlink_audit.text.languages import words
from backlink_audit.text.link_texts import page_words
from backlink_audit.text.page_names import site_stop_words, weigh_documents
from backlink_audit.text.page_texts import PageTexts, default_mode, read_page_texts
from backlink_audit.text.urls import last_part

LEAST_PAGES = 5  # old pages that a rewriting holds for, at least
LEAST_LETTERS = 3  # letters of the part that stays, at least
BLOCK_SCORES = 8 * 1024**2  # scores of a block: 32 MiB for each matrix
SHOWN = 3  # the best page and two alternatives
TAKEN = 0.1  # how far a new page that the old site had at the same URL stands behind the others
SURE_FROM, SURE_AHEAD = 0.5, 0.1  # least score, and least lead over the second page, of a redirect that is sure
SAME_CONTENT, KEPT_CONTENT = 0.6, 0.8
"""Least cosine of the contents' words of such a redirect; and that of a page whose text is nearly the same."""
LIKELY_FROM, LIKELY_AHEAD = 0.4, 0.05
CHOOSE_FROM = 0.2  # below this score no page is a good target
SAME_FROM, ALIKE_FROM = 0.999, 0.5  # cosines from which a reason calls two texts the same, and alike
_NUMBER = re.compile(r"\d+")
URL, NAMES, CONTENT = "URL", "title and H1", "content"  # what each is called in a reason


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


@dataclass(frozen=True, eq=False)
class Likeness:
    """One way in which pages are alike: the cosine old @ new.T. Rows have length 1, or 0 where there is no text."""

    name: str
    old: sp.csr_matrix
    new: sp.csr_matrix

    def rows(self, start: int, stop: int) -> np.ndarray:
        """Return the cosines of a block of old pages with all new ones, float32 (stop - start, new pages)."""
        found: np.ndarray = (self.old[start:stop] @ self.new.T).toarray()
        return found

    def pairs(self, old: np.ndarray, new: np.ndarray) -> np.ndarray:
        return np.asarray(self.old[old].multiply(self.new[new]).sum(axis=1), dtype=np.float32).ravel()

    @property
    def known(self) -> np.ndarray:
        return np.diff(self.old.indptr) > 0


@dataclass(frozen=True, eq=False)
class Matches:
    """The best new pages of each old one.

    `pages` (old pages, k) are numbers of new pages, best first, with their `scores`, 0 to 1. `claimed_by` (new pages,)
    is the old page whose page each new one is: that of the same URL, else the one most like it; -1 for none.
    """

    pages: np.ndarray
    scores: np.ndarray
    claimed_by: np.ndarray

    @property
    def ahead(self) -> np.ndarray:
        """How far the best page's score is above the second's; the whole score where there is no second."""
        second = self.scores[:, 1] if self.scores.shape[1] > 1 else 0
        return self.scores[:, 0] - second

    @property
    def mutual(self) -> np.ndarray:
        return np.asarray(self.claimed_by[self.pages[:, 0]] == np.arange(len(self.pages)))


def match_pages(
    likenesses: Sequence[Likeness], own: np.ndarray, handicap: np.ndarray, on_progress: Progress = silent
) -> Matches:
    """Return the best new pages of every old one; at least one new page is needed.

    `own` (new pages,): the old page of the same URL, -1 for none. Such a page is taken, and stands TAKEN behind the
    others. `handicap`, float32 (old pages,): by how much each stands behind when several are like one new page;
    infinite for those that need none.
    """
    old, new = likenesses[0].old.shape[0], likenesses[0].new.shape[0]
    texts_known = np.sum([one.known for one in likenesses], axis=0).clip(1).astype(np.float32)
    taken = (own >= 0).astype(np.float32) * TAKEN
    claimed_by, claim = own.copy(), np.where(own < 0, -np.inf, np.inf).astype(np.float32)

    def score(start: int, stop: int) -> np.ndarray:
        scores = np.zeros((stop - start, new), dtype=np.float32)
        for one in likenesses:
            scores += one.rows(start, stop)
        scores /= texts_known[start:stop, None]
        scores -= taken
        claiming = scores - handicap[start:stop, None]
        best = claiming.argmax(axis=0)
        value = claiming[best, np.arange(new)]
        higher = value > claim
        claim[higher], claimed_by[higher] = value[higher], best[higher] + start
        return scores

    block = max(1, BLOCK_SCORES // max(1, new))
    pages, scores = top_k_blocks(score, old, min(SHOWN, new), block=block, on_progress=on_progress)
    return Matches(pages, scores.clip(0, 1), claimed_by)


def confidence(matches: Matches, evident: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Return how sure the best page of each old one is, in words (`labels.CONFIDENCES`).

    `evident`: whether there is more evidence than the score; `kept`: whether the last part of the URL and nearly all of
    the text are the same; bool (old pages,). Of the others none is more than a choice if another old page is more like
    the new one.
    """
    score, ahead, mutual = matches.scores[:, 0], matches.ahead, matches.mutual
    sure = mutual & evident & (score >= SURE_FROM) & (ahead >= SURE_AHEAD)
    likely = kept | (mutual & (score >= LIKELY_FROM) & (ahead >= LIKELY_AHEAD))
    words = np.select([sure, likely, score >= CHOOSE_FROM], [SURE.word, LIKELY.word, CHOOSE.word], NO_GOOD_TARGET.word)
    return words.astype(object)


def reasons(likenesses: Sequence[Likeness], old: np.ndarray, new: np.ndarray) -> list[str]:
    """Return in words what each pair of pages has alike."""
    values = np.stack([one.pairs(old, new) for one in likenesses], axis=1)
    return [_reason(likenesses, row) for row in values]


def _reason(likenesses: Sequence[Likeness], values: np.ndarray) -> str:
    same = [one.name for one, value in zip(likenesses, values, strict=True) if value >= SAME_FROM]
    alike = [
        f"{one.name} ({value:.2f})"
        for one, value in zip(likenesses, values, strict=True)
        if ALIKE_FROM <= value < SAME_FROM
    ]
    parts = [f"same {', '.join(same)}"] if same else []
    parts += [f"alike: {', '.join(alike)}"] if alike else []
    return "; ".join(parts) or "not very similar"


def evident(
    ways: Sequence[Likeness], urls: tuple[pd.Series, pd.Series], texts: tuple[PageTexts, PageTexts], best: np.ndarray
) -> np.ndarray:
    """Return which old pages are evidently the best new page under another address, bool (old pages,).

    No other page of either site has the same title and H1, the numbers in both titles are the same (“part 1” is not
    “part 2”), and the words of the contents are alike; without contents title, H1 and the URL's last part are the same.
    """
    old = np.arange(len(best))
    cosines = {one.name: one.pairs(old, best) for one in ways}
    none = np.zeros(len(best))
    same_names = cosines.get(NAMES, none) >= SAME_FROM
    has_content = np.array([bool(body) for body in texts[0].bodies]) & np.array(
        [bool(texts[1].bodies[place]) for place in best]
    )
    alike = np.where(has_content, cosines.get(CONTENT, none) >= SAME_CONTENT, same_names & _same_last(urls, best))
    return alike & _alone(urls, texts, best) & _same_numbers(texts, best)


def kept(ways: Sequence[Likeness], urls: tuple[pd.Series, pd.Series], best: np.ndarray) -> np.ndarray:
    """Return which old pages kept the last part of their URL and nearly all of their text, bool (old pages,)."""
    [content] = [one.pairs(np.arange(len(best)), best) for one in ways if one.name == CONTENT] or [np.zeros(len(best))]
    return _same_last(urls, best) & (content >= KEPT_CONTENT)


def _same_last(urls: tuple[pd.Series, pd.Series], best: np.ndarray) -> np.ndarray:
    new = [last_part(url) for url in urls[1]]
    return np.array([one == new[place] != "" for one, place in zip(map(last_part, urls[0]), best, strict=True)])


def _alone(urls: tuple[pd.Series, pd.Series], texts: tuple[PageTexts, PageTexts], best: np.ndarray) -> np.ndarray:
    """Return for which old pages neither they nor the best new page share their title and H1 with another page.

    A page with a query is none to one without: mostly it is the same, sorted or filtered.
    """
    old, new = (
        [" ".join(words(f"{title} {heading}")) for title, heading in zip(site.titles, site.headings, strict=True)]
        for site in texts
    )
    of_old, of_new = Counter(old), Counter(new)
    queried = with_query(urls[0])
    plain = Counter(name for name, has_query in zip(old, queried, strict=True) if not has_query)
    alone = [
        (of_old if has_query else plain)[name] == 1 == of_new[new[place]]
        for name, has_query, place in zip(old, queried, best, strict=True)
    ]
    return np.array(alone)


def _same_numbers(texts: tuple[PageTexts, PageTexts], best: np.ndarray) -> np.ndarray:
    numbers = [[sorted(_NUMBER.findall(name)) for name in site.names] for site in texts]
    return np.array([one == numbers[1][place] for one, place in zip(numbers[0], best, strict=True)])


def read_both(old: pd.DataFrame, new: pd.DataFrame, brands: Sequence[str] | None) -> tuple[PageTexts, PageTexts]:
    """Return the texts of the pages of both sites (columns url, title, h1, content), of the same kind."""
    both = {default_mode(list(pages["content"])) for pages in (old, new)}
    mode: PageText = "title+content" if both == {"title+content"} else "title"
    return read_page_texts(old, mode, brands), read_page_texts(new, mode, brands)


def likenesses(
    urls: tuple[pd.Series, pd.Series], texts: tuple[PageTexts, PageTexts], on_progress: Progress
) -> list[Likeness]:
    """Return how the pages of both sites are alike; of an old page without title and H1 the URL's words are used.

    Title and H1 are one text: many pages have one of them alone, and a site may swap them.
    """
    old, new = texts
    stop = site_stop_words(old) | site_stop_words(new)
    slugs = [list(map(page_words, column)) for column in urls]
    names = [
        [f"{title} {heading}".strip() for title, heading in zip(site.titles, site.headings, strict=True)]
        for site in texts
    ]
    by_slug = ["" if name else slug for name, slug in zip(names[0], slugs[0], strict=True)]
    on_progress("Comparing words", 0, 1)

    def by_words(name: str, of_old: Sequence[str], of_new: Sequence[str], left_out: frozenset[str]) -> Likeness:
        rows = weigh_documents([words(text) for text in (*of_old, *of_new)], left_out)
        return Likeness(name, rows[: len(of_old)], rows[len(of_old) :])

    found = [
        by_words(URL, slugs[0], slugs[1], frozenset()),
        by_words(NAMES, names[0], names[1], stop),
        by_words("words of the URL and the title", by_slug, new.names, stop),
        by_words(CONTENT, old.bodies, new.bodies, stop),
    ]
    return [one for one in found if one.known.any()] or found[:1]
