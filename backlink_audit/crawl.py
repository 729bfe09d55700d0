"""The feature Crawl: the table of a site's own pages, and one of their links."""

from importlib.util import find_spec

from backlink_audit.errors import AuditError
from backlink_audit.feature import ASKS_FIRST, GOES_ON, SUFFIXES, YES, Feature, Input, Job, Option
from backlink_audit.settings import CrawlSettings

PACKAGES = ("httpcore2", "h2", "protego", "selectolax", "trafilatura")  # Of the extra `crawl`


def command(job: Job) -> None:
    """Crawl a site once the user has said yes, and write its pages and links as a crawler's exports have them."""
    if any(find_spec(name) is None for name in PACKAGES):
        raise AuditError('The crawl needs more packages: install "backlink-audit[crawl]".')
    from backlink_audit.fetching import site_crawl as site
    from backlink_audit.fetching.site_pages import Found, forget, link_tables, page_tables
    from backlink_audit.report.files import save
    from backlink_audit.report.rows import Tables
    from backlink_audit.terminal.commands import check
    from backlink_audit.terminal.files import ask_first, message_when_stopped, progress, say

    check(FEATURE, job)
    unfinished = job.out.with_name(f"{job.out.name}.unfinished")
    with Found(unfinished) as found:
        plan = site.begin(job.start, job.settings, found)
        say(plan.sentence)
        if plan.needs_requests and not job.yes:
            try:
                ask_first()
            except AuditError:
                if not plan.known:
                    forget(unfinished)
                raise
        with progress() as on_progress, message_when_stopped(GOES_ON):
            stopped_by = site.crawl(plan, job.settings, found, on_progress)
        if not any(status for status, _ in found.statuses()):
            why = next((row.answer.reason for row in found.rows() if row.answer.reason), stopped_by)
            forget(unfinished)
            raise AuditError(f"{plan.host} gave no page: {why}. Nothing was written.")
        pages, links = (lambda: page_tables(found)), (lambda: link_tables(found))
        sentences = site.what_came_out(plan, found, stopped_by, unfinished)
        cut = save(Tables(lambda: pages, lambda: {"Pages": pages, "Inlinks": links}), job.out)
        if job.inlinks:
            cut += save(Tables(lambda: links, lambda: {"Inlinks": links}), job.inlinks)
    if not stopped_by:
        forget(unfinished)
    say(*cut, *sentences, *(f"Written: {path}" for path in (job.out, job.inlinks) if path))


FEATURE = Feature(
    "crawl",
    "Crawl",
    "Crawl your own site: a table of its pages and one of their links, as a crawler's exports have them.",
    (Input("start", "A page of your site, or its sitemap: a URL.", word=True),),
    CrawlSettings,
    options=(Option("inlinks", "Write the links between the pages to this file too.", writes=SUFFIXES), YES),
    command=command,
    without={"page": "What it writes is uploaded on Home.", "function": ASKS_FIRST, "tool": ASKS_FIRST},
)
