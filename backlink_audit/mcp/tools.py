"""The tools: what a program may ask, each answer typed and bounded.

Nothing here changes a project or a file that is there: the only thing written is a new file, by `export`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any, Literal, ParamSpec, TypeVar

import sqlalchemy as sa
from mcp.server.mcpserver.exceptions import ToolError

from backlink_audit.audit.result import Scored
from backlink_audit.embedding import models
from backlink_audit.errors import AuditError
from backlink_audit.exports.load import load, recognise_file
from backlink_audit.exports.recognise import Export
from backlink_audit.feature import Feature
from backlink_audit.features import AUDIT, INTERLINKS
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.labels import VERDICTS
from backlink_audit.mcp.results import (
    CLOSES,
    FACTS,
    GROUNDS,
    LINK,
    LONGEST_ALONE,
    OPENS,
    Explained,
    Exported,
    Listed,
    ProjectLine,
    Projects,
    Recognised,
    Rows,
    RunStatus,
    SearchFound,
    Suggestions,
    Summary,
    fitting,
    plain,
    quoted,
    rows_of,
    summary_of,
    table_of,
    value_of,
    without_folders,
    written,
)
from backlink_audit.mcp.runs import BaseFolder, Run, Runs
from backlink_audit.progress import Progress
from backlink_audit.projects.projects import every_project, find_or_refuse, snapshot_counts
from backlink_audit.projects.snapshots import every_snapshot, scored_links
from backlink_audit.projects.store import address, open_store
from backlink_audit.report.files import check_target, save
from backlink_audit.search.feature import index_of
from backlink_audit.search.run import SearchIndex, once_a_site, search
from backlink_audit.settings import ChosenLinks, LinkChoice
from backlink_audit.sources import ROLES, Sources

MOST_ROWS = 50  # Rows of an answer
FOUND = 20  # Rows of a search

Table = Literal[
    "links",
    "reclaim",
    "protect",
    "review",
    "domains",
    "outreach",
    "suggestions",
    "near_duplicates",
    "isolated",
    "orphans",
]
P = ParamSpec("P")
R = TypeVar("R")


def in_words(tool: Callable[P, R]) -> Callable[P, R]:
    """Return a tool whose problems are sentences. What a file says may be quoted in them: it stands in brackets."""

    @wraps(tool)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return tool(*args, **kwargs)
        except AuditError as problem:
            raise ToolError(quoted(without_folders(str(problem)), LONGEST_ALONE)) from problem
        except UnicodeEncodeError as problem:
            raise ToolError("A text has half of a character, which nothing can be named.") from problem

    return called


@dataclass(eq=False)
class Tools:
    """What the tools work with: the one folder, the store of projects, and the runs under way."""

    folder: BaseFolder
    store: str | None = None
    runs: Runs = field(default_factory=Runs)
    _indexes: dict[int, tuple[object, SearchIndex]] = field(default_factory=dict)
    """The index of what was searched last, by the identity of its result."""
    _kept: dict[tuple[object, ...], Scored] = field(default_factory=dict)  # The snapshot that was asked for last

    @in_words
    def list_projects(self) -> Projects:
        """List the projects kept on this computer: name, site, number of snapshots, and the newest one's headline."""
        if not _is_there(address(self.store)):
            return Projects([])
        lines = []
        with open_store(self.store, to_read=True) as store:
            counts = snapshot_counts(store)
            for project in every_project(store)[:MOST_ROWS]:
                snapshots = every_snapshot(store, project)
                newest = snapshots[-1] if snapshots else None
                headline = str(newest.figures.get("headline", "")) if newest else ""
                day = newest.day.isoformat() if newest else ""
                lines.append(
                    ProjectLine(quoted(project.name), plain(project.site), counts.get(project.id, 0), day, headline)
                )
        return Projects(lines)

    @in_words
    def recognise_file(self, file: str = "") -> Recognised:
        """Say what a file is: the tool's format, its kind (backlinks, pages, inlinks …), rows and columns.

        Without a name: list the files in the folder of this server.
        """
        if not file:
            names, more = self.folder.files()
            return Recognised(files=[quoted(name) for name in names], more_files=more)
        data = self.folder.read(file)
        try:
            export = recognise_file(PurePath(file).name, data)
        except AuditError as problem:
            return Recognised(file=quoted(file), problem=quoted(problem, LONGEST_ALONE))
        columns = {ours: quoted(header) for ours, header in export.columns.items()}
        notes = [quoted(note, LONGEST_ALONE) for note in export.notes]
        return Recognised(quoted(file), plain(export.format.name), export.kind, len(export.raw), columns, notes)

    @in_words
    def start_audit(
        self,
        files: list[str],
        pages: str = "",
        checked: str = "",
        outlinks: str = "",
        referring_pages: str = "",
        ranks: str = "",
        site: str = "",
    ) -> RunStatus:
        """Start scoring a site's backlinks: relevance, CAS and a verdict for each link.

        Args:
            files: Backlink exports of one site, from one or more tools.
            pages: A crawl of the site, for its titles and dead pages.
            checked: What a link check wrote about these links.
            outlinks: All outlinks of a crawl of the referring pages.
            referring_pages: With outlinks: the crawl of the referring pages.
            ranks: Common Crawl's ranks, as the command audit keeps them.
            site: The site's domain, only for Search Console exports whose file name does not have it.
        """
        links = self._load(files, "backlinks", site)
        roles = {"pages": pages, "checked": checked, "outlinks": outlinks}
        return _status(
            self._start(AUDIT, roles | {"referring_pages": referring_pages, "ranks": ranks}, backlinks=links)
        )

    @in_words
    def run_status(self, run: str) -> RunStatus:
        """Say how far a run is: waiting, running, finished or failed."""
        return _status(self.runs.get(run))

    @in_words
    def summarise(self, source: str, links: ChosenLinks = "live") -> Summary:
        """Give the answer of a finished run, or of a project's newest snapshot: headline, figures, verdicts, tasks.

        Args:
            source: The name of a run or of a project.
            links: Which links the figures are about; the app shows live links first.
        """
        return summary_of(source, self._result(source, links))

    @in_words
    def list_rows(
        self,
        source: str,
        table: Table = "links",
        verdict: str = "",
        contains: str = "",
        offset: int = 0,
        limit: int = 25,
        links: ChosenLinks = "live",
    ) -> Rows:
        """List rows of a result, at most 50 at once; go on at next_offset.

        Args:
            source: The name of a run or of a project.
            table: Of backlinks: links (most at stake first), reclaim, protect, review, domains, outreach. Of pages:
                suggestions, near_duplicates, isolated, orphans.
            verdict: Only rows with this verdict, for instance Review.
            contains: Only rows with this text in any column.
            offset: The first row, from 0.
            limit: The most rows, 1 to 50.
            links: Which links: live, live in content, everything (lost ones too).
        """
        listed = table_of(self._result(source, links), table, verdict, contains)
        rows, following = _some(listed, offset, limit)
        return Rows(source, table, len(listed.rows), offset, following, rows)

    @in_words
    def explain_link(self, source: str, link: int = -1, referring_url: str = "") -> Explained:
        """Explain the verdict of one link: the reason in words, the numbers behind it, and what the file says.

        Args:
            source: The name of a run or of a project.
            link: The number of the link, as list_rows and search_pages give it.
            referring_url: Instead of the number: the page with the link.
        """
        result = self._result(source, "everything")
        if not isinstance(result, Scored):
            raise AuditError(f"{source}: this result has pages, not backlinks.")
        every = result.scored
        if referring_url:
            same = every.index[every["referring_url"] == referring_url.strip(f"{OPENS}{CLOSES} ")]
            link = int(same[0]) if len(same) else -1
        if link not in every.index:
            raise AuditError("There is no such link in this result; take its number from list_rows.")
        row = every.loc[link]
        verdict = str(row["verdict"])
        meaning = next((label.meaning for label in VERDICTS if label.word == verdict), "")
        grounds, facts = (
            {name: value_of(name, row[name], LONGEST_ALONE) for name in names if name in row.index}
            for names in (GROUNDS, FACTS)
        )
        return Explained(source, link, verdict, quoted(row["why"], LONGEST_ALONE), meaning, grounds, facts)

    @in_words
    def search_pages(self, source: str, query: str, limit: int = FOUND) -> SearchFound:
        """Search the linking pages of an audit, or the pages of a crawl, by meaning; exact words come first.

        Args:
            source: The name of a run or of a project.
            query: A few words, in any language that the model of the run knows.
            limit: The most rows, 1 to 50.
        """
        result = self._result(source, "everything")
        encoder = models.load_encoder(result.settings.model)
        found = search(self._index(result), query, encoder, 4 * MOST_ROWS)
        of_links = isinstance(result, Scored)
        found = (once_a_site(found) if of_links else found).first(_number(limit))
        columns = ("match", "query_similarity", *(LINK if of_links else ("url", "title", "language")))
        rows = fitting(rows_of(Listed(found.table, columns, numbered=of_links), 0, MOST_ROWS))
        found = found.first(len(rows))
        return SearchFound(source, quoted(found.query), quoted(found.headline, LONGEST_ALONE), rows)

    @in_words
    def suggest_internal_links(
        self, crawl: str, inlinks: str = "", performance: str = "", page: str = "", offset: int = 0, limit: int = 25
    ) -> Suggestions:
        """Suggest links between the pages of a site, with anchor and sentence. A large crawl takes minutes: ask again.

        Args:
            crawl: A crawl with titles or H1s, better with content.
            inlinks: The all inlinks export: links that exist are left out.
            performance: Clicks or visits of the pages.
            page: Only links from or to this URL.
            offset: The first row, from 0.
            limit: The most rows, 1 to 50.
        """
        pages = self._load([crawl], "pages")
        run = self._start(INTERLINKS, {"inlinks": inlinks, "performance": performance}, pages=pages)
        if run.state != "finished":
            return Suggestions(run.name, run.state, "", 0, None, [], quoted(run.problem, LONGEST_ALONE))
        found: Opportunities = run.result
        listed = table_of(found, "suggestions")
        if page:
            of_page = (listed.rows["source_url"] == page) | (listed.rows["target_url"] == page)
            listed = Listed(listed.rows[of_page], listed.columns)
        rows, following = _some(listed, offset, limit)
        return Suggestions(run.name, run.state, found.headline, len(listed.rows), following, rows)

    @in_words
    def export(self, source: str, file: str, links: ChosenLinks = "live") -> Exported:
        """Write a result to a new file in the folder of this server: .xlsx, .csv or .parquet. Replaces no file.

        Args:
            source: The name of a run or of a project.
            file: The name of the new file.
            links: Which links: live, live in content, everything.
        """
        check_target(self.folder.new(file))
        with TemporaryDirectory(prefix="backlink-audit-") as elsewhere:
            made = Path(elsewhere) / PurePath(file).name
            cut = save(written(self._result(source, links)), made)
            self.folder.write_new(file, made)
            return Exported(quoted(file), made.stat().st_size, cut)

    def _start(self, feature: Feature, roles: dict[str, str], **inputs: Export) -> Run:
        given = {role: self._load([name], ROLES[role].tables[0]) for role, name in roles.items() if name}
        sources = Sources(**given)

        def work(progress: Progress) -> Any:
            return feature.run(feature.job(**inputs, sources=sources, on_progress=progress))

        return self.runs.start((feature.name, *(one.fingerprint for one in inputs.values()), sources.key), work)

    def _load(self, names: list[str], table: str, site: str = "") -> Export:
        return load([(PurePath(name).name, self.folder.read(name)) for name in names], table, site=site)

    def _result(self, source: str, links: ChosenLinks) -> Any:
        if self.runs.knows(source):
            run = self.runs.get(source)
            if run.state == "failed":
                raise AuditError(run.problem)
            if run.state != "finished":
                raise AuditError(f"{source} is not finished yet; ask run_status.")
            result = run.result
        else:
            result = self._snapshot(source)
        return result.chosen(LinkChoice(links)) if isinstance(result, Scored) else result

    def _snapshot(self, name: str) -> Scored:
        if not _is_there(address(self.store)):
            raise AuditError(f"There is no run or project {name!r}.")
        with open_store(self.store, to_read=True) as store:
            project = find_or_refuse(store, name)
            snapshots = every_snapshot(store, project)
            if not snapshots:
                raise AuditError(f"The project {name!r} has no snapshot yet: keep an audit in the app first.")
            key = ("snapshot", snapshots[-1].id, snapshots[-1].audited_at)
            kept = self._kept.get(key)
            if kept is None:
                self._kept.clear()
                kept = self._kept[key] = scored_links(store, snapshots[-1])
            return kept

    def _index(self, result: Any) -> SearchIndex:
        whole = (result.whole or result) if isinstance(result, Scored) else result
        known = self._indexes.get(id(whole))
        if known is not None and known[0] is whole:
            return known[1]
        made = index_of(whole, models.load_encoder(whole.settings.model))
        self._indexes.clear()
        self._indexes[id(whole)] = (whole, made)
        return made


def _is_there(url: sa.URL) -> bool:
    """Whether a store is there already: asking makes none."""
    return url.get_backend_name() != "sqlite" or Path(str(url.database)).exists()


def _status(run: Run) -> RunStatus:
    return RunStatus(run.name, run.state, run.doing, run.done, run.total, quoted(run.problem, LONGEST_ALONE))


def _number(limit: int) -> int:
    return max(1, min(MOST_ROWS, limit))


def _some(listed: Listed, offset: int, limit: int) -> tuple[list[dict[str, Any]], int | None]:
    """Return the rows of an answer, as many as there is room for, and where the next ones begin."""
    offset = max(0, offset)
    rows = fitting(rows_of(listed, offset, offset + _number(limit)))
    following = offset + len(rows)
    return rows, following if following < len(listed.rows) else None
