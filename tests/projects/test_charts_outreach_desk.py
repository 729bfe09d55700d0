from backlink_audit.labels import TO_CONTACT, WON
from backlink_audit.projects import client_report


def test_one_bar_has_every_state_and_the_title_says_who_links_now():
    drawn = client_report.states({WON.word: 1, TO_CONTACT.word: 3})
    assert drawn.layout.title.text == "1 of 4 prospects links to you now"
    assert {trace.name: trace.x[0] for trace in drawn.data if trace.x[0]} == {TO_CONTACT.word: 3, WON.word: 1}


def test_an_empty_desk_says_so():
    assert "no prospects" in client_report.states({}).layout.annotations[0].text
