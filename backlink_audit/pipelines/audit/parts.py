"""The backlink audit of an export larger than the memory: the stages of `audit_backlinks`, one part at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from backlink_audit.analysis.cas import blank_reasons
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.clean import Cleaned
from backlink_audit.exports.part_files import read_part, read_parts
from backlink_audit.exports.parts import PartedExport
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import BAND_RELEVANT
from backlink_audit.pipelines.audit.part_stages import ASIDE, JUDGED, AuditRun
from backlink_audit.pipelines.audit.run import Audit, headline
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

    def links(self, number: int) -> pd.DataFrame:
        """Return the scored links of a part, indexed by their place in the export."""
        return read_part(self.folder, JUDGED, number)

    def set_aside(self, number: int) -> pd.Series:
        """Return by which filter each row of a part was set aside that is not among its links."""
        return read_part(self.folder, ASIDE, number)["filter"].astype(pd.CategoricalDtype(list(self.removed)))

    def whole(self) -> Audit:
        """Return the audit as one, its links with the columns that sheets about the whole are made of."""
        rows = pd.DataFrame(index=pd.RangeIndex(self.export.rows))
        export = Export(self.export.name, self.export.format, {}, rows, rows, self.export.fingerprint)
        links = pd.concat(read_parts(self.folder, JUDGED, len(self.export), list(SUMMED_UP)))
        return Audit(
            cleaned=Cleaned(export, links, pd.concat([self.set_aside(number) for number in range(len(self.export))])),
            settings=self.settings,
            model=self.model,
            device=self.device,
            links=links,
            blank_cas=blank_reasons(links, self.settings),
        )

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
    run = begin(export, settings, folder, pages)
    run.find_repeats()
    for number, part in enumerate(export.parts):
        on_progress("Cleaning", part.first, export.rows)
        run.clean(number)
    run.removed()
    targets = run.targets()
    for number in range(len(export)):
        run.compare(number, targets, encoder, _within(export, number, on_progress))
    run.rank()
    for number, part in enumerate(export.parts):
        on_progress("Judging", part.first, export.rows)
        run.judge(number)
    return finish(run, encoder.name, getattr(encoder, "device", ""))


def begin(export: PartedExport, settings: AuditSettings, folder: Path, pages: Export | None = None) -> AuditRun:
    """Return the run of an audit in parts, with its folder made. Raises InvalidSetting."""
    if settings.filters.one_per_domain:
        raise InvalidSetting("One link per domain cannot be kept of an export in parts; switch that filter off.")
    folder.mkdir(parents=True, exist_ok=True)
    return AuditRun(export, settings, folder, None if pages is None else pages.table)


def finish(run: AuditRun, model: str, device: str) -> PartedAudit:
    """Return the audit whose parts have all been judged."""
    return PartedAudit(run.export, run.settings, model, device, run.folder, run.removed())


def _within(export: PartedExport, number: int, on_progress: Progress) -> Progress:
    """Tell the progress within a part as rows of the whole export."""
    part = export.parts[number]

    def tell(what: str, done: int, total: int) -> None:
        on_progress(what, part.first + part.rows * done // max(total, 1), export.rows)

    return tell
