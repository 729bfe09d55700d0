import pandas as pd

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.exports.load import load
from backlink_audit.risk.run import review_risks
from backlink_audit.settings import AuditSettings, RiskLimits
from tests.exported import ahrefs_row, exported
from tests.risk.made import LINKS, RISKS


def test_links_have_their_signals_counted_and_named():
    assert RISKS.links["signals"].tolist() == [3, 2, 1, 0]
    assert RISKS.links["risk_evidence"].iloc[0].count("; ") == 2
    assert RISKS.links["risk_evidence"].iloc[2] == "501 external links"
    assert RISKS.flagged_links == 3
    assert RISKS.to_review == 2


def test_an_export_of_urls_alone_can_be_reviewed():
    rows = pd.DataFrame(
        {"Referring page URL": ["https://a.icu/"], "Target URL": ["https://our-site.com/"]}, dtype="str"
    )
    from backlink_audit.exports.recognise import recognise

    risks = review_risks(recognise(rows, "urls.csv"))
    assert risks.links["risk_tld"].ne("").tolist() == [True]
    assert {"risk_external_links", "risk_anchor", "risk_seller"} <= set(risks.missing)


def test_every_live_link_is_looked_at_wherever_it_stands(toy):
    links = exported(
        ahrefs_row("https://forum.com/1", referring_page_title="Best SEO forum", content="false"),
        ahrefs_row("https://gone.com/1", referring_page_title="Best SEO forum", lost="2024-01-01"),
        ahrefs_row("https://dead.com/1", referring_page_title="Best SEO forum", referring_page_http_code="404"),
    )
    for source in (links, audit_backlinks(links, AuditSettings(), toy)):
        risks = review_risks(source)
        assert risks.domains["referring_domain"].tolist() == ["forum.com"]
        assert "SEO" in risks.links["risk_seller"].iloc[0]


def test_other_limits_give_other_signals():
    assert review_risks(LINKS, limits=RiskLimits(external_links=1000)).flagged_links == 1


def test_an_audits_review_counts_as_its_verdicts_do(toy):
    audit = audit_backlinks(LINKS, AuditSettings(), toy)
    risks = review_risks(audit)
    live = audit.links[audit.links["link_state"] == "live"]
    assert risks.links["signals"].tolist() == live["risk_signals"].tolist()
    assert "risk_topic" not in risks.missing
    assert {"verdict", "topic", "mean_relevance"} <= set(risks.domains.columns)


def test_of_several_tools_the_review_says_what_google_lists_of_a_link_and_of_its_domain():
    ahrefs = "Referring page URL,Target URL,Anchor,UR\n"
    for page in ("https://a.com/1", "https://a.com/2", "https://b.com/1"):
        ahrefs += f"{page},https://shop.example/,shop,9\n"
    google = b"Linking page,Last crawled\nhttps://a.com/1,2026-07-11\n"
    risks = review_risks(load([("ahrefs.csv", ahrefs.encode()), ("shop.example-Latest links.csv", google)]))
    links = risks.links.set_index("referring_url")["google_lists"].to_dict()
    assert links == {"https://a.com/1": "yes", "https://a.com/2": "its domain only", "https://b.com/1": "no"}
    domains = risks.domains.set_index("referring_domain")["google_lists"].to_dict()
    assert domains == {"a.com": "yes", "b.com": "no"}
    assert set(risks.links["seen_by"]) == {"Ahrefs"}
