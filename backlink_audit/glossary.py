"""The glossary: what each column is called, how its values are written and drawn, and the help text behind it.

Widgets, charts and sheets all look it up here. Columns of the exports themselves have theirs in schema.py, and
`describe` knows both.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from backlink_audit import labels
from backlink_audit.schema import TABLES, Column, Kind
from backlink_audit.wording import Figure

Style = Literal["text", "url", "count", "number", "rating", "similarity", "score", "percent", "date", "month", "flag"]
"""How a column's values are written: similarity and score with 3 decimals, rating with at most 1, count whole."""
EVERY_VERDICT = tuple(
    {one.word: one for one in (*labels.AUTHORITY_VERDICTS, *labels.INLINK_VERDICTS, *labels.VERDICTS)}.values()
)
"""Of links, of pages and of links inside a site."""
STYLE_OF_KIND: dict[Kind, Style] = {
    "text": "text",
    "prose": "text",
    "vector": "text",
    "url": "url",
    "number": "number",
    "flag": "flag",
    "date": "date",
}


@dataclass(frozen=True)
class Term:
    """A column: its name in code, its label on screen and in files, its style, its help text, and how it is drawn.

    `width`: on screen, in pixels, for texts that would take more, or headers that are short; 0: measured. `letters`:
    that in a sheet, in characters. `up_to`: the upper end of a score that is drawn as a bar. `marks`: the words with
    their colours. `pinned`: as a table's first column it stays when that is scrolled sideways.
    """

    name: str
    label: str
    style: Style
    help: str
    width: int = 0
    letters: int = 0
    up_to: float = 0
    marks: tuple[labels.Label, ...] = ()
    pinned: bool = False


def _term(row: dict[str, str]) -> Term:
    marks: Any = EVERY_VERDICT if row["marks"] == "EVERY_VERDICT" else getattr(labels, row["marks"] or "NONE", ())
    sizes = int(row["width"] or 0), int(row["letters"] or 0), float(row["up_to"] or 0)
    style: Any = row["style"]
    return Term(row["name"], row["label"], style, row["help"], *sizes, tuple(marks), bool(row["pinned"]))


with (files("backlink_audit") / "data" / "glossary.csv").open(encoding="utf-8") as _lines:
    GLOSSARY = tuple(map(_term, csv.DictReader(_lines)))
"""Result columns that more than one page, chart or sheet shows. Input columns have theirs in schema.py."""

TERMS = {term.name: term for term in GLOSSARY}
with (files("backlink_audit") / "data" / "figures.csv").open(encoding="utf-8") as _lines:
    FIGURES = {(row["of"], row["name"]): row for row in csv.DictReader(_lines)}
"""What the figures above a result are called, what they are, and why one may not be known."""


def figures(of: str, values: Mapping[str, Any], **words: Any) -> list[Figure]:
    """Return figures by their names in `FIGURES`, as the page shows them; `words`: what their texts leave open.

    >>> figures("gap", {"prospects": 12})
    [('Prospects', 12, 'Domains that link to a competitor but not to you, and match the filters.')]
    """
    said = [(FIGURES[of, name], value) for name, value in values.items()]
    helps = [(row["unknown"] if value is None else "") or row["help"] for row, value in said]
    return [
        (row["label"].format(**words), value, text.format(**words))
        for (row, value), text in zip(said, helps, strict=True)
    ]


def describe(name: str) -> Term:
    """Return what is said of a column, by its name in code or by its label; unknown ones are their own label.

    >>> describe("cas").label, describe("CAS").name, describe("my_column").label
    ('CAS', 'cas', 'My column')
    """
    known = KNOWN.get(name) or _BY_LABEL.get(name)
    return known or Term(name, name[:1].upper() + name[1:].replace("_", " "), "text", "")


def _of_export(column: Column) -> Term:
    style = "count" if column.counted else STYLE_OF_KIND[column.kind]
    return Term(column.name, column.label, style, column.help, width=column.width)


_OF_EXPORTS = {column.name: _of_export(column) for table in reversed(TABLES.values()) for column in table.columns}
KNOWN: dict[str, Term] = _OF_EXPORTS | TERMS  # every column that has a word of its own: of results, and of exports
_BY_LABEL: dict[str, Term] = {term.label: term for term in KNOWN.values()}
