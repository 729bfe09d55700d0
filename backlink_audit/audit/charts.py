"""The backlink audit's charts. Each takes the scored links (`Audit.links`); histograms are in `distributions`."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.audit.result import Scored
from backlink_audit.labels import LINK_LIVE, PROTECT, RECLAIM, REVIEW, VERDICTS, Label
from backlink_audit.report.charts import (
    MUTED,
    UNCLEAR,
    about_finding,
    bars_height,
    count_axis,
    counts_by_band,
    cut_middle,
    empty,
    figure,
    named_bars,
    written,
)
from backlink_audit.wording import by_number, count, percent

NO_LINKS = "No links to show."

MOST_POINTS = 1_000
"""Marks of a scatter plot; above, a sample is drawn: more could not be distinguished, and the browser slows down."""

MOST_NAMED = 8  # sites, causes or campaigns that a picture names
STRONG = 20
"""Authority (UR, DR or ascore) from which a page or site counts as more than weak: the second of the three bands."""

MOST_FIELDS = 12

_PER_BAR = "<b>%{y}</b><br>%{fullData.name}: %{x:,} links<extra></extra>"
BAND, BANDS = 10, 10  # Width and number of the bands; a row without a value counts to one beyond them
UNKNOWN = "unknown"


def topics(links: pd.DataFrame) -> go.Figure:
    """What are the referring pages about: links for each field, by band; how many have no clear topic is said."""
    title = "What are the referring pages about?"
    asked = links["topic_field"].fillna("")
    named = links[~asked.isin(["", UNCLEAR])]
    if named.empty:
        return empty(title, "No referring page has a clear topic.")
    counts = named["topic_field"].value_counts()
    fields = list(counts.index[:MOST_FIELDS])
    rest = f"{count(len(counts) - len(fields), 'other field')}"
    where = named["topic_field"].where(named["topic_field"].isin(fields), rest)
    names = fields + ([rest] if len(counts) > len(fields) else [])
    left_out = {"with an unclear topic": int((asked == UNCLEAR).sum()), "without text": int((asked == "").sum())}
    parts = [f"{number:,} {why}" for why, number in left_out.items() if number]
    subtitle = f"{count(len(named), 'link')} by field of the page" + (
        f"; not shown: {' and '.join(parts)}" if parts else ""
    )
    drawn = figure(about_finding(asked[asked != ""].value_counts()), subtitle)
    for label, part in counts_by_band(named, where, names):
        drawn.add_bar(
            y=names, x=part, name=label.word, marker_color=label.colour, orientation="h", hovertemplate=_PER_BAR
        )
    drawn.update_layout(barmode="stack", height=bars_height(len(names)), legend_traceorder="normal")
    drawn.update_xaxes(**count_axis("Links", where.value_counts().max()))
    drawn.update_yaxes(autorange="reversed")
    return drawn


def verdicts(links: pd.DataFrame) -> go.Figure:
    """How many links have each verdict, in the order in which verdicts are tried."""
    if links.empty:
        return empty("What should you do with the links?", NO_LINKS)
    counts = links["verdict"].value_counts()
    shown = [label for label in VERDICTS if counts.get(label.word, 0)]
    live = (links["link_state"] == LINK_LIVE.word).all()  # beside a number that has the lost ones too
    drawn = figure(
        f"{counts.get(PROTECT.word, 0):,} to protect, {counts.get(REVIEW.word, 0):,} to review",
        f"{count(len(links), 'live link' if live else 'link')} by verdict; click a bar to see its links",
        height=bars_height(len(shown)),
    )
    numbers = [int(counts[label.word]) for label in shown]
    drawn.add_bar(
        y=[label.word for label in shown],
        x=numbers,
        orientation="h",
        marker_color=[label.colour for label in shown],
        text=[f"{number:,} ({percent(number / len(links))})" for number in numbers],
        textposition="outside",
        cliponaxis=False,
        customdata=[label.meaning for label in shown],
        hovertemplate="<b>%{y}</b>: %{x:,}<br>%{customdata}<extra></extra>",
        showlegend=False,
    )
    drawn.update_xaxes(**count_axis("Links", max(numbers)), range=[0, max(numbers) * 1.3])
    drawn.update_yaxes(autorange="reversed")
    return drawn


def task(audit: Scored, label: Label) -> go.Figure:
    """Where is most of a task: of Protect the sites with most at stake, of Reclaim the causes, of Review campaigns."""
    if label is REVIEW:
        numbers = audit.campaigns.groupby("template")["links"].sum()
        title, subtitle = "Which campaigns are the largest?", "Links of one template or site"
    elif label is RECLAIM:
        numbers = audit.causes.groupby("about")["at_stake"].sum()
        title = "Where can most value be won back?"
        subtitle = "Authority x relevance of the links, by their site or our page"
    else:
        best = audit.links.loc[audit.links["verdict"] == label.word, "referring_domain"]
        numbers = audit.stakes.loc[best.index].groupby(best).sum()
        title, subtitle = "Which sites carry the most value?", "Authority x relevance of their links"
    numbers = numbers[numbers > 0].sort_values(ascending=False, kind="stable").head(MOST_NAMED)
    if numbers.empty:
        return empty(title, "Nothing to compare.")
    names, values = [str(name) for name in numbers.index], numbers.astype("float64").tolist()
    colours = [replace(label, word="")] * len(names)  # no legend
    return named_bars(
        *(title, f"{subtitle}, the largest {len(names)}" if len(names) == MOST_NAMED else subtitle),
        names=[cut_middle(name) for name in names],
        values=values,
        labels=colours,
        hovers=names,
        number_format=",.0f",
    )


def scatter(links: pd.DataFrame, authority: str, label: str) -> go.Figure:
    """Which links are both similar and strong: authority against similarity, coloured by verdict, in four quarters.

    Links without one of the two are counted in the subtitle. `authority`: a column, `label` its word; strong begins at
    STRONG.
    """
    title = "Which links are both similar and strong?"
    placed = links[links["similarity"].notna() & links[authority].notna()]
    if placed.empty:
        return empty(title, f"No link has both a similarity and a {label}.")
    middle = float(placed["similarity"].median())
    both = int(((placed["similarity"] > middle) & (placed[authority] >= STRONG)).sum())
    sampled = placed.sample(MOST_POINTS, random_state=0).sort_index() if len(placed) > MOST_POINTS else placed
    parts = [f"{count(len(placed), 'link')}; similar: above the median, strong: {label} {STRONG} or more"]
    parts.append("click a point, or draw a box with the toolbar, to list its links")
    if len(sampled) < len(placed):
        parts.append(f"shows a sample of {len(sampled):,}; a box selects from all links")
    if len(placed) < len(links):
        parts.append(f"not shown: {len(links) - len(placed):,} without one of the two values")
    finding = f"{count(both, 'link')} {by_number(both, 'is', 'are')} both similar and strong"
    drawn = figure(finding if both else "No link is both similar and strong", "; ".join(parts), height=460)
    for verdict in VERDICTS:
        part = sampled[sampled["verdict"] == verdict.word]
        if part.empty:
            continue
        drawn.add_scatter(
            x=part["similarity"],
            y=part[authority],
            mode="markers",
            name=verdict.word,
            marker={"color": verdict.colour, "size": 8, "opacity": 0.7, "line": {"width": 0.5, "color": "white"}},
            customdata=part.index,
            text=_hovers(part),
            hovertemplate="%{text}<extra></extra>",
        )
    drawn.add_vline(middle, line={"color": MUTED, "dash": "dot", "width": 1}, annotation_text=f"median {middle:.2f}")
    drawn.add_hline(STRONG, line={"color": MUTED, "dash": "dot", "width": 1}, annotation_text=f"{label} {STRONG}")
    drawn.update_xaxes(title_text="Similarity (cosine)")
    drawn.update_yaxes(title_text=f"{label} (0–100)")
    # While boxes are drawn, Streamlit lets no click select a point; the toolbar has the box.
    drawn.update_layout(dragmode="pan")
    return drawn


def _hovers(links: pd.DataFrame) -> list[str]:
    return [
        f"<b>{verdict}</b><br>{_wrapped(referring)}<br>→ {_wrapped(target)}<br>"
        f"similarity {written(similarity, '.3f')}, relevance {written(relevance, '.1f')}, CAS {written(cas, '.3f')}"
        for verdict, referring, target, similarity, relevance, cas in links[
            ["verdict", "referring_url", "target_url", "similarity", "relevance", "cas"]
        ].itertuples(index=False)
    ]


def _wrapped(url: str, width: int = 70) -> str:
    safe = url.replace("<", "%3C").replace(">", "%3E")
    return "<br>".join(safe[start : start + width] for start in range(0, min(len(safe), 400), width))


def add_bands(
    drawn: go.Figure, values: pd.Series, words: pd.Series, labels: Sequence[Label], *, scale: str, axis: str, noun: str
) -> None:
    """Add stacked bars of rows to a figure, with both axes.

    `values`: of each row, 0 to 100 or missing; `words`: its label's word; `labels`: in the order in which they are
    stacked; `scale` and `axis`: what the values are, for the hover and the axis; `noun`: what a row is, in the plural.
    """
    unknown = bool(values.isna().any())
    band = (values.clip(0, 99.9) // BAND).fillna(BANDS).astype(int)
    names = [f"{BAND * place} to {BAND * (place + 1)}" for place in range(BANDS)] + [UNKNOWN]
    for label in labels:
        counts = band[words == label.word].value_counts().sort_index()
        if counts.empty:
            continue
        drawn.add_bar(
            x=[BAND * (place + 0.5) for place in counts.index],
            y=counts.to_numpy(),
            width=0.9 * BAND,
            name=label.word,
            marker_color=label.colour,
            customdata=[names[place] for place in counts.index],
            hovertemplate=f"{scale} %{{customdata}}<br>%{{fullData.name}}: %{{y:,}} {noun}<extra></extra>",
        )
    ticks = [float(BAND * place) for place in range(0, BANDS + 1, 2)]
    texts = [f"{tick:g}" for tick in ticks]
    if unknown:
        ticks, texts = [*ticks, BAND * (BANDS + 0.5)], [*texts, UNKNOWN]
    right = BAND * (BANDS + 1 if unknown else BANDS) + 1
    drawn.update_layout(barmode="stack")
    drawn.update_xaxes(title_text=axis, range=[-1, right], tickvals=ticks, ticktext=texts)
    most = int(band.value_counts().max()) if len(band) else 0
    drawn.update_yaxes(**count_axis(noun.capitalize(), most))
