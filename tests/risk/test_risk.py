"""The risk review's charts have the numbers of their tables."""

import pandas as pd

from backlink_audit.labels import STATES
from backlink_audit.risk import charts

COUNTS = pd.DataFrame(
    {"label": ["Spam TLD", "Sitewide", "Risky topic"], "links": [3, 9, None], "domains": [2, 1, None]}
)


def test_signals_show_links_and_domains_and_leave_out_what_cannot_be_found():
    drawn = charts.signals(COUNTS, 20)
    links, domains = drawn.data
    assert list(links.y) == ["Spam TLD", "Sitewide"]
    assert (list(links.x), list(domains.x)) == ([3, 9], [2, 1])
    assert drawn.layout.title.text == "Sitewide is the most frequent signal: 9 links"
    assert "1 signals cannot be told" not in drawn.layout.title.subtitle.text
    assert "1 signal not available" in drawn.layout.title.subtitle.text


def test_links_without_signals_are_said_to_have_none():
    drawn = charts.signals(COUNTS.assign(links=0), 20)
    assert drawn.layout.annotations[0].text == "No risk signal was found in 20 links."
    assert charts.signals(COUNTS, 0).layout.annotations[0].text == "No links to show."


def test_states_are_one_bar_in_their_own_colours():
    drawn = charts.states({"keep": 2, "disavow": 1, "undecided": 7})
    assert [trace.name for trace in drawn.data] == [label.word for label in STATES]
    assert [trace.x[0] for trace in drawn.data] == [2, 0, 0, 1, 7]
    assert [trace.marker.color for trace in drawn.data] == [label.colour for label in STATES]
    assert drawn.layout.title.text == "3 of 10 referring domains are decided"
    assert charts.states({}).layout.annotations[0].text == "No referring domains to show."
