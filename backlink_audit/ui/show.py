"""How results are shown: the answer first, then figures, charts, tables to work in, a row in full, and downloads."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast
from urllib.parse import quote

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from backlink_audit.glossary import describe
from backlink_audit.report import files
from backlink_audit.ui import column_looks, session
from backlink_audit.ui.session import Key
from backlink_audit.ui.worktable import download, filtered, table
from backlink_audit.wording import Figure, percent, reasons, set_aside

__all__ = ["Figure", "filtered", "table"]  # made elsewhere, and asked for here with the rest

T = TypeVar("T")


CHANGE = "under “Change files and settings”"  # Where a page's files and settings are, once there is a result
TOP = 28  # Pixels above a chart's marks for the toolbar, which else covers the legend
LEGEND_LINE, LEGEND_WIDTH = 22, 300  # Pixels of a line of a legend, and how much a telephone's screen leaves it
LETTER, ENTRY = 6.5, 40  # Pixels of a letter, and of what is before and behind each name
SAFE_IN_LINKS = "".join(letter for letter in map(chr, range(33, 127)) if letter not in '<>\\"`')
"""What stays as it is in the address of a link; the rest, as blanks and letters of other scripts, is written as %xx."""
WORD_JOINER = "\u2060"  # Takes no room and is not seen
_LINE_BREAKS = re.compile("[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+[ \t]*|^[ \t]{2,}")
_SYMBOL = re.compile(r":(?=[\w+/-]{1,60}:)")  # Streamlit draws :smile: and :material/home: as symbols, escaped or not
_BLOCK = re.compile(r"^([ ]?\d{0,9})([#+=.)-])")
"""What begins a heading, a list or a line under a heading; the rest of the line means nothing then."""
Fields = Sequence[tuple[str, str]]  # What a field is called, and its value as markdown
DECIMALS = {"similarity": "{:.3f}", "score": "{:.3f}", "rating": "{:.1f}", "count": "{:,.0f}"}


@dataclass(frozen=True)
class Selection:
    """What is selected in a chart: boxes (`x` and `y`, each a low and a high end) and single points (plotly's)."""

    boxes: tuple[Mapping[str, Any], ...] = ()
    points: tuple[Mapping[str, Any], ...] = ()

    def rows(self, table: pd.DataFrame, x: str, y: str) -> pd.DataFrame:
        """Return the table's rows that are selected, by the chart's two columns; all of them without a selection.

        A box takes every row inside it, drawn or not. Single points and lassos take the rows that their marks'
        `customdata` names.
        """
        if self.boxes:
            inside = pd.Series(False, index=table.index)
            for box in self.boxes:
                inside |= table[x].between(*sorted(box["x"])) & table[y].between(*sorted(box["y"]))
            return table[inside]
        if self.points:
            return table[table.index.isin([point.get("customdata") for point in self.points])]
        return table

    def __bool__(self) -> bool:
        return bool(self.boxes or self.points)


@dataclass(frozen=True)
class Untitled:
    """A figure whose title and subtitle are above it as text."""

    title: str | None
    subtitle: str | None
    figure: go.Figure


def headline(sentence: str) -> None:
    st.subheader(plain(sentence), anchor=False)


def figures(values: Sequence[Figure]) -> None:
    """Show four to six figures side by side; on a narrow screen they wrap."""
    with st.container(border=True), st.grid(min_column_width=130, gap="xsmall"):
        for label, value, help_text in values:
            st.metric(plain(label), as_text(value), help=plain(help_text) or None)
    for label, value, help_text in values:
        if value is None:
            st.caption(plain(f"{label}: {help_text}"))


def as_text(value: str | int | float | None) -> str:
    """Write a figure: whole numbers with thousands, others with three decimals, a missing one as a dash.

    >>> as_text(1508), as_text(0.4567), as_text(None), as_text("27%")
    ('1,508', '0.457', '–', '27%')
    """
    if value is None or (isinstance(value, float) and value != value):
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"


def counts(label: str, numbers: Mapping[str, int]) -> None:
    """Show in one line how many rows had which fate, those with none left out; nothing if there are none at all."""
    parts = reasons(numbers)
    if parts:
        st.caption(f"{plain(label)}: {sum(numbers.values()):,} ({plain(parts)}).")


def note(sentence: str) -> None:
    """Show a sentence beside the answer; nothing where it is ""."""
    if sentence:
        st.caption(plain(sentence))


def nothing_chosen(numbers: Mapping[str, int]) -> None:
    """Say that the choice of links leaves none, and what there is."""
    parts = ", ".join(f"{state} {number:,}" for state, number in numbers.items())
    st.info(f"No links match this choice. Links in the file: {plain(parts)}. Choose “Everything” {CHANGE} to see them.")


def removed(numbers: Mapping[str, int], rows: int, change: str = CHANGE) -> None:
    """Say how many rows of the file the filters removed, plainly where that is most of them, and where to change it."""
    sentence = set_aside(numbers, rows)
    if sentence:
        say = st.info if 2 * sum(numbers.values()) > rows else st.caption
        say(f"{plain(sentence)} Change it {change}.")


def chart(drawn: go.Figure, key: str, *, select: bool = False) -> Selection:
    """Show a chart and return what is selected; its title, taken from it, wraps above it as text on a narrow screen."""
    return _show(_without_title(drawn), key, select)


def chart_of(
    source: T, draw: Callable[[T], go.Figure], key: str, on_click: Callable[[str], None] | None = None
) -> None:
    """Show the chart that `draw` makes of a table or a result; drawn again only where that is another object."""
    charts: dict[str, tuple[object, Untitled]] = session.kept(Key.CHARTS, dict)
    if key not in charts or charts[key][0] is not source:
        charts[key] = source, _without_title(draw(source))

    def clicked() -> None:
        points = session.typed(key, {}).get("selection", {}).get("points", ())
        if on_click is not None and points:
            on_click(str(points[0]["y"]))

    _show(charts[key][1], key, select=clicked if on_click else False)


def _without_title(drawn: go.Figure) -> Untitled:
    title, subtitle = drawn.layout.title.text, drawn.layout.title.subtitle.text
    # Some kinds of chart, such as a tree map, can have no legend: their traces have no such setting.
    named = {
        trace.name for trace in drawn.data if "showlegend" in trace and trace.showlegend is not False and trace.name
    }
    return Untitled(title, subtitle, drawn.update_layout(title=None, margin_t=TOP + legend_height(named)))


def _show(drawn: Untitled, key: str, select: bool | Callable[[], None]) -> Selection:
    with st.container(gap="xsmall"):
        if drawn.title:
            st.markdown(f"**{plain(drawn.title)}**")
        if drawn.subtitle:
            st.caption(plain(drawn.subtitle))
            state = st.plotly_chart(
                drawn.figure.update_layout(font_color=text_colour()),
                key=key,
                on_select=select if callable(select) else "rerun" if select else "ignore",
                config={"displaylogo": False, "toImageButtonOptions": {"filename": key, "scale": 2}},
                alt=f"{drawn.title or key}. {drawn.subtitle or ''}",
            )
    if select is not True:
        return Selection()
    selected = cast(Mapping[str, Any], state)["selection"]
    return Selection(tuple(selected["box"]), tuple(selected["points"]))


def legend_height(names: Collection[str]) -> int:
    """Return the pixels that a legend with these names takes on a narrow screen; with less it covers the marks.

    >>> legend_height([]), legend_height(["new", "lost"]), legend_height(["relevant", "weak", "no text to compare"])
    (0, 28, 50)
    """
    lines = math.ceil(sum(ENTRY + LETTER * len(name) for name in names) / LEGEND_WIDTH)
    return LEGEND_LINE * lines + 6 if lines else 0


def text_colour() -> str | None:
    return st.get_option(f"theme.{st.context.theme.type or 'light'}.textColor")


def downloads(tables: files.Tables, stem: str) -> None:
    """Offer a result as xlsx, csv and parquet. Each file is built when its button is pressed; nothing is sampled."""
    with st.container(horizontal=True):
        download("Workbook (xlsx)", lambda: files.to_xlsx(tables), f"{stem}.xlsx", f"{stem}:xlsx", primary=True)
        download("Table (csv)", lambda: files.to_csv(tables), f"{stem}.csv", f"{stem}:csv")
        download("Table (parquet)", lambda: files.to_parquet(tables), f"{stem}.parquet", f"{stem}:parquet")


def link(url: str, words: str = "") -> str:
    r"""Return a web address as a link in markdown; any other address as the text it is.

    >>> link("https://a.example/x y)", "*A*")
    '[\\*A\\*](<https://a.example/x%20y)>)'
    >>> link("javascript:alert(1)")
    'javascript:alert(1)'
    """
    if not url.lower().startswith(("http://", "https://")):
        return plain(words or url)
    return f"[{plain(words or url)}](<{quote(url, safe=SAFE_IN_LINKS)}>)"


def plain(text: str) -> str:
    r"""Return text shown as it is: what markdown reads as formatting, link, image, list or symbol is escaped.

    It becomes one line; nothing else changes.

    >>> print(plain(r"![x](https://a.example/i.png) \[y] &#91; www.b.example"))
    !\[x\](https\://a.example/i.png) \\\[y\] \&#91; www\.b.example
    >>> print(plain("# 1"), plain("2. Tents"), plain("- a"))
    \# 1 2\. Tents \- a
    """
    line = _LINE_BREAKS.sub(" ", text)
    line = _SYMBOL.sub(f":{WORD_JOINER}", line)
    escaped = "".join(f"\\{letter}" if letter in "\\&*_[]$`~<>@" else letter for letter in line)
    return _BLOCK.sub(r"\1\\\2", escaped.replace("://", "\\://").replace("www.", "www\\."))


def problem(problem: Exception) -> None:
    st.error(plain(str(problem)))


@dataclass(frozen=True)
class Story:
    """Which columns of a row say what it is about; those that the row does not have are skipped."""

    title: str
    page: str
    target: str = ""
    anchor: str = ""
    before: str = ""
    after: str = ""  # The words just before the anchor and just after it
    mark: str = ""  # The column whose word is shown in its colour
    reasons: tuple[str, ...] = ()


LINK = Story(
    title="referring_title",
    page="referring_url",
    target="target_url",
    anchor="anchor",
    before="left_context",
    after="right_context",
    mark="verdict",
    reasons=("how_lost", "advice", "why", "inserted_why"),
)
DOMAIN = Story(title="referring_domain", page="referring_url", mark="state")
CHANGED_LINK = replace(LINK, mark="change", reasons=("what_changed", *LINK.reasons))
PITCH = Story(
    title="example_title", page="example_url", target="target_url", anchor="example_anchor", reasons=("asks",)
)
PROSPECT = Story(
    title="example_title",
    page="example_url",
    target="example_target",
    anchor="example_anchor",
    mark="band",
    reasons=("kind_why", "tied_to"),
)


def one_row(
    row: pd.Series,
    story: Story,
    *,
    reasons: Iterable[tuple[str, str]] = (),
    labels: Mapping[str, str] | None = None,
    in_file: pd.Series | None = None,
) -> None:
    """Show a row in full; `in_file`: the same row as it is in the user's file.

    `story`: what is shown first, out of which columns; `reasons`: further ones, each with its sentence; `labels`: other
    words than the glossary's.
    """
    with st.container(border=True, gap="small"):
        st.markdown(f"**{plain(_value(row, story.title)) or 'Page without a title'}** {_mark(row, story.mark)}")
        ends = [f"{words}: {link(url)}" for words, url in _ends(row, story) if url]
        if ends:
            st.markdown("  \n".join(ends))
        shown = [(column_looks.worded(name, labels).label, _value(row, name)) for name in story.reasons]
        for words, sentence in [*shown, *reasons]:
            if sentence:
                st.markdown(f"**{plain(words)}:** {plain(sentence)}")
        if story.anchor in row.index:
            st.markdown("> " + in_its_sentence(*(_value(row, name) for name in _words_around(story))))
        judged, exported = _fields(row, story, labels)
        with st.grid(2, min_column_width=330, gap="medium"):
            st.markdown(_as_table(judged))
            st.markdown(_as_table(exported))
        if in_file is not None:
            with st.expander("This row in your file"):
                cells = [(str(name), plain(_one_line(value))) for name, value in in_file.items()]
                st.markdown(_as_table([(name, value) for name, value in cells if value]))


def same_row(table: pd.DataFrame, row: pd.Series) -> pd.Series:
    return table.iloc[int(table.index.get_indexer(pd.Index([row.name]))[0])]


def in_its_sentence(before: str, anchor: str, after: str) -> str:
    r"""Return an anchor in bold between the words around it, as markdown.

    >>> in_its_sentence("We like", "oak chairs", "*very* much")
    'We like **oak chairs** \\*very\\* much'
    """
    words = f"**{plain(anchor)}**" if anchor else "(an image, or a link without text)"
    return " ".join(part for part in (plain(before), words, plain(after)) if part)


def written(name: str, value: Any) -> str:
    r"""Return a value of a column as markdown, in the column's own style; "" where there is none.

    >>> written("similarity", 0.45678), written("followed", True), written("anchor", " a*b ")
    ('0.457', 'yes', 'a\\*b')
    """
    if pd.isna(value) or value == "":
        return ""
    style = describe(name).style
    if isinstance(value, pd.Timestamp):
        return f"{value:%Y-%m-%d}"
    if style == "flag" or isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return link(value) if style == "url" else plain(_one_line(value))
    if style == "percent":
        return percent(value)
    return DECIMALS[style].format(value) if style in DECIMALS else f"{value:,g}"


def _fields(row: pd.Series, story: Story, labels: Mapping[str, str] | None) -> tuple[Fields, Fields]:
    """Return what was found out about a row, and what its export says, each without what is shown already."""
    shown = {story.title, story.page, story.target, story.anchor, *story.reasons}
    judged: list[tuple[str, str]] = []
    exported: list[tuple[str, str]] = []
    for name in map(str, row.index):
        value = written(name, row[name]) if column_looks.is_known(name) and name not in shown else ""
        if value:
            fields = judged if column_looks.is_judged(name) else exported
            fields.append((column_looks.worded(name, labels).label, value))
    return judged, exported


def _ends(row: pd.Series, story: Story) -> list[tuple[str, str]]:
    return [("On", _value(row, story.page)), ("Links to", _value(row, story.target))]


def _words_around(story: Story) -> tuple[str, str, str]:
    return story.before, story.anchor, story.after


def _mark(row: pd.Series, name: str) -> str:
    word = _value(row, name)
    return f"· {plain(word)}" if word else ""


def _value(row: pd.Series, name: str) -> str:
    value = row.get(name, "") if name else ""
    return "" if pd.isna(value) else _one_line(value)


def _one_line(value: Any) -> str:
    return "" if pd.isna(value) else " ".join(str(value).split())


def _as_table(fields: Fields) -> str:
    rows = [f"| {_in_cell(plain(words))} | {_in_cell(value)} |" for words, value in fields]
    return "\n".join(["| Field | Value |", "|:--|:--|", *rows])


def _in_cell(text: str) -> str:
    return text.replace("|", "\\|")
