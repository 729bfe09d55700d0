"""What a user's check asks: first how many requests it needs, then, if the user wants it, the facts of all pages."""

from collections.abc import Collection, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from backlink_audit.errors import AuditError
from backlink_audit.progress import Progress
from backlink_audit.settings import CheckSettings

if TYPE_CHECKING:
    import pandas as pd

    from backlink_audit.fetching.check import Plan

PACKAGES = ("httpcore2", "h2", "protego", "selectolax", "trafilatura")  # of the extra `fetch`


def require_packages() -> None:
    """Raise AuditError where the packages of the check are not installed."""
    if any(find_spec(name) is None for name in PACKAGES):
        raise AuditError('The link check needs more packages: install "backlink-audit[fetch]".')


def plan_of(urls: Sequence[str], sites: Collection[str], settings: CheckSettings, answers: Path) -> "Plan":
    """Return what a check of these pages would ask now; `answers`: the file of those that are known."""
    from backlink_audit.fetching.answers import DAY, Age, AnswerCache
    from backlink_audit.fetching.check import plan
    from backlink_audit.fetching.requests import request_limits_of

    with AnswerCache(answers) as kept:
        return plan(urls, sites, kept, request_limits_of(settings), Age(settings.max_age * DAY))


def ask(
    urls: Sequence[str], sites: Collection[str], settings: CheckSettings, answers: Path, on_progress: Progress
) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Ask the pages and return what they and their links say (`facts_of`); `answers` gets what they answered."""
    from backlink_audit.fetching import check
    from backlink_audit.fetching.answers import DAY, Age, AnswerCache, facts_of
    from backlink_audit.fetching.requests import request_limits_of

    limits, age = request_limits_of(settings), Age(settings.max_age * DAY)
    with AnswerCache(answers) as kept:
        return facts_of(check.check_pages(urls, sites, kept, limits, age, on_progress, check.PUBLIC))
