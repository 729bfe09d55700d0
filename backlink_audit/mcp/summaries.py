"""A whole result for a program: its answer with the figures of the app, and the tables of its file."""

from typing import Any

from backlink_audit.labels import RECLAIM, VERDICTS
from backlink_audit.mcp.answers import Summary, Value
from backlink_audit.mcp.results import FACTS, GROUNDS, LINK, value_of
from backlink_audit.mcp.strangers import LONGEST_ALONE, quoted
from backlink_audit.pipelines.audit.result import Audit, Scored
from backlink_audit.pipelines.audit.tables import tables as audit_tables
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.pipelines.interlinks.tables import tables as interlink_tables
from backlink_audit.pipelines.tables import Tables, shown


def summary_of(source: str, result: Any) -> Summary:
    """Return the answer of a result."""
    return _of_links(source, result) if isinstance(result, Scored) else _of_pages(source, result)


def _of_links(source: str, result: Scored) -> Summary:
    """Return the answer of an audit or a snapshot."""
    counts = result.verdict_counts
    verdicts = {label.word: int(counts.get(label.word, 0)) for label in VERDICTS}
    verdicts[RECLAIM.word] = result.to_reclaim
    figures = {
        "backlinks": result.backlinks,
        "referring_domains": result.domains,
        f"median_{result.site_word}": result.median_authority,
        "share_followed": result.share_followed,
        "relevant_links": result.relevant,
        "share_relevant": result.share_relevant,
        "mean_similarity": result.mean_similarity,
        "median_similarity": result.median_similarity,
        "mean_cas": result.mean_cas,
        "to_reclaim": result.to_reclaim,
        "scored_links": len(result.scored),
    }
    notes = [*filter(None, [result.choice_sentence]), *filter(None, [quoted(result.subject_note, LONGEST_ALONE)])]
    tasks = [task.sentence(result.site_word) for task in result.tasks if task.number]
    headline = result.headline if result.backlinks else "No links match."
    worded = {name: value_of(name, value) for name, value in figures.items()}
    return Summary(source, "backlinks", headline, worded, verdicts, tasks, notes)


def _of_pages(source: str, result: Opportunities) -> Summary:
    """Return the answer of suggested internal links."""
    orphans = result.orphans
    figures: dict[str, Value] = {
        "pages": len(result.pages),
        "suggestions": len(result.suggested),
        "with_anchor": result.with_anchor,
        "with_exact_anchor": result.with_exact_anchor,
        "near_duplicates": len(result.near_duplicates),
        "isolated": len(result.isolated),
        "orphans": None if orphans is None else len(orphans),
    }
    return Summary(source, "pages", result.headline, figures, {}, [], list(result.notes))


def tables_of(result: Any) -> Tables[Any]:
    """Return the tables of a result as files have them."""
    if isinstance(result, Audit):
        return audit_tables(result)
    if isinstance(result, Opportunities):
        return interlink_tables(result)
    table = shown(result.links, dict.fromkeys((*FACTS, *LINK, *GROUNDS)), result.authority_labels)
    return Tables(lambda: table, lambda: {"Links": table})
