"""The lists beside the links: pages to merge, old pages, blocks, what is left out, and how focused the site is."""

import pytest

from backlink_audit.internal_links import tables
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.settings import InterlinkSettings
from tests.crawls import crawl
from tests.toy import ToyEncoder

SITE = "https://shop.example"
CITIES = ("oslo", "rome", "bern", "kyiv", "lima")
OIL = "Oil keeps wood alive and dry for many years, so oil your table twice a year. "
PAGES = [
    (f"{SITE}/oil", "How to oil a table", "", OIL * 4),
    (f"{SITE}/oil-copy", "How to oil the table", "", OIL * 4 + "Again."),
    (f"{SITE}/privacy", "Privacy policy", "", "We keep nothing of what you say."),
    (f"{SITE}/docs/v1.2/setup", "Set up", "", "Set up the saw and the bench."),
    (f"{SITE}/docs/v1.3/setup", "Set up", "", "Set up the saw and the new bench."),
    (f"{SITE}/home", "Home insurance", "", "Insurance of homes."),
    *(
        (f"{SITE}/home/{city}", f"Cheap insurance in {city} for a month", "", f"Insurance in {city}.")
        for city in CITIES
    ),
]


@pytest.fixture(scope="module")
def result():
    return find_internal_links(crawl(*PAGES), InterlinkSettings(min_similarity=-1), ToyEncoder())


def test_the_longer_of_two_near_duplicates_is_kept_and_the_other_redirected(result):
    merge = tables.pages_to_merge(result).set_index("merge_url").loc[f"{SITE}/oil"]
    assert merge["keep_url"] == f"{SITE}/oil-copy"
    assert merge["redirect_rule"] == f"Redirect 301 /oil {SITE}/oil-copy"


def test_an_old_version_is_said_what_to_do_with_and_is_no_target(result):
    [old] = tables.old_pages(result).to_dict("records")
    assert old["url"] == f"{SITE}/docs/v1.2/setup"
    assert old["page_advice"].startswith("redirect to the newer version")
    assert old["url"] not in set(result.table["target_url"])


def test_a_family_is_one_block_with_its_parent_and_no_pairs(result):
    [block] = tables.blocks(result).to_dict("records")
    pattern = "Cheap insurance in … for a month"
    assert (block["block"], block["size"], block["parent_url"]) == (pattern, 5, f"{SITE}/home")
    cities = {f"{SITE}/home/{city}" for city in CITIES}
    pairs = set(zip(result.table["source_url"], result.table["target_url"], strict=True))
    assert not any(source in cities and target in cities for source, target in pairs)
    assert any(source == f"{SITE}/home" and target in cities for source, target in pairs)  # the parent may link


def test_what_is_left_out_is_listed_with_its_evidence_unless_the_switch_is_off(result):
    [left] = tables.pages_left_out(result).to_dict("records")
    assert (left["url"], left["purpose"]) == (f"{SITE}/privacy", "utility")
    settings = InterlinkSettings(min_similarity=-1, page_kinds=False)
    everything = find_internal_links(crawl(*PAGES), settings, ToyEncoder())
    assert tables.pages_left_out(everything).empty and tables.blocks(everything).empty
    assert f"{SITE}/privacy" in set(everything.table["target_url"])


def test_the_focus_is_said_and_by_section(result):
    said, sections = tables.focus(result)
    assert said.startswith("The pages are 0.")
    assert sections["size"].sum() == len(PAGES)
    assert sections["focus"].between(-1, 1).all()


def test_without_words_to_link_the_target_s_title_is_a_sentence_of_its_own(result):
    table = result.table
    assert (table["see_also"] != "").equals(table["anchor"] == "")
    assert table.loc[table["see_also"] != "", "see_also"].str.startswith("See also: ").all()
