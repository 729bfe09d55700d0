"""The command that reviews risks and writes the disavow file."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.audit.command import judged
from backlink_audit.settings import AuditSettings
from backlink_audit.terminal.files import aside, finish, load, notes_of, progress, read_bytes
from backlink_audit.terminal.options import KEEP_THEM, Backlinks, Out, Scores, Site, SourceFiles, with_options

if TYPE_CHECKING:
    from backlink_audit.risk.disavow_file import DisavowFile
    from backlink_audit.risk.result import RiskReview

ALL = "all"
"""What stands for every domain that looks worth keeping."""
NAMED = 20
"""Domains that are left out and named on the screen; the file's head names more."""


@with_options("original_columns")
def risk(
    files: Backlinks,
    out: Out,
    settings: AuditSettings,
    others: SourceFiles,
    scores: Scores = True,
    site: Site = None,
    review: Annotated[
        Path | None,
        typer.Option(help="A review file (csv) from an earlier run or from the app: its decisions are applied."),
    ] = None,
    save_review: Annotated[
        Path | None,
        typer.Option(
            help="The review file to write (csv): every domain with a signal, for you to fill in your decisions."
        ),
    ] = None,
    disavow: Annotated[
        Path | None,
        typer.Option(
            help=(
                "The disavow file (txt). Entries with the decision “disavow” are added, entries with “keep” are "
                "removed. If the file exists, its old version is saved as .bak. If not, the file is created."
            )
        ),
    ] = None,
    disavow_anyway: Annotated[
        list[str] | None,
        typer.Option(
            help=(
                "A domain that is disavowed though it looks worth keeping; repeat for each, or write all. Without "
                "this option such domains are excluded from the disavow file and named."
            )
        ),
    ] = None,
) -> None:
    """Find risk signals with evidence; with a review file, also write the disavow file."""
    from backlink_audit.report.files import check_target
    from backlink_audit.risk.result import RiskReview
    from backlink_audit.risk.review import Review, read_review
    from backlink_audit.risk.run import lesson, review_risks
    from backlink_audit.risk.tables import tables

    check_target(out, inputs=[*files, *others.paths, review, disavow, save_review])
    if save_review:
        check_target(save_review, (".csv",), inputs=[*files, *others.paths])
    if disavow:
        check_target(disavow, (".txt",))
    decided = read_review(read_bytes(review), review.name) if review else Review()
    former = former_file(disavow)
    links = load(files, "backlinks", site)
    sources = others.load()
    with progress() as on_progress:
        source = judged(links, settings, sources, on_progress) if scores else links
        risks = review_risks(source, settings.filters, settings.risk, on_progress)
    result = RiskReview(risks, decided)
    said = [] if save_review is None else [save(result, save_review)]
    said += [] if disavow is None else write_disavow_file(result, disavow, former, disavow_anyway or [])
    removed = aside(risks.removed, len(links.raw), KEEP_THEM)
    taught = lesson(result) if decided.decisions else None
    said += [risks.second_opinion] if risks.second_opinion else []
    said += [taught.headline, taught.promise] if taught else []
    said = [*removed, *risks.missing.values(), risks.headline, *said]
    finish(tables(result), out, *notes_of(links, *sources.exports.values()), *said)


def former_file(disavow: Path | None) -> "DisavowFile":
    """Read the disavow file that is there already; an empty one where there is none. Raises FileProblem."""
    from backlink_audit.risk.disavow import NO_FILE
    from backlink_audit.risk.disavow_file import parse_disavow_file

    if disavow is None or not disavow.exists():
        return NO_FILE
    return parse_disavow_file(read_bytes(disavow), disavow.name)


def save(result: "RiskReview", path: Path) -> str:
    """Write the review with the domains still to be decided, and return the sentence that says so."""
    from backlink_audit.report.files import save_bytes, write_csv
    from backlink_audit.wording import count

    table = result.to_decide()
    save_bytes(write_csv(table, for_spreadsheets=True), path)
    return f"Review file to fill in: {path} ({count(len(table), 'row')})."


def write_disavow_file(result: "RiskReview", path: Path, former: "DisavowFile", anyway: list[str]) -> list[str]:
    """Write the disavow file, the former one kept beside it, and return the sentences on it. Raises FileProblem.

    `anyway`: the domains that are disavowed though they look worth keeping, or "all".
    """
    from backlink_audit.report.files import save_bytes
    from backlink_audit.wording import count, first_of

    worth = result.risks.worth_keeping["referring_domain"]
    new = result.disavow(former, worth.tolist() if ALL in anyway else [name.strip().lower() for name in anyway])
    held_back = _left_out(new.held_back)
    if not new.file.domains and not new.file.urls:
        nothing = "nothing else" if held_back or new.dropped else "no domain or link in the review"
        said = [*held_back, *([f"Not included: {first_of(new.why_dropped, NAMED)}."] if new.dropped else [])]
        return [*said, f"Nothing to disavow: {nothing} has the state “disavow”. {path} was not written."]
    if path.exists():
        save_bytes(read_bytes(path), _unused(path))
    save_bytes(new.data, path)
    entries = f"{count(len(new.file.domains), 'domain')} and {count(len(new.file.urls), 'URL')}"
    dropped = count(len(new.dropped), "line")
    said = [*held_back, f"Disavow file: {path} ({entries}; {len(new.added):,} added, {dropped} not included)."]
    return said + ([] if not new.dropped else [f"Not included: {first_of(new.why_dropped, NAMED)}."])


def _unused(path: Path) -> Path:
    """Return the first name beside a file for its former version that no earlier one has."""
    names = (path.with_name(f"{path.name}{ending}") for ending in (".bak", *(f".{n}.bak" for n in range(2, 10_000))))
    return next((name for name in names if not name.exists()), path.with_name(f"{path.name}.bak"))


def _left_out(held_back: Mapping[str, str]) -> list[str]:
    """Return the sentence that names the domains that look worth keeping and are left out; none where there is none."""
    from backlink_audit.wording import by_number, count, first_of

    number = len(held_back)
    if not number:
        return []
    which = f"{count(number, 'domain')} that {by_number(number, 'looks', 'look')} worth keeping"
    named = first_of([f"{domain} ({why})" for domain, why in held_back.items()], NAMED)
    excluded = f"{which} {by_number(number, 'is', 'are')} excluded from the disavow file: {named}."
    return [f"{excluded} To disavow one anyway, use --disavow-anyway DOMAIN."]
