"""The command that scores backlinks."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.audit.run import Engine, choose_engine
from backlink_audit.errors import AuditError, InvalidSetting
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.sources import Sources
from backlink_audit.terminal.files import aside, finish, load, message_when_stopped, notes_of, progress, read_bytes, say
from backlink_audit.terminal.options import (
    GOES_ON,
    KEEP_THEM,
    Address,
    Backlinks,
    Folder,
    Out,
    Site,
    SourceFiles,
    check_place,
    with_every_row,
    with_options,
)

if TYPE_CHECKING:
    from backlink_audit.audit.parts import PartedAudit
    from backlink_audit.audit.result import Audit, Scored
    from backlink_audit.exports.recognise import Export
    from backlink_audit.progress import Progress

WRITE_ALL = "`--links everything` writes all of them."
"""Said after how many of the scored links are written."""


@with_options()
def audit(
    files: Backlinks,
    out: Out,
    settings: AuditSettings,
    choice: LinkChoice,
    others: SourceFiles,
    engine: Annotated[
        Engine,
        typer.Option(
            help=(
                "Run in memory, in parts that need little memory, or on a Ray cluster; auto: in parts if the input is "
                "100 MB or larger."
            )
        ),
    ] = "auto",
    address: Address = None,
    folder: Folder = None,
    site: Site = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Read each referring page first: the links that are there, with title, anchor and words around. Says "
            "how many requests it will send.",
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --check: send the requests without asking first.")] = False,
    into_own_workbook: Annotated[
        bool, typer.Option("--into-own-workbook", help="Write FILES, one .xlsx, again with our columns added.")
    ] = False,
    template: Annotated[
        Path | None,
        typer.Option(help="Fill in this .xlsx of yours: cells named audit_links …, sheets named as the workbook's."),
    ] = None,
) -> None:
    """Score backlinks: similarity, relevance, CAS and a verdict for each link."""
    from backlink_audit.report.files import check_target

    check_target(out, inputs=[*files, *others.paths, template])
    if into_own_workbook:
        _check_own(files, out)
    if template is not None:
        _check_template(template, out)
    check_place(engine, address, folder)
    choice = with_every_row(choice, settings)
    in_memory = choose_engine(engine, files) == "memory"
    if in_memory:
        own = files[0] if into_own_workbook else None
        links, checked = read_from_pages(files, site, out, yes) if check else (load(files, "backlinks", site), None)
        audit_in_one(links, others, settings, choice, out, own, template, checked)
    elif check:
        raise InvalidSetting("--check needs --engine memory and files of less than 100 MB.")
    elif into_own_workbook or template is not None:
        raise InvalidSetting("--into-own-workbook and --template need --engine memory and a file of less than 100 MB.")
    else:
        audit_in_parts(
            files, others, settings, choice, out, folder, on_cluster=engine == "ray", address=address, site=site
        )


def _check_own(files: list[Path], out: Path) -> None:
    from backlink_audit.exports.spreadsheet import is_workbook

    if len(files) > 1 or not is_workbook(files[0].name) or not is_workbook(out.name):
        raise InvalidSetting("--into-own-workbook needs one .xlsx file, and an output file that ends in .xlsx.")


def _check_template(template: Path, out: Path) -> None:
    """Refuse what cannot be filled in before the work. Raises AuditError."""
    from backlink_audit.audit.result import NAMES
    from backlink_audit.audit.tables import SHEETS
    from backlink_audit.exports.spreadsheet import is_workbook, refuse_heavy
    from backlink_audit.report.own_workbook import check

    if not is_workbook(template.name) or not is_workbook(out.name):
        raise InvalidSetting("--template needs an .xlsx file, and an output file that ends in .xlsx.")
    data = read_bytes(template)
    refuse_heavy(template.name, data)
    check(data, NAMES, SHEETS)


def read_from_pages(files: list[Path], site: str | None, out: Path, yes: bool) -> "tuple[Export, Export | None]":
    """Ask the referring pages, and return the links with what they say: the export, and the table of a link check.

    Links that a file lists without their targets are read from the pages, and kept beside `out`.
    """
    import pandas as pd

    from backlink_audit.check.command import answers_of
    from backlink_audit.check.run import READ_LINKS, check, links_read, listed_apart, question_of
    from backlink_audit.check.tables import tables
    from backlink_audit.exports.load import load as load_exports
    from backlink_audit.report.files import save_bytes, write_csv

    listed, given = listed_apart([(path.name, read_bytes(path)) for path in files], site or "")
    others = [load_exports(given, "backlinks", site=site or "")] if given else []
    pages, found = answers_of([question_of(export) for export in (*listed, *others)], yes)
    if listed:
        rows = write_csv(pd.concat([links_read(export, pages, found) for export in listed], ignore_index=True))
        kept = out.with_name(f"{out.stem}-{READ_LINKS}")
        save_bytes(rows, kept)
        say(f"The links that were read from the pages are kept in {kept}.")
        given.append((READ_LINKS, rows))
    links = load_exports(given, "backlinks", site=site or "")
    if len(listed) == len(files):
        return links, None
    table = write_csv(tables(check(question_of(links), pages, found)).main())
    return links, load_exports([("checked-links.csv", table)], "checked_links")


def judged(links: "Export", settings: AuditSettings, sources: Sources, on_progress: "Progress") -> "Audit":
    """Audit an export in one piece: what other commands about backlinks start from."""
    from backlink_audit.audit.run import audit_backlinks
    from backlink_audit.embedding.models import load_encoder

    encoder = load_encoder(settings.model, on_progress=on_progress)
    return audit_backlinks(links, settings, encoder, sources, on_progress)


def audit_in_one(
    links: "Export",
    others: SourceFiles,
    settings: AuditSettings,
    choice: LinkChoice,
    out: Path,
    own: Path | None = None,
    template: Path | None = None,
    checked: "Export | None" = None,
) -> None:
    """Audit an export in one piece, and say what came out.

    `own`: the workbook that gets our columns; `template`: the one that is filled in; `checked`: what a link check of
    the export found.
    """
    from backlink_audit.audit.tables import tables
    from backlink_audit.embedding.models import find_model, language_warning

    sources = others.load(links.link_keys["referring_domain"].unique().tolist(), out.with_name(f"{out.stem}-ranks.csv"))
    if checked is not None:
        sources = replace(sources, checked=checked)
    with progress() as on_progress:
        result = judged(links, settings, sources, on_progress).chosen(choice)
    require_links(result)
    warning = language_warning(find_model(settings.model), result.links["language"])
    removed = aside(result.cleaned.removed, len(links.raw), KEEP_THEM)
    said = [
        *notes_of(links, *sources.exports.values()),
        *filter(None, [warning, result.subject_note]),
        *removed,
    ]
    if template is not None:
        _fill(result, template, out)
        say(*said, *shown(result), result.headline, *to_do(result), f"Written: {out}")
        return
    if own is not None:
        problem = _write_own(result, own, out)
        if not problem:
            say(*said, result.headline, *to_do(result), f"Written: {out}")
            return
        said.append(f"{problem} The ordinary workbook is written instead.")
    finish(tables(result), out, *said, *shown(result), result.headline, *to_do(result))


def _write_own(result: "Audit", own: Path, out: Path) -> str:
    """Write the user's own workbook with our columns; return why that cannot be, "" where it is written."""
    from backlink_audit.audit.tables import own_columns
    from backlink_audit.exports.spreadsheet import find_rows
    from backlink_audit.report.files import save_bytes
    from backlink_audit.report.own_workbook import add_columns

    data = read_bytes(own)
    try:
        place = find_rows(data, result.cleaned.export)
        made = add_columns(data, place.sheet, place.header, place.rows, own_columns(result))
    except AuditError as problem:
        return str(problem)
    save_bytes(made, out)
    return ""


def _fill(result: "Audit", template: Path, out: Path) -> None:
    from backlink_audit.audit.result import named_figures
    from backlink_audit.audit.tables import tables
    from backlink_audit.report.files import save_bytes
    from backlink_audit.report.own_workbook import fill

    save_bytes(fill(read_bytes(template), named_figures(result), tables(result).sheets()), out)


def require_links(result: "Audit | PartedAudit") -> None:
    """Raise AuditError where the choice of links leaves none."""
    if not result.backlinks:
        raise AuditError(
            f"{result.origin.file}: no links match, so there is nothing to write. {result.choice_sentence} {WRITE_ALL}"
        )


def to_do(result: "Scored | PartedAudit") -> list[str]:
    """Return what to do now in a line for each task that there is."""
    return [task.sentence(result.site_word) for task in result.tasks if task.number]


def shown(result: "Audit | PartedAudit") -> list[str]:
    """Return the sentence on which of the scored links are written, if not all are."""
    return [f"{result.choice_sentence} {WRITE_ALL}"] if result.choice_sentence else []


def audit_in_parts(
    files: list[Path],
    others: SourceFiles,
    settings: AuditSettings,
    choice: LinkChoice,
    out: Path,
    kept_in: Path | None,
    *,
    on_cluster: bool,
    address: str | None,
    site: str | None,
) -> None:
    """Audit files larger than the memory in parts, here or on a cluster, and say what came out."""
    from backlink_audit.audit.parts import begin, run_stages
    from backlink_audit.audit.run_folders import delete_folder, open_folder, stages_folder
    from backlink_audit.audit.tables import tables_of_parts as tables
    from backlink_audit.distributed.processes import machine_workers
    from backlink_audit.distributed.ray_audit import audit_on_ray
    from backlink_audit.embedding.cache import cache_folder
    from backlink_audit.embedding.models import find_model, language_warning, load_encoder
    from backlink_audit.exports.parts import split
    from backlink_audit.report.files import save

    sources = others.load()
    with open_folder(files, kept_in or cache_folder() / "runs") as folder:
        with progress() as on_progress, message_when_stopped(GOES_ON):
            links = split(files, folder, on_progress, site=site or "")
            encoder = load_encoder(settings.model, on_progress=on_progress)
            stages = stages_folder(links, settings, encoder.identity, sources)
            said = []
            if on_cluster:
                done = audit_on_ray(links, settings, stages, sources, address=address, on_progress=on_progress)
                result, said = done.audit, [done.sentence]
            else:
                workers = machine_workers(encoder, len(links), on_progress)
                result = run_stages(begin(links, settings, stages, sources), workers)
            result = result.chosen(choice)
            require_links(result)
            cut = save(tables(result, on_progress), out)
        warning = language_warning(find_model(settings.model), result.column("language"))
        removed = aside(result.removed, links.rows, KEEP_THEM)
        said = [
            *links.notes,
            *notes_of(*sources.exports.values()),
            *filter(None, [warning, result.subject_note]),
            *removed,
            *shown(result),
            *said,
            result.headline,
            *to_do(result),
            *cut,
        ]
        say(*said, f"Written: {out}")
        delete_folder(folder)
