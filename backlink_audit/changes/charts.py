"""The charts of changes: how many links came and went, when, where, and what it meant for CAS and verdicts."""

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import LOST, NEW, VERDICTS
from backlink_audit.report.charts import bars_height, count_axis, empty, figure, named_bars, shorten_distinct
from backlink_audit.wording import by_number, count, part_of, percent

MOST_NAMES = 12  # Pages or domains that a chart names
MOST_MOVES = 10


def months(table: pd.DataFrame, counts: Mapping[str, int], drawn_months: pd.DataFrame | None = None) -> go.Figure:
    """When did links come and go between two files: new links up, lost ones down, per month.

    `table` is `Changes.months`, `counts` is `Changes.counts`: all links, also those without a date between the files.
    `drawn_months` are those of the table that are drawn (default: all).
    """
    title = "When were links gained and lost?"
    if table.empty:
        return empty(title, "No new or lost link has a date (First seen, Last seen or Lost) between the two files.")
    net = counts[NEW.word] - counts[LOST.word]
    dated, moved = int(table["new"].sum() + table["lost"].sum()), counts[NEW.word] + counts[LOST.word]
    drawn = figure(
        f"{count(abs(net), 'link')} {'more' if net >= 0 else 'fewer'} than in the older file",
        f"{part_of(dated, moved, 'new or lost link')} {by_number(dated, 'has', 'have')} a date between the two "
        "files. New: first seen. Lost: lost date, or last seen if there is none",
    )
    shown = table if drawn_months is None else drawn_months
    for label, sign in ((NEW, 1), (LOST, -1)):
        drawn.add_bar(
            x=shown["month"],
            y=sign * shown[label.word].astype(int),
            name=label.word,
            marker_color=label.colour,
            customdata=shown[label.word],
            hovertemplate="%{x|%B %Y}<br>%{fullData.name}: %{customdata:,} links<extra></extra>",
        )
    drawn.update_layout(barmode="relative")
    drawn.update_yaxes(**count_axis("Links", int(shown[[NEW.word, LOST.word]].max().max())))
    return drawn


def where_lost(rolled: pd.DataFrame, by: str, noun: str) -> go.Figure:
    """Where were links lost: pages or domains with most lost links, new ones beside them (`result.roll_up`)."""
    title = f"Which {noun}s lost links?"
    losing = rolled[rolled["links_lost"] > 0].head(MOST_NAMES)
    if losing.empty:
        return empty(title, f"No {noun} lost a link.")
    total, all_losing = int(rolled["links_lost"].sum()), int((rolled["links_lost"] > 0).sum())
    shown = int(losing["links_lost"].sum())
    drawn = figure(
        f"{count(all_losing, noun)} lost {count(total, 'link')}",
        f"The {len(losing)} with the most, of {shown:,}" if len(losing) < all_losing else "Lost and new links of each",
        height=bars_height(len(losing)),
    )
    names = shorten_distinct(losing[by], 36)
    for label, column in ((LOST, "links_lost"), (NEW, "links_new")):
        drawn.add_bar(
            y=names,
            x=losing[column],
            orientation="h",
            name=label.word,
            marker_color=label.colour,
            customdata=losing[by],
            hovertemplate="%{customdata}<br>%{fullData.name}: %{x:,} links<extra></extra>",
        )
    drawn.update_layout(barmode="group")
    drawn.update_xaxes(**count_axis("Links", int(losing[["links_lost", "links_new"]].max().max())))
    drawn.update_yaxes(autorange="reversed")
    return drawn


def cas_moved(domains: pd.DataFrame) -> go.Figure:
    """Which domains brought and took CAS: gained to the right, lost to the left, the largest movements."""
    title = "Where was CAS gained and lost?"
    if "cas_gained" not in domains.columns:
        return empty(title, "CAS needs an audit of both files, which was not run.")
    gained, lost = float(domains["cas_gained"].sum()), float(domains["cas_lost"].sum())
    size = (domains["cas_gained"] + domains["cas_lost"]).nlargest(MOST_NAMES)
    moved = domains.loc[size[size > 0].index]
    if moved.empty:
        return empty(title, "No changes in CAS.")
    drawn = figure(
        f"{gained:,.1f} CAS gained, {lost:,.1f} lost",
        f"The {count(len(moved), 'referring domain')} with the largest change",
        height=bars_height(len(moved)),
    )
    names = shorten_distinct(moved["referring_domain"], 36)
    for label, column, sign in ((NEW, "cas_gained", 1), (LOST, "cas_lost", -1)):
        drawn.add_bar(
            y=names,
            x=sign * moved[column],
            orientation="h",
            name="gained" if sign > 0 else "lost",
            marker_color=label.colour,
            customdata=moved[column],
            hovertemplate="%{y}<br>CAS %{fullData.name}: %{customdata:,.3f}<extra></extra>",
        )
    drawn.update_layout(barmode="relative")
    drawn.update_xaxes(title_text="CAS")
    drawn.update_yaxes(autorange="reversed")
    return drawn


def verdict_moves(moves: pd.DataFrame) -> go.Figure:
    """Which verdicts changed: the most frequent of `Changes.verdict_moves`, coloured by the new verdict."""
    title = "Which verdicts changed?"
    if moves.empty:
        return empty(title, "No changes in verdicts.")
    shown = moves.head(MOST_MOVES)
    meanings = {label.word: label for label in VERDICTS}
    drawn = named_bars(
        f"{count(int(moves['links'].sum()), 'link')} with a new verdict",
        "The most frequent changes"
        if len(shown) < len(moves)
        else "Links by change of verdict; the colour shows the new verdict",
        names=[f"{a} → {b}" for a, b in zip(shown["verdict_before"], shown["verdict_after"], strict=True)],
        values=shown["links"].tolist(),
        labels=[meanings[verdict] for verdict in shown["verdict_after"]],
        number_format=",.0f",
    )
    drawn.update_xaxes(**count_axis("Links", int(shown["links"].max())))
    # Each bar is named after both verdicts, so a legend would only take the room of a bar.
    return drawn.update_layout(showlegend=False)


def cas_to_reclaim(links: pd.DataFrame) -> go.Figure:
    """Which links are worth winning back: the highest CAS first, lost links and links to dead pages apart."""
    title = "Which links are worth reclaiming?"
    scored = links[links["cas"] > 0].nlargest(MOST_NAMES, "cas")
    if scored.empty:
        return empty(title, "No lost link or link to a dead page has a CAS above 0.")
    total, positive = float(links["cas"].sum()), float(links["cas"].clip(lower=0).sum())
    best = by_number(len(scored), "The best link has", f"The best {len(scored)} links have")
    return named_bars(
        f"{best} {percent(scored['cas'].sum() / positive)} of the CAS to reclaim",
        f"{count(len(links), 'link')}, lost or to a dead page, with a total CAS of {total:,.3f}",
        names=shorten_distinct(scored["referring_url"], 54),
        values=scored["cas"].tolist(),
        hovers=[f"{url}<br>{how}" for url, how in zip(scored["referring_url"], scored["how_lost"], strict=True)],
    )
