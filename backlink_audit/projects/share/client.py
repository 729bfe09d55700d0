"""What a client's report says: the last snapshot, compared with the one before, and what to do next."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from backlink_audit.analysis.changes.links import main_domain
from backlink_audit.analysis.risk.facts import own_flag
from backlink_audit.analysis.risk.review import Review
from backlink_audit.analysis.risk.second_opinion import in_a_sentence, second_opinions
from backlink_audit.errors import StoreProblem
from backlink_audit.glossary import TERMS
from backlink_audit.labels import ANSWERED, CONTACTED, REVIEW, WON
from backlink_audit.pipelines.audit.result import Audit, Scored
from backlink_audit.pipelines.risk.disavow import NO_FILE, DisavowFile
from backlink_audit.pipelines.risk.sent_file import SentFile
from backlink_audit.projects.content.belongings import kept_disavow_file
from backlink_audit.projects.content.comparison import Comparison, compare
from backlink_audit.projects.content.days import day_of
from backlink_audit.projects.content.decisions import decided_since, kept_review
from backlink_audit.projects.content.figures import figures_of
from backlink_audit.projects.content.projects import Project
from backlink_audit.projects.content.snapshots import before, every_snapshot, names_of, origin_of, scored_links
from backlink_audit.projects.desk.outreach_desk import desk
from backlink_audit.projects.share.client_actions import VERBS, actions
from backlink_audit.projects.share.client_charts import charts_of
from backlink_audit.projects.share.client_lists import changes, disavowed
from backlink_audit.projects.store.connection import Store
from backlink_audit.report.client import ClientReport
from backlink_audit.report.figures import figure_rows, label_of, not_compared
from backlink_audit.settings import LinkChoice
from backlink_audit.wording import count, percent, set_aside

IN_WORDS = (*(label for label, _ in VERBS), REVIEW)
"""The verdicts that the report explains."""
ON_COVER = ("links", "domains", "authority", "share_relevant")
"""The figures on the cover, as `report.figures` calls them."""


def client_report(store: Store, project: Project) -> ClientReport:
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


def audit_report(audit: Audit, file: DisavowFile = NO_FILE, review: Review = Review()) -> ClientReport:  # noqa: B008
    """Return the report on an audit that no project keeps: nothing is before it to compare with.

    `file`, `review`: the disavow file and the decisions of whoever asks for it.
    """
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
) -> ClientReport:
    audit = audit.chosen(LinkChoice())
    sent = SentFile(file, audit.links) if file.lines else None
    former = {} if comparison is None else comparison.older.figures
    return ClientReport(
        project=name,
        site=site,
        day=day,
        since=None if comparison is None else comparison.older.day,
        sentence=_sentence(figures, comparison),
        figures=figure_rows(figures, former),
        charts=charts_of(audit, figures) if audit.backlinks else (),
        key_figures=[label_of(name, figures) for name in ON_COVER],
        actions=actions(audit, comparison, sent, review),
        changes=changes(comparison),
        disavowed=disavowed(audit, sent, review),
        how=[*_how(figures, origin, audit), *([("Disavow file", sent.sentence)] if sent else [])],
        not_compared=not_compared(figures, former),
    )


def _done(store: Store, project: Project, since: date | None) -> list[str]:
    """Return in sentences what was done since the snapshot before; of the first one, all that was."""
    decided = decided_since(store, project, since)
    asked = desk(store, project, date.today()).counts
    states = [(state, number) for state, number in decided.items() if number]
    outreach = [(label.word, asked[label.word]) for label in (CONTACTED, ANSWERED, WON) if asked[label.word]]
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
    signals = audit.settings.verdicts.review_signals
    second = _second_opinion(audit)
    return [
        ("File", f"{origin['file']} ({origin['format']}), {count(origin['rows'], 'row')}. {aside}".strip()),
        ("Links", f"{states}. The numbers are for live links."),
        ("Model", f"{origin['model']}. {audit.language_note}".removesuffix(". ")),
        ("Similarity", TERMS["similarity"].help),
        ("Relevance", TERMS["relevance"].help),
        ("CAS", f"{TERMS['cas'].help} Here the authority is {audit.authority_label}."),
        ("Risk signals", f"{percent(figures['risk_share'] or 0)} of the live links have {signals} or more."),
        *([("Second opinion", second)] if second else []),
        *((label.word, label.meaning) for label in IN_WORDS),
    ]


def _second_opinion(audit: Scored) -> str:
    """Return how many of the links that the tool flags the audit finds fine; "" where it flags none of the links."""
    flags = own_flag(audit.links, audit.settings.risk)
    fine = second_opinions(audit.links, flags, audit.links["risk_signals"])
    return in_a_sentence(len(fine), int((flags != "").sum()))
