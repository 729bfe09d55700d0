"""What a client's report says: the last snapshot, compared with the one before, and what to do next."""

from collections.abc import Hashable, Mapping
from datetime import date
from itertools import chain, zip_longest
from typing import Any

from backlink_audit.analysis.changes import main_domain
from backlink_audit.errors import StoreProblem
from backlink_audit.glossary import TERMS
from backlink_audit.labels import KIND_PAGE, PROTECT, RECLAIM, REVIEW, UNDERVALUED, Label
from backlink_audit.pipelines.audit.result import Audit, Scored
from backlink_audit.pipelines.risk.disavow import NO_FILE, DisavowFile
from backlink_audit.pipelines.risk.sent_file import SentFile
from backlink_audit.projects.belongings import kept_disavow_file
from backlink_audit.projects.client_charts import charts_of
from backlink_audit.projects.comparison import Comparison, compare
from backlink_audit.projects.connection import Store
from backlink_audit.projects.days import day_of
from backlink_audit.projects.figures import figures_of
from backlink_audit.projects.projects import Project
from backlink_audit.projects.snapshots import before, every_snapshot, names_of, origin_of, scored_links
from backlink_audit.report.client import Action, ClientReport
from backlink_audit.report.figures import figure_rows, not_compared
from backlink_audit.settings import LinkChoice
from backlink_audit.wording import count, percent, set_aside

ACTIONS = 10
VERBS = ((RECLAIM, "Reclaim"), (REVIEW, "Check"), (PROTECT, "Keep"), (UNDERVALUED, "Stay in contact"))
"""The action of each verdict, in the order in which they take turns."""


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
    return _report(project.name, project.site, last.day, last.figures, last.origin, audit, comparison, file)


def audit_report(audit: Audit) -> ClientReport:
    """Return the report on an audit that no project keeps: nothing is before it to compare with."""
    day, site = day_of(names_of(audit), audit.scored, date.today()).day, main_domain(audit.scored["target_domain"])
    return _report(site, site, day, figures_of(audit), origin_of(audit), audit, None)


def _report(
    name: str,
    site: str,
    day: date,
    figures: Mapping[str, Any],
    origin: Mapping[str, Any],
    audit: Scored,
    comparison: Comparison | None,
    file: DisavowFile = NO_FILE,
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
        actions=actions(audit, comparison, sent),
        how=[*_how(figures, origin, audit), *([("Disavow file", sent.sentence)] if sent else [])],
        not_compared=not_compared(figures, former),
    )


def actions(audit: Scored, comparison: Comparison | None, sent: SentFile | None = None) -> list[Action]:
    """Return the ten actions that come first, one for each referring domain; the verdicts take turns.

    Good links in the disavow file come first, then lost links that were worth protecting. Each reason is the
    audit's own.
    """
    lost = [] if comparison is None else _lost(comparison)
    disavowed = [] if sent is None else _disavowed(sent)
    lists = [disavowed, lost, *([_action(verb, label, row) for row in _best(audit, label)] for label, verb in VERBS)]
    found: dict[str, Action] = {}
    for domain, action in filter(None, chain.from_iterable(zip_longest(*lists))):
        found.setdefault(domain, action)
    return list(found.values())[:ACTIONS]


def _lost(comparison: Comparison) -> list[tuple[str, Action]]:
    why = f"Verdict Protect on {comparison.older.day}, lost since then. "
    return [
        (
            row["referring_domain"],
            Action("Reclaim", _link_in_words(row), f"{why}{row['what_changed']}.", RECLAIM.colour),
        )
        for row in comparison.lost_to_protect.head(ACTIONS).to_dict("records")
    ]


def _disavowed(sent: SentFile) -> list[tuple[str, Action]]:
    return [
        (
            row["referring_domain"],
            Action(
                "Remove from the disavow file",
                _link_in_words(row),
                f"The line “{row['entry']}” disavows this link, but its verdict is {row['verdict']}.",
                PROTECT.colour,
            ),
        )
        for row in sent.good.head(ACTIONS).to_dict("records")
    ]


def _best(audit: Scored, label: Label) -> list[dict[Hashable, Any]]:
    """Return the links of a verdict that come first, lost ones too.

    For Review those with most signals; else followed links on real pages, and of these the best CAS: a nofollowed link
    that a visitor wrote is not the first to win back.
    """
    links = audit.scored[audit.scored["verdict"] == label.word]
    links = links.assign(on_a_page=links["followed"] & (links["page_kind"] == KIND_PAGE.word))
    by = ["risk_signals", "cas"] if label is REVIEW else ["on_a_page", "cas", "relevance"]
    first = links.sort_values(by, ascending=False, kind="stable", na_position="last")
    rows: list[dict[Hashable, Any]] = first.drop_duplicates("referring_domain").head(ACTIONS).to_dict("records")
    return rows


def _action(verb: str, label: Label, row: dict[Hashable, Any]) -> tuple[str, Action]:
    return str(row["referring_domain"]), Action(verb, _link_in_words(row), str(row["why"]), label.colour)


def _link_in_words(row: dict[Hashable, Any]) -> str:
    anchor = f", anchor “{row['anchor']}”" if row["anchor"] else ""
    return f"{row['referring_url']} to {row['target_url']}{anchor}"


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
    return [
        ("File", f"{origin['file']} ({origin['format']}), {count(origin['rows'], 'row')}. {aside}".strip()),
        ("Links", f"{states}. The numbers are for live links."),
        ("Model", f"{origin['model']}. {audit.language_note}".removesuffix(". ")),
        ("Similarity", TERMS["similarity"].help),
        ("Relevance", TERMS["relevance"].help),
        ("CAS", f"{TERMS['cas'].help} Here the authority is {audit.authority_label}."),
        ("Risk signals", f"{percent(figures['risk_share'] or 0)} of the live links have {signals} or more."),
        *((label.word, label.meaning) for label, _ in VERBS),
    ]
