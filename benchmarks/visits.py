"""What an honest visitor does: comes, uploads, looks around, runs, downloads; each number is checked.

The facts are what the terminal says of the same files.
"""

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page

from backlink_audit import cli, sample
from backlink_audit.exports.read import read_table
from tests.browser import journey

NEAR = 1e-4
"""By which numbers may differ: texts embedded in other batches differ in the last digits."""
CHOICES = {"Live": "live", "Everything": "everything"}
"""Whose figures a page shows, as the page and as the terminal call it."""
ACTIONS = range(4, 12)
"""How much a visitor does before leaving."""
CLICKS = 3
"""So often a choice is clicked until it is marked: a browser that draws it anew meanwhile loses a click."""
PAUSE = (2.0, 8.0)
"""Seconds, lowest and highest, that a visitor looks at a page."""
LOOKS = 60
"""So often, a second apart, a page is looked at until it shows what the terminal says: it may still be drawn."""


@dataclass(frozen=True)
class Facts:
    """What the terminal says of a file: its lines by page and choice of links, and the table of its audit by choice."""

    sentences: Mapping[tuple[str, str], frozenset[str]]
    tables: Mapping[str, pd.DataFrame]


@dataclass
class Tally:
    """What visitors did and met."""

    visits: int = 0
    done: dict[str, int] = field(default_factory=dict)
    checked: int = 0
    """Numbers, sentences and tables compared with the terminal's."""
    wrong: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    """Exceptions on a page, and steps that never came to their end."""


def make_file(path: Path, chance: Random) -> Path:
    """Write an export of 200 to 600 rows of the sample project, another one for each state of `chance`."""
    name, data = sample.files()["older"][0]
    rows = read_table(data, name)
    picked = [rows.iloc[sorted(chance.sample(range(len(rows)), chance.randint(100, 150)))] for _ in range(4)]
    for number, part in enumerate(picked[1:], 1):
        address = part["Referring page URL"].str.replace("://", f"://part{number}.", n=1)
        picked[number] = part.assign(**{"Referring page URL": address})
    pd.concat(picked[: chance.randint(2, 4)]).to_csv(path, index=False)
    return path


def facts(path: Path, terminal: Executor) -> Facts:
    """Ask the terminal about a file."""
    sentences, tables = {}, {}
    for shown, choice in CHOICES.items():
        words = [str(path), "--links", choice]
        sentences["Backlink audit", shown], tables[shown] = terminal.submit(said, ["audit", *words]).result()
        sentences["Backlink profile", shown] = _with_and_without_scores(["profile", *words], terminal)
    risk = _with_and_without_scores(["risk", str(path)], terminal)
    return Facts(sentences | {("Risk review", shown): risk for shown in CHOICES}, tables)


def facts_of_sample(folder: Path, terminal: Executor) -> Facts:
    """Ask the terminal about the sample project."""
    files = {}
    for role, contents in sample.files().items():
        for number, (name, data) in enumerate(contents):
            files[role, number] = folder / name
            files[role, number].write_bytes(data)
    ours, crawl = str(files["backlinks", 0]), ["--pages", str(files["pages", 0])]
    rivals = [str(path) for (role, _), path in files.items() if role == "competitors"]
    commands = {
        "Gap": ["gap", ours, *rivals, *crawl],
        "Changes": ["changes", str(files["older", 0]), ours, *crawl],
        "Topic clusters": ["clusters", str(files["pages", 0]), "--inlinks", str(files["inlinks", 0])],
    }
    sentences: dict[tuple[str, str], frozenset[str]] = {}
    tables = {}
    for shown, choice in CHOICES.items():
        words = [ours, *crawl, "--links", choice]
        sentences["Backlink audit", shown], tables[shown] = terminal.submit(said, ["audit", *words]).result()
        sentences["Backlink profile", shown] = _with_and_without_scores(["profile", *words], terminal)
    others = {page: terminal.submit(said, words).result()[0] for page, words in commands.items()}
    others["Risk review"] = _with_and_without_scores(["risk", ours, *crawl], terminal)
    return Facts(sentences | {(page, shown): lines for page, lines in others.items() for shown in CHOICES}, tables)


def _with_and_without_scores(words: list[str], terminal: Executor) -> frozenset[str]:
    """Return what is said after an audit and before one: a page may be seen then or then."""
    return frozenset().union(*(terminal.submit(said, [*words, *more]).result()[0] for more in ([], ["--no-scores"])))


def said(words: Sequence[str]) -> tuple[frozenset[str], pd.DataFrame]:
    """Run a command of the terminal in this process; return the lines it says and the table it writes.

    Raises:
        RuntimeError: it ends with another exit code than 0.
    """
    with TemporaryDirectory() as folder:
        out, lines, before = Path(folder) / "out.csv", io.StringIO(), sys.argv
        sys.argv = ["backlink-audit", *words, "-o", str(out)]
        try:
            with redirect_stderr(lines):
                cli.run()
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"{words}: {lines.getvalue()}") from ended
        finally:
            sys.argv = before
        return frozenset(line.strip() for line in lines.getvalue().splitlines()), pd.read_csv(out)


class Visitor:
    """One browser, whose visits follow one seed."""

    def __init__(
        self, browser: Browser, address: str, chance: Random, own: Mapping[Path, Facts], of_sample: Facts
    ) -> None:
        self.browser, self.address, self.chance = browser, address, chance
        self.own, self.of_sample = own, of_sample
        self.tally = Tally()
        self.page: Page
        self.facts: Facts
        self.shown = "Live"
        self.what = ""

    def visit(self, is_over: Callable[[], bool]) -> None:
        """Come, do a few things, and go."""
        context = self.browser.new_context(accept_downloads=True, viewport={"width": 1400, "height": 1000})
        self.page = context.new_page()
        self.page.set_default_timeout(journey.WORK_SECONDS * 1000)
        self.shown = "Live"
        self.tally.visits += 1
        try:
            self._do(self._come)
            for _ in range(self.chance.choice(ACTIONS)):
                if is_over():
                    break
                self.page.wait_for_timeout(1000 * self.chance.uniform(*PAUSE))
                self._do(self.chance.choice(self._can()))
        except Exception as problem:
            self.tally.failed.append(f"{self.what}: {' '.join(str(problem).split())[:300]}")
        context.close()

    def _do(self, action: Callable[[], None]) -> None:
        self.what = action.__name__.strip("_")
        action()
        self.tally.done[self.what] = self.tally.done.get(self.what, 0) + 1
        body = self.page.get_by_test_id("stMain").inner_text()
        if self.page.get_by_test_id("stException").count() or "Something went wrong" in body:
            self.tally.failed.append(f"{self.what}: an exception on the page")

    def _can(self) -> list[Callable[[], None]]:
        of_sample = [self._gap, self._changes, self._clusters] if self.facts is self.of_sample else [self._replace]
        return [
            self._audit,
            self._scores,
            self._profile,
            self._risk,
            self._tab,
            self._choose,
            self._download,
            *of_sample,
        ]

    def _come(self) -> None:
        self.page.goto(self.address)
        self.page.get_by_role("heading", level=1).wait_for()
        journey.wait_until_still(self.page)
        if self.chance.random() < 0.3:
            self.facts = self.of_sample
            journey.open_sample(self.page)
        else:
            path, self.facts = self.chance.choice(list(self.own.items()))
            self.page.locator("input[type=file]").first.set_input_files(path)
            self.page.get_by_test_id("stSidebar").get_by_text(path.name).first.wait_for()
            journey.wait_until_still(self.page)

    def _replace(self) -> None:
        path, self.facts = self.chance.choice(list(self.own.items()))
        self.page.get_by_role("button", name="Add or replace files").click()
        box = self.page.get_by_role("dialog").get_by_test_id("stExpander").filter(has_text="Backlinks").first
        box.locator("summary").first.click()
        box.locator("input[type=file]").set_input_files(path)
        self.page.get_by_role("dialog").wait_for(state="detached")
        self.page.get_by_test_id("stSidebar").get_by_text(path.name).first.wait_for()
        journey.wait_until_still(self.page)

    def _audit(self) -> None:
        self._open("Backlink audit", "Run the audit")
        table = self.facts.tables[self.shown]
        self._check("Backlinks", lambda: self._figure("Backlinks"), f"{len(table):,}".__eq__)
        for verdict in ("Protect", "Review"):
            links = f"{verdict} · {table['Verdict'].eq(verdict).sum():,}"
            self._check(verdict, lambda: self.page.get_by_test_id("stMain").inner_text(), partial(_has, links))

    def _scores(self) -> None:
        self._audit()
        journey.open_tab(self.page, "Explore")
        journey.open_view(self.page, "Scores")
        for label, column in (("Mean similarity", "Similarity"), ("Mean CAS", "CAS")):
            expected = self.facts.tables[self.shown][column].mean()
            self._check(label, partial(self._figure, label), partial(_is_near, expected))

    def _profile(self) -> None:
        self._open("Backlink profile")
        self._check("Backlinks", lambda: self._figure("Backlinks"), f"{len(self.facts.tables[self.shown]):,}".__eq__)

    def _figure(self, label: str) -> str:
        return journey.figures(self.page).get(label, "")

    def _risk(self) -> None:
        self._open("Risk review")

    def _gap(self) -> None:
        self._open("Gap", "Find prospects")

    def _changes(self) -> None:
        self._open("Changes", "Compare the exports")

    def _clusters(self) -> None:
        self._open("Topic clusters", "Find the clusters")

    def _open(self, name: str, button: str = "") -> None:
        """Open a page, press its button where there is one, and compare its sentence with the terminal's."""
        journey.open_page(self.page, name)
        tabs = self.page.get_by_role("tab")
        if tabs.count():  # a tab opened before may have neither the button nor figures
            journey.open_tab(self.page, tabs.first.inner_text())
        if button and self.page.get_by_role("button", name=button).count() and not journey.figures(self.page):
            journey.run(self.page, button)
        elif button and self.page.get_by_text("are for the earlier file or settings").count():
            journey.run(self.page, button)
        journey.work_ends(self.page)
        if name == "Backlink audit":  # it opens with its story, which the terminal does not tell
            return
        sentence = self.page.get_by_test_id("stMain").locator("h3:visible").first
        self._check(name, lambda: sentence.inner_text().strip(), self.facts.sentences[name, self.shown].__contains__)

    def _tab(self) -> None:
        tabs = self.page.get_by_role("tab").all()
        if tabs:
            self.chance.choice(tabs).click()
            journey.wait_until_still(self.page)

    def _choose(self) -> None:
        self._audit()
        self.shown = self.chance.choice(list(CHOICES))
        journey.open_inputs(self.page)
        chosen = self.page.get_by_test_id("stButtonGroup").filter(has_text="Everything")
        radio = chosen.get_by_role("radio", name=self.shown, exact=True).first
        for _ in range(CLICKS):
            radio.click()
            journey.wait_until_still(self.page)
            if radio.get_attribute("aria-checked") == "true":
                break
            self.tally.done["click again"] = self.tally.done.get("click again", 0) + 1
        self._audit()

    def _download(self) -> None:
        self._audit()
        journey.open_tab(self.page, "Downloads")
        with TemporaryDirectory() as folder:
            path = journey.download(self.page, "Table (csv)", Path(folder))
            table = pd.read_csv(io.BytesIO(path.read_bytes()))
        differing = different(table, self.facts.tables[self.shown])
        self._check("table", lambda: differing, "".__eq__)

    def _check(self, what: str, look: Callable[[], str], is_right: Callable[[str], bool]) -> None:
        self.tally.checked += 1
        for _ in range(LOOKS):
            shown = look()
            if is_right(shown):
                return
            self.page.wait_for_timeout(1000)
        self.tally.wrong.append(f"{self.what}: {what}, {self.shown}: {shown!r} is not what the terminal says")


def _has(words: str, text: str) -> bool:
    return words in text


def _is_near(expected: float, shown: str) -> bool:
    """Whether a figure on a page is a number of the terminal, to three decimals."""
    return shown not in ("", "–") and abs(float(shown.replace(",", "")) - expected) < 0.001


def different(one: pd.DataFrame, other: pd.DataFrame) -> str:
    """Say in which columns two tables differ, numbers by more than `NEAR` of themselves; "" where in none.

    >>> different(pd.DataFrame({"a": [1.0], "b": ["x"]}), pd.DataFrame({"a": [1.00001], "b": ["y"]}))
    'b'
    """
    if list(one.columns) != list(other.columns) or len(one) != len(other):
        return f"{one.shape} and {other.shape}"
    found = []
    for name in one.columns:
        if pd.api.types.is_float_dtype(one[name]) and pd.api.types.is_float_dtype(other[name]):
            alike = np.isclose(one[name], other[name], rtol=NEAR, atol=NEAR, equal_nan=True).all()
        else:
            alike = one[name].fillna("").astype(str).eq(other[name].fillna("").astype(str)).all()
        if not alike:
            found.append(name)
    return ", ".join(found)
