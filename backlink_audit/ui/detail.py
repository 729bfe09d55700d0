"""One row in full beside its table: both pages as links, the reasons, the anchor in its sentence, every field."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from backlink_audit.glossary import describe
from backlink_audit.ui import column_looks
from backlink_audit.ui.show import link, plain
from backlink_audit.wording import percent

Fields = Sequence[tuple[str, str]]  # What a field is called, and its value as markdown

DECIMALS = {"similarity": "{:.3f}", "score": "{:.3f}", "rating": "{:.1f}", "count": "{:,.0f}"}


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
CHANGE = replace(LINK, mark="change", reasons=("what_changed", *LINK.reasons))
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


def show(
    row: pd.Series,
    story: Story,
    *,
    reasons: Iterable[tuple[str, str]] = (),
    labels: Mapping[str, str] | None = None,
    in_file: pd.Series | None = None,
) -> None:
    """Show a row in full.

    Args:
        row: Its columns by their names in code.
        story: What is shown first, out of which columns.
        reasons: Further reasons: what each is called, and its sentence.
        labels: Other words for columns than the glossary's.
        in_file: The same row as it is in the user's file.
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
