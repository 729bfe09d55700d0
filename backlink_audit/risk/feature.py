"""The feature Risk review: signals with their evidence, the review file and the disavow file."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from backlink_audit.audit.feature import judged
from backlink_audit.feature import BACKLINKS, KEEP_THEM, NO_TOOL, SCORES, SITE, Feature, Job, Option, aside, read_bytes
from backlink_audit.settings import AuditSettings

if TYPE_CHECKING:
    from backlink_audit.risk.disavow_file import DisavowFile
    from backlink_audit.risk.result import RiskReview

ALL = "all"  # What stands for every domain that looks worth keeping
NAMED = 20  # Domains that are left out and named on the screen; the file's head names more


def refuse(job: Job) -> None:
    """Read the files of decisions, so that one that cannot be read costs no work. Raises FileProblem."""
    from backlink_audit.risk.review import read_review

    job.former = former_file(job.disavow)
    job.review = read_review(read_bytes(job.review), job.review.name) if job.review else None


def run(job: Job) -> "RiskReview":
    """Find the signals; an audit brings its own limits."""
    from backlink_audit.audit.result import Audit
    from backlink_audit.risk.result import RiskReview
    from backlink_audit.risk.review import Review
    from backlink_audit.risk.run import review_risks

    limits = None if isinstance(job.backlinks, Audit) else job.settings.risk
    source = judged(job, job.backlinks) if job.scores else job.backlinks
    return RiskReview(review_risks(source, job.settings.filters, limits, job.on_progress), job.review or Review())


def notes(job: Job, result: "RiskReview") -> list[str]:
    return [*aside(result.risks.removed, len(job.backlinks.raw), KEEP_THEM), *result.risks.missing.values()]


def also(job: Job, result: "RiskReview") -> Iterator[str]:
    """Write the review and the disavow file that were asked for; say so, and what was learned from decisions."""
    from backlink_audit.risk.run import lesson

    if job.save_review:
        yield save(result, job.save_review)
    if job.disavow:
        yield from write_disavow_file(result, job.disavow, job.former, job.disavow_anyway or [])
    if result.risks.second_opinion:
        yield result.risks.second_opinion
    taught = lesson(result)
    if result.review.decisions and taught is not None:
        yield from (taught.headline, taught.promise)


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

    `anyway`: the domains that are disavowed though they look worth keeping, or "all", but for sites of the owner.
    """
    from backlink_audit.report.files import save_bytes
    from backlink_audit.risk.review import OWN
    from backlink_audit.wording import count, first_of

    worth = result.risks.worth_keeping
    every = worth.loc[~worth["why"].str.startswith(OWN), "referring_domain"].tolist() if ALL in anyway else []
    new = result.disavow(former, [*every, *(name.strip().lower() for name in anyway)])
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


FEATURE = Feature(
    "risk",
    "Risk review",
    "Find risk signals with evidence; with a review file, also write the disavow file.",
    (replace(BACKLINKS, typed="Export | Audit"),),
    AuditSettings,
    run,
    button="Find risk signals",
    returns="RiskReview",
    apart=("original_columns",),
    options=(
        SCORES,
        SITE,
        Option(
            "review",
            "A review file (csv) from an earlier run or from the app: its decisions are applied.",
            python="Review",
        ),
        Option(
            "save_review",
            "The review file to write (csv): every domain with a signal, for you to fill in your decisions.",
            writes=(".csv",),
        ),
        Option(
            "disavow",
            "The disavow file (txt). Entries with the decision “disavow” are added, entries with “keep” are removed. "
            "If the file exists, its old version is saved as .bak. If not, the file is created.",
            writes=(".txt",),
        ),
        Option(
            "disavow_anyway",
            "A domain that is disavowed though it looks worth keeping; repeat for each, or write all. Without this "
            "option such domains are excluded from the disavow file and named.",
            list[str],
        ),
    ),
    positional=("review", "settings"),
    refuse=refuse,
    notes=notes,
    also=also,
    without={"tool": NO_TOOL},
)
