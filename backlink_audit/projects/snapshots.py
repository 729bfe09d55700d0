"""Snapshots: audits that are kept in a project, each under the day of its export, with every row of the file."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

import pandas as pd
import sqlalchemy as sa

from backlink_audit.audit.result import Audit, Scored
from backlink_audit.changes.run import known_columns
from backlink_audit.errors import StoreProblem
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.losses import DATES, newest_day
from backlink_audit.profile.result import Profile
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.projects.projects import Project, lock, now
from backlink_audit.projects.store import (
    COMPARISONS,
    PROJECTS,
    SNAPSHOT_LINKS,
    SNAPSHOTS,
    Store,
    from_data,
    pack_table,
    plain,
    unpack_table,
    unpacking,
)
from backlink_audit.settings import AuditSettings, BacklinkFilters, LinkChoice
from backlink_audit.text.urls import main_domain
from backlink_audit.wording import count

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_YEAR_FIRST = re.compile(r"(?<!\d)(20\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_MONTH_ALONE = re.compile(r"(?<!\d)(20\d\d)[-_.](0[1-9]|1[0-2])(?![-_.]?\d)")
_MONTH_IN_WORDS = re.compile(rf"(?i)(?<!\d)(\d\d?)[-_. ]({'|'.join(_MONTHS)})[a-z]*[-_. ](20\d\d)(?!\d)")
GIVEN, FILE_NAME, NEWEST, TODAY = "given", "file name", "newest date", "today"  # what a day is taken from
OLDEST = date(1990, 1, 1)
SCORED, ASIDE = "scored", "aside"
"""The two tables of a snapshot: the links that were scored, and the rows that a filter set aside."""
SOON = 31
"""Days. The newest date in an export is the earliest day on which it can have been made: see `_not_before_the_last`."""


@dataclass(frozen=True)
class Day:
    """A day, what it was taken from, and a sentence where one is needed."""

    day: date
    source: str
    note: str = ""


def require_day_of_export(day: date) -> None:
    """Raise StoreProblem for a day on which no export can have been made: before the web, or in the future."""
    if not (OLDEST <= day <= date.today() + timedelta(days=1)):
        raise StoreProblem(f"{day} is no day of an export; it must be from {OLDEST} to today.")


def day_of(names: Iterable[str], links: pd.DataFrame, today: date) -> Day:
    """Return the day of an export: the latest in the names of its files, the newest date in its rows, or today.

    A day in the future is no day of an export, and gets a note. `links` has DATES.
    """
    latest = today + timedelta(days=1)  # somewhere it is tomorrow already
    named = [day for name in names for day in days_in(name)]
    newest, known = links[list(DATES)].max().max(), newest_day(links, today)
    in_rows = [] if pd.isna(newest) else [newest.date()]
    future = max((day for day in named + in_rows if day > latest), default=None)
    note = f"A date in the file is in the future ({future}) and was ignored." if future else ""
    for days, source in ((named, FILE_NAME), ([] if known is None else [known.date()], NEWEST)):
        past = [day for day in days if day <= latest]
        if past:
            return Day(max(past), source, note)
    return Day(today, TODAY, note or "The file has no dates, so the snapshot has today's date.")


def days_in(name: str) -> list[date]:
    """Return the days in a file's name; of a month alone, its first day.

    >>> days_in("site-backlinks_2025-11-18_12-33.csv"), days_in("export 8-Nov-2025.csv"), days_in("links-2025-05.csv")
    ([datetime.date(2025, 11, 18)], [datetime.date(2025, 11, 8)], [datetime.date(2025, 5, 1)])
    >>> days_in("export_20251118.csv"), days_in("links-12345678.csv")
    ([datetime.date(2025, 11, 18)], [])
    """
    whole = [_day(year, month, day) for year, _, month, day in _YEAR_FIRST.findall(name)]
    whole += [_day(year, _MONTHS.index(month.lower()) + 1, day) for day, month, year in _MONTH_IN_WORDS.findall(name)]
    months = [_day(year, month, 1) for year, month in _MONTH_ALONE.findall(_YEAR_FIRST.sub("", name))]
    return [day for day in whole or months if day is not None]


def _day(year: str, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


@dataclass(frozen=True)
class Snapshot:
    """What is known of a kept audit without its links."""

    id: int
    project_id: int
    day: date
    day_from: str
    fingerprint: str
    origin: Mapping[str, Any]
    """file, format, rows, removed (rows that each filter set aside), model, device, audited_at."""
    settings: AuditSettings
    columns: frozenset[str]  # The compared columns that the file has (`changes.run`)
    figures: Mapping[str, Any]
    bytes: int
    made_at: str
    """When the file was kept first: whatever was decided later is newer than it, also once it is audited again."""

    @property
    def audited_at(self) -> str:
        return str(self.origin.get("audited_at", self.made_at))


def save(store: Store, project: Project, audit: Audit, day: date | None = None) -> tuple[Snapshot, list[str]]:
    """Keep an audit as a snapshot; return it, and sentences on what the user should know.

    The same file is kept once: another audit of it takes the place of the former one, under the day it had. `day`
    None: taken from the file (`day_of`). Raises StoreProblem for an audit of another site.
    """
    if day is not None:
        require_day_of_export(day)
    export = audit.cleaned.export
    every = clean_backlinks(export, BacklinkFilters.none()).table
    found = Day(day, GIVEN) if day else day_of(names_of(audit), every, date.today())
    aside = every.loc[every.index.difference(audit.scored.index, sort=False)]
    packed = {
        f"{table}-{number:05d}": part
        for table, rows in ((SCORED, audit.scored), (ASIDE, aside))
        for number, part in enumerate(pack_table(rows))
    }
    moment = now()
    values: dict[str, Any] = {
        "fingerprint": export.fingerprint,
        "origin": origin_of(audit) | {"audited_at": moment},
        "settings": asdict(audit.settings),
        "columns": sorted(known_columns(export)),
        "figures": figures_of(audit),
        "bytes": sum(map(len, packed.values())),
    }
    notes = [found.note] if found.note else []
    with store.writing() as connection:
        _check_site(connection, project, every["target_domain"], export.name)
        former = _same_file(connection, project, export.fingerprint)
        if former is None:
            values |= {"project_id": project.id, "made_at": moment} | _not_before_the_last(connection, project, found)
            result = connection.execute(sa.insert(SNAPSHOTS).values(values))
            [identity] = result.inserted_primary_key or [None]
        else:
            identity = former["id"]
            notes = [f"{export.name} is already saved as the snapshot of {former['day']}; it was not added again."]
            values |= {"day": day, "day_from": GIVEN} if day else {}
            values["figures"] = former["figures"] | values["figures"]  # what the pages earned is not in the audit
            connection.execute(sa.update(SNAPSHOTS).where(SNAPSHOTS.c.id == identity).values(values))
            _delete_tables(connection, identity)
        rows = [{"snapshot_id": identity, "part": part, "data": data} for part, data in packed.items()]
        connection.execute(sa.insert(SNAPSHOT_LINKS), rows)
        return _of_id(connection, identity), notes


def other_site(project: Project, backlinks: Export) -> str:
    """Return the site that links point to where none points to the project's; "" where one does, or it has none yet."""
    if not project.site:
        return ""
    targets = backlinks.link_keys["target_domain"]
    return "" if (targets == project.site).any() else main_domain(targets)


def every_snapshot(store: Store, project: Project) -> list[Snapshot]:
    """Return the snapshots of a project, the oldest first; of one day in the order in which they were kept."""
    with store.reading() as connection:
        query = sa.select(SNAPSHOTS).where(SNAPSHOTS.c.project_id == project.id)
        return [
            _snapshot(row) for row in connection.execute(query.order_by(SNAPSHOTS.c.day, SNAPSHOTS.c.id)).mappings()
        ]


def before(snapshots: list[Snapshot], one: Snapshot) -> Snapshot | None:
    """Return the snapshot before this one; None where it is the first."""
    place = [other.id for other in snapshots].index(one.id)
    return snapshots[place - 1] if place else None


def scored_links(store: Store, snapshot: Snapshot) -> Scored:
    return Scored(_table(store, snapshot, SCORED), snapshot.settings)


def columns_of_every_row(store: Store, snapshot: Snapshot, columns: list[str]) -> pd.DataFrame:
    return pd.concat([_table(store, snapshot, name, columns) for name in (SCORED, ASIDE)])


def every_row(store: Store, snapshot: Snapshot, scored: Scored) -> pd.DataFrame:
    """Return every row of the snapshot's file, cleaned, those that a filter set aside included, in their order."""
    aside = _table(store, snapshot, ASIDE)
    if aside.empty:
        return scored.links
    return pd.concat([scored.links[list(aside.columns)], aside]).sort_index()


def set_day(store: Store, snapshot: Snapshot, day: date) -> None:
    """Put a snapshot under another day."""
    with store.writing() as connection:
        one = sa.update(SNAPSHOTS).where(SNAPSHOTS.c.id == snapshot.id)
        connection.execute(one.values(day=day, day_from=GIVEN))


def remove(store: Store, snapshot: Snapshot) -> None:
    """Delete a snapshot with its links."""
    with store.writing() as connection:
        connection.execute(sa.delete(SNAPSHOTS).where(SNAPSHOTS.c.id == snapshot.id))


def names_of(audit: Audit) -> list[str]:
    """Return the names of the files of an audit."""
    source = audit.cleaned.export.table["source_file"]
    return [audit.cleaned.export.name, *filter(None, source.unique())]


def _table(store: Store, snapshot: Snapshot, name: str, columns: list[str] | None = None) -> pd.DataFrame:
    found = sa.and_(SNAPSHOT_LINKS.c.snapshot_id == snapshot.id, SNAPSHOT_LINKS.c.part.startswith(f"{name}-"))
    with store.reading() as connection:
        query = sa.select(SNAPSHOT_LINKS.c.data).where(found).order_by(SNAPSHOT_LINKS.c.part)
        parts = list(connection.execute(query).scalars())
    if not parts:
        raise StoreProblem(f"The snapshot of {snapshot.day} is no longer in {store.name}; load its file again.")
    with unpacking(store.name):
        return unpack_table(parts, columns)


def origin_of(audit: Audit) -> dict[str, Any]:
    """Return where an audit's links come from, as plain data (`Snapshot.origin`)."""
    origin = audit.origin
    return {
        "file": origin.file,
        "format": origin.format,
        "rows": origin.rows,
        "removed": dict(origin.removed),
        "model": origin.model,
        "device": origin.device,
    }


def _check_site(connection: sa.Connection, project: Project, targets: pd.Series, file: str) -> None:
    """Raise StoreProblem for links to another site; the first snapshot says which site the project is of."""
    lock(connection, project)  # so that two first snapshots are of one site
    site = connection.execute(sa.select(PROJECTS.c.site).where(PROJECTS.c.id == project.id)).scalar_one()
    if not site:
        site = main_domain(targets)
        connection.execute(sa.update(PROJECTS).where(PROJECTS.c.id == project.id).values(site=site))
    elif not (targets == site).any():
        raise StoreProblem(
            f"{file}: its {count(len(targets), 'link')} point to {main_domain(targets)}, but the project "
            f"“{project.name}” is about {site}; choose another project."
        )


def _not_before_the_last(connection: sa.Connection, project: Project, found: Day) -> dict[str, Any]:
    """Return the day of a new snapshot.

    An export is made on the newest day that it knows of, or some days later. So one that was taken from its rows, and
    would be shortly before the last snapshot, is put on the last one's day: it is the newer file of the two.
    """
    last = connection.execute(
        sa.select(sa.func.max(SNAPSHOTS.c.day)).where(SNAPSHOTS.c.project_id == project.id)
    ).scalar_one_or_none()
    day = found.day
    if last is not None and found.source == NEWEST and 0 < (last - day).days <= SOON:
        day = last
    return {"day": day, "day_from": found.source}


def _same_file(connection: sa.Connection, project: Project, fingerprint: str) -> sa.RowMapping | None:
    same = sa.and_(SNAPSHOTS.c.project_id == project.id, SNAPSHOTS.c.fingerprint == fingerprint)
    return (
        connection.execute(sa.select(SNAPSHOTS.c.id, SNAPSHOTS.c.day, SNAPSHOTS.c.figures).where(same))
        .mappings()
        .first()
    )


def _delete_tables(connection: sa.Connection, identity: int) -> None:
    connection.execute(sa.delete(SNAPSHOT_LINKS).where(SNAPSHOT_LINKS.c.snapshot_id == identity))
    either = sa.or_(COMPARISONS.c.older_id == identity, COMPARISONS.c.newer_id == identity)
    connection.execute(sa.delete(COMPARISONS).where(either))


def _of_id(connection: sa.Connection, identity: Any) -> Snapshot:
    return _snapshot(connection.execute(sa.select(SNAPSHOTS).where(SNAPSHOTS.c.id == identity)).mappings().one())


def _snapshot(row: sa.RowMapping) -> Snapshot:
    values = {name: row[name] for name in Snapshot.__dataclass_fields__}
    values["settings"] = from_data(AuditSettings(), values["settings"])
    values["columns"] = frozenset(values["columns"])
    return Snapshot(**values)


def figures_of(audit: Audit, profile: Profile | None = None) -> dict[str, Any]:
    """Return the figures of an audit's live links as plain data; None for one that cannot be computed.

    links, domains, authority (median of the domains) with authority_name, share_relevant, mean_cas, risk_share (links
    with as many risk signals as a review needs: review_signals), top_anchor (the largest share of the followed domains
    that one anchor has) and dominant_anchor (that one exact-match anchor has) with their words, verdicts (Reclaim of
    lost links too, as everywhere), states, headline, story (sentences), months (the rows of `Profile.months`, a list
    for each of its columns; of every link that was not set aside).
    """
    chosen = audit.chosen(LinkChoice())
    profile = profile or profile_backlinks(audit, LinkChoice())
    links = chosen.links
    at_risk = links["risk_signals"] >= audit.settings.verdicts.review_signals
    words, share = profile.most_frequent_anchor
    exact_words, exact_share = profile.most_frequent_exact_match
    found: dict[str, Any] = {
        **{name: chosen.figures[name] for name in ("links", "domains", "share_relevant", "mean_cas")},
        "authority": profile.median_authority,
        "authority_name": profile.authority_word,
        "risk_share": float(at_risk.mean()) if len(links) else None,
        "review_signals": audit.settings.verdicts.review_signals,
        "top_anchor": share,
        "top_anchor_words": words,
        "dominant_anchor": exact_share,
        "dominant_anchor_words": exact_words,
        "headline": chosen.headline if len(links) else "No live links.",
    }
    return {name: plain(value) for name, value in found.items()} | {
        "verdicts": chosen.verdict_numbers,
        "states": chosen.state_counts,
        "months": _as_lists(profile.months),
        "story": [sentence.text for sentence in chosen.story],
    }


def months_of(figures: Mapping[str, Any]) -> pd.DataFrame:
    """Return the months of a snapshot's figures as `Profile.months` has them; empty for one kept without them."""
    found = pd.DataFrame(figures.get("months", {}))
    return found.assign(month=pd.to_datetime(found["month"])) if len(found) else found


def _as_lists(months: pd.DataFrame) -> dict[str, list[Any]]:
    if months.empty:
        return {}
    written = months.assign(month=months["month"].dt.strftime("%Y-%m-%d"))
    return {str(name): column.tolist() for name, column in written.items()}
