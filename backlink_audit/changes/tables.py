"""The changes as tables for the reader: every link, and the sheets of the workbook."""

import pandas as pd

from backlink_audit.changes.result import Changes
from backlink_audit.glossary import TERMS
from backlink_audit.labels import CHANGE_LABELS, CHANGED, KEPT, LOST, NEW
from backlink_audit.report.rows import Row, Tables, WholeTables, rows_of_notes, sheet, summary_table

LINKS = sheet("changes.links", lambda changes: changes.ranked, lambda changes: changes.authority_labels)
ONLY_DOMAINS = sheet("changes.only_domains", lambda changes: changes.ranked, LINKS.words)
DOMAINS = sheet("changes.domains", lambda changes: changes.domains, LINKS.words)
TARGETS = sheet("changes.targets", lambda changes: changes.targets, LINKS.words)
MOVES = sheet("changes.moves", lambda changes: changes.verdict_moves, LINKS.words)


def tables(changes: Changes) -> WholeTables:
    """Return the tables of changes: a row per link, or per domain where a file lists nothing else; and the workbook."""
    main = DOMAINS if changes.links is None else LINKS
    return Tables(lambda: main.written(changes.rows, changes), lambda: sheets(changes))


def sheets(changes: Changes) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    named = {"Summary": summary(changes)}
    if changes.links is not None:
        for label in (NEW, LOST, CHANGED, KEPT):
            rows = changes.links[changes.links["change"] == label.word]
            named[f"{label.word.capitalize()} links"] = LINKS.written(rows, changes)
        named[TARGETS.name] = TARGETS.written(changes.targets, changes)
    named[DOMAINS.name] = DOMAINS.written(changes.domains, changes)
    if len(changes.months):
        named["Months"] = changes.months.rename(
            columns=lambda name: TERMS[name].label if name in TERMS else name.capitalize()
        )
    if changes.audits is not None:
        named[MOVES.name] = MOVES.written(changes.verdict_moves, changes)
    return named


def summary(changes: Changes) -> pd.DataFrame:
    """Return what was compared and what came out, as rows of Part, What and Value."""
    plural = f"{changes.noun.capitalize()}s"
    rows: list[Row] = [
        ("Changes", "In a sentence", changes.headline),
        ("Changes", "Older file", changes.older.name),
        ("Changes", "Newer file", changes.newer.name),
        ("Changes", "Created", changes.made_at),
        ("Rows", "In the older file", len(changes.older.raw)),
        ("Rows", "In the newer file", len(changes.newer.raw)),
    ]
    if changes.audits is not None:
        rows += [("Changes", "Model", changes.audits[1].model)]
    rows += [(plural, f"{label.word}: {label.meaning}", changes.counts[label.word]) for label in CHANGE_LABELS]
    if changes.links is not None:
        rows += [("Links", "lost or kept, and already marked as lost in the older file", changes.lost_before)]
    rows += [("Referring domains", word, count) for word, count in changes.domain_counts.items()]
    if changes.cas_gained is not None and changes.cas_lost is not None:
        rows += [
            ("CAS", "Gained", f"{changes.cas_gained:.3f}"),
            ("CAS", "Lost", f"{changes.cas_lost:.3f}"),
            ("CAS", "How gained or lost", TERMS["cas_gained"].help),
        ]
    return summary_table([*rows, *rows_of_notes(changes.notes)])
