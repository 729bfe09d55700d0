"""Internal link opportunities as tables for the reader: the pairs csv and the sheets of the workbook."""

from typing import TYPE_CHECKING

import pandas as pd

from backlink_audit.pipelines.headers import headed

if TYPE_CHECKING:
    from backlink_audit.pipelines.interlinks import Opportunities

PAIRS = {
    "source_url": "Source URL",
    "target_url": "Target URL",
    "similarity": "Similarity Score",
    "score": "Score",
    "rank": "Rank",
    "anchor": "Anchor",
    "sentence": "Sentence",
    "existing": "Existing link",
    "near_duplicate": "Near duplicate",
    "reverse": "Reverse link",
    "source_title": "Source title",
    "target_title": "Target title",
}
"""The columns of the pairs csv, in order; the first three are what other tools read."""
PAGES = {"url": "URL", "title": "Title", "inlinks": "Inlinks", "nearest": "Nearest similarity"}
DECIMALS = 6


def pairs(table: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs under their headers, flags in words, numbers with six decimals."""
    shown = table[list(PAIRS)].assign(near_duplicate=table["near_duplicate"].map({True: "yes", False: "no"}))
    return shown.round({"similarity": DECIMALS, "score": DECIMALS}).rename(columns=PAIRS)


def sheets(result: "Opportunities") -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    orphans = result.orphans
    return {
        "Summary": summary(result),
        "Opportunities": pairs(result.suggested),
        "Near duplicates": pairs(result.near_duplicates),
        "Orphans": _pages(result.pages.head(0) if orphans is None else orphans),
        "Isolated pages": _pages(result.isolated),
    }


def summary(result: "Opportunities") -> pd.DataFrame:
    """Return what was done with which settings, as two columns."""
    settings, texts = result.settings, result.texts
    orphans = result.orphans
    rows: list[tuple[str, object]] = [
        ("Result", result.headline),
        ("File", result.cleaned.export.name),
        ("Made at", f"{result.made_at:%Y-%m-%d %H:%M %Z}"),
        ("Model", result.vectors.model),
        ("Page text", texts.mode),
        ("Cut from titles", ", ".join(texts.brands) or "nothing"),
        ("Language", texts.language),
        ("Order", settings.order),
        ("Targets per page", settings.per_page),
        ("Sources per target", settings.per_target or "no limit"),
        ("Minimum similarity", settings.min_similarity),
        ("Near duplicates from", settings.near_duplicate),
        *_path_filters(result),
        *((f"Set aside: {label}", count) for label, count in result.cleaned.removed.items()),
        ("Pages", len(result.pages)),
        ("Links suggested", len(result.suggested)),
        ("With an anchor", result.with_anchor),
        ("Near duplicates", len(result.near_duplicates)),
        ("Orphans", "unknown: neither crawl nor inlinks export tells" if orphans is None else len(orphans)),
        ("Isolated pages", len(result.isolated)),
        *(("Note", note) for note in result.notes),
    ]
    return pd.DataFrame([(name, str(value)) for name, value in rows], columns=["What", "Value"])


def _path_filters(result: "Opportunities") -> list[tuple[str, object]]:
    settings = result.settings
    named = {
        "Source path contains": settings.source_contains,
        "Source path does not contain": settings.source_excludes,
        "Target path contains": settings.target_contains,
        "Target path does not contain": settings.target_excludes,
    }
    return [(name, text) for name, text in named.items() if text]


def _pages(table: pd.DataFrame) -> pd.DataFrame:
    return headed(table, PAGES)
