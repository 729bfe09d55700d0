"""The six charts of a client's report, as bars with their values; each from the tables that the workbook has."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.anchor_classes import brand_names, classify_anchors
from backlink_audit.analysis.anchor_profile import class_mix
from backlink_audit.analysis.profile import authority_bands, referring_domains, topic_mix
from backlink_audit.analysis.scales import site_authority, site_label
from backlink_audit.analysis.topics import UNCLEAR
from backlink_audit.analysis.velocity import by_month, lifetimes
from backlink_audit.labels import ANCHOR_CLASSES, BANDS, LOST, NEW, VERDICTS
from backlink_audit.pipelines.audit.result import Scored
from backlink_audit.pipelines.missing import has_values
from backlink_audit.report.client import Bar, Chart
from backlink_audit.wording import by_number, count, part_of, percent

MOST_TOPICS = 8
LAST_MONTHS = 24
BLUES = ("#0B5394", "#3B9AE1", "#C4B454", "#8A8D91", "#C8CCD0")
"""Colours of the bands of authority, strongest first."""
_WIDTH = 10
"""Of the columns of relevance."""


def charts_of(audit: Scored) -> tuple[Chart, ...]:
    """Return the six charts of an audit's chosen links."""
    return (_verdicts(audit), _relevance(audit), _authority(audit), _months(audit), _anchors(audit), _topics(audit))


def _verdicts(audit: Scored) -> Chart:
    counts, links = audit.verdict_counts, audit.backlinks
    bars = tuple(
        Bar(label.word, int(counts[label.word]), f"{counts[label.word]:,}", label.colour)
        for label in VERDICTS
        if label.word in counts
    )
    return Chart("What should be done with the links?", f"Verdicts of {count(links, 'live link')}.", bars)


def _relevance(audit: Scored) -> Chart:
    known = audit.links["relevance"].dropna()
    title, limits = f"{percent(audit.share_relevant)} of the links are relevant", audit.settings.bands
    if known.empty:
        return Chart("How relevant are the links?", "", why_not="No link has words to compare.")
    numbers, edges = np.histogram(known, bins=np.arange(0, 100 + _WIDTH, _WIDTH))
    columns = []
    for number, low in zip(numbers, edges, strict=False):
        band = BANDS[0] if low >= limits.relevant else BANDS[1] if low >= limits.weak else BANDS[2]
        columns.append((f"{low:g}", (Bar(band.word, float(number), f"{number:,}", band.colour),)))
    subtitle = f"Relevance 0-100 of {count(len(known), 'live link')}; relevant from {limits.relevant:g}."
    return Chart(title, subtitle, columns=tuple(columns))


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


def _months(audit: Scored) -> Chart:
    links = audit.scored
    until = links[["first_seen", "last_seen", "lost_date"]].max().max()
    title = "Referring domains won and lost by month"
    months = pd.DataFrame() if pd.isna(until) else by_month(lifetimes(links), until).tail(LAST_MONTHS)
    if months.empty:
        return Chart(title, "", why_not="The export has no dates.")
    columns = tuple(
        (
            f"{row['month']:%y-%m}",
            (
                Bar(NEW.word, float(row["new_domains"]), f"{row['new_domains']:,}", NEW.colour),
                Bar(LOST.word, float(row["lost_domains"]), f"{row['lost_domains']:,}", LOST.colour),
            ),
        )
        for row in months.to_dict("records")
    )
    subtitle = f"Of every link in the export, by when it was first seen and lost; {len(months)} months."
    return Chart(title, subtitle, columns=columns)


def _anchors(audit: Scored) -> Chart:
    links, title = audit.links, "What do the anchors say?"
    if not has_values(audit.scored["anchor"]):
        return Chart(title, "", why_not="Not available in this export.")
    mix = class_mix(links, classify_anchors(links, brand_names(links), {})).set_index("anchor_class")["links"]
    bars = tuple(
        Bar(label.word, int(mix[label.word]), f"{mix[label.word]:,}", label.colour)
        for label in ANCHOR_CLASSES
        if mix.get(label.word)
    )
    return Chart(title, f"Classes of the anchors of {count(len(links), 'live link')}.", bars)


def _topics(audit: Scored) -> Chart:
    fields = topic_mix(audit.links).groupby("topic_field")["links"].sum().sort_values(ascending=False, kind="stable")
    fields, title = fields.drop(UNCLEAR, errors="ignore"), "What are the linking pages about?"
    if fields.empty:
        return Chart(title, "", why_not="No linking page has a clear topic.")
    bars = tuple(Bar(str(field), int(n), f"{n:,}", BLUES[0]) for field, n in fields.head(MOST_TOPICS).items())
    clear = int(fields.sum())
    comes = by_number(clear, "comes", "come")
    subtitle = f"{part_of(clear, audit.backlinks, 'live link')} {comes} from pages with a clear topic."
    return Chart(title, subtitle, bars)
