"""Sites that copy: what all links of a site show together."""

import pytest

from backlink_audit.analysis.export_summary import join_summaries, summarise_part
from tests.analysis.links import links_table

TARGET = "https://shop.example/blog/how-to-oil-old-oak-chairs"


def said(*rows):
    links = links_table(*rows)
    return join_summaries([summarise_part(links)]).shared


def article(place, host="a.example", **others):
    page = {"page": f"https://{host}/{place}", "referring_title": f"Something else {place}", "target": TARGET}
    return {**page, "anchor": f"oak {place}", **others}


def copy(place, host="a.example", **others):
    return article(place, host, referring_title="How to Oil Old Oak Chairs", nofollow=True, **others)


def test_a_site_of_which_a_fifth_are_copies_copies_on_all_its_pages():
    shared = said(copy(1), copy(2), *(article(place) for place in range(3, 11)), article(1, "b.example"))
    assert shared["copied_site"].tolist() == [2] * 10 + [0]
    shared = said(copy(1), copy(2), *(article(place) for place in range(3, 12)))
    assert not shared["copied_site"].any()


def test_one_copy_is_no_site_of_copies_but_marks_all_links_of_its_page():
    shared = said(copy(1), article(1), article(2))
    assert shared["copied_site"].tolist() == [0, 0, 0]
    assert shared["copied_page"].tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({"target": "https://shop.example/files/oak.jpg"}, True),
        ({"nofollow": False, "referring_title": "How to Oil Old Oak Chairs"}, False),
    ],
)
def test_pictures_of_the_site_show_a_copy_and_followed_titles_do_not(others, expected):
    shared = said(article(1, **others), article(2, **others), article(3))
    assert bool(shared["copied_site"].all()) is expected


def test_one_anchor_that_leads_to_page_after_page_shows_a_copy_where_it_is_not_followed():
    fed = [article(place, anchor="source", target=f"https://shop.example/{place}", nofollow=True) for place in range(5)]
    assert (said(*fed)["copied_site"] == 5).all()
    assert not said(*({**row, "nofollow": False} for row in fed))["copied_site"].any()


def test_an_export_without_links_has_no_copies():
    assert said().empty
