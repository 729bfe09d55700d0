"""What the tests of the audit are made of."""

from functools import cache

from backlink_audit.audit.result import Audit
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings, BacklinkFilters
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder

HEADER = (
    "Referring page title,Referring page URL,Referring page HTTP code,Domain rating,UR,External links,Target URL,"
    "Left context,Anchor,Right context,Nofollow,UGC,Sponsored,First seen,Last seen,Lost"
)
SEEN = "false,false,false,2024-01-02,2024-02-03,"
TARGET = "https://www.shop.example/oak-chairs"
CLOSE = f"Oak chairs for gardens,https://a.example/oak-chairs,200,60,50,1,{TARGET},,oak chairs,,{SEEN}"
FAR = f"Casino bonus codes,https://b.example/casino,200,70,10,5,{TARGET},,best slots,,{SEEN}"
NO_LINKS_OUT = "Oak tables,https://a.example/tables,404,60,20,0,https://shop.example/,,shop,,false,false,false,,,"
NO_RATING = ",https://c.example/,200,10,,4,https://shop.example/,,,,false,false,false,,,"
NO_WEB_ADDRESS = f"Oak chairs,mailto:d@d.example,200,20,5,2,{TARGET},,oak chairs,,{SEEN}"
LOST = f"Oak chairs,https://d.example/oak-chairs,200,20,5,2,{TARGET},,oak chairs,,{SEEN}2024-02-04"
CRAWL = "Address,Content Type,Status Code,Indexability,Title 1,H1-1"


def export(*lines: str, header: str = HEADER, name: str = "links.csv") -> Export:
    return load([(name, "\n".join([header, *lines]).encode())])


def crawled(line: str) -> Export:
    return load([("crawl.csv", f"{CRAWL}\n{line}\n".encode())], "pages")


def audit(
    *lines: str,
    toy: ToyEncoder,
    settings: AuditSettings | None = None,
    pages: Export | None = None,
    on_progress: Progress = silent,
) -> Audit:
    settings = settings or AuditSettings(filters=BacklinkFilters.none())
    return audit_backlinks(export(*lines), settings, toy, sources=Sources(pages=pages), on_progress=on_progress)


@cache
def audit_of_five() -> Audit:
    """Made once: no test changes it."""
    return audit(CLOSE, FAR, NO_LINKS_OUT, NO_RATING, LOST, toy=ToyEncoder())
