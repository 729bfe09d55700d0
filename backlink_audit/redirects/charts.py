"""Charts of a redirect map: the old pages with the most to lose, and where the sections of the old site go."""

import re

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import CONFIDENCES, NO_GOOD_TARGET
from backlink_audit.report.charts import ACCENT, MUTED, empty, figure, named_bars, shorten
from backlink_audit.wording import by_number, count, part_of

MOST_PAGES = 15  # Bars of a chart
MOST_SECTIONS = 9  # Sections drawn on each side; the smaller ones are one
OTHERS, HOME = "other sections", "no folder"
ROW = 44  # Pixels for each section
_QUERY = re.compile(r"[?#].*", re.DOTALL)


def at_risk(table: pd.DataFrame) -> go.Figure:
    """Which old pages have the most to lose: by the CAS of their backlinks, without backlinks by their inlinks."""
    title = "Which old pages are most at risk?"
    column, unit = ("cas_at_risk", "CAS of its live backlinks")
    if not (table["cas_at_risk"] > 0).any():
        column, unit = ("inlinks", "inlinks on the old site")
    shown = table[table[column] > 0].nlargest(MOST_PAGES, column, keep="first")
    if shown.empty:
        return empty(title, "None of these old pages has a loaded backlink or an inlink.")
    labels = {label.word: label for label in CONFIDENCES}
    unsafe = int((shown["confidence"] == NO_GOOD_TARGET.word).sum())
    finding = f"{part_of(unsafe, len(shown), 'old page')} with the highest risk {by_number(unsafe, 'has', 'have')}"
    return named_bars(
        f"{finding} no good target" if unsafe else title,
        f"{unit[0].upper()}{unit[1:]}; the first {len(shown)} of {count(len(table), 'old page')}, by confidence",
        names=[shorten(url) for url in shown["old_url"]],
        values=shown[column].tolist(),
        labels=[labels[word] for word in shown["confidence"]],
        hovers=(shown["old_url"] + "<br>to " + shown["new_url"].replace("", "no page")).tolist(),
        number_format=",.0f" if column == "inlinks" else ",.2f",
    )


def sections(table: pd.DataFrame) -> go.Figure:
    """Which sections of the new site take the pages of each section of the old one, as bands from left to right."""
    title = "Which sections do the old pages redirect to?"
    if table.empty:
        return empty(title, "No old pages to redirect.")
    gone = (table["new_url"] == "").to_numpy()
    led = int((~gone).sum())
    before = _largest(table["old_url"].map(section))
    after = _largest(table["new_url"].map(section).mask(gone, NO_GOOD_TARGET.word))
    bands = pd.DataFrame({"old": before, "new": after}).value_counts().reset_index()
    old, new = list(dict.fromkeys(bands["old"])), list(dict.fromkeys(bands["new"]))
    places = {name: len(old) + place for place, name in enumerate(new)}
    drawn = figure(
        f"{part_of(led, len(table), 'old page')} {by_number(led, 'has', 'have')} a target",
        "Left: first folder of the old URL. Right: first folder of the new URL. The width shows the number of pages",
        height=120 + ROW * max(len(old), len(new)),
    )
    drawn.add_sankey(
        node={
            "label": [shorten(name, 28) for name in (*old, *new)],
            "color": [MUTED if name == NO_GOOD_TARGET.word else ACCENT for name in (*old, *new)],
            "pad": 18,
            "thickness": 14,
            "hovertemplate": "%{label}: %{value:,} pages<extra></extra>",
        },
        link={
            "source": [old.index(name) for name in bands["old"]],
            "target": [places[name] for name in bands["new"]],
            "value": bands["count"].tolist(),
            "color": "rgba(138, 141, 145, 0.35)",
            "hovertemplate": "%{source.label} to %{target.label}: %{value:,} pages<extra></extra>",
        },
        valueformat=",d",
    )
    return drawn


def section(url: str) -> str:
    """Return the first folder of an address.

    >>> section("https://shop.example/blog/2022/a.html"), section("https://shop.example/a.html") == HOME
    ('/blog/', True)
    """
    folder, slash, _ = _QUERY.sub("", url).partition("://")[2].partition("/")[2].partition("/")
    return f"/{folder}/" if folder and slash else HOME


def _largest(names: pd.Series) -> pd.Series:
    kept = set(names.value_counts().index[:MOST_SECTIONS]) | {NO_GOOD_TARGET.word}
    return names.where(names.isin(kept), OTHERS)
