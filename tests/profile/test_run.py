import pandas as pd
import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.sources import Sources
from tests.exported import ahrefs_row, exported
from tests.profile.made import LINKS


@pytest.mark.parametrize(("links", "number"), [("live", 4), ("live in content", 3), ("everything", 6)])
def test_another_choice_of_links_gives_other_figures(links, number, toy):
    assert profile_backlinks(LINKS, LinkChoice(links)).backlinks == number
    audit = audit_backlinks(LINKS, AuditSettings(), toy)
    assert profile_backlinks(audit, LinkChoice(links)).backlinks == number


def test_an_audits_profile_has_the_audits_numbers(toy):
    audit = audit_backlinks(LINKS, AuditSettings(), toy).chosen(LinkChoice())
    profile = profile_backlinks(audit)
    assert profile.backlinks == audit.backlinks
    ours = profile.referring_domains.set_index("referring_domain").sort_index()
    theirs = audit.referring_domains.set_index("referring_domain").sort_index()
    pd.testing.assert_frame_equal(ours[theirs.columns], theirs)
    assert profile.target_pages["mean_relevance"].notna().any()
    assert profile.page_kinds["links"].sum() == len(audit.links)
    assert profile.topics["links"].sum() == (audit.links["topic"] != "").sum()
    assert not {"topics", "relevance"} & set(profile.missing)


def test_without_an_audit_what_it_judges_is_said_to_be_missing():
    profile = profile_backlinks(LINKS)
    assert profile.topics.empty and profile.page_kinds.empty
    assert "Run the audit" in profile.missing["topics"]
    assert "mean_similarity" not in profile.anchors


def test_a_column_that_is_there_but_empty_is_said_to_be_empty():
    assert profile_backlinks(exported(ahrefs_row("https://a.com/"))).missing["lost_domains"] == (
        "The column “Lost” of this export is empty."
    )


def test_without_any_dates_there_are_no_months_and_a_sentence():
    dates = ("First seen", "Last seen", "Lost", "Lost status", "Drop reason")
    profile = profile_backlinks(exported(ahrefs_row("https://a.com/"), without=dates))
    assert profile.months.empty
    assert "First seen" in profile.missing["months"]
    assert profile.net_per_day is None


def test_new_domains_are_counted_where_lost_ones_cannot_be():
    months = profile_backlinks(exported(ahrefs_row("https://a.com/"))).months
    assert months["new_domains"].sum() == 1
    assert not {"lost_domains", "net_domains", "net_per_day"} & set(months.columns)


def test_a_crawl_shows_exact_matches_by_title():
    from backlink_audit.exports.recognise import recognise

    crawl = pd.DataFrame({"Address": ["https://our-site.com/"], "Title 1": ["Gone fishing"], "H1-1": [""]}, dtype="str")
    row = ahrefs_row("https://a.com/", anchor="gone fishing")
    assert profile_backlinks(exported(row)).anchors["anchor_class"].tolist() == ["other"]
    profile = profile_backlinks(exported(row), sources=Sources(pages=recognise(crawl, "crawl.csv")))
    assert profile.anchors["anchor_class"].tolist() == ["exact match"]


def test_a_choice_that_no_link_fits_leaves_an_empty_profile():
    profile = profile_backlinks(exported(ahrefs_row("https://a.com/", lost="2024-01-01")))
    assert (profile.backlinks, len(profile.every_link)) == (0, 1)
    assert profile.headline.startswith("0 backlinks")
    assert [value for label, value, _ in profile.figures if label == "Backlinks"] == [0]
