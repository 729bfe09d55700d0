"""Watching a site: an audit becomes a snapshot, is compared with the one before, and with the limits."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader

from backlink_audit.audit.result import Audit
from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import NEW
from backlink_audit.profile.shares import FEWEST_DOMAINS, by_month, lifetimes
from backlink_audit.projects.history import Comparison, compare, keep_earned
from backlink_audit.projects.outreach_desk import desk
from backlink_audit.projects.project_files import Files, kept_disavow_file, replace_files
from backlink_audit.projects.projects import Project, create, find
from backlink_audit.projects.snapshots import Snapshot, before, every_snapshot, save
from backlink_audit.projects.store import Store
from backlink_audit.report.client import figure_rows, not_compared
from backlink_audit.risk.disavow import SentFile
from backlink_audit.settings import LinkChoice, WatchLimits
from backlink_audit.wording import count, percent

DAYS_OF_MONTH = 365.25 / 12
MONTHS_LOOKED_AT = 12  # so many months before the older snapshot show what is usual
NO_FILES: Mapping[str, Files] = MappingProxyType({})
LISTED = 20  # rows of each list of a digest; the workbook has all
_LINK = ("referring_url", "target_url", "anchor", "what_changed")
SUFFIXES = (".md", ".html", ".json")


@dataclass(frozen=True)
class Crossed:
    """A limit that is crossed: the setting's name, the figure, the limit, and the sentence."""

    limit: str
    value: float
    threshold: float
    sentence: str


def crossed(snapshot: Snapshot, comparison: Comparison | None, limits: WatchLimits) -> tuple[Crossed, ...]:
    """Return the limits that a snapshot crosses; without one before it, only those that need none."""
    found = [_risk(snapshot, limits), _anchor(snapshot, limits)]
    if comparison is not None:
        found = [_protect(comparison, limits), *found, _spike(comparison, limits)]
    return tuple(one for one in found if one is not None)


def usual_new_domains(links: pd.DataFrame, since: pd.Timestamp, until: pd.Timestamp) -> float | None:
    """Return how many new referring domains are usual between two days; None where the links have no dates.

    The median of the months before, by when each domain was first seen, for so many days. `links` has
    referring_domain, first_seen, last_seen, lost_date, is_lost.
    """
    months = by_month(lifetimes(links), until)
    past = months[months["month"] < since.to_period("M").to_timestamp()].tail(MONTHS_LOOKED_AT)
    if past.empty:
        return None
    return float(past["new_domains"].median()) * max(1, (until - since).days) / DAYS_OF_MONTH


def _protect(comparison: Comparison, limits: WatchLimits) -> Crossed | None:
    lost = len(comparison.lost_to_protect)
    if lost < limits.protect_lost:
        return None
    sentence = f"{count(lost, 'link')} with the verdict Protect lost since {comparison.older.day}; the limit is "
    return Crossed("protect_lost", lost, limits.protect_lost, f"{sentence}{limits.protect_lost:,}.")


def _risk(snapshot: Snapshot, limits: WatchLimits) -> Crossed | None:
    share = snapshot.figures["risk_share"]
    if share is None or share <= limits.risk_share:
        return None
    signals = snapshot.settings.verdicts.review_signals
    sentence = f"{_exact(share)} of the live links have {signals} or more risk signals; the limit is "
    return Crossed("risk_share", share, limits.risk_share, f"{sentence}{_exact(limits.risk_share)}.")


def _anchor(snapshot: Snapshot, limits: WatchLimits) -> Crossed | None:
    share = snapshot.figures["dominant_anchor"]
    if share is None or share <= limits.dominant_anchor:
        return None
    words = snapshot.figures["dominant_anchor_words"]
    sentence = f"{_exact(share)} of the referring domains with followed links use “{words}”; the limit is "
    return Crossed("dominant_anchor", share, limits.dominant_anchor, f"{sentence}{_exact(limits.dominant_anchor)}.")


def _spike(comparison: Comparison, limits: WatchLimits) -> Crossed | None:
    new = comparison.new_domains
    since, until = pd.Timestamp(comparison.older.day), pd.Timestamp(comparison.newer.day)
    usual = usual_new_domains(comparison.links, since, until)
    if usual is None or new < FEWEST_DOMAINS or new <= limits.spike * usual:
        return None
    sentence = f"{count(new, 'new referring domain')} since {comparison.older.day} (usual: {usual:.1f}); "
    limit = limits.spike * usual
    return Crossed("spike", new, round(limit, 1), f"{sentence}the limit is {limits.spike:g} times the usual number.")


def _exact(share: float) -> str:
    return percent(share) if abs(100 * share - round(100 * share)) < 0.05 else f"{100 * share:.1f}%"


@dataclass(frozen=True, eq=False)
class Watched:
    """What a new snapshot says: its figures, what changed since the one before, which limits are crossed."""

    project: Project
    snapshot: Snapshot
    comparison: Comparison | None
    crossed: tuple[Crossed, ...]
    notes: tuple[str, ...]
    sent: SentFile | None = None  # The disavow file that the project keeps, compared with the links; None without one

    @property
    def before(self) -> Mapping[str, Any]:
        return self.comparison.older.figures if self.comparison else {}

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        day = self.snapshot.day
        if self.comparison is None:
            return f"The first snapshot, of {day}: {count(self.snapshot.figures['links'], 'live link')}."
        crossed = count(len(self.crossed), "alert")
        return f"Since {self.comparison.older.day}: {self.comparison.moves}; {crossed}."

    @property
    def story(self) -> list[str]:
        return list(self.snapshot.figures.get("story", ()))

    @property
    def lost_to_protect(self) -> pd.DataFrame:
        return pd.DataFrame(columns=_LINK) if self.comparison is None else self.comparison.lost_to_protect

    @property
    def new_domains(self) -> pd.DataFrame:
        """The new referring domains, those with most links first; empty for a first snapshot."""
        if self.comparison is None:
            return pd.DataFrame(columns=["referring_domain", "links_new"])
        domains = self.comparison.domains
        return domains[domains["change"] == NEW.word].sort_values("links_new", ascending=False, kind="stable")

    @property
    def data(self) -> dict[str, Any]:
        """The digest as plain data: project, date, figures, changes (None for a first snapshot), disavow, crossed."""
        changes = None
        if self.comparison is not None:
            lost = self.lost_to_protect.head(LISTED)[list(_LINK)]
            new = self.new_domains.head(LISTED)[["referring_domain", "links_new"]]
            changes = self.comparison.figures | {
                "before": dict(self.before),
                "lost_to_protect": lost.to_dict("records"),
                "new_referring_domains": new.to_dict("records"),
            }
        return {
            "project": self.project.name,
            "site": self.project.site,
            "date": self.snapshot.day.isoformat(),
            "file": self.snapshot.origin["file"],
            "figures": dict(self.snapshot.figures),
            "changes": changes,
            "disavow": None if self.sent is None else self.sent.figures,
            "crossed": [vars(one) for one in self.crossed],
        }


def watch(
    store: Store,
    name: str,
    audit: Audit,
    limits: WatchLimits,
    day: date | None = None,
    performance: Export | None = None,
    files: Mapping[str, Files] = NO_FILES,
) -> Watched:
    """Keep an audit as a snapshot of the project of that name, which is made where there is none, and compare it.

    `performance`: clicks or visits of the site's pages, kept with the snapshot where it has none; a file that does not
    fit is a note. `files`: what was audited, by role; those of the newest snapshot take the place of the project's, so
    that the app opens it as it is now. Raises StoreProblem for an audit of another site, and whatever may be wrong
    with the store.
    """
    project = find(store, name) or create(store, name)
    snapshot, notes = save(store, project, audit, day)
    project = find(store, name) or project  # the first snapshot says of which site it is
    if performance is not None:
        try:
            keep_earned(store, project, snapshot, performance, replace=False)
        except AuditError as problem:
            notes.append(str(problem))
    snapshots = every_snapshot(store, project)
    mine = next((one for one in snapshots if one.id == snapshot.id), None)
    if mine is None:
        raise StoreProblem(f"The snapshot of {snapshot.day} was deleted in another window; run the audit again.")
    snapshot = mine
    if files and snapshot.id == snapshots[-1].id:
        replace_files(store, project, files)
    former = before(snapshots, snapshot)
    comparison = None if former is None else compare(store, former, snapshot)
    _, file = kept_disavow_file(store, project)
    sent = SentFile(file, audit.chosen(LinkChoice()).links) if file.lines else None
    if former is not None and (note := not_compared(snapshot.figures, former.figures)):
        notes.append(note)
    notes += [sent.sentence] if sent else []
    notes += desk(store, project, date.today()).news(snapshot.made_at)
    return Watched(project, snapshot, comparison, crossed(snapshot, comparison, limits), tuple(notes), sent)


def digest(watched: Watched, suffix: str) -> bytes:
    """Return the digest in the form that the suffix names, UTF-8."""
    forms: dict[str, Callable[[Watched], str]] = {".md": as_markdown, ".html": as_html, ".json": as_json}
    return forms[suffix.lower()](watched).encode("utf-8", "replace")


def as_json(watched: Watched) -> str:
    return json.dumps(watched.data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_markdown(watched: Watched) -> str:
    """Return the digest as Markdown, for a message or an issue."""
    lines = [f"# {escaped(watched.project.name)}, {watched.snapshot.day}", "", escaped(watched.headline), ""]
    lines += [f"{escaped(sentence)}\n" for sentence in watched.story]
    lines += [f"- **Alert:** {escaped(one.sentence)}" for one in watched.crossed]
    lines += ["", "| Metric | Now | Before | Change |", "|---|---:|---:|---:|"]
    lines += [f"| {' | '.join(map(escaped, row))} |" for row in figure_rows(watched.snapshot.figures, watched.before)]
    for title, rows, more in lists(watched):
        lines += ["", f"## {title}", "", *(f"- {escaped(row)}" for row in rows)]
        lines += ["", more] if more else []
    return "\n".join([*lines, "", *(escaped(note) for note in watched.notes), ""])


def as_html(watched: Watched) -> str:
    """Return the digest as one HTML page that asks for nothing from anywhere."""
    environment = Environment(loader=PackageLoader("backlink_audit.projects", "templates"), autoescape=True)
    template = environment.get_template("digest.html")
    rows = figure_rows(watched.snapshot.figures, watched.before)
    return template.render(watched=watched, rows=rows, lists=lists(watched))


def lists(watched: Watched) -> list[tuple[str, list[str], str]]:
    """Return what is listed: each list's title, its rows in words, and how many are not shown; none without rows."""
    lost, new = watched.lost_to_protect, watched.new_domains
    links = [
        f"{one['referring_url']} to {one['target_url']}, anchor “{one['anchor']}”"
        for one in lost.head(LISTED).to_dict("records")
    ]
    domains = [
        f"{one['referring_domain']} ({count(one['links_new'], 'link')})" for one in new.head(LISTED).to_dict("records")
    ]
    found = (("Lost links with the verdict Protect", links, lost), ("New referring domains", domains, new))
    return [
        (title, rows, f"and {len(table) - LISTED:,} more." if len(table) > LISTED else "")
        for title, rows, table in found
        if rows
    ]


def escaped(text: str) -> str:
    r"""Return text with what Markdown would read as formatting, a link, a picture or HTML made inert, on one line.

    >>> print(escaped("![x](https://a.example)\n<b>"))
    !\[x\](https://a.example) \<b\>
    """
    return re.sub(r"([\\`*_\[\]<>|#&~$])", r"\\\1", " ".join(text.split()))
