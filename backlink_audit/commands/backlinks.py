"""Commands about backlinks: audit, gap, changes."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from backlink_audit.commands.options import GOES_ON, Address, Folder, Model, Out, check_place
from backlink_audit.pipelines.engine import Engine, choose_engine
from backlink_audit.settings import DEFAULT_MODEL, AuditSettings, BacklinkFilters, GapSettings, LinkText
from backlink_audit.terminal import aside, finish, load, load_any, notes_of, progress, said_when_stopped, say

KEEP_THEM = "`--filters none` keeps them."


def audit(
    files: Annotated[
        list[Path], typer.Argument(help="Backlink exports, as Ahrefs, Semrush, Majestic or Moz wrote them.")
    ],
    out: Out,
    model: Model = DEFAULT_MODEL,
    link_text: Annotated[LinkText, typer.Option(help="What stands for the two ends of a link.")] = "evidence",
    pages: Annotated[
        Path | None, typer.Option(help="A crawl of the target site: its titles and H1 are used too.")
    ] = None,
    original_columns: Annotated[
        bool, typer.Option("--original-columns", help="Add the original app's two columns.")
    ] = False,
    filters: Annotated[
        Literal["default", "none"], typer.Option(help="Set rows aside before scoring, or keep them all.")
    ] = "default",
    engine: Annotated[
        Engine,
        typer.Option(help="In one piece, in parts that need little memory, or on a cluster; auto: parts from 100 MB."),
    ] = "auto",
    address: Address = None,
    folder: Folder = None,
) -> None:
    """Score backlinks: similarity, relevance, CAS and a verdict for each."""
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[*files, pages])
    settings = AuditSettings(
        model=model,
        link_text=link_text,
        original_columns=original_columns,
        filters=BacklinkFilters() if filters == "default" else BacklinkFilters.none(),
    )
    check_place(engine, address, folder)
    if choose_engine(engine, files) == "memory":
        audit_in_one(files, pages, settings, out)
    else:
        audit_in_parts(files, pages, settings, out, folder, on_cluster=engine == "ray", address=address)


def audit_in_one(files: list[Path], pages: Path | None, settings: AuditSettings, out: Path) -> None:
    """Audit the files in one piece, and say what came out."""
    from backlink_audit.embedding.models import find_model, language_warning, load_encoder
    from backlink_audit.pipelines.audit.run import audit_backlinks
    from backlink_audit.pipelines.audit.tables import tables

    links = load(files, "backlinks")
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(settings.model, on_progress=on_progress)
        result = audit_backlinks(links, settings, encoder, pages=crawl, on_progress=on_progress)
    warning = language_warning(find_model(settings.model), result.links["language"])
    removed = aside(result.cleaned.removed, len(links.raw), KEEP_THEM)
    finish(tables(result), out, *notes_of(links, crawl), *filter(None, [warning]), *removed, result.headline)


def audit_in_parts(
    files: list[Path],
    pages: Path | None,
    settings: AuditSettings,
    out: Path,
    kept_in: Path | None,
    *,
    on_cluster: bool,
    address: str | None,
) -> None:
    """Audit files larger than the memory in parts, here or on a cluster, and say what came out."""
    from backlink_audit.distributed.ray_audit import audit_on_ray
    from backlink_audit.embedding.cache import cache_folder
    from backlink_audit.embedding.models import find_model, language_warning, load_encoder
    from backlink_audit.exports.parts import split
    from backlink_audit.pipelines.audit.part_tables import tables
    from backlink_audit.pipelines.audit.parts import audit_parts
    from backlink_audit.pipelines.run_folders import forget, open_folder, stages_folder
    from backlink_audit.report.files import save

    crawl = load([pages], "pages") if pages else None
    with open_folder(files, kept_in or cache_folder() / "runs") as folder:
        with progress() as on_progress, said_when_stopped(GOES_ON):
            links = split(files, folder, on_progress)
            encoder = load_encoder(settings.model, on_progress=on_progress)
            stages = stages_folder(links, settings, encoder.identity, crawl)
            said = []
            if on_cluster:
                done = audit_on_ray(links, settings, stages, crawl, address=address, on_progress=on_progress)
                result, said = done.audit, [done.sentence]
            else:
                result = audit_parts(links, settings, encoder, stages, crawl, on_progress)
            cut = save(tables(result, on_progress), out)
        warning = language_warning(find_model(settings.model), result.column("language"))
        removed = aside(result.removed, links.rows, KEEP_THEM)
        said = [*links.notes, *notes_of(crawl), *filter(None, [warning]), *removed, *said, result.headline, *cut]
        say(*said, f"Written: {out}")
        forget(folder)


def gap(
    ours: Annotated[Path, typer.Argument(help="Your own backlinks or referring domains, of any tool.")],
    theirs: Annotated[list[Path], typer.Argument(help="The same of up to five competitors, one or more files each.")],
    out: Out,
    pages: Annotated[Path | None, typer.Option(help="A crawl of your site: its pages are those to pitch.")] = None,
    model: Model = DEFAULT_MODEL,
    min_authority: Annotated[
        list[str] | None,
        typer.Option(
            help="The lowest authority of a prospect, 0-100, on the scale of your files; for files of several tools "
            "once for each scale, as in DR=30. Default: each scale's own, for instance DR 30, Domain ascore 20."
        ),
    ] = None,
) -> None:
    """Find the sites that link to competitors and not to you, and which of your pages to pitch to each."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.gap.run import find_gap, read_limits
    from backlink_audit.pipelines.gap.tables import tables
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[ours, *theirs, pages])
    read_limits(min_authority or [], ())  # what no file can make right is refused before the work
    settings = GapSettings(model=model)
    own, *others = (load_any(path) for path in (ours, *theirs))
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress)
        result = find_gap(own, others, settings, encoder, pages=crawl, on_progress=on_progress)
    if min_authority:
        limits = read_limits(min_authority, tuple(result.limits))
        result = result.with_settings(replace(settings, min_authority=limits))
    finish(tables(result), out, *notes_of(own, *others, crawl), result.headline, *result.notes)


def changes(
    older: Annotated[Path, typer.Argument(help="The older export of your backlinks, or of your referring domains.")],
    newer: Annotated[Path, typer.Argument(help="The newer export of the same site.")],
    out: Out,
    pages: Annotated[Path | None, typer.Option(help="A crawl of the site: its titles and dead pages count.")] = None,
    model: Model = DEFAULT_MODEL,
    scores: Annotated[bool, typer.Option(help="Audit both files too, for the CAS gained and lost.")] = True,
) -> None:
    """Compare two exports of one site: links new, lost, kept and changed, CAS gained and lost, changed verdicts."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.pipelines.changes.run import compare_exports
    from backlink_audit.pipelines.changes.tables import tables
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[older, newer, pages])
    before, after = load_any(older), load_any(newer)
    crawl = load([pages], "pages") if pages else None
    with progress() as on_progress:
        encoder = load_encoder(model, on_progress=on_progress) if scores else None
        result = compare_exports(before, after, AuditSettings(model=model), encoder, crawl, on_progress)
    finish(tables(result), out, *notes_of(before, after, crawl), result.headline, *result.notes)
