"""Watching a site: an audit becomes a snapshot, is compared with the one before, and with the limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

import pandas as pd

from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import NEW
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.risk.sent_file import SentFile
from backlink_audit.projects.content.belongings import Files, kept_disavow_file, replace_files
from backlink_audit.projects.content.comparison import Comparison, compare
from backlink_audit.projects.content.earned import keep_earned
from backlink_audit.projects.content.projects import Project, create, find
from backlink_audit.projects.content.snapshots import Snapshot, before, every_snapshot, save
from backlink_audit.projects.desk.outreach_desk import desk
from backlink_audit.projects.share.limits import Crossed, crossed
from backlink_audit.projects.store.connection import Store
from backlink_audit.report.figures import not_compared
from backlink_audit.settings import LinkChoice, WatchLimits
from backlink_audit.wording import count

NO_FILES: Mapping[str, Files] = MappingProxyType({})
LISTED = 20
"""Rows of each list of a digest; the workbook has all."""
_LINK = ("referring_url", "target_url", "anchor", "what_changed")


@dataclass(frozen=True, eq=False)
class Watched:
    """What a new snapshot says: its figures, what changed since the one before, which limits are crossed."""

    project: Project
    snapshot: Snapshot
    comparison: Comparison | None
    crossed: tuple[Crossed, ...]
    notes: tuple[str, ...]
    sent: SentFile | None = None
    """The disavow file that the project keeps, compared with the links; None without one."""

    @property
    def before(self) -> Mapping[str, Any]:
        """The figures of the snapshot before; empty for the first one."""
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
    def lost_to_protect(self) -> pd.DataFrame:
        """The lost links that were worth protecting, the one with the best CAS first; empty for a first snapshot."""
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
