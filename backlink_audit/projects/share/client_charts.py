"""The six charts of a client's report, as bars with their values; each from the tables that the workbook has."""

from collections.abc import Mapping
from typing import Any

from backlink_audit.analysis.anchor_classes import brand_names, classify_anchors
from backlink_audit.analysis.profile.anchors import class_mix
from backlink_audit.analysis.profile.shares import authority_bands, referring_domains, topic_mix
from backlink_audit.analysis.relevance.topics import UNCLEAR
from backlink_audit.analysis.scales import site_authority, site_label
from backlink_audit.labels import ANCHOR_CLASSES, BANDS, LOST, NEW, VERDICTS
from backlink_audit.pipelines.audit.result import Scored
from backlink_audit.pipelines.missing import has_values
from backlink_audit.projects.content.figures import months_of
from backlink_audit.report.client import Bar, Chart
from backlink_audit.wording import by_number, count, part_of, percent

MOST_TOPICS = 8
LAST_MONTHS = 24
BLUES = ("#0B5394", "#3B9AE1", "#C4B454", "#8A8D91", "#C8CCD0")
"""Colours of the bands of authority, strongest first."""
_MOVES = ((NEW, "new_domains"), (LOST, "lost_domains"))
_WIDTH = 10
"""Of the columns of relevance."""


def charts_of(audit: Scored, figures: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Return the six charts of an audit's chosen links, whose `figures` (`figures.figures_of`) have the months."""
    months = _months(figures)
    return (_verdicts(audit), _relevance(audit), _authority(audit), months, _anchors(audit), _topics(audit))


def _verdicts(audit: Scored) -> Chart:
    counts, links = audit.verdict_counts, audit.backlinks
    bars = tuple(
        Bar(label.word, int(counts[label.word]), f"{counts[label.word]:,}", label.colour)
        for label in VERDICTS
        if label.word in counts
    )
    subtitle = f"Verdicts of {count(links, 'live link')}. {audit.lost_note}".rstrip()
    return Chart("What should be done with the links?", subtitle, bars)


def _relevance(audit: Scored) -> Chart:
    known = audit.links["relevance"].dropna()
    title, limits = f"{percent(audit.share_relevant)} of the links are relevant", audit.settings.bands
    if known.empty:
        return Chart("How relevant are the links?", "", why_not="No link has text to compare.")
    steps = (known // _WIDTH * _WIDTH).clip(upper=100 - _WIDTH)
    counts = audit.links.groupby([steps, "band"]).size().to_dict()
    columns = tuple(
        (
            str(low),
            tuple(
                Bar(band.word, number, f"{number:,}", band.colour)
                for band in reversed(BANDS)
                if (number := counts.get((low, band.word), 0))
            ),
        )
        for low in range(0, 100, _WIDTH)
    )
    subtitle = f"Relevance 0-100 of {count(len(known), 'live link')}; relevant from {limits.relevant:g}"
    subtitle = f"{subtitle}: {audit.relevant_words}."
    return Chart(title, subtitle, columns=columns, stacked=True)


def _authority(audit: Scored) -> Chart:
    bands, word = authority_bands(referring_domains(audit.links)), site_label(audit.links)
    title = f"How strong are the referring domains ({word})?"
    if site_authority(audit.links).isna().all():
        return Chart(title, "", why_not="Not available in this export.")
    bars = tuple(
        Bar(str(row["value"]), int(row["domains"]), f"{row['domains']:,}", colour)
        for row, colour in zip(bands.to_dict("records"), BLUES, strict=True)
    )
    return Chart(title, f"{count(audit.domains, 'referring domain')}.", bars)


def _months(figures: Mapping[str, Any]) -> Chart:
    months = months_of(figures).tail(LAST_MONTHS)
    known = [(label, name) for label, name in _MOVES if name in months]
    if not known:
        return Chart("New and lost referring domains by month", "", why_not="The export has no dates.")
    columns = tuple(
        (
            f"{row['month']:%y-%m}",
            tuple(Bar(label.word, row[name], f"{row[name]:,}", label.colour) for label, name in known),
        )
        for row in months.to_dict("records")
    )
    words = " and ".join(label.word for label, _ in known)
    dates = words.replace(NEW.word, "first seen")
    subtitle = f"All links that were not excluded, by the month when they were {dates}; {count(len(months), 'month')}."
    for label, name in _MOVES:
        subtitle += "" if name in months else f" The export does not show when links were {label.word}."
    return Chart(f"Referring domains {words} by month", subtitle, columns=columns)


def _anchors(audit: Scored) -> Chart:
    links, title = audit.links, "What kinds of anchors do the links have?"
    if not has_values(audit.scored["anchor"]):
        return Chart(title, "", why_not="Not available in this export.")
    mix = class_mix(links, classify_anchors(links, brand_names(links), {})).set_index("anchor_class")["links"]
    bars = tuple(
        Bar(label.word, int(mix[label.word]), f"{mix[label.word]:,}", label.colour)
        for label in ANCHOR_CLASSES
        if mix.get(label.word)
    )
    return Chart(title, f"Anchor classes of {count(len(links), 'live link')}.", bars)


def _topics(audit: Scored) -> Chart:
    fields = topic_mix(audit.links).groupby("topic_field")["links"].sum().sort_values(ascending=False, kind="stable")
    fields, title = fields.drop(UNCLEAR, errors="ignore"), "What are the referring pages about?"
    if fields.empty:
        return Chart(title, "", why_not="No referring page has a clear topic.")
    bars = tuple(Bar(str(field), int(n), f"{n:,}", BLUES[0]) for field, n in fields.head(MOST_TOPICS).items())
    clear = int(fields.sum())
    comes = by_number(clear, "comes", "come")
    subtitle = f"{part_of(clear, audit.backlinks, 'live link')} {comes} from pages with a clear topic."
    return Chart(title, subtitle, bars)
