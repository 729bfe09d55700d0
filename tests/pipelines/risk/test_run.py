import pandas as pd

from backlink_audit.pipelines.audit.run import audit_backlinks
from backlink_audit.pipelines.risk.run import review_risks
from backlink_audit.settings import AuditSettings, BacklinkFilters, RiskLimits
from tests.pipelines.risk.made import LINKS, RISKS


def test_links_have_their_signals_counted_and_told():
    assert RISKS.links["signals"].tolist() == [3, 1, 1, 0]
    assert RISKS.links["risk_evidence"].iloc[0].count("; ") == 2
    assert RISKS.links["risk_evidence"].iloc[2] == "501 external links on the page"
    assert RISKS.flagged_links == 3
    assert RISKS.to_review == 1


def test_an_export_of_urls_alone_can_be_reviewed():
    rows = pd.DataFrame(
        {"Referring page URL": ["https://a.icu/"], "Target URL": ["https://our-site.com/"]}, dtype="str"
    )
    from backlink_audit.exports.recognise import recognise

    risks = review_risks(recognise(rows, "urls.csv"))
    assert risks.links["signals"].tolist() == [1]
    assert {"risk_external_links", "risk_anchor", "risk_seller", "risk_language"} <= set(risks.missing)


def test_wider_filters_look_at_links_outside_the_content():
    wide = review_risks(LINKS, BacklinkFilters(outside_content=False))
    assert len(wide.links) == 5
    assert wide.links["risk_seller"].iloc[4] == "the title holds “SEO”"


def test_other_limits_give_other_signals():
    assert review_risks(LINKS, limits=RiskLimits(external_links=1000)).flagged_links == 2


def test_an_audits_review_counts_as_its_verdicts_do(toy):
    audit = audit_backlinks(LINKS, AuditSettings(), toy)
    risks = review_risks(audit)
    assert risks.links["signals"].tolist() == audit.links["risk_signals"].tolist()
    assert "risk_topic" not in risks.missing
    assert {"verdict", "topic", "mean_relevance"} <= set(risks.domains.columns)


def test_links_that_an_audit_set_aside_are_blank_where_it_judges(toy):
    audit = audit_backlinks(LINKS, AuditSettings(), toy)
    risks = review_risks(audit, BacklinkFilters(outside_content=False))
    assert len(risks.links) == 5
    assert risks.links["verdict"].tolist() == [*audit.links["verdict"], ""]
    assert risks.domains.set_index("referring_domain").loc["forum.com", "links"] == 1
