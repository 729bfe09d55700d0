"""The backlink audit of an export larger than the memory, part by part, in a folder that is kept when it stops."""

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from backlink_audit.errors import AuditError
from backlink_audit.settings import AuditSettings
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.wording import what_helps

if TYPE_CHECKING:
    from backlink_audit.exports.parts import PartedExport

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Protocol

import numpy as np
import pandas as pd

from backlink_audit.audit.result import Origin, Scored
from backlink_audit.audit.run import (
    OF_PRINTS,
    OF_RANKS,
    RANKS,
    compare_links,
    judge_links,
    links_on_pages,
    rank,
    texts_of_links,
)
from backlink_audit.audit.story import choice_sentence, headline, relevant_entries, state_counts, subject_note
from backlink_audit.audit.tasks import TASK_COLUMNS, Task, tasks_of
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import check_left, counted, filter_backlinks
from backlink_audit.exports.parts import PartedExport, has_part, read_part, read_parts, write_part
from backlink_audit.exports.recognise import SAME_LINK, link_keys
from backlink_audit.judgement.actions import OF_ALL_LINKS, OF_LINKS, in_question, outreach
from backlink_audit.judgement.footprints import OF_RECORDS, Attack, attacks
from backlink_audit.judgement.referring_sites import ExportSummary, PartSummary, join_summaries, summarise_part
from backlink_audit.judgement.scales import chosen_links, site_label
from backlink_audit.labels import BAND_RELEVANT, PROTECT, RECLAIM, REVIEW
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import EVERYTHING, LinkChoice
from backlink_audit.text.link_texts import LinkedSites, asked_links

PACKAGE = Path(__file__).parent.parent
KEPT_SECONDS = 7 * 24 * 3600  # A run that was stopped can be taken up again for so long; then its folder is deleted
_NAME = "run-{}"
_NAMES = re.compile(r"run-[0-9a-f]{16}")
REPEATS, CLEANED, REMOVED, ASIDE, AROUND = "repeats", "cleaned", "removed", "aside", "around"
ASKED = "asked"
PRINTS, TARGETS, WRITTEN = "prints", "targets", "written"
COMPARED, RANKED, JUDGED = "compared", "ranked", "judged"
BRANDS, NAMES = "brands", "names"
CHOSEN_BY = ("link_state", "placement", "referring_domain", "referring_url", "url_rating", "attack", "is_other_address")
"""Columns of the links that a choice is made by."""
SUMMED_UP = (
    *("link_state", "placement", "referring_url", "referring_title", "target_url", "target_key"),
    *("target_domain", "anchor", "referring_domain", "scale", "followed", "nofollow", "ugc", "sponsored"),
    *("link_type", "page_kind", "target_status", "http_status", "url_rating", "domain_rating"),
    *("external_links", "first_seen", "last_seen", "lost_date", "domain_traffic", "similarity", "relevance", "band"),
    *("topic", "cas", "verdict", "redirect_codes", "over_redirect", "linked_url", "redirects"),
    *("redirect_status", "redirect_chain", "is_lost", "subjects", "language", "names_site", "words_around"),
    *("own_site", "lost_status", "drop_reason", "risk_signals", "page_traffic", "attack"),
    *("spam_about", "spam_share"),
)
"""Columns of the links that the sheets about the whole are made of."""
Work = Callable[[int, Progress], None]  # what is done for a part, by its number, and says how far it is


@contextmanager
def open_folder(files: Sequence[Path], runs: Path) -> Iterator[Path]:
    """Give the folder in `runs` for runs over these files to this process alone; other folders past their time go.

    Raises AuditError where another process has it, and in place of an OSError: no right to write, a full disk.
    """
    from filelock import FileLock, Timeout

    folder = runs / _NAME.format(digest(_code(), *(str(path.resolve()) for path in files)))
    try:
        runs.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)  # it has the user's links until the run has ended
        os.utime(folder)
        lock = FileLock(_lock_of(folder), timeout=0)
        with suppress(NotImplementedError):  # a file system without locks
            lock.acquire()
        try:
            _delete_old(runs)
            yield folder
        finally:
            with suppress(OSError):  # while the lock is ours, so that nobody else's is taken away
                _lock_of(folder).unlink()
            lock.release()
    except Timeout as taken:
        raise AuditError(
            f"{', '.join(path.name for path in files)}: another run is using {folder}; wait until it ends, or "
            "choose another folder with --folder."
        ) from taken
    except OSError as error:
        cure = what_helps(error, "choose another folder with --folder")
        raise AuditError(
            f"{folder}: the folder cannot be used ({error.strerror or error}); {cure}. Finished parts are saved."
        ) from error


def stages_folder(export: "PartedExport", settings: AuditSettings, weights: str, sources: Sources = NO_SOURCES) -> Path:
    """Return the folder of this audit of the export: another for other settings, model weights or sources."""
    return export.folder / digest(export.fingerprint, repr(settings), weights, repr(sources.key))


def delete_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _lock_of(folder: Path) -> Path:
    return folder.with_suffix(".lock")


def digest(*parts: str) -> str:
    """Return a short hash of these texts, as the name of a folder: other texts have another."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return whole.hexdigest()[:16]


@cache
def _code() -> str:
    files = sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".csv"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _delete_old(runs: Path) -> None:
    for folder in runs.glob(_NAME.format("*")):
        if _NAMES.fullmatch(folder.name) and time.time() - folder.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
            _lock_of(folder).unlink(missing_ok=True)


@dataclass(frozen=True, eq=False)
class AuditRun:
    """What every stage needs to know. `folder` belongs to these files and settings alone."""

    export: PartedExport
    settings: AuditSettings
    folder: Path
    sources: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    @property
    def parts(self) -> int:
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
        for stage, rows in (
            (REMOVED, pd.DataFrame({"rows": removed.values()}, index=list(removed), dtype="int64")),
            (ASIDE, set_aside.astype("str").to_frame("filter")),
            (ASKED, asked_links(links)),
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
        return LinkedSites(asked_links(pd.concat(read_parts(self.folder, ASKED, self.parts), ignore_index=True)))

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
            summary = summarise_part(compared)
            write_part(summary.prints, self.folder, PRINTS, number)
            write_part(summary.targets, self.folder, TARGETS, number)
            write_part(summary.written, self.folder, WRITTEN, number)
            write_part(compared, self.folder, COMPARED, number)

    def _around(self, number: int) -> pd.DataFrame | None:
        return read_part(self.folder, AROUND, number) if has_part(self.folder, AROUND, number) else None

    def rank(self) -> None:
        """Find for every compared link where its CAS ranks among all, and what the whole export says about it."""
        if has_part(self.folder, RANKED, self.parts - 1):
            return
        stages = [read_parts(self.folder, stage, self.parts) for stage in (PRINTS, TARGETS, WRITTEN)]
        whole = join_summaries([PartSummary(*tables) for tables in zip(*stages, strict=True)])
        write_part(pd.DataFrame({"brand": pd.Series(whole.brands, dtype="str")}), self.folder, BRANDS, 0)
        write_part(whole.names, self.folder, NAMES, 0)
        compared = pd.concat(read_parts(self.folder, COMPARED, self.parts, OF_RANKS))
        prints = pd.concat(read_parts(self.folder, PRINTS, self.parts, OF_PRINTS))
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
            brands=tuple(read_part(self.folder, BRANDS, 0)["brand"]),
            names=read_part(self.folder, NAMES, 0),
        )
        links = read_part(self.folder, COMPARED, number).join(ranked[list(RANKS)])
        write_part(judge_links(links, self.settings, whole), self.folder, JUDGED, number)


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
    removed: Mapping[str, int]  # How many rows each filter set aside
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())
    choice: LinkChoice = EVERYTHING

    def chosen(self, choice: LinkChoice) -> "PartedAudit":
        return replace(self, choice=choice)

    def links(self, number: int) -> pd.DataFrame:
        """Return the chosen links of a part, indexed by their place in the export."""
        links = read_part(self.folder, JUDGED, number)
        return links[self._is_chosen[links.index]]

    def set_aside(self, number: int) -> pd.Series:
        return read_part(self.folder, ASIDE, number)["filter"].astype(pd.CategoricalDtype(list(self.removed)))

    def scored(self) -> Scored:
        return Scored(self._columns(SUMMED_UP), self.settings).chosen(self.choice)

    @property
    def origin(self) -> Origin:
        """Where the links come from."""
        export = self.export
        return Origin(export.name, export.format.name, export.rows, self.removed, self.model, self.device, self.made_at)

    def column(self, name: str) -> pd.Series:
        return self._columns([name])[name][self._is_chosen]

    @cached_property
    def backlinks(self) -> int:
        return int(self._is_chosen.sum())

    @cached_property
    def _is_chosen(self) -> pd.Series:
        return chosen_links(self._columns(CHOSEN_BY), self.choice)

    def _columns(self, names: Sequence[str], wanted: Callable[[pd.DataFrame], pd.Series] | None = None) -> pd.DataFrame:
        parts = (read_part(self.folder, JUDGED, number, list(names)) for number in range(len(self.export)))
        return pd.concat([part if wanted is None else part[wanted(part)] for part in parts])

    @property
    def site_word(self) -> str:
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
        return choice_sentence(self.choice, self.backlinks, state_counts(self._columns(["link_state"])))

    @cached_property
    def attacks(self) -> tuple[Attack, ...]:
        return attacks(self._columns(OF_RECORDS))

    @property
    def attack_notes(self) -> list[str]:
        return [f"{attack.sentence} {attack.advice}" for attack in self.attacks]

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


class Workers(Protocol):
    """Who does the stages of an audit in parts: this process, one part after the other, or a cluster."""

    model: str

    @property
    def device(self) -> str: ...

    def each(self, what: str, run: AuditRun, work: Work) -> None: ...

    def encoders(self, run: AuditRun, sites: LinkedSites) -> Callable[[int], Encoder]: ...


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
        self.model = encoder.name
        self._encoder = encoder
        self._on_progress = on_progress

    @property
    def device(self) -> str:
        return self._encoder.device

    def each(self, what: str, run: AuditRun, work: Work) -> None:
        """Do the work for every part."""
        for number, part in enumerate(run.export.parts):
            self._on_progress(what, part.first, run.export.rows)
            work(number, _within(run.export, number, self._on_progress))

    def encoders(self, run: AuditRun, sites: LinkedSites) -> Callable[[int], Encoder]:
        return lambda _: self._encoder


def _within(export: PartedExport, number: int, on_progress: Progress) -> Progress:
    part = export.parts[number]

    def report(what: str, done: int, total: int) -> None:
        on_progress(what, part.first + part.rows * done // max(total, 1), export.rows)

    return report
