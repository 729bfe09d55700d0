"""The backlink audit of an export larger than the memory: the stages of `audit_backlinks`, one part at a time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Protocol

import pandas as pd

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.part_files import read_part, read_parts
from backlink_audit.exports.parts import PartedExport
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import BAND_RELEVANT
from backlink_audit.pipelines.audit.part_stages import ASIDE, JUDGED, AuditRun
from backlink_audit.pipelines.audit.result import Origin, Scored, headline
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings

SUMMED_UP = (
    "referring_url",
    "target_url",
    "anchor",
    "referring_domain",
    "scale",
    "followed",
    "http_status",
    "url_rating",
    "domain_rating",
    "external_links",
    "first_seen",
    "last_seen",
    "similarity",
    "relevance",
    "band",
    "topic",
    "cas",
    "verdict",
)
"""Columns of the links that the sheets about the whole are made of."""


@dataclass(frozen=True, eq=False)
class PartedAudit:
    """A finished audit in parts. `links(n)` are rows of what `Audit.links` would hold, in the order of the file."""

    export: PartedExport
    settings: AuditSettings
    model: str
    device: str
    folder: Path
    removed: Mapping[str, int]
    """How many rows each filter set aside."""
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    def links(self, number: int) -> pd.DataFrame:
        """Return the scored links of a part, indexed by their place in the export."""
        return read_part(self.folder, JUDGED, number)

    def set_aside(self, number: int) -> pd.Series:
        """Return by which filter each row of a part was set aside that is not among its links."""
        return read_part(self.folder, ASIDE, number)["filter"].astype(pd.CategoricalDtype(list(self.removed)))

    def scored(self) -> Scored:
        """Return the links of all parts, with the columns that sheets about the whole are made of."""
        links = pd.concat(read_parts(self.folder, JUDGED, len(self.export), list(SUMMED_UP)))
        return Scored(links, self.settings)

    @property
    def origin(self) -> Origin:
        """Where the links come from."""
        export = self.export
        return Origin(export.name, export.format.name, export.rows, self.removed, self.model, self.device, self.made_at)

    def column(self, name: str) -> pd.Series:
        """Return one column of all links."""
        return pd.concat(read_parts(self.folder, JUDGED, len(self.export), [name]))[name]

    @cached_property
    def backlinks(self) -> int:
        """How many links were scored."""
        return self.export.rows - sum(self.removed.values())

    @cached_property
    def headline(self) -> str:
        """The answer in one sentence."""
        relevant = int((self.column("band") == BAND_RELEVANT.word).sum())
        return headline(self.column("verdict").value_counts(), relevant, self.backlinks)


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

    def encoders(self, run: AuditRun, targets: pd.DataFrame) -> Callable[[int], Encoder]:
        """Return what gives the encoder for the texts of a part, by its number; `targets` are those of all parts."""
        ...


def audit_parts(
    export: PartedExport,
    settings: AuditSettings,
    encoder: Encoder,
    folder: Path,
    pages: Export | None = None,
    on_progress: Progress = silent,
) -> PartedAudit:
    """Clean and score an export in parts; `folder` keeps what is done, and belongs to these files and settings alone.

    The rows are those of `audit_backlinks`. Raises NoRowsLeft, Cancelled, and InvalidSetting for the filter that keeps
    one link per domain, which no part can apply by itself.
    """
    return run_stages(begin(export, settings, folder, pages), Here(encoder, on_progress))


def begin(export: PartedExport, settings: AuditSettings, folder: Path, pages: Export | None = None) -> AuditRun:
    """Return the run of an audit in parts, with its folder made. Raises InvalidSetting."""
    if settings.filters.one_per_domain:
        raise InvalidSetting("One link per domain cannot be kept of an export in parts; switch that filter off.")
    folder.mkdir(parents=True, exist_ok=True)
    return AuditRun(export, settings, folder, None if pages is None else pages.table)


def run_stages(run: AuditRun, workers: Workers) -> PartedAudit:
    """Have the workers do the stages in a row. Raises NoRowsLeft where the filters leave nothing."""
    run.find_repeats()
    workers.each("Cleaning", run, lambda number, _: run.clean(number))
    removed = run.removed()
    targets = run.targets()
    encoders = workers.encoders(run, targets)
    workers.each("Comparing", run, lambda number, told: run.compare(number, targets, encoders(number), told))
    run.rank()
    workers.each("Judging", run, lambda number, _: run.judge(number))
    return PartedAudit(run.export, run.settings, workers.model, workers.device, run.folder, removed)


class Here:
    """Workers: this process does one part after the other."""

    def __init__(self, encoder: Encoder, on_progress: Progress) -> None:
        """Embed with the encoder; the progress is told in rows of the whole export."""
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

    def encoders(self, run: AuditRun, targets: pd.DataFrame) -> Callable[[int], Encoder]:
        """Return the one encoder for every part."""
        return lambda _: self._encoder


def _within(export: PartedExport, number: int, on_progress: Progress) -> Progress:
    """Tell the progress within a part as rows of the whole export."""
    part = export.parts[number]

    def tell(what: str, done: int, total: int) -> None:
        on_progress(what, part.first + part.rows * done // max(total, 1), export.rows)

    return tell
