"""The link checks of a project, each kept by its day, and what became of the links since the one before."""

import io
from dataclasses import dataclass
from datetime import date
from typing import Any

import pandas as pd
import sqlalchemy as sa

from backlink_audit.analysis.check_changes import CHANGES, with_former
from backlink_audit.analysis.link_check import RELS
from backlink_audit.projects.content.belongings import CHECKS
from backlink_audit.projects.content.projects import Project, lock
from backlink_audit.projects.store.connection import Store, unpacking
from backlink_audit.projects.store.packed import pack_bytes, unpack_bytes
from backlink_audit.projects.store.schema_of_store import FILES
from backlink_audit.wording import count

FLAGS = [f"page_{name}" for name in RELS]
KEPT = ["referring_url", "target_url", "anchor", "check_state", *FLAGS]
"""What is kept of each link."""
LISTED = 20
"""Links of each change that are listed; the table has all."""


@dataclass(frozen=True, eq=False)
class CheckNews:
    """What a check found beside the one before. `links`: KEPT and change; `since`: its day, None for the first one."""

    links: pd.DataFrame
    since: date | None

    @property
    def counts(self) -> dict[str, int]:
        """How many links each change has; those that none has are left out."""
        found = {name: int(self._with(name).sum()) for name in CHANGES}
        return {name: number for name, number in found.items() if number}

    @property
    def sentences(self) -> list[str]:
        """What changed in words: one sentence for all, then a line for each link."""
        if self.since is None:
            return [f"The first link check of this project: {count(len(self.links), 'link')}."]
        if not self.counts:
            return [f"Since the link check of {self.since}: no link changed."]
        counted = ", ".join(f"{number:,} {name}" for name, number in self.counts.items())
        return [f"Since the link check of {self.since}: {counted}.", *self._lines()]

    def _lines(self) -> list[str]:
        lines = []
        for name, number in self.counts.items():
            rows = self.links[self._with(name)].head(LISTED)
            ends = zip(rows["referring_url"], rows["target_url"], strict=True)
            lines += [f"{name.capitalize()}: {page} to {target}" for page, target in ends]
            if number > LISTED:
                lines.append(f"{name.capitalize()}: and {number - LISTED:,} more.")
        return lines

    def _with(self, name: str) -> pd.Series:
        return self.links["change"].str.split(", ").map(lambda changes: name in changes).astype(bool)


def keep_check(store: Store, project: Project, checked: pd.DataFrame, day: date) -> CheckNews:
    """Keep what a check found (`analysis.link_check.check_links`) under its day, and say what changed since the last.

    A second check of a day takes the place of the first. Raises StoreProblem.
    """
    own = sa.and_(FILES.c.project_id == project.id, FILES.c.role == CHECKS)
    with store.writing() as connection:
        lock(connection, project)
        query = sa.select(FILES.c.place, FILES.c.name, FILES.c.data).where(own).order_by(FILES.c.place.desc())
        last = connection.execute(query.limit(1)).first()
        if last is None:
            news = CheckNews(checked[KEPT].assign(change=""), None)
        else:
            with unpacking(store.name):
                former = _read(unpack_bytes(last.data))
            news = CheckNews(with_former(checked[KEPT], former), date.fromisoformat(last.name))
        again = last is not None and last.name == day.isoformat()
        place = 0 if last is None else last.place + (not again)
        connection.execute(sa.delete(FILES).where(own, FILES.c.place == place))
        data = pack_bytes(news.links[KEPT].to_csv(index=False).encode("utf-8", "replace"))
        row: dict[str, Any] = {"project_id": project.id, "role": CHECKS, "place": place, "name": day.isoformat()}
        connection.execute(sa.insert(FILES).values(row | {"mapping": {}, "data": data}))
    return news


def _read(data: bytes) -> pd.DataFrame:
    text = pd.read_csv(io.BytesIO(data), dtype="str", keep_default_na=False)
    flags = {name: text[name].map({"True": True, "False": False}).astype("boolean") for name in FLAGS}
    return text.assign(**flags)
