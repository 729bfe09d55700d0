"""Charts of the authority of a site's pages.

They take the tables of `authority`: its pages, and the pages of a what-if.
"""

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import AUTHORITY_VERDICTS, Label
from backlink_audit.report.charts import empty, named_bars, shorten
from backlink_audit.wording import by_number, count, percent

MOST_PAGES = 15  # Bars of a chart
GAINS = Label("gains", "#009E73", "The page has more authority than before.")
LOSES = Label("loses", "#D55E00", "The page has less authority than before.")


def strongest(pages: pd.DataFrame) -> go.Figure:
    """Which pages have the most authority: their link scores, coloured by verdict."""
    if pages.empty:
        return empty("Which pages have the most authority?", "No pages to show.")
    shown = pages.nlargest(MOST_PAGES, "pagerank")
    labels = {label.word: label for label in AUTHORITY_VERDICTS}
    return named_bars(
        f"The strongest {count(len(shown), 'page')} {by_number(len(shown), 'has', 'have')} "
        f"{percent(shown['pagerank'].sum())} of the authority",
        f"Link score, 0–100, of {count(len(pages), 'page')}, coloured by verdict",
        names=[shorten(url) for url in shown["url"]],
        values=shown["link_score"].tolist(),
        labels=[labels[word] for word in shown["verdict"]],
        hovers=[f"{row.url}<br>{row.why}" for row in shown.itertuples()],
        number_format=".1f",
    )


def gains_and_losses(pages: pd.DataFrame) -> go.Figure:
    """Which pages gain and which lose by links that are tried out: the change of their share, in percent."""
    moved = pages[pages["share_change"].abs() > 1e-9]
    if moved.empty:
        return empty("Which pages gain or lose authority?", "No changes in authority.")
    half = MOST_PAGES // 2
    gains, losses = moved[moved["share_change"] > 0].head(half), moved[moved["share_change"] < 0].tail(half)
    shown = pd.concat([gains, losses])
    return named_bars(
        "Which pages gain or lose authority?",
        f"Change of each page's share, in percent of its share before: the {len(gains)} pages with the largest gain "
        f"and the {len(losses)} with the largest loss",
        names=[shorten(url) for url in shown["url"]],
        values=(100 * shown["share_change"]).tolist(),
        labels=[GAINS if change > 0 else LOSES for change in shown["share_change"]],
        hovers=shown["url"].tolist(),
        number_format="+.1f",
    )
