"""The gap as tables for the reader: every referring domain, and the sheets of the workbook."""

from dataclasses import replace

import pandas as pd

from backlink_audit.gap.result import Gap
from backlink_audit.glossary import TERMS
from backlink_audit.judgement.letters import write_pitches
from backlink_audit.labels import GAP_CLASSES
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of


def _whole_counts(domains: pd.DataFrame) -> pd.DataFrame:
    return domains.astype({"links": "Int64", "our_links": "Int64"})


def _to_fill_in(gap: Gap) -> pd.DataFrame:
    pitches = write_pitches(gap.template, gap.prospects)
    return _whole_counts(gap.prospects).assign(outreach_state="", Notes="", Pitch=pitches)


PROSPECTS = sheet("gap.prospects", lambda gap: gap.prospects)
DOMAINS = sheet("gap.domains", lambda gap: _whole_counts(gap.domains).assign(Prospect=gap.is_prospect))
TO_FILL_IN = replace(PROSPECTS, rows=_to_fill_in)
OVERLAP = sheet(
    "gap.overlap", lambda gap: gap.overlaps, lambda gap: {site: site for site in (gap.ours, *gap.competitors)}
)


def tables(gap: Gap) -> WholeTables:
    return tables_of(gap, DOMAINS, (TO_FILL_IN, DOMAINS, OVERLAP), lambda: summary(gap))


def summary(gap: Gap) -> pd.DataFrame:
    """Return what was compared, with what, and what came out, as rows of Part, What and Value."""
    settings = gap.settings
    return summary_table(
        [
            ("Gap", "In a sentence", gap.headline),
            ("Gap", "Created", gap.made_at),
            ("Gap", "Model", gap.model),
            ("Sites", "Your site", gap.ours),
            *(("Sites", "Competitor", name) for name in gap.competitors),
            *(("Files", name, site) for name, site in gap.files.items()),
            *(("Prospects", f"Minimum {rating}", f"{limit:g}") for rating, limit in gap.limits.items()),
            ("Prospects", "Domains of unknown authority", "kept" if settings.keep_unknown_authority else "excluded"),
            ("Prospects", "Only with a followed link", "yes" if settings.followed_only else "no"),
            ("Prospects", "Only with a link in the content", "yes" if settings.in_content_only else "no"),
            ("Prospects", "User-generated links", "kept" if settings.by_visitors else "excluded"),
            ("Prospects", "Not linking to you", gap.not_linking_to_us),
            *(("Prospects", f"Excluded: {name}", count) for name, count in gap.set_aside.items()),
            ("Prospects", "Remaining prospects", len(gap.prospects)),
            *(("Classes", f"{label.word}: {label.meaning}", gap.class_counts[label.word]) for label in GAP_CLASSES),
            ("Formulas", "Relevance", TERMS["relevance"].help),
            *rows_of_notes(gap.notes),
        ]
    )
