"""The stages of an audit in parts, and the folder that they leave their tables in.

Some stages are done for every part by itself, here or on another machine that sees the folder; between them the small
tables of all parts come together: which links repeat, which pages are linked, the summary of the export, the CAS of
every link. A part that has been written is not made again, so a run that was stopped goes on where it was.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from backlink_audit.analysis.risk.export_summary import ExportSummary, PartSummary, join_summaries, summarise_part
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import check_left, counted, filter_backlinks
from backlink_audit.exports.part_files import has_part, read_part, read_parts, write_part
from backlink_audit.exports.parts import PartedExport
from backlink_audit.exports.recognise import SAME_LINK, link_keys
from backlink_audit.pipelines.audit.run import RANKS, compare_links, judge_links, links_on_pages, rank, texts_of_links
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.text.links.link_texts import (
    LinkedSites as LinkedSites,  # what every part is compared with; engines hand it on
)
from backlink_audit.text.links.link_texts import count_targets, most_linked
from backlink_audit.text.links.site_subjects import voters

REPEATS, CLEANED, REMOVED, ASIDE, AROUND = "repeats", "cleaned", "removed", "aside", "around"
TARGETS, VOTERS = "targets", "voters"
PRINTS, SPOKEN, WRITTEN = "prints", "spoken", "written"
COMPARED, RANKED, JUDGED = "compared", "ranked", "judged"
LANGUAGES, SCRIPTS, HOME, BRANDS, NAMES, DOMAINS = ("languages", "scripts", "home", "brands", "names", "domains")


@dataclass(frozen=True, eq=False)
class AuditRun:
    """What every stage needs to know. `folder` belongs to these files and settings alone.

    `sources`: the mapped tables of the further files, by role.
    """

    export: PartedExport
    settings: AuditSettings
    folder: Path
    sources: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self.export)

    def find_repeats(self) -> None:
        """Find for every row whether a row above it, in any part, is the same link."""
        if not has_part(self.folder, REPEATS, self.parts - 1):
            tables = (self.export.table(number)[SAME_LINK] for number in range(self.parts))
            hashes = [pd.util.hash_pandas_object(table, index=False) for table in tables]
            repeats = pd.Series(np.concatenate(hashes)).duplicated()
            for number, part in enumerate(self.export.parts):
                write_part(repeats.loc[part.index].to_frame("is_repeat"), self.folder, REPEATS, number)

    def clean(self, number: int) -> None:
        """Write the cleaned links of a part, which filter removed each other row, and what the whole needs of them."""
        if has_part(self.folder, CLEANED, number):
            return
        table = self.export.table(number)
        keys = link_keys(table).join(read_part(self.folder, REPEATS, number))
        links, set_aside = filter_backlinks(table, keys, self.settings.filters)
        links, around = links_on_pages(links, self.sources)
        if around is not None:
            write_part(around, self.folder, AROUND, number)
        removed = counted(set_aside)
        summary = summarise_part(links)
        for stage, rows in (
            (REMOVED, pd.DataFrame({"rows": removed.values()}, index=list(removed), dtype="int64")),
            (ASIDE, set_aside.astype("str").to_frame("filter")),
            (TARGETS, count_targets(links)),
            (VOTERS, voters(links)),
            (PRINTS, summary.prints),
            (SPOKEN, summary.languages),
            (WRITTEN, summary.written),
            (CLEANED, links),  # last, for it shows that all are there
        ):
            write_part(rows, self.folder, stage, number)

    def removed(self) -> dict[str, int]:
        """Return how many rows each filter removed. Raises NoRowsLeft if they removed all."""
        parts = read_parts(self.folder, REMOVED, self.parts)
        totals = pd.concat(parts).groupby(level=0, sort=False)["rows"].sum()
        removed = {str(label): int(count) for label, count in totals.items()}
        check_left(self.export.name, self.export.rows, removed)
        return removed

    def sites(self) -> LinkedSites:
        """Return the sites that the links of all parts go to."""
        targets, asked = (
            pd.concat(read_parts(self.folder, stage, self.parts), ignore_index=True) for stage in (TARGETS, VOTERS)
        )
        return LinkedSites(most_linked(targets), voters(asked))

    def texts(self, number: int, sites: LinkedSites) -> list[str]:
        """Return the distinct texts that comparing a part needs, in the order in which it asks for them."""
        links = read_part(self.folder, CLEANED, number)
        texts = texts_of_links(links, self.settings, self.sources.get("pages"), sites, self._around(number))
        return texts.vocabulary.texts

    def compare(self, number: int, sites: LinkedSites, encoder: Encoder, on_progress: Progress = silent) -> None:
        """Write the compared links of a part."""
        if not has_part(self.folder, COMPARED, number):
            links = read_part(self.folder, CLEANED, number)
            pages, around = self.sources.get("pages"), self._around(number)
            compared = compare_links(links, self.settings, encoder, pages, sites, around, on_progress)
            write_part(compared, self.folder, COMPARED, number)

    def _around(self, number: int) -> pd.DataFrame | None:
        """Return the words around the links of a part on their pages, None where no page is known."""
        return read_part(self.folder, AROUND, number) if has_part(self.folder, AROUND, number) else None

    def rank(self) -> None:
        """Find for every compared link where its CAS ranks among all, and what the whole export says about it."""
        if has_part(self.folder, RANKED, self.parts - 1):
            return
        stages = [read_parts(self.folder, stage, self.parts) for stage in (PRINTS, SPOKEN, WRITTEN)]
        whole = join_summaries([PartSummary(*tables) for tables in zip(*stages, strict=True)])
        write_part(whole.languages, self.folder, LANGUAGES, 0)
        write_part(whole.scripts, self.folder, SCRIPTS, 0)
        write_part(whole.home, self.folder, HOME, 0)
        write_part(pd.DataFrame({"brand": pd.Series(whole.brands, dtype="str")}), self.folder, BRANDS, 0)
        write_part(whole.names, self.folder, NAMES, 0)
        write_part(whole.domains.to_frame("domains"), self.folder, DOMAINS, 0)
        asked = ["cas", "referring_domain", "target_domain", "referring_title", "topic_field"]
        compared = pd.concat(read_parts(self.folder, COMPARED, self.parts, asked))
        prints = pd.concat(read_parts(self.folder, PRINTS, self.parts, ["same_link", "referring_page", "target_page"]))
        ranked = whole.shared.join(rank(compared, prints, whole))
        for number, part in enumerate(self.export.parts):
            start, stop = ranked.index.searchsorted([part.first, part.first + part.rows])
            write_part(ranked.iloc[start:stop], self.folder, RANKED, number)

    def judge(self, number: int) -> None:
        """Write the judged links of a part: rows of what `Audit.links` would have."""
        if has_part(self.folder, JUDGED, number):
            return
        ranked = read_part(self.folder, RANKED, number)
        whole = ExportSummary(
            shared=ranked.drop(columns=list(RANKS)),
            languages=read_part(self.folder, LANGUAGES, 0),
            scripts=read_part(self.folder, SCRIPTS, 0),
            home=read_part(self.folder, HOME, 0),
            brands=tuple(read_part(self.folder, BRANDS, 0)["brand"]),
            names=read_part(self.folder, NAMES, 0),
            domains=read_part(self.folder, DOMAINS, 0)["domains"],
        )
        links = read_part(self.folder, COMPARED, number).join(ranked[list(RANKS)])
        write_part(judge_links(links, self.settings, whole), self.folder, JUDGED, number)
