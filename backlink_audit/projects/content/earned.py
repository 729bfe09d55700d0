"""What the site's pages earned by the file of clicks or visits that is kept with a snapshot: its sums."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from backlink_audit.analysis.page_figures import common_host, page_figures
from backlink_audit.errors import StoreProblem, WrongExport
from backlink_audit.exports.recognise import Export
from backlink_audit.projects.content.projects import Project, lock
from backlink_audit.projects.content.snapshots import Snapshot
from backlink_audit.projects.store.connection import Store
from backlink_audit.projects.store.schema_of_store import PROJECTS, SNAPSHOTS
from backlink_audit.report.figures import EARNED, EARNED_KEY
from backlink_audit.wording import count


def earned_of(performance: Export, site: str) -> dict[str, Any]:
    """Return what the pages in a file of clicks or visits earn together.

    file, fingerprint, pages (how many), and each of `EARNED` that the file has, a whole number. `site`: the
    registrable domain that the project is about; paths are taken for its own. Raises WrongExport for another site's,
    and for one that has none of these figures.
    """
    table = page_figures(performance.table, site)
    host = common_host(table["page"])
    if host != site and not host.endswith(f".{site}"):
        raise WrongExport(performance.name, f"its pages are from {host or 'no site'}, but the project is about {site}.")
    sums = {name: int(table[name].sum()) for name in EARNED if table[name].notna().any()}
    if not sums:
        raise WrongExport(performance.name, "it has neither clicks nor visits.")
    return {"file": performance.name, "fingerprint": performance.fingerprint, "pages": len(table)} | sums


def keep_earned(
    store: Store, project: Project, snapshot: Snapshot, performance: Export, *, replace: bool
) -> dict[str, Any]:
    """Keep with a snapshot what the pages earned; return it.

    `replace`: in place of what was kept there before, as somebody asked for; else that stays. Raises WrongExport for a
    file of another site; StoreProblem where the file is kept with another snapshot already, another file with this one
    and is not replaced, or the snapshot was deleted.
    """
    site = sa.select(PROJECTS.c.site).where(PROJECTS.c.id == project.id)
    query = sa.select(SNAPSHOTS.c.id, SNAPSHOTS.c.day, SNAPSHOTS.c.figures).where(SNAPSHOTS.c.project_id == project.id)
    with store.writing() as connection:
        lock(connection, project)
        found = earned_of(performance, connection.execute(site).scalar_one())
        rows = {row["id"]: row for row in connection.execute(query).mappings()}
        if snapshot.id not in rows:
            raise StoreProblem(f"The snapshot of {snapshot.day} was deleted in another window; nothing was saved.")
        for row in rows.values():
            if (
                row["id"] != snapshot.id
                and row["figures"].get(EARNED_KEY, {}).get("fingerprint") == found["fingerprint"]
            ):
                raise StoreProblem(
                    f"{performance.name} is already saved with the snapshot of {row['day']}, and each file belongs "
                    f"to only one snapshot. Load the file for {snapshot.day}."
                )
        former = rows[snapshot.id]["figures"].get(EARNED_KEY, found)
        if not replace and former["fingerprint"] != found["fingerprint"]:
            raise StoreProblem(
                f"The snapshot of {snapshot.day} already has the clicks and visits of {former['file']}; "
                f"{performance.name} did not replace them. You can replace them on the page History, tab Snapshots."
            )
        values = {"figures": rows[snapshot.id]["figures"] | {EARNED_KEY: found}}
        connection.execute(sa.update(SNAPSHOTS).where(SNAPSHOTS.c.id == snapshot.id).values(values))
    return found


def source_in_words(figures: Mapping[str, Any]) -> str:
    """Say which file the clicks or visits of a snapshot come from; "" where none is kept."""
    found = figures.get(EARNED_KEY)
    return f"{found['file']}, {count(found['pages'], 'page')}" if found else ""
