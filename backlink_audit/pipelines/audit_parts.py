"""The backlink audit of an export larger than the memory: the stages of `audit_backlinks`, one part at a time.

Each stage writes its parts into a folder, each whole or not at all, so that a run that was stopped goes on where it
was; texts embedded before that are found in the cache. What a link needs to know of the whole export goes from part to
part as small tables: the census, the target pages, the CAS of every link.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from backlink_audit.analysis.cas import blank_reasons, percentiles
from backlink_audit.analysis.census import Census, read_traces, take_census
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.clean import check_left, filter_backlinks
from backlink_audit.exports.parts import PartedExport
from backlink_audit.exports.recognise import Export, link_keys
from backlink_audit.labels import BAND_RELEVANT
from backlink_audit.pipelines import audit_sheets
from backlink_audit.pipelines.audit import compare_links, headline, judge_links
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.text.texts import count_targets, most_linked

CLEANED, COMPARED, JUDGED = "cleaned", "compared", "judged"
"""The stages that leave files, in order."""
_SAME_LINK = ["referring_url", "target_url", "anchor"]
_REMOVED = "removed"


@dataclass(frozen=True, eq=False)
class PartedAudit:
    """A finished audit in parts. `links(n)` are rows of what `Audit.links` would hold, in the order of the file."""

    export: PartedExport
    settings: AuditSettings
    model: str
    folder: Path
    removed: Mapping[str, int]
    """How many rows each filter set aside."""
    blank_cas: Mapping[str, int]
    """How many links have no CAS, by reason."""

    def links(self, number: int) -> pd.DataFrame:
        """Return the scored links of a part, indexed by their place in the export."""
        return read_part(self.folder, JUDGED, number)

    def main_tables(self, on_progress: Progress = silent) -> Iterator[pd.DataFrame]:
        """Yield the user's columns with ours, part by part; together they are `Audit.main_table()`."""
        for number in range(len(self.export)):
            on_progress("Writing", number, len(self.export))
            yield audit_sheets.main_table(self.export.raw(number), self.links(number), self.settings)

    def column(self, name: str) -> pd.Series:
        """Return one column of all links."""
        return column_of_parts(self.folder, JUDGED, len(self.export), name)

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
    if settings.filters.one_per_domain:
        raise InvalidSetting("One link per domain cannot be kept of an export in parts; switch that filter off.")
    folder.mkdir(parents=True, exist_ok=True)
    crawl = None if pages is None else pages.table
    repeats = find_repeats(export)
    removed, traces, targets = [], [], []
    for number in range(len(export)):
        on_progress("Cleaning", export.parts[number].first, export.rows)
        removed.append(clean_part(export, settings, repeats, folder, number))
        links = read_part(folder, CLEANED, number)
        traces.append(read_traces(links))
        targets.append(count_targets(links))
    counts = add_up(removed)
    check_left(export.name, export.rows, counts)
    linked = most_linked(pd.concat(targets, ignore_index=True))
    for number in range(len(export)):
        within = _within(export, number, on_progress)
        compare_part(settings, encoder, folder, number, crawl, linked, within)
    census, ranks = take_census(traces), rank_links(folder, len(export))
    for number in range(len(export)):
        on_progress("Judging", export.parts[number].first, export.rows)
        judge_part(settings, census, ranks, folder, number)
    blank = add_up([blank_reasons(read_part(folder, JUDGED, number), settings) for number in range(len(export))])
    return PartedAudit(export, settings, encoder.name, folder, counts, blank)


def find_repeats(export: PartedExport) -> pd.Series:
    """Return for every row of the export whether a row above is the same link, as bool."""
    hashes = []
    for number in range(len(export)):
        table = export.table(number)
        hashes.append(pd.util.hash_pandas_object(table[_SAME_LINK], index=False))
    return pd.Series(np.concatenate(hashes)).duplicated()


def clean_part(
    export: PartedExport, settings: AuditSettings, repeats: pd.Series, folder: Path, number: int
) -> dict[str, int]:
    """Write the cleaned links of a part, if they are not there, and return how many rows each filter removed."""
    if not place(folder, CLEANED, number).exists():
        table = export.table(number)
        keys = link_keys(table).assign(is_repeat=repeats.loc[table.index])
        kept, removed = filter_backlinks(table, keys, settings.filters)
        write_part(pd.DataFrame({"removed": removed.values()}, index=list(removed)), folder, _REMOVED, number)
        write_part(kept, folder, CLEANED, number)
    return {str(label): int(count) for label, count in read_part(folder, _REMOVED, number)["removed"].items()}


def compare_part(
    settings: AuditSettings,
    encoder: Encoder,
    folder: Path,
    number: int,
    crawl: pd.DataFrame | None,
    targets: pd.DataFrame,
    on_progress: Progress = silent,
) -> None:
    """Write the compared links of a part, if they are not there."""
    if not place(folder, COMPARED, number).exists():
        links = read_part(folder, CLEANED, number)
        compared = compare_links(links, settings, encoder, crawl, targets, on_progress)
        write_part(compared, folder, COMPARED, number)


def rank_links(folder: Path, parts: int) -> pd.Series:
    """Return the CAS percentile of every compared link, indexed by its place in the export."""
    return percentiles(column_of_parts(folder, COMPARED, parts, "cas"))


def judge_part(settings: AuditSettings, census: Census, ranks: pd.Series, folder: Path, number: int) -> None:
    """Write the judged links of a part, if they are not there."""
    if not place(folder, JUDGED, number).exists():
        links = read_part(folder, COMPARED, number)
        links = links.assign(cas_percentile=ranks.loc[links.index])
        write_part(judge_links(links, settings, census), folder, JUDGED, number)


def add_up(counts: list[dict[str, int]]) -> dict[str, int]:
    """Return the sum of each label's counts, the labels in the order in which they are first met.

    >>> add_up([{"Lost links": 2}, {"Lost links": 1, "Exact repeats": 4}])
    {'Lost links': 3, 'Exact repeats': 4}
    """
    totals: dict[str, int] = {}
    for one in counts:
        for label, count in one.items():
            totals[label] = totals.get(label, 0) + count
    return totals


def place(folder: Path, stage: str, number: int) -> Path:
    """Return the file that holds a part of a stage."""
    return folder / f"{stage}-{number:05}.parquet"


def read_part(folder: Path, stage: str, number: int, columns: list[str] | None = None) -> pd.DataFrame:
    """Return a part of a stage, its index with it."""
    return pd.read_parquet(place(folder, stage, number), columns=columns)


def write_part(table: pd.DataFrame, folder: Path, stage: str, number: int) -> None:
    """Write a part of a stage; the file appears whole or not at all."""
    target = place(folder, stage, number)
    draft = target.with_suffix(".part")
    table.to_parquet(draft)
    draft.replace(target)


def column_of_parts(folder: Path, stage: str, parts: int, name: str) -> pd.Series:
    """Return one column of all parts of a stage."""
    return pd.concat([read_part(folder, stage, number, [name])[name] for number in range(parts)])


def _within(export: PartedExport, number: int, on_progress: Progress) -> Progress:
    """Tell the progress within a part as rows of the whole export."""
    part = export.parts[number]

    def tell(what: str, done: int, total: int) -> None:
        on_progress(what, part.first + part.rows * done // max(total, 1), export.rows)

    return tell
