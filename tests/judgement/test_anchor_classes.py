"""What anchors are made of."""

import pytest

from backlink_audit.judgement.anchor_classes import brand_names, classify_anchors, poor_anchors
from tests.backlinks import clean_links

TARGET = "https://www.garden-tools.example/guides/choosing-a-pruning-knife/"


def class_of(anchor: str, target: str = TARGET, **options) -> str:
    return classify_anchors(clean_links(anchor=[anchor], target_url=[target]), **options).iloc[0]


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        ("", "image or empty"),
        ("  ", "image or empty"),
        ("→", "image or empty"),
        ("https://www.garden-tools.example/guides/", "naked URL"),
        ("www.garden-tools.example/gui...", "naked URL"),
        ("garden-tools.example", "naked URL"),
        ("other-site.com/page", "naked URL"),
        ("Garden Tools", "branded"),
        ("the Garden-Tools shop", "branded"),
        ("GardenTools", "branded"),
        ("Read the original article on garden-tools.example", "branded"),
        ("click here", "generic"),
        ("Click here!", "generic"),
        ("the website", "generic"),
        ("their shop", "generic"),
        ("the", "other"),
        ("hier klicken", "generic"),
        ("En savoir plus", "generic"),
        ("Haz clic aqui", "generic"),
        ("здесь", "generic"),
        ("こちら", "generic"),
        ("Choosing a pruning knife", "exact match"),
        ("pruning knife", "exact match"),
        ("the pruning knife", "exact match"),
        ("sharp pruning shears", "partial"),
        ("guides for beginners", "partial"),
        ("bicycle repair", "other"),
        ("node.js", "other"),
    ],
)
def test_an_anchor_has_the_first_class_that_fits(anchor, expected):
    assert class_of(anchor) == expected
    poor = poor_anchors(clean_links(anchor=[anchor], target_url=[TARGET]))
    assert poor.tolist() == [expected in ("image or empty", "naked URL", "generic")]


def test_a_generic_phrase_that_is_a_brands_name_is_not_poor():
    links = clean_links(anchor=["click here", "website"], target_url=[TARGET, TARGET])
    assert poor_anchors(links, brands=["Click Here"]).tolist() == [False, True]


def test_title_and_h1_of_a_crawl_count_as_the_target_pages_own_words():
    names = {"garden-tools.example": ["Everything for hedge and lawn"]}
    assert class_of("hedge and lawn", "https://garden-tools.example/", page_names=names) == "exact match"
    assert class_of("hedge and lawn", "https://garden-tools.example/") == "other"


def test_other_names_of_the_brand_can_be_given():
    assert class_of("Acme saws") == "other"
    assert class_of("Acme saws", brands=["ACME"]) == "branded"


def test_a_short_brand_must_be_a_word_of_its_own():
    assert class_of("HP printers", "https://www.hp.com/") == "branded"
    assert class_of("Photoshop php course", "https://www.hp.com/") == "other"


def test_a_domain_that_many_sites_write_as_a_url_is_another_name_of_the_brand():
    anchors = ["https://www.old-name.example"] * 3 + ["desks"] * 7
    assert brand_names(clean_links(anchor=anchors)) == ("oursite", "oldname")


def test_a_domain_written_once_is_no_brand():
    assert brand_names(clean_links(anchor=["https://elsewhere.example/"] + ["desks"] * 3)) == ("oursite",)


def test_classes_keep_the_index_of_the_links():
    links = clean_links(anchor=["click here", ""]).set_axis([5, 2])
    assert classify_anchors(links).to_dict() == {5: "generic", 2: "image or empty"}


def test_a_table_without_rows_has_no_classes():
    assert classify_anchors(clean_links(anchor=["x"]).iloc[:0]).empty
