"""Which referring domains are the target site's own."""

import pandas as pd
import pytest

from backlink_audit.judgement.referring_sites import join_summaries, own_sites, summarise_part
from tests.backlinks import clean_links

TARGET = "https://www.oakworks.example/"


def owners(links: pd.DataFrame) -> pd.Series:
    summary = summarise_part(links)
    return own_sites(links, join_summaries([summary]).names, summary.prints)


def found(urls: list[str], **columns) -> list[str]:
    return owners(clean_links(referring_url=urls, **{"target_url": [TARGET] * len(urls)} | columns)).tolist()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://oakworks.de/", "oakworks"),
        ("https://oak-works.wordpress.com/about", "oakworks"),
        ("https://blog.oakworks.example/", "oakworks.example"),
        ("https://oakworks-reviews.example/", ""),
        ("https://garden.example/oakworks", ""),
    ],
)
def test_the_site_itself_and_what_has_its_name_as_its_host_is_the_owners(url, name):
    assert found([url]) == [name]


def test_a_plain_word_or_a_short_name_may_be_anybodys():
    for site in ("apple", "oak"):
        links = clean_links(referring_url=[f"https://{site}.de/"], target_url=[f"https://{site}.com/"])
        assert owners(links).tolist() == [""]


def test_a_domain_that_many_links_arrive_over_is_the_owners_and_a_directorys_redirect_is_not():
    urls = ["https://old-trees.com/", "https://directory.com/x", "https://a.example/", "https://b.example/"]
    over = ["", "https://directory.com/go?1", "http://old-trees.com/x, https://oakworks.example/x"]
    assert found(urls, redirect_urls=[*over, over[-1]]) == ["old-trees.com", "", "", ""]


def test_each_site_has_its_own_sites():
    urls, targets = ["https://oakworks.de/"] * 2, [TARGET, "https://elmworks.example/"]
    links = clean_links(referring_url=urls, target_url=targets)
    assert owners(links).tolist() == ["oakworks", ""]
    pd.testing.assert_index_equal(owners(links.set_axis([7, 3])).index, pd.Index([7, 3]))


def test_the_beginning_of_the_name_is_the_owners_where_several_pages_link_to_several_of_its_pages():
    targets = [f"{TARGET}{row}" for row in range(3)]

    def from_site(name: str) -> list[str]:
        return [f"https://{name}.com/{row}" for row in range(3)]

    assert found(from_site("oakwo"), target_url=targets) == ["oakwo"] * 3
    assert found(from_site("oakwo")[:2], target_url=targets[:2]) == ["", ""]
    assert found(from_site("oakwo")) == [""] * 3
    assert found(from_site("oak"), target_url=targets) == [""] * 3
    assert found(from_site("oakworksfan"), target_url=targets) == [""] * 3


def test_a_plain_word_is_not_the_owners_though_the_name_begins_with_it():
    urls, targets = (
        [f"https://garden.com/{row}" for row in range(3)],
        [f"https://gardenoak.com/{row}" for row in range(3)],
    )
    assert found(urls, target_url=targets) == [""] * 3
