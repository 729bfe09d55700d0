"""The charts of a workbook: on its summary, one of each sheet that counts links by a word."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd
import xlsxwriter

from backlink_audit.labels import BANDS, VERDICTS, Label

SUMMARY = "Summary"
PLACE, ROWS_BETWEEN = "E", 20
"""The column of the summary in which charts are, and the rows from one to the next."""
WIDTH, HEIGHT = 560, 360
"""Pixels."""
ACCENT = "#2E7EBB"


class Counted(NamedTuple):
    """What is drawn: the links of each word of a column, on a sheet."""

    sheet: str
    column: str
    title: str
    labels: tuple[Label, ...] = ()


CHARTS = (
    Counted("Verdicts", "Verdict", "How many links have each verdict?", VERDICTS),
    Counted("Relevance", "Relevance", "How relevant are the links?", BANDS),
)
VALUES = "Links"


def add_charts(workbook: xlsxwriter.Workbook, sheets: Mapping[str, Any]) -> None:
    """Draw the charts whose sheets are there on the sheet Summary; none where there is no such sheet."""
    summary = workbook.get_worksheet_by_name(SUMMARY)
    drawn = [chart for chart in CHARTS if isinstance(sheets.get(chart.sheet), pd.DataFrame)] if summary else []
    for place, chart in enumerate(drawn):
        summary.insert_chart(f"{PLACE}{2 + place * ROWS_BETWEEN}", _bars(workbook, chart, sheets[chart.sheet]))


def _bars(workbook: xlsxwriter.Workbook, chart: Counted, table: pd.DataFrame) -> Any:
    """Return bars side on, the first row on top, each in its word's colour."""
    colours = {label.word: label.colour for label in chart.labels}
    names, values = (list(table.columns).index(name) for name in (chart.column, VALUES))
    bars = workbook.add_chart({"type": "bar"})
    bars.add_series(
        {
            "name": VALUES,
            "categories": [chart.sheet, 1, names, len(table), names],
            "values": [chart.sheet, 1, values, len(table), values],
            "points": [{"fill": {"color": colours.get(word, ACCENT)}} for word in table[chart.column]],
            "data_labels": {"value": True},
            "gap": 40,
        }
    )
    bars.set_title({"name": chart.title, "name_font": {"size": 12}, "overlay": False})
    bars.set_legend({"none": True})
    bars.set_y_axis({"reverse": True, "major_tick_mark": "none"})
    bars.set_x_axis({"visible": False, "major_gridlines": {"visible": False}})
    bars.set_size({"width": WIDTH, "height": HEIGHT})
    return bars
