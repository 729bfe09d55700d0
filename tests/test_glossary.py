from collections import Counter

from backlink_audit.glossary import GLOSSARY, describe


def test_every_name_stands_for_one_thing():
    assert [name for name, times in Counter(term.name for term in GLOSSARY).items() if times > 1] == []


def test_a_column_is_described_by_its_name_or_its_label():
    assert describe("cas") == describe("CAS")
    assert describe("referring_url").style == "url"


def test_a_column_of_an_export_has_its_style_and_width_from_the_schema():
    assert (describe("page_traffic").style, describe("domain_rating").style) == ("count", "number")
    assert describe("domain_rating").width == 52
