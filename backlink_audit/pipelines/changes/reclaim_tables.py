"""What to win back as tables for the reader: the links, and where dead pages should lead."""

import pandas as pd

from backlink_audit.analysis.page_figures import FIGURES
from backlink_audit.glossary import TERMS
from backlink_audit.pipelines.changes.reclaim import Reclaim
from backlink_audit.pipelines.tables import Tables, WholeTables, rows_of_notes, shown, summary_table

LINKS = (
    "how_lost",
    "advice",
    "referring_url",
    "target_url",
    "anchor",
    "cas",
    "relevance",
    "verdict",
    "referring_title",
    "url_rating",
    "domain_rating",
    "http_status",
    "last_seen",
    "lost_status",
    "drop_reason",
    *FIGURES,
)
REDIRECTS = ("target_url", "redirect_to", "similarity", "target_status", "links", "domains", "cas", *FIGURES)


def tables(reclaim: Reclaim) -> WholeTables:
    """Return the tables of what to win back: the links, and the workbook."""
    return Tables(lambda: shown(reclaim.links, LINKS, reclaim.authority_labels), lambda: sheets(reclaim))


def sheets(reclaim: Reclaim) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name, in order."""
    return {
        "Summary": summary(reclaim),
        "To reclaim": shown(reclaim.links, LINKS, reclaim.authority_labels),
        "Redirect map": redirects(reclaim),
    }


def redirects(reclaim: Reclaim) -> pd.DataFrame:
    """Return the redirect map."""
    return shown(reclaim.redirects, REDIRECTS, {"target_url": "Dead page"})


def summary(reclaim: Reclaim) -> pd.DataFrame:
    """Return what was looked at and what came out, as rows of Part, What and Value."""
    return summary_table(
        [
            ("Reclaim", "In a sentence", reclaim.headline),
            ("Reclaim", "File", reclaim.name),
            ("Reclaim", "Created", reclaim.made_at),
            ("Formulas", "CAS", TERMS["cas"].help),
            *rows_of_notes(reclaim.notes),
        ]
    )
