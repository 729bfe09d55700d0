"""What later snapshots say of prospects: whether their sites link now, since when, or do not any more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from backlink_audit.labels import LINK_LIVE, LOST_AGAIN, WON
from backlink_audit.projects.content.projects import Project
from backlink_audit.projects.content.snapshots import Snapshot, columns_of_every_row, every_snapshot
from backlink_audit.projects.desk.prospects import LINKS_ALREADY, Prospect
from backlink_audit.projects.store.connection import Store


@dataclass(frozen=True)
class Linking:
    """Which domains link in a snapshot, with a live link."""

    day: date
    made_at: str
    domains: frozenset[str]


@dataclass(frozen=True)
class Found:
    """What the snapshots say of a prospect: won or lost again, the day of the first one that says so, when it came."""

    state: str
    day: date
    made_at: str

    @property
    def sentence(self) -> str:
        """The same in words."""
        return f"links since {self.day}" if self.state == WON.word else f"linked before, but not on {self.day}"


def linking(store: Store, snapshot: Snapshot) -> Linking:
    """Return which domains link in a snapshot, whatever its filters set aside."""
    links = columns_of_every_row(store, snapshot, ["referring_domain", "link_state"])
    live = links.loc[links["link_state"] == LINK_LIVE.word, "referring_domain"]
    return Linking(snapshot.day, snapshot.made_at, frozenset(live.unique()))


def linking_now(store: Store, project: Project) -> frozenset[str]:
    """Return which domains link in a project's last snapshot; none without one."""
    snapshots = every_snapshot(store, project)
    return linking(store, snapshots[-1]).domains if snapshots else frozenset()


def found_of(prospect: Prospect, snapshots: Sequence[Linking]) -> Found | None:
    """Return what the snapshots after its choice say of a prospect; None where it never linked in one of them.

    `snapshots`: the oldest first. What counts is where the link is now: a site that came, went and came back is won,
    since the day on which it was back.
    """
    found: Found | None = None
    for one in snapshots:
        if not _is_later(one, prospect):
            continue
        links = prospect.domain in one.domains
        if links and (found is None or found.state == LOST_AGAIN.word):
            found = Found(WON.word, one.day, one.made_at)
        elif not links and found is not None and found.state == WON.word:
            found = Found(LOST_AGAIN.word, one.day, one.made_at)
    return found


def state_of(prospect: Prospect, found: Found | None) -> str:
    """Return the state of a prospect: what a snapshot found, or what its user decided after that snapshot came."""
    return prospect.state if found is None or found.made_at < prospect.decided_at else found.state


def found_by_domain(prospects: Mapping[str, Prospect], snapshots: Sequence[Linking]) -> dict[str, Found]:
    """Return what the snapshots say, by domain, of those prospects of which they say anything.

    A site that had a live link when it was chosen (nofollow, say, or to a dead page) is won when its user says so.
    """
    asked = {domain: one for domain, one in prospects.items() if not one.facts.get(LINKS_ALREADY)}
    by_domain = {domain: found_of(one, snapshots) for domain, one in asked.items()}
    return {domain: found for domain, found in by_domain.items() if found is not None}


def _is_later(snapshot: Linking, prospect: Prospect) -> bool:
    """Whether a snapshot is newer than all that were known when the prospect was chosen."""
    known = prospect.known_until
    return known is None or snapshot.day > known or (snapshot.day == known and snapshot.made_at > prospect.chosen_at)
