"""The file of edits: the sentence as it is, and with its link."""

import json

from backlink_audit.internal_links.tables import INSERTIONS, as_json, insertions, with_link
from tests.internal_links.test_run import OIL, PAGES, SITE, TEAK, find


def test_each_link_with_an_anchor_is_an_edit_of_its_sentence():
    result = find()
    table = insertions(result)
    assert tuple(table.columns) == INSERTIONS
    assert len(table) == result.with_anchor
    row = table[(table["Page URL"] == TEAK) & (table["Target URL"] == OIL)].iloc[0]
    assert row["Sentence"] == "Before winter, oil a teak table with care."
    assert row["Sentence with link"] == f'Before winter, <a href="{OIL}">oil a teak table</a> with care.'


def test_signs_of_html_in_sentences_and_addresses_are_escaped():
    made = with_link('<b>Oil & "wax"</b>', "Oil &", 'https://a.example/"x"', 3)
    assert made == '&lt;b&gt;<a href="https://a.example/&quot;x&quot;">Oil &amp;</a> "wax"&lt;/b&gt;'


def test_the_link_stands_on_the_words_that_were_found_and_not_on_the_same_ones_before_them():
    text = "Bring the unsolar lamps inside, and turn the solar lamps off."
    pages = [*PAGES, (f"{SITE}/evening", "Evening | Acme", "Evening", text)]
    table = insertions(find(pages=pages))
    row = table[(table["Page URL"] == f"{SITE}/evening") & (table["Anchor"] == "solar lamps")].iloc[0]
    assert row["Sentence with link"].startswith("Bring the unsolar lamps inside, and turn the <a href=")
    assert row["Anchor match"] == "exact"


def test_json_holds_the_same_edits_by_page():
    table = insertions(find())
    pages = json.loads(as_json(table))
    assert [page["page"] for page in pages] == list(dict.fromkeys(table["Page URL"]))
    assert sum(len(page["links"]) for page in pages) == len(table)
    assert pages[0]["links"][0]["sentence_with_link"] == table["Sentence with link"].iloc[0]
