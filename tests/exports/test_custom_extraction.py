"""A crawl whose own extraction collected the links of each page is read as the links that exist."""

import pytest

from backlink_audit.errors import AuditError
from backlink_audit.exports.load import load
from tests.crawls import as_csv

HEADER = ("Address", "Status Code", "Status", "Body links 1", "Body links 2")
SITE = "https://a.example"


def read(*rows, header=HEADER):
    return load([("custom_extraction_all.csv", as_csv(header, rows))], "inlinks").table


def test_each_filled_cell_of_a_link_column_is_a_link():
    links = read((f"{SITE}/x/a", 200, "OK", f"{SITE}/b", "/c"), (f"{SITE}/b", 200, "OK", "../x/a", ""))
    assert list(zip(links["source_url"], links["target_url"], strict=True)) == [
        (f"{SITE}/x/a", f"{SITE}/b"),
        (f"{SITE}/x/a", f"{SITE}/c"),
        (f"{SITE}/b", f"{SITE}/x/a"),
    ]


def test_an_extraction_of_something_else_is_no_list_of_links():
    with pytest.raises(AuditError):
        read((f"{SITE}/a", 200, "OK", "Oak", "Teak / oil"), header=(*HEADER[:3], "Wood 1", "Wood 2"))


def test_a_whole_crawl_is_no_list_of_links_for_its_canonicals():
    header = ("Address", "Content Type", "Status Code", "Indexability", "Word Count", "Inlinks", "Canonical Element 1")
    with pytest.raises(AuditError):
        read((f"{SITE}/a", "text/html", 200, "Indexable", 9, 1, f"{SITE}/a"), header=header)
