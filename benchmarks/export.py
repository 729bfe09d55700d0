"""A made-up Semrush backlinks export of the size and mix of a real one: 7,235 rows, many scripts, few anchors."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from backlink_audit.judgement.fields import load_topics

ROWS = 7_235
TITLES, ANCHORS, PAGES, TARGETS = 4_660, 500, 6_360, 1_760
"""Distinct values of each kind."""
SITES = 178
NUMBERED_PAGES = 0.85
"""Share of the referring pages whose URL names a site, a language and a number, and no other word."""
ARTICLES = 2_000
"""Numbers of those pages: the same article in many languages, on many sites."""
LANGUAGES = "ar cs da de en es fi fr hu id it ja ko nl pl pt ro ru sv th tr uk vi zh".split()

HEADER = (
    "Page ascore,Source title,Source url,Target url,Anchor,External links,Internal links,Nofollow,Sponsored,Ugc,"
    "Text,Frame,Form,Image,Sitewide,First seen,Last seen,New link,Lost link"
).split(",")

ALPHABETS = (
    "abcdefghiklmnoprstuvwy",
    "абвгдеиклмнопрстуя",
    "αβγδεηικλμνοπρστυω",
    "日本語商品情報一覧東京新聞",
    "កខគងចឆជញដឋ",
)
ALPHABET_SHARES = (0.7, 0.15, 0.05, 0.06, 0.04)
MADE_UP_WORDS = 5_000
"""Names and slugs that are in no vocabulary; about half of all words."""


def write_export(path: Path, rows: int = ROWS, seed: int = 0) -> None:
    """Write the file; the same seed gives the same bytes."""
    writer = _Writer(seed)
    share = rows / ROWS
    titles = writer.distinct(int(TITLES * share), lambda: " ".join(writer.words(4, 16)).capitalize())
    anchors = ["", *writer.distinct(int(ANCHORS * share), lambda: " ".join(writer.words(1, 5)))]
    sites = writer.distinct(SITES, lambda: f"www.{writer.latin()}-{writer.latin()}.example")
    pages = writer.distinct(int(PAGES * share), lambda: writer.page(sites))
    targets = writer.distinct(int(TARGETS * share), lambda: writer.url("www.furniture-shop.example"))
    rng = writer.rng
    columns = [
        rng.integers(0, 60, rows),
        *(writer.spread(values, rows) for values in (titles, pages, targets, anchors)),
        rng.integers(0, 300, rows),
        rng.integers(0, 200, rows),
        *(_flags(rng.random(rows) < odds) for odds in (0.3, 0.01, 0.05, 0.8, 0.0, 0.0, 0.2, 0.1)),
        np.full(rows, "2024-03-01"),
        np.full(rows, "2025-03-01"),
        *(_flags(rng.random(rows) < odds) for odds in (0.1, 0.1)),
    ]
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([HEADER, *zip(*columns, strict=True)])


def write_repeated(source: Path, path: Path, rows: int) -> None:
    """Write the rows of a Semrush export over and over: all with URLs of their own, every other one with a new title.

    So about half of the texts of each repetition are new.
    """
    with source.open(newline="", encoding="utf-8-sig") as stream:
        header, *lines = csv.reader(stream)
    title, url = header.index("Source title"), header.index("Source url")
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(header)
        for number in range(rows):
            repetition, place = divmod(number, len(lines))
            line = list(lines[place])
            if repetition and place % 2:
                line[title] += f" {_letters(repetition)}"
                line[url] += f"-{_letters(repetition)}"
            elif repetition:
                line[url] += f"?v={repetition}"
            writer.writerow(line)


def _letters(number: int) -> str:
    """Return a made-up word for a number, since digits do not count as words."""
    word = "q"
    while number:
        number, letter = divmod(number, 26)
        word += chr(ord("a") + letter)
    return word


class _Writer:
    """Makes up words, titles and URLs."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self._english = sorted({word for phrase in load_topics().phrases for word in phrase.lower().split()})
        self._made_up = [self._word() for _ in range(MADE_UP_WORDS)]
        self._slugs = [word for word in self._made_up if word.isascii()]

    def words(self, least: int, most: int) -> list[str]:
        pools = (self._english, self._made_up)
        return [self._pick(pools[self.rng.integers(2)]) for _ in range(self.rng.integers(least, most))]

    def latin(self) -> str:
        return self._pick(self._slugs)

    def page(self, sites: Sequence[str]) -> str:
        site = self._pick(sites)
        if self.rng.random() < NUMBERED_PAGES:
            return f"https://{site}/{self._pick(LANGUAGES)}/news/{500_000 + self.rng.integers(ARTICLES)}"
        return self.url(site)

    def url(self, host: str) -> str:
        pools = (self._english, self._slugs)
        slug = "-".join(self._pick(pools[self.rng.integers(2)]) for _ in range(self.rng.integers(3, 10)))
        return f"https://{host}/{slug}/"

    def distinct(self, count: int, make: Callable[[], str]) -> list[str]:
        values: dict[str, None] = {}
        while len(values) < count:
            values[make()] = None
        return list(values)

    def spread(self, values: Sequence[str], rows: int) -> list[str]:
        """Return every value once and the rest at random, shuffled."""
        extra = self.rng.integers(0, len(values), max(0, rows - len(values)))
        chosen = np.concatenate([np.arange(len(values)), extra])[:rows]
        return [values[number] for number in self.rng.permutation(chosen)]

    def _word(self) -> str:
        alphabet = ALPHABETS[self.rng.choice(len(ALPHABETS), p=ALPHABET_SHARES)]
        return "".join(self._pick(alphabet) for _ in range(self.rng.integers(3, 9)))

    def _pick(self, pool: Sequence[str]) -> str:
        return pool[int(self.rng.integers(len(pool)))]


def _flags(values: np.ndarray) -> np.ndarray:
    return np.where(values, "true", "false")
