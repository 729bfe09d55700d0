"""What a page is called, whole."""

import pytest

from backlink_audit.text.page_names import phrases, whole_name

STOP = {"a", "by", "for", "how", "new", "the", "to", "we", "in", "gov"}


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("How to oil tables", ("oil", "table")),
        ("The new oak.gov", ("oak", "gov")),
        ("How we built-in", ("built", "in")),
        ("How to", ()),
    ],
)
def test_a_name_is_whole_without_the_small_words_around_it(title, found):
    assert whole_name(title, STOP) == found


def test_phrases_stand_between_signs_and_small_words():
    found = phrases("Oak.gov: new dashboards for built-in benches", STOP)
    assert {("oak", "gov"), ("dashboard",), ("built", "in", "benche")} <= found
    assert ("benche",) not in found


def test_titles_without_spaces_are_read_too():
    assert phrases("東京のホテル予約", set())
