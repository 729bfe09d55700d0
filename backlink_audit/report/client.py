"""The report for a client: one HTML file that loads nothing from anywhere and prints on A4; its figures in words."""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from io import BytesIO
from itertools import chain
from typing import Any

from jinja2 import Environment, PackageLoader
from PIL import Image, UnidentifiedImageError

from backlink_audit import glossary
from backlink_audit.errors import InvalidSetting, UnreadableFile
from backlink_audit.labels import ACCENT, PROTECT, RECLAIM
from backlink_audit.schema import PERFORMANCE
from backlink_audit.wording import Figure, by_number, percent

OF_ANCHORS = ("top_anchor", "dominant_anchor")
ON_TOP = ("links", "domains", "authority", "followed", "lost", "to_reclaim")  # What is asked of a profile first
LABELS = {
    name: glossary.FIGURES["audit", name]["label"]
    for name in ("links", "domains", "authority", "share_relevant", "mean_cas", "risk_share", *OF_ANCHORS)
}  # Those that a snapshot keeps
EARNED_KEY = "earned"  # What it is called among the figures of a snapshot
EARNED = {
    name: PERFORMANCE.column(name).label for name in ("clicks", "impressions", "views", "sessions", "organic_traffic")
}  # What the site's pages earned together, where a file of clicks or visits was kept with the snapshot
VERDICT_LABELS = {RECLAIM.word: "Reclaim (lost links included)", PROTECT.word: "Protect (most valuable)"}
"""What the number of a verdict is called, where its word does not tell."""
RATED = ("authority", "mean_cas")  # Figures in the ratings of a tool, which say nothing beside those of another tool
SHARES = ("share_relevant", "followed", "risk_share", "top_anchor", "dominant_anchor")  # Which of them are shares, 0-1
LARGEST_LOGO = 1_000_000  # Bytes. The whole report is to be sent by mail.
PICTURES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
LONGEST_LABEL = 29  # Letters of a label beside a bar; the rest is cut, and whole in the tooltip


def label_of(name: str, figures: Mapping[str, Any]) -> str:
    """Return what a figure is called; the authority by its tool's word, the risk signals by how many are asked for."""
    if name == "risk_share" and "review_signals" in figures:
        return f"With {figures['review_signals']} or more risk signals"
    return f"Median {figures['authority_name']}" if name == "authority" else glossary.FIGURES["audit", name]["label"]


def in_words(name: str, value: float | None) -> str:
    """Write a figure as screen and workbook do.

    >>> in_words("links", 2269), in_words("share_relevant", 0.3138), in_words("mean_cas", None)
    ('2,269', '31%', '–')
    """
    if value is None:
        return "–"
    if name in SHARES:
        return percent(value)
    if name == "authority":
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"


def figure(name: str, figures: Mapping[str, Any]) -> Figure:
    """Return one of the figures with its name and what it is, or why it is not known."""
    value, said = figures[name], glossary.FIGURES["audit", name]
    return (
        label_of(name, figures),
        None if value is None else in_words(name, value),
        said["unknown" if value is None else "help"],
    )


def difference_in_words(name: str, value: float | None, former: float | None) -> str:
    """Write how a figure moved; "" where it cannot be computed, "same" where it did not move as far as is shown.

    >>> difference_in_words("links", 12, 10), difference_in_words("share_relevant", 0.30, 0.34)
    ('+2', '-4 points')
    """
    if value is None or former is None:
        return ""
    moved = value - former
    if name in SHARES:
        points = round(100 * value) - round(100 * former)
        return f"{points:+d} {by_number(abs(points), 'point', 'points')}" if points else "same"
    if in_words(name, value) == in_words(name, former):
        return "same"
    if name == "authority":
        return f"{moved:+g}"
    return f"{moved:+,}" if isinstance(moved, int) else f"{moved:+,.3f}"


def not_compared(now: Mapping[str, Any], former: Mapping[str, Any]) -> str:
    """Say that the ratings of two snapshots are of different tools and not compared; "" where they are of one.

    >>> not_compared({"authority": 62, "authority_name": "DR"}, {"authority": 34, "authority_name": "Page ascore"})
    'Median DR and mean CAS cannot be compared: the previous snapshot has ratings by Page ascore.'
    """
    mine, theirs = now["authority_name"], former.get("authority_name")
    both_rated = any(now.get(name) is not None and former.get(name) is not None for name in RATED)
    if mine == theirs or not both_rated:
        return ""
    return f"Median {mine} and mean CAS cannot be compared: the previous snapshot has ratings by {theirs}."


def figure_rows(now: Mapping[str, Any], former: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return each figure's label, its value, the one before and how it moved, in words; `former` may be empty.

    Ratings of another tool are no value before (`not_compared`).
    """
    others = RATED if not_compared(now, former) else ()
    rows = [
        (label_of(name, now), in_words(name, value), in_words(name, old), difference_in_words(name, value, old))
        for name in LABELS
        for value, old in [(now.get(name), None if name in others else former.get(name))]
    ]
    earned, earned_before = now.get(EARNED_KEY, {}), former.get(EARNED_KEY, {})
    rows += [
        (
            label,
            in_words(name, earned[name]),
            in_words(name, earned_before.get(name)),
            difference_in_words(name, earned[name], earned_before.get(name)),
        )
        for name, label in EARNED.items()
        if name in earned
    ]
    before = former.get("verdicts", {})
    return rows + [
        (
            VERDICT_LABELS.get(verdict, verdict),
            f"{number:,}",
            in_words("links", before.get(verdict)),
            difference_in_words("links", number, old),
        )
        for verdict, number in now["verdicts"].items()
        for old in [before.get(verdict)]
        if number or old
    ]


@dataclass(frozen=True)
class Look:
    """Whose report it is. `logo`: a picture as a data URL, "" for none. Raises InvalidSetting."""

    name: str = ""
    accent: str = ACCENT
    logo: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"#[0-9A-Fa-f]{6}", self.accent):
            raise InvalidSetting(f"The accent colour must be written like {ACCENT}, not {self.accent!r}.")


@dataclass(frozen=True)
class Bar:
    """One bar: its label, its value, the value in words, its colour (hex)."""

    label: str
    value: float
    words: str
    colour: str

    @property
    def short(self) -> str:
        return self.label if len(self.label) <= LONGEST_LABEL else f"{self.label[: LONGEST_LABEL - 1]}…"


@dataclass(frozen=True)
class Chart:
    """Bars beneath each other, or columns side by side: `columns` has one tuple of bars for each place on the axis.

    `why_not` says why there is nothing to draw.
    """

    title: str
    subtitle: str
    bars: tuple[Bar, ...] = ()
    columns: tuple[tuple[str, tuple[Bar, ...]], ...] = ()
    why_not: str = ""

    @property
    def highest(self) -> float:
        """The largest value drawn, never 0."""
        drawn = (*self.bars, *chain.from_iterable(bars for _, bars in self.columns))
        return max((bar.value for bar in drawn), default=0) or 1

    @property
    def legend(self) -> tuple[Bar, ...]:
        """What the colours of the columns mean, where there are several: one bar of each."""
        first = {bar.label: bar for _, bars in self.columns for bar in bars}
        return tuple(first.values()) if len(first) > 1 else ()

    @property
    def every(self) -> int:
        return max(1, -(-len(self.columns) // 8))


@dataclass(frozen=True)
class Action:
    """One thing that a step is about: what, what is to be known of it, and the page to look at."""

    what: str
    why: str
    url: str = ""


@dataclass(frozen=True)
class Step:
    """One of the five steps on the cover: what, how much work, whose work it is, what it is worth, and for what.

    `rows` are the first of `number`.
    """

    what: str
    effort: str
    owner: str
    worth: str
    rows: Sequence[Action] = ()
    number: int = 0


@dataclass(frozen=True)
class Listed:
    """A list of the report: its title, what it lists and why each is there, and how many more there are."""

    title: str
    rows: Sequence[tuple[str, str]]
    more: int = 0


@dataclass(frozen=True)
class ClientReport:
    """All that a report says. `figures`: label, value, value before, change, all in words."""

    project: str
    site: str
    day: date
    since: date | None
    sentence: str
    figures: Sequence[tuple[str, str, str, str]]
    charts: Sequence[Chart]
    how: Sequence[tuple[str, str]]
    story: Sequence[str] = ()  # A sentence each; the cover has it in place of `sentence`
    risks: Sequence[tuple[str, str]] = ()  # At most three: what may go wrong, and what shows it
    steps: Sequence[Step] = ()  # At most five, the most worth first
    key_figures: Sequence[str] = ()  # The labels of those `figures` that stand on the cover
    changes: Sequence[Listed] = ()  # What came and went since the snapshot before
    done: Sequence[str] = ()  # What was done since the snapshot before, in sentences
    disavowed: Listed | None = None  # What is disavowed of the links that there are, and why
    not_compared: str = ""  # Which figures have no value before though there is a snapshot before, and why

    @property
    def paragraphs(self) -> dict[str, str]:
        """What can be edited before the report is made, by its place: story and risks."""
        risks = {f"risk {place}": " ".join(risk) for place, risk in enumerate(self.risks, 1)}
        return {f"story {place}": words for place, words in enumerate(self.story, 1)} | risks

    def edited(self, words: Mapping[str, str]) -> "ClientReport":
        """Return the report with these words for its `paragraphs`, by their place; "" leaves one out."""
        written = {**self.paragraphs, **words}
        story = [text for name, text in written.items() if name.startswith("story") and text.strip()]
        risks = [(text, "") for name, text in written.items() if name.startswith("risk") and text.strip()]
        same = {" ".join(risk): risk for risk in self.risks}
        return replace(self, story=story, risks=[same.get(text, (text, "")) for text, _ in risks])


def render(report: ClientReport, look: Look) -> bytes:
    """Return the report as one HTML file, UTF-8. Text of third parties is escaped."""
    environment = Environment(
        loader=PackageLoader("backlink_audit.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("client.html").render(report=report, look=look).encode("utf-8", "replace")


def as_pdf(html: bytes) -> bytes:
    """Return a rendered report as PDF; nothing is fetched. Raises UnreadableFile without the extra `pdf`."""
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except (ImportError, OSError) as error:  # the library, or Pango, which it needs
        raise UnreadableFile("the report", "PDF needs Pango and the extra `pdf`: backlink-audit[pdf].") from error
    made: bytes = HTML(string=html.decode("utf-8"), url_fetcher=URLFetcher(allowed_protocols=["data"])).write_pdf()
    return made


def logo_of(name: str, data: bytes) -> str:
    """Return a picture as a data URL. Raises UnreadableFile for one that is too large, or is no picture."""
    if len(data) > LARGEST_LOGO:
        raise UnreadableFile(
            name,
            f"the logo can have at most {LARGEST_LOGO / 1e6:g} MB, but this file has {len(data) / 1e6:,.1f}; make "
            "it smaller.",
        )
    try:
        with Image.open(BytesIO(data)) as picture:
            kind = picture.format
            picture.verify()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise UnreadableFile(name, "this is not an image; use a PNG, JPEG, GIF or WebP file.") from error
    if kind not in PICTURES:
        raise UnreadableFile(name, f"this is an image of type {kind}; use a PNG, JPEG, GIF or WebP file.")
    return f"data:{PICTURES[kind]};base64,{base64.b64encode(data).decode()}"
