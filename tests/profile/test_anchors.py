"""The most used anchors, their classes, and the one that dominates."""

import pytest

from backlink_audit.judgement.anchor_classes import classify_anchors
from backlink_audit.labels import ANCHOR_CLASSES
from backlink_audit.profile.shares import class_mix, dominant_anchors, top_anchors
from tests.backlinks import clean_links

TARGET = "https://our-site.com/oak-desks"


def anchors_of(**columns):
    links = clean_links(target_url=[TARGET] * len(columns["anchor"]), **columns)
    return top_anchors(links, classify_anchors(links))


def test_anchors_are_joined_across_upper_and_lower_case_and_ranked_by_domains():
    pages = ["https://a.com/", "https://b.com/", "https://c.com/1", "https://c.com/2"]
    anchors = anchors_of(anchor=["Oak desks", "oak desks ", "here", "here"], referring_url=pages)
    assert anchors["anchor"].tolist() == ["Oak desks", "here"]
    assert anchors["links"].tolist() == [2, 2]
    assert anchors["domains"].tolist() == [2, 1]
    assert anchors["anchor_class"].tolist() == ["exact match", "generic"]


def test_only_followed_domains_make_an_anchors_share():
    anchors = anchors_of(anchor=["oak desks"] * 2 + ["here"] * 2, nofollow=[False, True, False, False])
    assert anchors.set_index("anchor")["followed_domains"].to_dict() == {"oak desks": 1, "here": 2}
    assert anchors.set_index("anchor")["domain_share"].to_dict() == pytest.approx({"oak desks": 1 / 3, "here": 2 / 3})


def test_an_exact_match_on_more_than_15_percent_of_the_followed_domains_dominates():
    many = anchors_of(anchor=["oak desks"] * 4 + [f"anchor {number}" for number in range(16)])
    assert dominant_anchors(many)["anchor"].tolist() == ["oak desks"]
    few = anchors_of(anchor=["oak desks"] * 3 + [f"anchor {number}" for number in range(17)])
    assert dominant_anchors(few).empty


def test_a_brand_never_dominates():
    assert dominant_anchors(anchors_of(anchor=["Our Site"] * 9)).empty


def test_an_audits_links_bring_the_fit_to_the_target():
    anchors = anchors_of(
        anchor=["oak desks", "Oak desks", "here"], similarity=[0.5, 0.7, None], relevance=[90.0, 100.0, None]
    )
    assert anchors["mean_similarity"].tolist()[0] == pytest.approx(0.6)
    assert anchors["mean_similarity"].isna().tolist() == [False, True]


def test_every_class_is_counted_in_the_order_of_the_classes():
    links = clean_links(anchor=["here", "here", "", "our-site.com"], target_url=[TARGET] * 4)
    mix = class_mix(links, classify_anchors(links)).set_index("anchor_class")
    assert list(mix.index) == [label.word for label in ANCHOR_CLASSES]
    assert mix.loc[mix["links"] > 0, "links"].to_dict() == {"generic": 2, "naked URL": 1, "image or empty": 1}
    assert mix["share"].sum() == 1


def test_a_profile_without_anchors_has_one_empty_one():
    assert anchors_of(anchor=["", ""])["anchor_class"].tolist() == ["image or empty"]
