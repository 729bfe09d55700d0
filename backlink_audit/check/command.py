"""The command that asks referring pages whether their links are there."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from backlink_audit.errors import AuditError, Cancelled
from backlink_audit.settings import CheckSettings
from backlink_audit.terminal.files import aside, finish, load, message_when_stopped, notes_of, progress, say
from backlink_audit.terminal.options import GOES_ON, Backlinks, Out, Site, with_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from backlink_audit.check.result import LinkCheck
    from backlink_audit.check.run import Question
    from backlink_audit.exports.recognise import Export

NEEDS_YES = "To send these requests from a script, add --yes."
NOT_SENT = "No request was sent."


@with_options()
def check(
    files: Backlinks,
    out: Out,
    settings: CheckSettings,
    yes: Annotated[bool, typer.Option("--yes", help="Send the requests without asking first.")] = False,
    site: Site = None,
) -> None:
    """Ask each referring page whether the link is still there. Says first how many requests it will send."""
    from backlink_audit.check.tables import tables
    from backlink_audit.fetching.ask import require_packages
    from backlink_audit.report.files import check_target

    require_packages()
    check_target(out, inputs=files)
    export = load(files, "backlinks", site)
    result = checked(export, settings, yes)
    removed = aside(result.cleaned.removed, len(export.raw))
    finish(tables(result), out, *notes_of(export), *removed, result.headline)


def checked(export: "Export", settings: CheckSettings, yes: bool) -> "LinkCheck":
    """Say what a check of an export sends, ask the user unless `yes`, and return what it found."""
    from backlink_audit.check.run import check, question_of

    question = question_of(export)
    return check(question, *answers_of([question], yes, settings))


def answers_of(
    questions: "Sequence[Question]", yes: bool, settings: CheckSettings | None = None
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Say what these questions send, ask the user unless `yes`, and return what pages and links say."""
    from backlink_audit.embedding.cache import checks_file
    from backlink_audit.fetching.ask import ask, plan_of, require_packages

    require_packages()
    settings = settings or CheckSettings()
    urls = [url for question in questions for url in question.urls]
    sites = {site for question in questions for site in question.sites}
    plan = plan_of(urls, sites, settings, checks_file())
    say(plan.sentence)
    if plan.pages and not yes:
        ask_first()
    with progress() as on_progress, message_when_stopped(GOES_ON):
        return ask(urls, sites, settings, checks_file(), on_progress)


def ask_first() -> None:
    """Ask the user. Raises Cancelled without a yes, and AuditError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise AuditError(f"{NOT_SENT} {NEEDS_YES}")
    if not typer.confirm("Send these requests?", err=True):
        raise Cancelled(NOT_SENT)
