"""Each risk signal on its own; and none where the export does not have the fact."""

from dataclasses import fields, replace
from typing import Any

import pandas as pd
import pytest

from backlink_audit.judgement.meaning import LINKS_FOR_SALE
from backlink_audit.judgement.risk_signals import SIGNAL_NAMES, SIGNALS, independent, name_signals, risk_signals
from backlink_audit.schema import BACKLINKS
from backlink_audit.settings import RiskLimits
from tests.backlinks import clean_links

LIMITS = RiskLimits()


def signals(**columns) -> pd.DataFrame:
    return risk_signals(clean_links(**columns), LIMITS, risky_fields={"Gambling"})


def test_there_is_one_text_column_per_signal_with_the_index_of_the_links():
    links = clean_links(anchor=["a", "b"]).set_axis([7, 3])
    found = risk_signals(links, LIMITS)
    assert tuple(found.columns) == SIGNAL_NAMES
    assert list(found.index) == [7, 3]
    assert all(dtype == "str" for dtype in found.dtypes)


def test_links_without_any_fact_have_no_signal():
    assert (signals(anchor=["", "", ""]) == "").all(axis=None)


def test_an_empty_table_has_no_signals():
    assert risk_signals(clean_links(anchor=["a"]).iloc[:0], LIMITS).shape == (0, len(SIGNALS))


def test_the_links_are_not_changed():
    links = clean_links(anchor=["Buy backlinks", "x"], external_links=[900, 1])
    before = links.copy()
    risk_signals(links, LIMITS)
    pd.testing.assert_frame_equal(links, before)


def test_the_exports_own_spam_flag_counts():
    assert signals(spam=[True, False, None])["risk_flag"].tolist() == ["flagged as spam in the export", "", ""]


@pytest.mark.parametrize(
    ("score", "evidence"),
    [(44.9, ""), (45, "toxic score 45: potentially toxic"), (60, "toxic score 60"), (99, "toxic score 99"), (None, "")],
)
def test_a_toxic_score_counts_from_45_and_is_toxic_from_60(score, evidence):
    assert signals(toxic_score=[score])["risk_flag"].tolist() == [evidence]


def test_a_risky_field_counts_only_off_topic():
    found = signals(topic_field=["Gambling", "Gambling", "Gardening"], band=["off-topic", "relevant", "off-topic"])
    assert found["risk_topic"].tolist() == ["off-topic, and about gambling", "", ""]


def test_spam_counts_and_suspicious_lists_with_followed_links():
    found = signals(
        page_kind=["spam", "list", "list", "list", "page"],
        kind_why=["its title is like that of a link seller", "900 external links", "a", "b", ""],
        suspicion=[10.0, 50.0, 50.0, 49.0, 90.0],
        nofollow=[True, False, True, False, False],
    )
    assert found["risk_kind"].tolist() == [
        "looks like spam; its title is like that of a link seller",
        "probably a list or a copy; 900 external links",
        *("", "", ""),
    ]


def test_a_spam_tld_is_named_with_its_source():
    found = signals(referring_url=["https://a.icu/x", "https://b.com/x", "https://icu.com/x"])["risk_tld"].tolist()
    assert found[0].startswith("domain under .icu (Palo Alto")
    assert found[1:] == ["", ""]


def test_more_than_500_external_links_count():
    found = signals(external_links=[500, 501, 42572, None])["risk_external_links"].tolist()
    assert found == ["", "501 external links", "42,572 external links", ""]


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("Where to buy aged domains and more", "aged domains"),
        ("Best SEO agency", "SEO"),
        ("High DA back-links here", "back-links"),
        ("Contact Telegram: @seller99", "Telegram: @seller99"),
        ("order at t.me/linkshop", "t.me/linkshop"),
        ("write: WhatsApp: +49 170 1234567", "WhatsApp: +49 170 1234567"),
        ("skype: live:.cid.ab12cd34", "live:.cid.ab12cd34"),
        ("Telegram: top_links", "Telegram: top_links"),
        ("Guest posts for sale", "Guest posts"),
    ],
)
def test_link_seller_words_in_a_title_are_quoted(title, word):
    assert signals(referring_title=[title])["risk_seller"].tolist() == [f"title contains “{word}”"]


@pytest.mark.parametrize(
    "title",
    [
        "Elon Musk denies Telegram-xAI deal",
        "Museo del Prado",
        "Backlit keyboards",
        "NASA (@NASA) / X",
        "Telegram: Durov speaks in Paris",
        "WhatsApp: 2024 in numbers",
        "LIVE:Bitcoin falls",
        "Oils in pregnancy: guest post by Anna",
    ],
)
def test_harmless_titles_are_not_taken_for_link_sellers(title):
    assert signals(referring_title=[title])["risk_seller"].tolist() == [""]


def test_seo_in_the_name_of_a_site_is_no_offer():
    urls = ["https://leseoparanna.fr/x", "https://leseoparanna.fr/y", "https://anna.fr/x"]
    titles = ["Small shops | Le SEO par Anna", "Cheap backlinks | Le SEO par Anna", "Small shops | SEO"]
    assert (signals(referring_url=urls, referring_title=titles)["risk_seller"] != "").tolist() == [False, True, True]


def test_link_seller_words_in_an_anchor_are_found_too():
    assert signals(anchor=["cheap backlinks"])["risk_seller"].tolist() == ["anchor contains “backlinks”"]


SITES = [f"https://site{number}.com/a-{number}-page/deep" for number in range(40)]
EVIDENCE: dict[str, dict[str, Any]] = {
    "risk_kind": {"page_kind": ["spam"], "kind_why": ["its title is short"], "suspicion": [10.0]},
    "risk_flag": {"spam": [True]},
    "risk_topic": {"topic_field": ["Gambling"], "band": ["off-topic"]},
    "risk_tld": {"referring_url": ["https://a.icu/x"]},
    "risk_external_links": {"external_links": [501]},
    "risk_sitewide": {"sitewide": [True]},
    "risk_anchor": {"referring_url": SITES, "anchor": ["sturdy oak furniture"] * 40},
    "risk_keyword": {"anchor": ["cheap oak chairs"]},
    "risk_template": {"referring_url": SITES, "referring_title": ["The best of all oak things"] * 40},
    "risk_seller": {"referring_title": ["Buy backlinks"]},
}
"""Links that show each signal; the first of them does."""


@pytest.mark.parametrize("signal", SIGNALS, ids=lambda signal: signal.name)
def test_every_signal_is_explained_and_found_with_evidence(signal):
    assert signals(**EVIDENCE[signal.name])[signal.name].iloc[0]
    assert signal.label and signal.explain(LIMITS).endswith(".")
    assert set(signal.needs) <= set(BACKLINKS.names)


def test_every_limit_belongs_to_one_signal_and_its_value_is_in_the_explanation():
    for name in (field.name for field in fields(RiskLimits)):
        other = replace(LIMITS, **{name: getattr(LIMITS, name) + 7})
        assert len([signal for signal in SIGNALS if signal.explain(LIMITS) != signal.explain(other)]) == 1, name


def test_the_signals_of_a_link_are_named_in_words():
    found = pd.DataFrame({name: ["", "", ""] for name in SIGNAL_NAMES}, index=[5, 7, 9])
    found.loc[7, ["risk_tld", "risk_sitewide"]] = "evidence"
    found.loc[9, "risk_flag"] = "evidence"
    named = name_signals(found != "")
    assert named.to_dict() == {5: "", 7: "spam TLD, sitewide", 9: "flagged in the export"}
    assert name_signals(found.iloc[:0] != "").empty


def test_a_shared_title_counts_beside_a_seller_a_list_or_an_unrelated_subject_only():
    found = pd.DataFrame({name: [False] * 3 for name in SIGNAL_NAMES}).assign(risk_template=True, risk_anchor=True)
    found.loc[1, "risk_topic"] = True
    found.loc[2, "risk_kind"] = True
    counted = independent(found, pd.DataFrame({"page_kind": ["page", "page", "list"], "topic_field": ["", "", ""]}))
    assert counted["risk_template"].tolist() == [False, True, True]


def test_one_fact_counts_once():
    found = pd.DataFrame({name: [False] * 4 for name in SIGNAL_NAMES}, index=[4, 5, 6, 7])
    found.loc[[4, 5], ["risk_kind", "risk_external_links"]] = True
    found.loc[5, ["risk_keyword", "risk_anchor"]] = True
    found.loc[6, ["risk_topic", "risk_seller"]] = True
    found.loc[7, "risk_tld"] = True
    kinds = {"page_kind": ["list", "spam", "spam", "page"], "topic_field": ["", "", LINKS_FOR_SALE, ""]}
    counted = independent(found, pd.DataFrame(kinds, index=found.index))
    assert counted.sum(axis=1).to_dict() == {4: 1, 5: 3, 6: 1, 7: 0}
    assert name_signals(counted)[4] == "many external links"
