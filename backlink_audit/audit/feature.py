"""The feature Backlink audit, and what other features about backlinks start from: an audit of them."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from backlink_audit.errors import AuditError, InvalidSetting
from backlink_audit.feature import (
    BACKLINKS,
    GOES_ON,
    KEEP_THEM,
    SITE,
    YES,
    Feature,
    Job,
    Option,
    aside,
    named,
    read_bytes,
    save_tables,
)
from backlink_audit.settings import AuditSettings, LinkChoice

if TYPE_CHECKING:
    from backlink_audit.audit.parts import PartedAudit
    from backlink_audit.audit.result import Audit
    from backlink_audit.exports.recognise import Export

Engine = Literal["auto", "memory", "parts", "ray"]
PARTS_FROM = 100 * 1024**2  # Bytes of all files from which `auto` audits in parts: a few hundred thousand rows
WRITE_ALL = "`--links everything` writes all of them."  # Said after how many of the scored links are written


def judged(job: Job, links: "Export | Audit") -> "Audit":
    """Return links as an audit of them; one that is an audit already stays as it is."""
    from backlink_audit.audit.result import Audit
    from backlink_audit.audit.run import audit_backlinks

    if isinstance(links, Audit):
        return links
    return audit_backlinks(links, job.settings, job.encoder, job.sources, job.on_progress)


def read(job: Job, paths: list[Path]) -> "Export":
    """Read the links, and what their pages say where these are to be asked."""
    from backlink_audit.terminal.files import load

    if not job.check:
        return load(paths, "backlinks", job.site)
    links, job.asked = read_from_pages(paths, job.site, job.out, job.yes)
    return links


def read_from_pages(files: list[Path], site: str | None, out: Path, yes: bool) -> "tuple[Export, Export | None]":
    """Ask the referring pages, and return the links with what they say: the export, and the table of a link check.

    Links that a file lists without their targets are read from the pages, and kept beside `out`.
    """
    import pandas as pd

    from backlink_audit.check.feature import answers_of
    from backlink_audit.check.run import READ_LINKS, check, links_read, listed_apart, question_of, tables
    from backlink_audit.exports.load import load as load_exports
    from backlink_audit.report.files import save_bytes, write_csv
    from backlink_audit.terminal.files import say

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


def run(job: Job) -> "Audit":
    """Audit an export in one piece; without a choice the figures are of every scored link."""
    if job.asked is not None:
        job.sources = replace(job.sources, checked=job.asked)
    result = judged(job, job.backlinks)
    return result.chosen(job.choice) if job.choice else result


def choose_engine(engine: Engine, files: list[Path]) -> Engine:
    """Return "memory", "parts" or "ray"."""
    if engine != "auto":
        return engine
    size = sum(path.stat().st_size for path in files if path.exists())
    return "parts" if size >= PARTS_FROM else "memory"


def refuse(job: Job) -> None:
    """Refuse what cannot be written before the work. Raises AuditError."""
    from backlink_audit.exports.spreadsheet import is_workbook

    files = job.paths["backlinks"]
    if job.into_own_workbook and (len(files) > 1 or not is_workbook(files[0].name) or not is_workbook(job.out.name)):
        raise InvalidSetting("--into-own-workbook needs one .xlsx file, and an output file that ends in .xlsx.")
    if job.folder and job.engine == "memory":
        raise InvalidSetting("--folder has no effect with --engine memory: remove it.")
    if job.address and job.engine != "ray":
        raise InvalidSetting("--address only works with --engine ray: add --engine ray, or remove --address.")
    in_memory = choose_engine(job.engine, files) == "memory"
    if job.check and not in_memory:
        raise InvalidSetting("--check needs --engine memory and files of less than 100 MB.")
    if job.into_own_workbook and not in_memory:
        raise InvalidSetting("--into-own-workbook needs --engine memory and a file of less than 100 MB.")


def notes(job: Job, result: "Audit") -> list[str]:
    """Return what is said before the headline. Raises AuditError where the choice of links leaves none."""
    require_links(result)
    removed = aside(result.cleaned.removed, len(result.cleaned.export.raw), KEEP_THEM)
    return [
        *filter(None, [*result.attack_notes, result.subject_note]),
        *removed,
        *([] if job.into_own_workbook else shown(result)),
    ]


def require_links(result: "Audit | PartedAudit") -> None:
    """Raise AuditError where the choice of links leaves none."""
    if not result.backlinks:
        raise AuditError(
            f"{result.origin.file}: no links match, so there is nothing to write. {result.choice_sentence} {WRITE_ALL}"
        )


def shown(result: "Audit | PartedAudit") -> list[str]:
    return [f"{result.choice_sentence} {WRITE_ALL}"] if result.choice_sentence else []


def also(_: Job, result: "Audit") -> list[str]:
    """Return what to do now."""
    from backlink_audit.audit.tasks import to_do

    return to_do(result)


def write(job: Job, result: "Audit") -> Any:
    """Write the tables, or the user's own workbook with ours."""
    from backlink_audit.audit.tables import own_columns
    from backlink_audit.exports.spreadsheet import find_rows
    from backlink_audit.report.files import save_bytes
    from backlink_audit.report.own_workbook import add_columns

    if not job.into_own_workbook:
        return save_tables(job, result)
    data = read_bytes(job.paths["backlinks"][0])
    try:
        place = find_rows(data, result.cleaned.export)
        made = add_columns(data, place.sheet, place.header, place.rows, own_columns(result))
    except AuditError as problem:
        return [f"{problem} The ordinary workbook is written instead.", *shown(result), *save_tables(job, result)]
    save_bytes(made, job.out)
    return []


def command(job: Job) -> None:
    """Audit in one piece, or files larger than the memory in parts."""
    from backlink_audit.terminal.commands import check, work

    if choose_engine(job.engine, job.paths["backlinks"]) == "memory":
        work(FEATURE, job)
    else:
        check(FEATURE, job)
        audit_in_parts(job)


def audit_in_parts(job: Job) -> None:
    """Audit files larger than the memory in parts, here or on a cluster, and say what came out."""
    from backlink_audit.audit.parts import begin, delete_folder, open_folder, run_stages, stages_folder
    from backlink_audit.audit.tables import tables_of_parts as tables
    from backlink_audit.audit.tasks import to_do
    from backlink_audit.embedding.encoder import cache_folder
    from backlink_audit.embedding.models import find_model, language_warning
    from backlink_audit.exports.parts import split
    from backlink_audit.report.files import save
    from backlink_audit.terminal.commands import read_sources
    from backlink_audit.terminal.files import message_when_stopped, notes_of, progress, say

    read_sources(FEATURE, job)
    files, settings, sources = job.paths["backlinks"], job.settings, job.sources
    with open_folder(files, job.folder or cache_folder() / "runs") as folder:
        with progress() as job.on_progress, message_when_stopped(GOES_ON):
            links = split(files, folder, job.on_progress, site=job.site or "")
            stages = stages_folder(links, settings, job.encoder.identity, sources)
            said = []
            if job.engine == "ray":
                done = named("distributed.ray_audit:audit_on_ray")(
                    links, settings, stages, sources, address=job.address, on_progress=job.on_progress
                )
                result, said = done.audit, [done.sentence]
            else:
                workers = named("distributed.processes:machine_workers")(job.encoder, len(links), job.on_progress)
                result = run_stages(begin(links, settings, stages, sources), workers)
            result = result.chosen(job.choice)
            require_links(result)
            cut = save(tables(result, job.on_progress), job.out)
        warning = language_warning(find_model(settings.model), result.column("language"))
        say(
            *links.notes,
            *notes_of(*sources.exports.values()),
            *filter(None, [warning, *result.attack_notes, result.subject_note]),
            *aside(result.removed, links.rows, KEEP_THEM),
            *shown(result),
            *said,
            result.headline,
            *to_do(result),
            *cut,
            f"Written: {job.out}",
        )
        delete_folder(folder)


FEATURE = Feature(
    "audit",
    "Backlink audit",
    "Score backlinks: similarity, relevance, CAS and a verdict for each link.",
    (replace(BACKLINKS, read=read),),
    AuditSettings,
    run,
    button="Run the audit",
    returns="Audit",
    also_settings={"choice": LinkChoice},
    options=(
        Option(
            "engine",
            "Run in memory, in parts that need little memory, or on a Ray cluster; auto: in parts if the input is 100 "
            "MB or larger.",
            Engine,
            default="auto",
        ),
        Option(
            "address",
            "With --engine ray: the cluster, as host:port. Default: the processor cores of this computer.",
            str,
        ),
        Option(
            "folder",
            "The folder for temporary files of --engine parts and ray; with ray, all nodes must have access to it.",
            more={"file_okay": False},
        ),
        SITE,
        Option(
            "check",
            "Read each referring page first: the links that are there, with title, anchor and words around. Says how "
            "many requests it will send.",
            bool,
            default=False,
            flag=True,
        ),
        replace(YES, help="With --check: send the requests without asking first."),
        Option("asked", typed=str, terminal=False),
        Option(
            "into_own_workbook", "Write FILES, one .xlsx, again with our columns added.", bool, default=False, flag=True
        ),
    ),
    refuse=refuse,
    notes=notes,
    also=also,
    write=write,
    command=command,
    tool="start_audit",
)
