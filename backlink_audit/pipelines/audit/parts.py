"""The backlink audit of an export larger than the memory: the stages of `audit_backlinks`, one part at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Protocol

import pandas as pd

from backlink_audit.analysis.scales import site_label
from backlink_audit.analysis.scoring.link_choice import chosen_links
from backlink_audit.analysis.scoring.outreach import OF_ALL_LINKS, OF_LINKS, in_question, outreach
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.part_files import read_part
from backlink_audit.exports.parts import PartedExport
from backlink_audit.labels import BAND_RELEVANT, PROTECT, RECLAIM, REVIEW
from backlink_audit.pipelines.audit.part_stages import ASIDE, JUDGED, AuditRun
from backlink_audit.pipelines.audit.result import Origin, Scored
from backlink_audit.pipelines.audit.sentences import (
    choice_sentence,
    headline,
    relevant_entries,
    state_counts,
    subject_note,
)
from backlink_audit.pipelines.audit.tasks import TASK_COLUMNS, Task, tasks_of
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import EVERYTHING, AuditSettings, LinkChoice
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.links.link_texts import LinkedSites

CHOSEN_BY = ("link_state", "placement", "referring_domain", "url_rating")
"""Columns of the links that a choice is made by."""
SUMMED_UP = (
    "link_state",
    "placement",
    "referring_url",
    "referring_title",
    "target_url",
    "target_key",
    "target_domain",
    "anchor",
    "referring_domain",
    "scale",
    "followed",
    "nofollow",
    "ugc",
    "sponsored",
    "link_type",
    "page_kind",
    "target_status",
    "http_status",
    "url_rating",
    "domain_rating",
    "external_links",
    "first_seen",
    "last_seen",
    "domain_traffic",
    "similarity",
    "relevance",
    "band",
    "topic",
    "cas",
    "verdict",
    "redirect_codes",
    "over_redirect",
    "linked_url",
    "redirects",
    "redirect_status",
    "redirect_chain",
    "is_lost",
    "subjects",
    "language",
    "names_site",
    "words_around",
    "own_site",
    "lost_status",
    "drop_reason",
    "risk_signals",
    "page_traffic",
)
"""Columns of the links that the sheets about the whole are made of."""


@dataclass(frozen=True, eq=False)
class PartedAudit:
    """A finished audit in parts. `links(n)` are rows of what `Audit.links` would have, in the order of the file.

    They are all that were scored, or the ones chosen of them (`chosen`).
    """

    export: PartedExport
    settings: AuditSettings
    model: str
    device: str
    folder: Path
    removed: Mapping[str, int]
    """How many rows each filter set aside."""
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())
    choice: LinkChoice = EVERYTHING

    def chosen(self, choice: LinkChoice) -> "PartedAudit":
        """Return the same audit with figures of these links: nothing is scored again."""
        return replace(self, choice=choice)

    def links(self, number: int) -> pd.DataFrame:
        """Return the chosen links of a part, indexed by their place in the export."""
        links = read_part(self.folder, JUDGED, number)
        return links[self._is_chosen[links.index]]

    def set_aside(self, number: int) -> pd.Series:
        """Return by which filter each row of a part was set aside that is not among its links."""
        return read_part(self.folder, ASIDE, number)["filter"].astype(pd.CategoricalDtype(list(self.removed)))

    def scored(self) -> Scored:
        """Return the links of all parts, with the columns that sheets about the whole are made of."""
        return Scored(self._columns(SUMMED_UP), self.settings).chosen(self.choice)

    @property
    def origin(self) -> Origin:
        """Where the links come from."""
        export = self.export
        return Origin(export.name, export.format.name, export.rows, self.removed, self.model, self.device, self.made_at)

    def column(self, name: str) -> pd.Series:
        """Return one column of the chosen links."""
        return self._columns([name])[name][self._is_chosen]

    @cached_property
    def backlinks(self) -> int:
        """How many links the figures are about."""
        return int(self._is_chosen.sum())

    @cached_property
    def _is_chosen(self) -> pd.Series:
        """Which of all scored links are chosen, bool."""
        return chosen_links(self._columns(CHOSEN_BY), self.choice)

    def _columns(self, names: Sequence[str], wanted: Callable[[pd.DataFrame], pd.Series] | None = None) -> pd.DataFrame:
        """Return these columns of all scored links, or of those that are wanted of each part."""
        parts = (read_part(self.folder, JUDGED, number, list(names)) for number in range(len(self.export)))
        return pd.concat([part if wanted is None else part[wanted(part)] for part in parts])

    @property
    def site_word(self) -> str:
        """What the export calls the authority of a site."""
        return site_label(self._columns(["scale", "url_rating", "domain_rating"]))

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """What to do now, as `Scored.tasks`: of each part only the links that a task is about are kept."""
        asked = self._columns(OF_LINKS, in_question)
        pages = outreach(asked, self.settings.verdicts.strong_from, self._columns(OF_ALL_LINKS))["example_url"]
        words = [label.word for label in (RECLAIM, PROTECT, REVIEW)]
        links = self._columns(
            TASK_COLUMNS, lambda part: part["verdict"].isin(words) | part["referring_url"].isin(pages)
        )
        return tasks_of(links, links[self._is_chosen[links.index]], pages)

    @property
    def choice_sentence(self) -> str:
        """How many of the scored links the figures are about, in words; "" where it is all of them."""
        return choice_sentence(self.choice, self.backlinks, state_counts(self._columns(["link_state"])))

    @property
    def subject_note(self) -> str:
        """Which sites the links go to of whose subject nothing is known, in a sentence; "" where there is none."""
        columns = self._columns(["target_domain", "subjects"])
        return subject_note(columns["target_domain"], columns["subjects"])

    @cached_property
    def headline(self) -> str:
        """The answer in one sentence."""
        links = self._columns(["band", "page_kind"])[self._is_chosen]
        relevant = int((links["band"] == BAND_RELEVANT.word).sum())
        verdicts = self._columns(["verdict"])["verdict"]
        chosen = verdicts[self._is_chosen].value_counts()
        to_reclaim = int((verdicts == RECLAIM.word).sum())
        return headline(chosen, relevant, relevant_entries(links), self.backlinks, to_reclaim)


Work = Callable[[int, Progress], None]
"""What is done for a part, by its number, and says how far it is."""


class Workers(Protocol):
    """Who does the stages of an audit in parts: this process, one part after the other, or a cluster."""

    model: str

    @property
    def device(self) -> str:
        """Where texts are embedded."""
        ...

    def each(self, what: str, run: AuditRun, work: Work) -> None:
        """Do the work for every part of the run; `what` names it while it is done."""
        ...

    def encoders(self, run: AuditRun, sites: LinkedSites) -> Callable[[int], Encoder]:
        """Return what gives the encoder for the texts of a part, by its number; `sites` are those of all parts."""
        ...


def audit_parts(
    export: PartedExport,
    settings: AuditSettings,
    encoder: Encoder,
    folder: Path,
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> PartedAudit:
    """Clean and score an export in parts; `folder` keeps what is done, and belongs to these files and settings alone.

    The rows are those of `audit_backlinks`. Raises NoRowsLeft, Cancelled.
    """
    return run_stages(begin(export, settings, folder, sources), Here(encoder, on_progress))


def begin(export: PartedExport, settings: AuditSettings, folder: Path, sources: Sources = NO_SOURCES) -> AuditRun:
    """Return the run of an audit in parts, with its folder made."""
    folder.mkdir(parents=True, exist_ok=True)
    return AuditRun(export, settings, folder, sources.tables)


def run_stages(run: AuditRun, workers: Workers) -> PartedAudit:
    """Have the workers do the stages in a row. Raises NoRowsLeft where the filters leave nothing."""
    run.find_repeats()
    workers.each("Cleaning", run, lambda number, _: run.clean(number))
    removed = run.removed()
    sites = run.sites()
    encoders = workers.encoders(run, sites)
    workers.each(
        "Comparing", run, lambda number, on_progress: run.compare(number, sites, encoders(number), on_progress)
    )
    run.rank()
    workers.each("Setting verdicts", run, lambda number, _: run.judge(number))
    return PartedAudit(run.export, run.settings, workers.model, workers.device, run.folder, removed)


class Here:
    """Workers: this process does one part after the other."""

    def __init__(self, encoder: Encoder, on_progress: Progress) -> None:
        """Embed with the encoder; the progress is reported in rows of the whole export."""
        self.model = encoder.name
        self._encoder = encoder
        self._on_progress = on_progress

    @property
    def device(self) -> str:
        """Where texts were embedded."""
        return self._encoder.device

    def each(self, what: str, run: AuditRun, work: Work) -> None:
        """Do the work for every part."""
        for number, part in enumerate(run.export.parts):
            self._on_progress(what, part.first, run.export.rows)
            work(number, _within(run.export, number, self._on_progress))

    def encoders(self, run: AuditRun, sites: LinkedSites) -> Callable[[int], Encoder]:
        """Return the one encoder for every part."""
        return lambda _: self._encoder


def _within(export: PartedExport, number: int, on_progress: Progress) -> Progress:
    """Report the progress within a part as rows of the whole export."""
    part = export.parts[number]

    def report(what: str, done: int, total: int) -> None:
        on_progress(what, part.first + part.rows * done // max(total, 1), export.rows)

    return report
