"""A sitemap as a list of pages."""

import pytest

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.lists import load_pages_or_urls
from backlink_audit.exports.read import read_table

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
SITEMAP = (
    HEAD + '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/i">'
    "<url>\n  <loc> https://shop.example/oak?a=1&amp;b=2 </loc><lastmod>2026-01-01</lastmod>"
    "<image:image><image:loc>https://shop.example/oak.jpg</image:loc></image:image></url>"
    "<url><loc><![CDATA[https://shop.example/elm]]></loc></url>"
    "<url><loc>https://shop.example/elm</loc></url></urlset>"
)


def test_the_pages_of_a_sitemap_are_read_each_once_and_its_images_are_not():
    assert read_table(SITEMAP.encode(), "sitemap.xml")["URL"].tolist() == [
        "https://shop.example/oak?a=1&b=2",
        "https://shop.example/elm",
    ]


def test_a_sitemap_takes_the_place_of_a_list_of_pages():
    assert len(load_pages_or_urls("sitemap.xml", SITEMAP.encode()).table) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>", "index of"),
        (HEAD + "<urlset></urlset>", "no addresses"),
        (HEAD + "<rss></rss>", "web page"),
    ],
)
def test_an_index_and_other_xml_are_refused_in_a_sentence(text, words):
    with pytest.raises(UnreadableFile, match=words):
        read_table(text.encode(), "sitemap.xml")


def test_no_entity_of_a_sitemap_is_resolved():
    bomb = HEAD + '<!DOCTYPE urlset [<!ENTITY a "https://evil.example/">]><urlset><url><loc>&a;</loc></url></urlset>'
    assert read_table(bomb.encode(), "sitemap.xml")["URL"].tolist() == ["&a;"]
