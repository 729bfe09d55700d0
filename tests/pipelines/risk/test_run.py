"""The risk review: signals by link and domain, states, saved reviews, and the disavow file."""

import pandas as pd
import pytest

from backlink_audit.analysis.risk import SIGNAL_NAMES
from backlink_audit.pipelines.audit.run import audit_backlinks
from backlink_audit.pipelines.risk.disavow import parse_disavow_file
from backlink_audit.pipelines.risk.result import Review, RiskReview, read_review
from backlink_audit.pipelines.risk.run import review_risks
from backlink_audit.pipelines.risk.tables import tables
from backlink_audit.report.csv import write_csv
from backlink_audit.report.files import to_xlsx
from backlink_audit.settings import AuditSettings, BacklinkFilters, RiskLimits
from tests.exported import ahrefs_row, exported

SELLER = "Cheap backlinks for sale"
LINKS = exported(
    ahrefs_row("https://a.icu/1", referring_page_title=SELLER, external_links="900"),
    ahrefs_row("https://a.icu/2"),
    ahrefs_row("https://b.com/1", external_links="501"),
    ahrefs_row("https://c.com/1"),
    ahrefs_row("https://forum.com/1", referring_page_title="Best SEO forum", content="false"),
)
RISKS = review_risks(LINKS)


def reviewed(*disavowed: str) -> RiskReview:
    return RiskReview(RISKS, Review().decide("domain", disavowed, "disavow"))


def test_links_have_their_signals_counted_and_told():
    assert RISKS.links["signals"].tolist() == [3, 1, 1, 0]
    assert RISKS.links["risk_evidence"].iloc[0].count("; ") == 2
    assert RISKS.links["risk_evidence"].iloc[2] == "501 external links on the page"
    assert RISKS.flagged_links == 3
    assert RISKS.to_review == 1


def test_a_domain_has_every_signal_of_its_links_once_with_the_first_evidence():
    domains = RISKS.domains.set_index("referring_domain")
    assert list(domains.index) == ["a.icu", "b.com", "c.com"]
    assert domains["signals"].tolist() == [3, 1, 0]
    assert domains.loc["a.icu", "risk_external_links"] == "900 external links on the page"
    assert RISKS.flagged_domains == 2


def test_signals_are_counted_by_links_and_domains():
    counts = RISKS.signal_counts.set_index("name")
    assert counts.loc["risk_tld", ["links", "domains"]].tolist() == [2, 1]
    assert counts.loc["risk_external_links", ["links", "domains"]].tolist() == [2, 2]
    for name in set(SIGNAL_NAMES) - set(RISKS.missing):
        assert counts.loc[name, "links"] == (RISKS.links[name] != "").sum()


def test_what_a_signal_means_names_the_limits_that_hold():
    risks = review_risks(exported(ahrefs_row("https://a.com/")), limits=RiskLimits(external_links=9))
    meaning = risks.signal_counts.set_index("name").loc["risk_external_links", "meaning"]
    assert "more than 9 other pages" in meaning


def test_a_signal_that_the_export_cannot_tell_has_no_figure_but_a_sentence():
    counts = RISKS.signal_counts.set_index("name")
    assert counts.loc[["risk_flag", "risk_topic"], "links"].isna().all()
    assert counts.loc["risk_flag", "meaning"] == "This export has no column “Is spam” or “Toxic score”."
    assert "once the audit has run" in counts.loc["risk_topic", "meaning"]


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


def test_nothing_is_disavowed_by_default():
    result = RiskReview(RISKS, Review())
    assert set(result.domains["state"]) == {"undecided"}
    assert result.state_counts == {"keep": 0, "whitelist": 0, "remove (asked)": 0, "disavow": 0, "undecided": 3}
    assert result.disavow().data == b""
    assert result.disavow().changes.empty


def test_progress_counts_the_flagged_domains_that_are_decided():
    assert reviewed("a.icu", "c.com").decided == 1


def test_a_domain_is_decided_too_once_all_its_flagged_links_are():
    one = Review().decide("URL", ["https://a.icu/1"], "disavow")
    assert RiskReview(RISKS, one).decided == 0
    both = RiskReview(RISKS, one.decide("URL", ["https://a.icu/2"], "keep"))
    assert both.decided == 1
    assert both.to_disavow == 1


def test_states_show_by_domain_and_by_link():
    result = reviewed("a.icu")
    assert result.rows("domain")["state"].tolist() == ["disavow", "undecided", "undecided"]
    assert result.rows("URL")["state"].tolist() == ["disavow", "disavow", "undecided", "undecided"]


def test_a_saved_review_holds_for_a_newer_export():
    saved = write_csv(reviewed("a.icu").review.to_table())
    newer = review_risks(exported(ahrefs_row("https://z.com/"), ahrefs_row("https://a.icu/9")))
    states = RiskReview(newer, read_review(saved, "review.csv")).domains.set_index("referring_domain")["state"]
    assert states.to_dict() == {"z.com": "undecided", "a.icu": "disavow"}


def test_the_disavow_file_adds_to_the_existing_one_and_the_preview_says_what_changes():
    existing = parse_disavow_file(b"# old\r\nhttps://a.icu/1\r\ndomain:old.com\r\nnonsense\r\n")
    result = reviewed("a.icu", "old.com")
    text = result.disavow(existing).data.decode()
    assert text.splitlines()[:2] == ["# old", "domain:old.com"]
    assert text.splitlines()[-2:] == ["# Added by Backlink Audit", "domain:a.icu"]
    changes = result.disavow(existing).changes
    assert changes.loc[changes["Change"] == "added", "Text"].tolist() == ["domain:a.icu"]
    left_out = changes[changes["Change"] == "left out"].set_index("Text")
    assert left_out.loc["https://a.icu/1", ["Line", "Why"]].tolist() == [2, "“domain:a.icu” covers it"]
    assert left_out.loc["nonsense", "Line"] == 4


def test_what_is_kept_leaves_the_existing_file():
    result = RiskReview(RISKS, Review().decide("domain", ["b.com"], "whitelist"))
    assert result.disavow(parse_disavow_file(b"domain:b.com\ndomain:z.com\n")).data == b"domain:z.com\n"


@pytest.mark.parametrize("state", ["keep", "whitelist", "remove (asked)", "undecided"])
def test_only_the_state_disavow_disavows(state):
    result = RiskReview(RISKS, Review().decide("domain", ["a.icu"], state).decide("URL", ["https://b.com/1"], state))
    assert result.disavow().data == b""


def test_the_workbook_has_the_figures_of_the_screen():
    result = reviewed("a.icu")
    sheets = tables(result).sheets()
    assert list(sheets) == ["Summary", "Signals", "Domains", "Links", "Review"]
    assert len(sheets["Domains"]) == RISKS.flagged_domains
    assert len(sheets["Links"]) == RISKS.flagged_links
    summary = sheets["Summary"].set_index("What")["Value"]
    assert summary["In a sentence"] == RISKS.headline
    assert summary["disavow"] == "1"
    assert summary["Flagged and decided"] == "1 of 2"
    assert sheets["Domains"].columns[:4].tolist() == ["Referring domain", "State", "Signals", "Evidence of risk"]
    assert to_xlsx(tables(result))[:2] == b"PK"


def test_the_main_table_has_every_domain():
    assert len(tables(reviewed()).main()) == 3


def test_a_single_page_that_is_kept_leaves_the_existing_file():
    result = RiskReview(RISKS, Review().decide("URL", ["https://b.com/1"], "keep"))
    existing = parse_disavow_file(b"http://www.b.com/1\nhttps://b.com/2\n")
    assert result.disavow(existing).data == b"https://b.com/2\n"
    assert result.disavow(existing).changes["Why"].tolist() == ["you keep this page"]


def test_a_single_link_of_a_kept_domain_is_disavowed_by_its_own_decision():
    review = Review().decide("domain", ["b.com"], "keep").decide("URL", ["https://b.com/1"], "disavow")
    result = RiskReview(RISKS, review)
    existing = parse_disavow_file(b"domain:b.com\n")
    assert result.disavow(existing).data == b"# Added by Backlink Audit\nhttps://b.com/1\n"
    assert result.to_disavow == 1
