"""What a client's report says: the last snapshot beside the one before, in charts, and what to do next."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from backlink_audit import labels
from backlink_audit.audit.result import Audit, Scored
from backlink_audit.errors import StoreProblem
from backlink_audit.judgement.fields import UNCLEAR
from backlink_audit.judgement.risk_signals import own_flag
from backlink_audit.profile.shares import topic_mix
from backlink_audit.projects.client_actions import changes, disavowed, risks, steps
from backlink_audit.projects.history import Comparison, compare
from backlink_audit.projects.outreach_desk import desk
from backlink_audit.projects.project_files import kept_disavow_file
from backlink_audit.projects.projects import Project, decided_since, kept_review
from backlink_audit.projects.snapshots import (
    before,
    day_of,
    every_snapshot,
    figures_of,
    months_of,
    names_of,
    origin_of,
    scored_links,
)
from backlink_audit.projects.store import Store
from backlink_audit.report import client
from backlink_audit.report.charts import ACCENT, MUTED, count_axis, distinct_labels, empty, figure, one_bar
from backlink_audit.risk.disavow import NO_FILE, SentFile
from backlink_audit.risk.disavow_file import DisavowFile
from backlink_audit.risk.review import Review, in_a_sentence, second_opinions
from backlink_audit.settings import LinkChoice
from backlink_audit.text.urls import main_domain
from backlink_audit.wording import by_number, count, part_of, set_aside

LIMITS = (
    "Pages were judged by title, address, link text and the tool's figures; nobody opened them. Of 100 links called "
    "worth keeping about 90 are; read a link before you disavow it. Efforts are estimates."
)
WORDS = "A nofollow link asks search engines not to count it; to disavow asks Google to leave a site's links uncounted."
SIGNALS = "Signs of a bought or generated link: a spam page, one template or one link text on many sites."
NOT_FOR_CLIENTS = (client.LABELS["mean_cas"], client.LABELS["dominant_anchor"])  # that only a specialist can read
ON_COVER = ("links", "domains", "share_relevant")
"""The figures on the cover, as `report.figures` calls them, beside the number of links to protect."""
MOST_TOPICS = 8
LAST_MONTHS = 24
BLUES = ("#0B5394", "#3B9AE1", "#C4B454", "#8A8D91", "#C8CCD0")
"""Colours of the bands of authority, strongest first."""
_MOVES = ((labels.NEW, "new_domains"), (labels.LOST, "lost_domains"))


def over_time(table: pd.DataFrame, name: str, label: str, before: pd.DataFrame | None = None) -> go.Figure:
    """How did a figure move: a point per snapshot, and before the first one the months by its dates.

    `table` is `History.figures`, `name` one of its columns and `label` its word, `before` is `History.before`, drawn
    for the referring domains alone. Ratings of different tools are not joined.
    """
    known = table.dropna(subset=[name])
    if known.empty:
        return empty(label, "No snapshot has this metric.")
    first, last = _number(name, known[name].iloc[0]), _number(name, known[name].iloc[-1])
    tools = known["authority_name"].map(escape) if name in client.RATED else pd.Series("", index=known.index)
    several = tools.nunique() > 1
    title = f"{label}: {client.in_words(name, last)}"
    moved = client.difference_in_words(name, last, first) if len(known) > 1 and tools.iloc[0] == tools.iloc[-1] else ""
    if moved:
        title += f", {moved} since {known['day'].iloc[0]:%Y-%m-%d}"
    shown = before if before is not None and name == "domains" else pd.DataFrame()
    subtitle = f"{label} in {count(len(known), 'snapshot')}"
    if several:
        subtitle += (
            f", rated by {' and '.join(tools.unique())}; these ratings cannot be compared, so no line connects them"
        )
    if len(shown):
        subtitle += (
            "; dotted line: calculated from the dates in the first file; domains that this file no longer lists "
            "are missing"
        )
    drawn = figure(title, subtitle)
    if len(shown):
        joined = pd.concat([shown.rename(columns={"month": "day"}), known[["day", "domains"]].head(1)])
        drawn.add_scatter(
            x=joined["day"],
            y=joined["domains"],
            mode="lines",
            name="From the dates in the first file",
            line={"color": MUTED, "width": 2, "dash": "dot"},
            hovertemplate="%{x|%B %Y}: %{y:,}<extra></extra>",
        )
    for _, stretch in known.groupby(tools.ne(tools.shift()).cumsum()):
        tool = tools[stretch.index[0]] if several else ""
        drawn.add_scatter(
            x=stretch["day"],
            y=stretch[name],
            mode="lines+markers",
            name="Snapshots",
            line={"color": ACCENT, "width": 2},
            marker={"size": 9},
            customdata=[client.in_words(name, _number(name, value)) for value in stretch[name]],
            hovertemplate=f"%{{x|%Y-%m-%d}}: %{{customdata}}<extra>{tool}</extra>",
            showlegend=False if several else None,
        )
    drawn.update_yaxes(rangemode="tozero", tickformat=".0%" if name in client.SHARES else ",")
    if len(known) == 1 and shown.empty:
        drawn.update_xaxes(tickvals=known["day"].tolist(), tickformat="%Y-%m-%d")
    return drawn


def verdicts(table: pd.DataFrame) -> go.Figure:
    """How did the verdicts move: a stacked bar per snapshot. `table` is `History.figures`."""
    days = distinct_labels(f"{day:%Y-%m-%d}" for day in table["day"])
    drawn = figure("Verdicts of each snapshot", f"Live links of {count(len(table), 'snapshot')} by verdict")
    present = [label for label in labels.VERDICTS if table[label.word].any()]
    for label in present:
        drawn.add_bar(
            x=days,
            y=table[label.word],
            name=label.word,
            marker_color=label.colour,
            hovertemplate="%{x}<br>%{fullData.name}: %{y:,} links<extra></extra>",
        )
    most = table[[label.word for label in present]].sum(axis=1).max()
    drawn.update_layout(barmode="stack", bargap=_gap(len(table)))
    drawn.update_xaxes(type="category")
    drawn.update_yaxes(**count_axis("Links", most))
    return drawn


def moves(table: pd.DataFrame) -> go.Figure:
    """What came and went: new referring domains of each snapshot up, lost ones down. `table` is `History.figures`."""
    title = "New and lost referring domains between snapshots"
    known = table.dropna(subset=["new_domains"])
    if known.empty:
        return empty(
            title, "This needs two snapshots." if len(table) < 2 else "The snapshots have not been compared yet."
        )
    days = distinct_labels(f"{day:%Y-%m-%d}" for day in known["day"])
    new, lost = int(known["new_domains"].sum()), int(known["lost_domains"].sum())
    drawn = figure(
        f"{new:,} new and {lost:,} lost referring domains between snapshots",
        f"Each of {count(len(known), 'snapshot')} compared with the one before"
        if len(known) > 1
        else "Compared with the one before",
    )
    for label, column, sign in ((labels.NEW, "new_domains", 1), (labels.LOST, "lost_domains", -1)):
        drawn.add_bar(
            x=days,
            y=sign * known[column],
            name=label.word.capitalize(),
            marker_color=label.colour,
            customdata=known[column],
            hovertemplate="%{x}<br>%{fullData.name}: %{customdata:,} domains<extra></extra>",
        )
    drawn.update_layout(barmode="relative", bargap=_gap(len(known)))
    drawn.update_xaxes(type="category")
    drawn.update_yaxes(**count_axis("Referring domains", known[["new_domains", "lost_domains"]].max().max()))
    return drawn


def _gap(bars: int) -> float:
    return max(0.2, 0.8 - 0.15 * bars)


def _number(name: str, value: float) -> float:
    return int(value) if name in ("links", "domains", *client.EARNED) else value


def states(counts: Mapping[str, int]) -> go.Figure:
    """Which states do the prospects have: how many have each state, as one bar."""
    total = sum(counts.values())
    if not total:
        return empty("How many prospects are in each state?", "The outreach desk has no prospects yet.")
    won = counts.get(labels.WON.word, 0)
    title = f"{part_of(won, total, 'prospect')} {by_number(won, 'links', 'link')} to you now"
    return one_bar(title, "All prospects by state", counts, labels.OUTREACH_STATES)


def client_report(store: Store, project: Project) -> client.ClientReport:
    """Return the report on a project's last snapshot. Raises StoreProblem where it has none."""
    snapshots = every_snapshot(store, project)
    if not snapshots:
        raise StoreProblem(f"The project “{project.name}” has no snapshot yet; create one with `watch`.")
    last = snapshots[-1]
    former = before(snapshots, last)
    comparison = None if former is None else compare(store, former, last)
    audit = scored_links(store, last)
    _, file = kept_disavow_file(store, project)
    review = kept_review(store, project).review
    made = _report(project.name, project.site, last.day, last.figures, last.origin, audit, comparison, file, review)
    return replace(made, done=_done(store, project, made.since))


def audit_report(audit: Audit, file: DisavowFile = NO_FILE, review: Review = Review()) -> client.ClientReport:  # noqa: B008
    """Return the report on an audit that no project keeps: nothing is before it to compare with."""
    day, site = day_of(names_of(audit), audit.scored, date.today()).day, main_domain(audit.scored["target_domain"])
    return _report(site, site, day, figures_of(audit), origin_of(audit), audit, None, file, review)


def _report(
    name: str,
    site: str,
    day: date,
    figures: Mapping[str, Any],
    origin: Mapping[str, Any],
    audit: Scored,
    comparison: Comparison | None,
    file: DisavowFile,
    review: Review,
) -> client.ClientReport:
    audit = audit.chosen(LinkChoice())
    sent = SentFile(file, audit.links) if file.lines else None
    former = {} if comparison is None else comparison.older.figures
    return client.ClientReport(
        project=name,
        site=site,
        day=day,
        since=None if comparison is None else comparison.older.day,
        sentence=_sentence(figures, comparison),
        figures=[row for row in client.figure_rows(figures, former) if row[0] not in NOT_FOR_CLIENTS],
        charts=charts_of(audit, figures) if audit.backlinks else (),
        key_figures=[
            *(client.label_of(name, figures) for name in ON_COVER),
            client.VERDICT_LABELS[labels.PROTECT.word],
        ],
        story=[one.text for one in audit.story if one.kind != "to do"],  # which `steps` say
        risks=risks(audit, figures),
        steps=steps(audit, comparison, sent, review),
        changes=changes(comparison),
        disavowed=disavowed(audit, sent, review),
        how=[*_how(figures, origin, audit), *([("Disavow file", sent.sentence)] if sent else [])],
        not_compared=client.not_compared(figures, former),
    )


def _done(store: Store, project: Project, since: date | None) -> list[str]:
    """Return in sentences what was done since the snapshot before; of the first one, all that was."""
    decided = decided_since(store, project, since)
    asked = desk(store, project, date.today()).counts
    states = [(state, number) for state, number in decided.items() if number]
    outreach = [
        (label.word, asked[label.word])
        for label in (labels.CONTACTED, labels.ANSWERED, labels.WON)
        if asked[label.word]
    ]
    when = f" since {since}" if since else ""
    said = [f"Decided in the risk review{when}: {_listed(states)}."] if states else []
    return said + ([f"Outreach so far: {_listed(outreach)}."] if outreach else [])


def _listed(numbers: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{number:,} {word}" for word, number in numbers)


def _sentence(figures: Mapping[str, Any], comparison: Comparison | None) -> str:
    if comparison is None:
        return str(figures["headline"])
    moves = comparison.figures
    moved = f"{count(moves['new_links'], 'link')} gained and {moves['lost_links']:,} lost since {moves['since']}."
    return f"{figures['headline']} {moved}"


def _how(figures: Mapping[str, Any], origin: Mapping[str, Any], audit: Scored) -> list[tuple[str, str]]:
    aside = set_aside(origin["removed"], origin["rows"])
    states = ", ".join(f"{state} {number:,}" for state, number in figures["states"].items())
    flags = own_flag(audit.links, audit.settings.risk)
    fine = second_opinions(audit.links, flags, audit.links["risk_signals"])
    second = in_a_sentence(len(fine), int((flags != "").sum()))
    return [
        ("File", f"{origin['file']} ({origin['format']}), {count(origin['rows'], 'row')}. {aside}".strip()),
        ("Links", f"{states}. The numbers are for {count(audit.backlinks, 'live link')}, each page counted once."),
        *([("Languages", audit.language_note)] if audit.language_note else []),
        ("Relevance", "How certain it is that the referring page is about your subject, 0 to 100."),
        ("Authority", f"{audit.site_word}, as the export has it: how strong the tool takes a site to be, 0 to 100."),
        ("Nofollow, disavow", WORDS),
        ("Limits", LIMITS),
        ("Risk signals", SIGNALS),
        *([("Second opinion", second)] if second else []),
        *((label.word, label.meaning) for label in labels.VERDICTS if audit.verdict_counts.get(label.word)),
    ]


def charts_of(audit: Scored, figures: Mapping[str, Any]) -> tuple[client.Chart, ...]:
    """Return the charts of an audit's chosen links, whose `figures` (`snapshots.figures_of`) have the months."""
    return _verdicts(audit), _months(figures), _topics(audit)


def _verdicts(audit: Scored) -> client.Chart:
    counts, links = audit.verdict_counts, audit.backlinks
    bars = tuple(
        client.Bar(label.word, int(counts[label.word]), f"{counts[label.word]:,}", label.colour)
        for label in labels.VERDICTS
        if label.word in counts
    )
    return client.Chart("What should be done with the links?", f"Verdicts of {count(links, 'live link')}.", bars)


def _months(figures: Mapping[str, Any]) -> client.Chart:
    months = months_of(figures).tail(LAST_MONTHS)
    known = [(label, name) for label, name in _MOVES if name in months]
    if not known:
        return client.Chart("New and lost referring domains by month", "", why_not="The export has no dates.")
    columns = tuple(
        (
            f"{row['month']:%y-%m}",
            tuple(client.Bar(label.word, row[name], f"{row[name]:,}", label.colour) for label, name in known),
        )
        for row in months.to_dict("records")
    )
    words = " and ".join(label.word for label, _ in known)
    dates = words.replace(labels.NEW.word, "first seen")
    subtitle = f"By the month when their links were {dates}; {count(len(months), 'month')}."
    for label, name in _MOVES:
        subtitle += "" if name in months else f" The export does not show when links were {label.word}."
    if "new_domains" in months and 2 * (new := months.set_index("month")["new_domains"]).max() > new.sum():
        subtitle += f" More than half are of {new.idxmax():%B %Y}: the tool most likely found older links then."
    return client.Chart(f"Referring domains {words} by month", subtitle, columns=columns)


def _topics(audit: Scored) -> client.Chart:
    fields = topic_mix(audit.links).groupby("topic_field")["links"].sum().sort_values(ascending=False, kind="stable")
    fields, title = fields.drop(UNCLEAR, errors="ignore"), "What are the referring pages about?"
    if fields.empty:
        return client.Chart(title, "", why_not="No referring page has a clear topic.")
    clear, others = int(fields.sum()), int(fields.iloc[MOST_TOPICS:].sum())
    shown = [*fields.head(MOST_TOPICS).items(), *([("Other topics", others)] if others else [])]
    bars = tuple(client.Bar(str(field), int(n), f"{n:,}", BLUES[0]) for field, n in shown)
    comes = by_number(clear, "comes", "come")
    subtitle = f"{part_of(clear, audit.backlinks, 'live link')} {comes} from pages with a clear topic."
    return client.Chart(title, subtitle, bars)
