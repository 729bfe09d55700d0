from dataclasses import replace

import pytest

from backlink_audit.judgement.risk_signals import SIGNAL_NAMES, suspicious_kinds
from backlink_audit.report.files import write_csv
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.risk.result import RiskReview, summed_up
from backlink_audit.risk.review import Review, read_review
from backlink_audit.risk.run import review_risks
from backlink_audit.settings import RiskLimits
from tests.exported import ahrefs_row, exported
from tests.risk.made import RISKS, SELLER, reviewed


def test_a_domain_has_every_signal_of_its_links_once_with_the_first_evidence():
    domains = RISKS.domains.set_index("referring_domain")
    assert list(domains.index) == ["a.icu", "b.com", "c.com"]
    assert domains["signals"].tolist() == [3, 1, 0]
    assert domains.loc["a.icu", "risk_external_links"] == "900 external links"
    assert RISKS.flagged_domains == 2


def test_what_two_signals_say_in_the_same_words_is_said_once():
    links = RISKS.links.assign(risk_kind="14 sites have a page with this title; 900 external links")
    [said, *_] = summed_up(links[links["risk_external_links"] != ""])["risk_evidence"]
    assert said.count("900 external links") == 1 and "14 sites have a page with this title; " in said


def test_a_page_that_looks_like_spam_is_named_so_beside_the_same_words():
    links = RISKS.links.assign(page_kind="spam", kind_why="900 external links", suspicion=90.0, topic_field="")
    found = links.assign(risk_kind=suspicious_kinds(links))
    [said, *_] = summed_up(found[found["risk_external_links"] == "900 external links"])["risk_evidence"]
    assert "looks like spam; 900 external links" in said and said.count("900 external links") == 1


def test_a_tld_alone_lists_no_domain_but_counts_beside_another_signal():
    both = ahrefs_row("https://c.icu/1", referring_page_title="Buy backlinks")
    domains = review_risks(exported(ahrefs_row("https://a.icu/1"), both)).domains.set_index("referring_domain")
    assert domains.loc[["c.icu", "a.icu"], "signals"].tolist() == [2, 0]
    assert domains.loc["a.icu", "risk_tld"] != "" and domains.loc["a.icu", "risk_evidence"] == ""


def test_followed_links_are_reviewed_before_others_that_show_more_signals():
    farm = ahrefs_row("https://farm.icu/1", referring_page_title=SELLER, external_links="900", nofollow="true")
    risks = review_risks(exported(farm, ahrefs_row("https://followed.com/1", external_links="900")))
    assert risks.domains["referring_domain"].tolist() == ["followed.com", "farm.icu"]
    assert risks.domains["signals"].tolist() == [1, 3]
    judged = replace(risks, links=risks.links.assign(verdict=["Review", "Fine"]))
    assert judged.domains["referring_domain"].tolist() == ["farm.icu", "followed.com"]
    assert RiskReview(judged, Review()).rows("URL")["referring_domain"].tolist() == ["farm.icu", "followed.com"]


def test_signals_are_counted_by_links_and_domains():
    counts = RISKS.signal_counts.set_index("name")
    assert list(counts.loc["risk_tld", ["links", "domains"]]) == [2, 1]
    assert list(counts.loc["risk_external_links", ["links", "domains"]]) == [3, 2]
    for name in set(SIGNAL_NAMES) - set(RISKS.missing):
        assert counts.loc[name, "links"] == (RISKS.links[name] != "").sum()


def test_what_a_signal_means_names_the_limits_that_hold():
    risks = review_risks(exported(ahrefs_row("https://a.com/")), limits=RiskLimits(external_links=9))
    meaning = risks.signal_counts.set_index("name")["meaning"]["risk_external_links"]
    assert "more than 9 external links" in meaning


def test_a_signal_that_the_export_cannot_show_has_no_figure_but_a_sentence():
    counts = RISKS.signal_counts.set_index("name")
    assert counts.loc[["risk_flag", "risk_topic"], "links"].isna().all()
    assert counts.loc["risk_flag", "meaning"] == "This export has no column “Is spam” or “Toxic score”."
    assert "Run the audit" in counts["meaning"]["risk_topic"]


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
    left_out = changes[changes["Change"] == "not included"].set_index("Text")
    assert list(left_out.loc["https://a.icu/1", ["Line", "Why"]]) == [2, "“domain:a.icu” covers it"]
    assert left_out.loc["nonsense", "Line"] == 4


def test_what_is_kept_leaves_the_existing_file():
    result = RiskReview(RISKS, Review().decide("domain", ["b.com"], "whitelist"))
    assert result.disavow(parse_disavow_file(b"domain:b.com\ndomain:z.com\n")).data == b"domain:z.com\n"


@pytest.mark.parametrize("state", ["keep", "whitelist", "remove (asked)", "undecided"])
def test_only_the_state_disavow_disavows(state):
    result = RiskReview(RISKS, Review().decide("domain", ["a.icu"], state).decide("URL", ["https://b.com/1"], state))
    assert result.disavow().data == b""


def test_a_single_page_that_is_kept_leaves_the_existing_file():
    result = RiskReview(RISKS, Review().decide("URL", ["https://b.com/1"], "keep"))
    existing = parse_disavow_file(b"http://www.b.com/1\nhttps://b.com/2\n")
    assert result.disavow(existing).data == b"https://b.com/2\n"
    assert result.disavow(existing).changes["Why"].tolist() == ["you set this page to “keep”"]


def test_a_single_link_of_a_kept_domain_is_disavowed_by_its_own_decision():
    review = Review().decide("domain", ["b.com"], "keep").decide("URL", ["https://b.com/1"], "disavow")
    result = RiskReview(RISKS, review)
    existing = parse_disavow_file(b"domain:b.com\n")
    assert result.disavow(existing).data == b"# Added by Backlink Audit\nhttps://b.com/1\n"
    assert result.to_disavow == 1
