"""The gap as tables for the reader: every referring domain, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.gap.result import Gap
from backlink_audit.glossary import TERMS
from backlink_audit.judgement.letters import write_pitches
from backlink_audit.labels import GAP_CLASSES
from backlink_audit.report.rows import Tables, WholeTables, rows_of_notes, summary_table, with_headers

COLUMNS = (
    "referring_domain",
    "gap_class",
    "example_title",
    "example_url",
    "relevance",
    "band",
    "page_kind",
    "prospect_kind",
    "prospect_cas",
    "authority",
    "authority_scale",
    "our_page",
    "our_page_title",
    "competitors",
    "links",
    "example_anchor",
    "example_target",
    "example_author",
    "first_seen",
    "domain_traffic",
    "country",
    "country_from",
    "followed_share",
    "topic_field",
    "topic",
    "similarity",
    "kind_why",
    "tied_to",
    "our_links",
    "linked_before",
)
"""Columns of the tables, in order."""


def tables(gap: Gap) -> WholeTables:
    """Return the tables of a gap: every referring domain, and the workbook."""
    return Tables(lambda: main_table(gap), lambda: sheets(gap))


def main_table(gap: Gap) -> pd.DataFrame:
    """Return one row per referring domain; the column Prospect marks those that pass the filters."""
    table = _shown(gap.domains)
    table["Prospect"] = gap.is_prospect
    return table


def sheets(gap: Gap) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    return {
        "Summary": summary(gap),
        "Prospects": prospects(gap),
        "All referring domains": main_table(gap),
        "Overlap": gap.overlaps.rename(columns={"domains": TERMS["domains"].label}),
    }


def prospects(gap: Gap) -> pd.DataFrame:
    """Return the prospects with blank columns for the outreach, and the pitch to each."""
    table = _shown(gap.prospects)
    place = table.columns.get_loc(TERMS["our_page_title"].label)
    for name in ("Notes", "Outreach state"):
        table.insert(int(str(place)) + 1, name, pd.Series("", index=table.index, dtype="str"))
    return table.assign(Pitch=write_pitches(gap.template, gap.prospects))


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


def _shown(domains: pd.DataFrame) -> pd.DataFrame:
    counts = domains[["links", "our_links"]].astype("Int64")
    return with_headers(domains.assign(**counts)[list(COLUMNS)])
