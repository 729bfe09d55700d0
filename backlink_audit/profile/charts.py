"""The profile's charts. Each takes one table of `result.Profile`."""

from typing import Literal

import pandas as pd
import plotly.graph_objects as go

from backlink_audit.labels import ANCHOR_CLASSES, KIND_PAGE, LOST, NEW, PAGE_KINDS, REVIEW, readable_on
from backlink_audit.report import charts as kit
from backlink_audit.wording import count, percent

CLICKS_HEIGHT = 150  # Pixels that clicks get beneath the months of referring domains
MOST_BARS = 10  # Values of an attribute that are drawn; the rest becomes one bar

_KINDS = {label.word: label for label in PAGE_KINDS}
_CLASSES = {label.word: label for label in ANCHOR_CLASSES}

Weight = Literal["links", "domains"]
_COLOURS = {label.word: label.colour for label in ANCHOR_CLASSES}


def authority_bands(bands: pd.DataFrame, word: str, why_not: str = "") -> go.Figure:
    """How strong are the referring domains: how many of each band of authority; nothing where none has a rating."""
    title = "How strong are the referring domains?"
    shown = bands[(bands["domains"] > 0) | (bands["value"] != "not given")]
    total = int(bands["domains"].sum())
    if not total:
        return kit.empty(title, "No referring domains to show.")
    if not bands.loc[bands["value"] != "not given", "domains"].any():
        return kit.empty(title, why_not or "Not available in this export.")
    strong = bands.set_index("value")["domains"].get("50+", 0)
    drawn = kit.figure(
        f"{percent(strong / total)} of the referring domains have {word} 50 or more",
        f"{count(total, 'referring domain')} by {word}. Check those with 1 to 19, but a low rating alone does not "
        "make a link bad",
        height=kit.bars_height(len(shown)),
    )
    _bars(drawn, shown["value"], shown["domains"], total, kit.ACCENT, "Referring domains")
    return drawn


def anchor_classes(mix: pd.DataFrame, why_not: str = "") -> go.Figure:
    """What are the anchors made of: links of each class; `why_not`: why no anchor is known."""
    title = "What kinds of anchors do the links have?"
    total = int(mix["links"].sum())
    if not total or why_not:
        return kit.empty(title, why_not or "No links to show.")
    first = mix.iloc[mix["links"].argmax()]
    drawn = kit.figure(
        f"Most frequent kind of anchor: {first['anchor_class']}, {percent(first['share'])} of the links",
        f"{count(total, 'link')} by anchor class",
        height=kit.bars_height(len(mix)),
    )
    _bars(
        drawn,
        mix["anchor_class"],
        mix["links"],
        total,
        [_CLASSES[name].colour for name in mix["anchor_class"]],
        "Links",
    )
    return drawn


def attribute(table: pd.DataFrame, word: str, overlapping: bool = False) -> go.Figure:
    """How many links have which value of an attribute; the rarest values together."""
    title = f"{word} of the links"
    if table.empty:
        return kit.empty(title, "Not available in this export.")
    shown = table.head(MOST_BARS)[["value", "links"]]
    rest = table.iloc[MOST_BARS:]
    if len(rest):
        shown = pd.concat([shown, pd.DataFrame({"value": [f"{len(rest)} others"], "links": [rest["links"].sum()]})])
    known = table[table["share"] > 0]  # "followed" comes first, also where it is 0
    total = round(known["links"].iloc[0] / known["share"].iloc[0]) if len(known) else 0
    note = "; a link can have several" if overlapping else ""
    drawn = kit.figure(title, f"{count(total, 'link')} with a known value{note}", height=kit.bars_height(len(shown)))
    _bars(drawn, shown["value"], shown["links"], total, kit.ACCENT, "Links")
    return drawn


def months(table: pd.DataFrame, why_not: str = "", days: str = "") -> go.Figure:
    """When did referring domains come and go: new ones up, lost ones down, the net as a line, spikes marked.

    Beneath them the clicks of each month, where they are known; `days` says which days these cover.
    """
    title = "When were referring domains gained and lost?"
    if table.empty:
        return kit.empty(title, why_not or "This export has no dates.")
    span = f"{table['month'].iloc[0]:%B %Y} to {table['month'].iloc[-1]:%B %Y}"
    if "spike" not in table:
        alone = " ".join(filter(None, [f"Clicks by month, {span}.", days, why_not]))
        drawn = kit.figure(f"{int(table['clicks'].sum()):,} clicks from search", alone)
        _draw_clicks(drawn, table, "y")
        return drawn
    with_clicks = "clicks" in table and table["clicks"].notna().any()
    span += "; below, clicks from search by month" if with_clicks else ""
    said = [f"Referring domains of all links in the export, {span}.", days if with_clicks else "", why_not]
    drawn = kit.figure(_months_title(table), " ".join(filter(None, said)))
    _draw_domains(drawn, table)
    if with_clicks:
        drawn.update_layout(
            height=kit.HEIGHT + CLICKS_HEIGHT,
            yaxis={"domain": [1 - kit.HEIGHT / (kit.HEIGHT + CLICKS_HEIGHT) + 0.06, 1]},
            yaxis2={
                "domain": [0, CLICKS_HEIGHT / (kit.HEIGHT + CLICKS_HEIGHT) - 0.06],
                "anchor": "x",
                "automargin": True,
            },
            xaxis={"anchor": "y2"},
        )
        _draw_clicks(drawn, table, "y2")
    return drawn


def _draw_clicks(drawn: go.Figure, table: pd.DataFrame, axis: str) -> None:
    """Draw the clicks of each month as a line on that axis, with a gap where they are not known."""
    clicks = table["clicks"].astype("float64")
    drawn.add_scatter(
        x=table["month"],
        y=clicks,
        yaxis=axis,
        name="Clicks from search",
        mode="lines+markers",
        line={"color": kit.ACCENT, "width": 2},
        hovertemplate="%{y:,.0f} clicks<extra></extra>",
    )
    drawn.update_layout({f"{axis[0]}axis{axis[1:]}": kit.count_axis("Clicks", float(clicks.max()))})


def _draw_domains(drawn: go.Figure, table: pd.DataFrame) -> None:
    counted = [name for name in ("new_domains", "lost_domains", "net_domains") if name in table]
    table = table.astype(dict.fromkeys(counted, "float64"))
    spikes = table[table["spike"] != ""]
    if "new_domains" in table:
        drawn.add_bar(x=table["month"], y=table["new_domains"], name="New", marker_color=NEW.colour)
    if "lost_domains" in table:
        lost = table["lost_domains"]
        drawn.add_bar(
            x=table["month"],
            y=-lost,
            customdata=lost,
            name="Lost",
            marker_color=LOST.colour,
            hovertemplate="%{customdata:,} lost<extra></extra>",
        )
    if "net_domains" in table:
        drawn.add_scatter(
            x=table["month"], y=table["net_domains"], name="Net", mode="lines", line={"color": kit.MUTED, "width": 2}
        )
    if len(spikes):
        heights = (
            spikes["new_domains"].where(spikes["spike"] != "lost", -spikes.get("lost_domains", 0))
            if "new_domains" in table
            else -spikes["lost_domains"]
        )
        drawn.add_scatter(
            x=spikes["month"],
            y=heights,
            name="Spike",
            mode="markers",
            marker={"symbol": "diamond", "size": 11, "color": REVIEW.colour, "line": {"width": 1, "color": "white"}},
            hovertemplate="spike: many more than usual<extra></extra>",
        )
    drawn.update_layout(barmode="relative", hovermode="x unified")
    bars = table[[name for name in ("new_domains", "lost_domains") if name in table]]
    drawn.update_yaxes(**kit.count_axis("Referring domains", float(bars.max().fillna(0).max())), zeroline=True)


def topics(table: pd.DataFrame, weight: Weight, why_not: str = "") -> go.Figure:
    """What are the referring pages about: a tree map of fields and topics, by links or by domains."""
    title = "What are the referring pages about?"
    if table.empty:
        return kit.empty(title, why_not or "No referring page has a clear topic.")
    fields = table.groupby("topic_field", sort=False)[weight].sum().sort_values(ascending=False)
    noun = "links" if weight == "links" else "referring domains"
    colours = [kit.field_colour(name) for name in [*fields.index, *table["topic_field"]]]
    drawn = kit.figure(
        kit.about_finding(fields),
        f"{count(len(fields), 'field')} and {count(len(table), 'topic')} of the topic list, by {noun}; a domain "
        "counts once for each of its topics"
        if weight == "domains"
        else f"{count(len(fields), 'field')} by {noun}",
        height=520,
    )
    drawn.add_treemap(
        ids=[*fields.index, *(table["topic_field"] + " / " + table["topic"])],
        labels=[*fields.index, *table["topic"]],
        parents=[""] * len(fields) + table["topic_field"].tolist(),
        values=[*fields, *table[weight]],
        branchvalues="total",
        marker_colors=colours,
        textfont_color=[readable_on(its) for its in colours],
        texttemplate="%{label}<br>%{value:,}",
        hovertemplate="%{label}<br>%{value:,} " + noun + " (%{percentRoot:.0%})<extra></extra>",
        tiling={"pad": 2},
    )
    drawn.update_layout(uniformtext=kit.READABLE)
    return drawn


def page_kinds(table: pd.DataFrame, why_not: str = "") -> go.Figure:
    """What kinds of pages are the links on: links of each kind. `table` is `Profile.page_kinds`."""
    title = "What kinds of pages contain the links?"
    if table.empty:
        return kit.empty(title, why_not or "No links to show.")
    total = int(table["links"].sum())
    own = int(table.loc[table["value"] == KIND_PAGE.word, "links"].sum())
    drawn = kit.figure(
        f"{percent(own / total)} of the links are on normal pages",
        f"{count(total, 'link')} by page kind: normal page, list of sites, spam, or user-generated",
        height=kit.bars_height(len(table)),
    )
    _bars(drawn, table["value"], table["links"], total, [_KINDS[kind].colour for kind in table["value"]], "Links")
    return drawn


def target_pages(table: pd.DataFrame, most: int = MOST_BARS) -> go.Figure:
    """Which pages are linked most: referring domains of the first ones."""
    title = "Which pages have the most backlinks?"
    if table.empty:
        return kit.empty(title, "No links to show.")
    shown = table.head(most)
    hovers = [
        f"{url}<br>{count(links, 'link')} from {count(domains, 'referring domain')}"
        for url, links, domains in shown[["target_url", "links", "domains"]].itertuples(index=False)
    ]
    most_domains = int(shown["domains"].max())
    first = kit.shorten(shown["target_url"].iloc[0], 40)
    drawn = kit.named_bars(
        f"Most linked: {first}, from {count(int(shown['domains'].iloc[0]), 'referring domain')}",
        f"Referring domains of the {len(shown)} most linked of {count(len(table), 'target page')}",
        names=[kit.shorten(url) for url in shown["target_url"]],
        values=shown["domains"].tolist(),
        hovers=hovers,
        number_format=",.0f",
    )
    drawn.update_xaxes(**kit.count_axis("Referring domains", most_domains))
    return drawn


def anchors_fit(anchors: pd.DataFrame, most: int = MOST_BARS, why_not: str = "") -> go.Figure:
    """How well do the most used anchors' links fit their targets: mean similarity of each."""
    title = "How similar are the most used anchors to their target pages?"
    if "mean_similarity" not in anchors:
        return kit.empty(title, why_not)
    shown = anchors.dropna(subset=["mean_similarity"]).head(most)
    if shown.empty:
        return kit.empty(title, "No links with a similarity to show.")
    drawn = kit.named_bars(
        title,
        f"Mean similarity of the links with the {len(shown)} anchors used by the most domains",
        names=kit.distinct_labels(kit.cut_middle(anchor) or "(empty)" for anchor in shown["anchor"]),
        values=shown["mean_similarity"].tolist(),
        labels=[_CLASSES[name] for name in shown["anchor_class"]],
    )
    drawn.update_xaxes(title_text="Mean similarity")
    return drawn


def _bars(
    drawn: go.Figure, names: pd.Series, values: pd.Series, total: int, colours: str | list[str], counted: str
) -> None:
    drawn.add_bar(
        y=names.astype(str).tolist(),
        x=values.tolist(),
        orientation="h",
        marker_color=colours,
        text=[f"{value:,} ({percent(value / max(1, total))})" for value in values],
        textposition="auto",
        insidetextfont_color=readable_on(colours)
        if isinstance(colours, str)
        else [readable_on(one) for one in colours],
        textangle=0,
        hovertemplate="%{y}: %{x:,}<extra></extra>",
        showlegend=False,
    )
    drawn.update_yaxes(autorange="reversed", type="category")
    drawn.update_xaxes(**kit.count_axis(counted, int(values.max())))


def _months_title(table: pd.DataFrame) -> str:
    came, went = (int(table[name].sum()) if name in table else None for name in ("new_domains", "lost_domains"))
    if came is None:
        return count(went or 0, "lost referring domain")
    return count(came, "new referring domain") if went is None else f"{came:,} new and {went:,} lost referring domains"


def text_classes(mix: pd.DataFrame) -> go.Figure:
    """What are the texts made of that Google lists: texts of each class, those that need their target in grey."""
    if mix.empty:
        return kit.empty("What kinds of linking texts are there?", "The list is empty.")
    total = int(mix["texts"].sum())
    first = mix.iloc[0]
    drawn = kit.figure(
        f"Most frequent kind of linking text: {first['anchor_class']}, {percent(first['share'])} of the texts",
        f"{count(total, 'linking text')} in the list; each text is counted once",
        height=kit.bars_height(len(mix)),
    )
    _bars(
        drawn,
        mix["anchor_class"],
        mix["texts"],
        total,
        [_COLOURS.get(word, kit.MUTED) for word in mix["anchor_class"]],
        "Linking texts",
    )
    return drawn
