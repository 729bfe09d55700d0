"""Lists of URLs and of pairs: what has none is refused in one sentence."""

import pytest

from backlink_audit.errors import MissingColumns, UnreadableFile
from backlink_audit.exports.lists import load_pages_or_urls, read_pairs, read_url_list


def test_the_column_with_most_urls_is_taken_each_url_once():
    data = b"note,address\nhttps://x.example/,https://a.example/\nold,https://b.example/\nold,https://a.example/\n"
    assert read_url_list("old.csv", data) == ("https://a.example/", "https://b.example/")


def test_a_file_without_urls_is_refused():
    with pytest.raises(UnreadableFile, match=r"old\.csv: no column has URLs"):
        read_url_list("old.csv", b"name,price\noak,3\nelm,4\n")


def test_pairs_need_both_columns():
    with pytest.raises(MissingColumns, match="“Source URL” and “Target URL”"):
        read_pairs("pairs.csv", b"Source URL,Note\nhttps://a.example/,x\n")
    pairs = read_pairs("pairs.csv", b"Source URL,Target URL\nhttps://a.example/,https://b.example/\n")
    assert pairs["rank"].isna().all()


def test_redirect_chains_of_a_crawl_are_old_pages_that_redirect():
    header = "Chain Type,Number of Redirects,Loop,Source,Address,Final Address,Final Status Code,Status Code 1"
    rows = [f"HTTP,2,false,https://a.example/{n},https://a.example/old,https://a.example/new,200,302" for n in (1, 2)]
    pages = load_pages_or_urls("chains.csv", "\n".join([header, *rows]).encode()).table
    assert pages[["url", "redirect_url", "http_status"]].to_numpy().tolist() == [
        ["https://a.example/old", "https://a.example/new", 302]
    ]
