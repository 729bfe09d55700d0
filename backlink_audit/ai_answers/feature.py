"""The feature AI answers: the citations of a site in them, and which bots read its pages."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from backlink_audit.feature import NO_TOOL, Feature, Input, Job, Option
from backlink_audit.settings import ModelSettings

if TYPE_CHECKING:
    from backlink_audit.ai_answers.run import AiAnswers


def refuse(job: Job) -> None:
    """Read the ranges, so that a file that cannot be read costs no work. Raises FileProblem."""
    from backlink_audit.ai_answers.bots import read_ranges

    job.ranges = read_ranges(job.bot_ranges or [])


def run(job: Job) -> "AiAnswers":
    """Read the citations and the logs."""
    from backlink_audit.ai_answers.bots import read_logs
    from backlink_audit.ai_answers.run import dead_addresses, read_answers

    visits = read_logs(job.logs, job.ranges, job.on_progress) if job.logs else None
    job.said = [] if visits is None else [visits.note]
    pages = None if visits is None else visits.pages
    result = read_answers(job.citations, job.encoder, job.sources, pages, job.on_progress)
    if pages is None:
        return result
    dead = dead_addresses(pages, result.pages, job.encoder)
    return replace(result, bots=pages.merge(dead[["page_path", "redirect_to"]], "left", "page_path"))


FEATURE = Feature(
    "citations",
    "AI answers",
    "Show which pages AI answers cite, which links they lack, and which queries have no page.",
    (
        Input(
            "citations",
            "AI Performance exports of Bing Webmaster Tools: pages, queries; of several dates.",
            "citations",
            "joined",
            ("citations",),
            argument="files",
        ),
    ),
    ModelSettings,
    run,
    button="Compare the citations",
    returns="AiAnswers",
    options=(
        Option("logs", "Server logs (combined format, may be .gz): which bots read which pages.", list[Path]),
        Option(
            "bot_ranges",
            "Address ranges that a bot's owner publishes, such as gptbot.json: a bot outside is false.",
            list[Path],
        ),
    ),
    refuse=refuse,
    notes=lambda job, result: [*result.notes, *job.said],
    without={"tool": NO_TOOL},
)
