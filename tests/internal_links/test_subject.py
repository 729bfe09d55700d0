"""Pages far from the site's subject, on a small crawl with the toy encoder."""

from backlink_audit.internal_links.run import find_internal_links, off_topic_pages
from backlink_audit.settings import InterlinkSettings
from tests.crawls import crawl
from tests.toy import ToyEncoder

SITE = "https://shop.example"
COLOURS = "red blue green white black brown grey pink gold silver plain round square low high old new long wide".split()


def found(*pages, chairs=19):
    rows = [(f"{SITE}/{c}", f"Oak chairs {c}", f"Oak chairs {c}", "") for c in COLOURS[:chairs]]
    rows += [(f"{SITE}/guide-{'ab'[n]}", title, title, "") for n, title in enumerate(pages)]
    return find_internal_links(crawl(*rows), InterlinkSettings(), ToyEncoder())


def test_a_page_about_something_else_than_the_site_is_listed_alone():
    pages = off_topic_pages(found("Interest rates explained"))
    assert pages["title"].tolist() == ["Interest rates explained"]
    assert pages["site_similarity"].iloc[0] < 0.4


def test_a_site_of_few_pages_has_no_subject_to_be_far_from():
    assert off_topic_pages(found("Interest rates explained", chairs=5)).empty


def test_a_crawl_of_one_page_has_no_subject_to_be_far_from():
    assert off_topic_pages(found("Alone", chairs=0)).empty
