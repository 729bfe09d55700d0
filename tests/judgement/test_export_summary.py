"""What an export says as a whole, put together from its parts."""

import pandas as pd

from backlink_audit.judgement.referring_sites import join_summaries, summarise_part
from backlink_audit.judgement.risk_signals import risk_signals
from backlink_audit.settings import RiskLimits
from tests.backlinks import clean_links

LINKS = clean_links(
    referring_url=[f"https://site{row % 12}.example/top-website-list-{row}/" for row in range(60)],
    target_url=[f"https://www.our-site.example/{row % 3}" for row in range(60)],
    anchor=(["cheap oak desks", "https://old-name.example/", "oak"] * 20),
    referring_title=[f"Where to buy links from shop{row}.com" for row in range(30)] + ["Цена сегодня"] * 30,
)


def test_the_joined_summaries_of_parts_are_the_summary_of_the_whole():
    whole = join_summaries([summarise_part(LINKS)])
    parts = join_summaries([summarise_part(LINKS.iloc[start : start + 7]) for start in range(0, len(LINKS), 7)])
    pd.testing.assert_frame_equal(parts.shared, whole.shared)
    assert parts.brands == whole.brands == ("oursite", "oldname")
    pd.testing.assert_frame_equal(parts.names, whole.names)


def test_an_old_domain_that_links_write_is_a_name_of_the_site():
    links = LINKS.assign(anchor=["https://old-garden.com/"] * 20 + ["oak"] * 40)
    assert join_summaries([summarise_part(links)]).names["word"].tolist() == ["oursite", "oldgarden"]


def test_a_part_judged_by_the_summary_of_the_whole_gets_the_signals_of_the_whole():
    summary = join_summaries([summarise_part(LINKS)])
    whole = risk_signals(LINKS, RiskLimits())
    parts = [risk_signals(LINKS.iloc[start : start + 25], RiskLimits(), whole=summary) for start in (0, 25, 50)]
    pd.testing.assert_frame_equal(pd.concat(parts), whole)
    assert (whole != "").any().sum() >= 3


def test_without_links_there_is_nothing_to_say():
    assert join_summaries([summarise_part(LINKS.iloc[:0])]).shared.empty
