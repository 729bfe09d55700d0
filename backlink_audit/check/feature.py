"""The feature Link check: it asks referring pages whether their links are there, once it has said what it will send."""

from dataclasses import replace
from typing import TYPE_CHECKING

from backlink_audit.feature import ASKS_FIRST, BACKLINKS, GOES_ON, SITE, YES, Feature, Job, aside
from backlink_audit.settings import CheckSettings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

    from backlink_audit.check.run import LinkCheck, Question
    from backlink_audit.exports.recognise import Export


def refuse(_: Job) -> None:
    """Raise AuditError where packages are missing."""
    from backlink_audit.fetching.ask import require_packages

    require_packages()


def read(job: Job, paths: "list[Path]") -> "Export":
    """Read the links and ask their pages. Raises FileProblem, and Cancelled where the user says no."""
    from backlink_audit.check.run import question_of
    from backlink_audit.terminal.files import load

    links = load(paths, "backlinks", job.site)
    job.answers = answers_of([question_of(links)], job.yes, job.settings)
    return links


def run(job: Job) -> "LinkCheck":
    """Return what the pages say of each link."""
    from backlink_audit.check.run import check, question_of

    return check(question_of(job.backlinks), *job.answers)


def checked(export: "Export", settings: CheckSettings, yes: bool) -> "LinkCheck":
    """Say what a check of an export sends, ask the user unless `yes`, and return what it found."""
    from backlink_audit.check.run import check, question_of

    question = question_of(export)
    return check(question, *answers_of([question], yes, settings))


def answers_of(
    questions: "Sequence[Question]", yes: bool, settings: CheckSettings | None = None
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Say what these questions send, ask the user unless `yes`, and return what pages and links say."""
    from backlink_audit.embedding.encoder import checks_file
    from backlink_audit.fetching.ask import ask, plan_of, require_packages
    from backlink_audit.terminal.files import ask_first, message_when_stopped, progress, say

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


FEATURE = Feature(
    "check",
    "Link check",
    "Ask each referring page whether the link is still there. Says first how many requests it will send.",
    (replace(BACKLINKS, read=read),),
    CheckSettings,
    run,
    button="Send the requests",
    returns="LinkCheck",
    options=(YES, SITE),
    refuse=refuse,
    notes=lambda _, result: aside(result.cleaned.removed, len(result.cleaned.export.raw)),
    without={"function": ASKS_FIRST, "tool": ASKS_FIRST},
)
