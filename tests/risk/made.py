"""What the tests of risk are made of."""

from backlink_audit.risk.result import RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import review_risks
from tests.exported import ahrefs_row, exported

SELLER = "Cheap backlinks for sale"


LINKS = exported(
    ahrefs_row("https://a.icu/1", referring_page_title=SELLER, external_links="900"),
    ahrefs_row("https://a.icu/2", external_links="501"),
    ahrefs_row("https://b.com/1", external_links="501"),
    ahrefs_row("https://c.com/1"),
    ahrefs_row("https://forum.com/1", referring_page_title="Best SEO forum", lost="2024-01-01"),
)


RISKS = review_risks(LINKS)


def reviewed(*disavowed: str) -> RiskReview:
    return RiskReview(RISKS, Review().decide("domain", disavowed, "disavow"))
