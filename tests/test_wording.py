"""The sentences' figures; most of it is in the doctests."""

import pytest

from backlink_audit.wording import by_number, count, part_of, percent


@pytest.mark.parametrize(("number", "sentence"), [(0, "0 links are"), (1, "1 link is"), (2, "2 links are")])
def test_noun_and_verb_agree_with_the_number(number, sentence):
    assert f"{count(number, 'link')} {by_number(number, 'is', 'are')}" == sentence


def test_the_noun_of_a_part_agrees_with_the_whole():
    assert [part_of(1, 1, "link"), part_of(1, 1200, "link"), part_of(0, 1, "link")] == [
        "1 of 1 link",
        "1 of 1,200 links",
        "0 of 1 link",
    ]


@pytest.mark.parametrize(
    ("share", "written"),
    [(0, "0%"), (0.0049, "under 1%"), (0.005, "under 1%"), (0.1, "10%"), (0.999, "over 99%"), (1, "100%")],
)
def test_shares_are_whole_percent_and_neither_none_nor_all_by_rounding(share, written):
    assert percent(share) == written
