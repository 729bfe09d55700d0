"""Tests of backlink_audit.text.urls."""

import csv
import re
import time
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.text import urls
from backlink_audit.text.urls import (
    map_distinct,
    normalise_url,
    normalise_urls,
    owners_share,
    registrable_domain,
    registrable_domains,
    url_tokens,
    url_words,
)

SAME_PAGE = (
    "https://www.shop.example/Chairs/",
    "http://shop.example/Chairs",
    "https://WWW.shop.example/Chairs",
    "HTTPS://WWW.SHOP.EXAMPLE/Chairs/index.html",
    "//shop.example:443/Chairs?utm_source=news&utm_medium=mail",
    "shop.example/Chairs#:~:text=teak",
    "  https://shop.example./Chairs?fbclid=abc ",
)


@pytest.mark.parametrize("url", SAME_PAGE)
def test_spellings_of_one_page_share_a_key(url):
    assert normalise_url(url) == "shop.example/Chairs"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://münchen.example/", "https://xn--mnchen-3ya.example"),
        ("https://shop.example/caf%c3%a9", "https://shop.example/café"),
        ("https://shop.example/%7Eanna", "https://shop.example/~anna"),
        ("https://shop.example/a?b=2&a=1", "https://shop.example/a?a=1&b=2"),
        ("https://shop.example/a b", "https://shop.example/a%20b"),
    ],
)
def test_encodings_of_one_page_share_a_key(one, other):
    assert normalise_url(one) == normalise_url(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://shop.example/a", "https://shop.example/A"),
        ("https://shop.example/a?page=1", "https://shop.example/a?page=2"),
        ("https://shop.example/a", "https://blog.shop.example/a"),
        ("https://shop.example:8080/a", "https://shop.example/a"),
    ],
)
def test_different_pages_keep_different_keys(one, other):
    assert normalise_url(one) != normalise_url(other)


@given(st.text(max_size=60))
def test_any_text_has_a_key_words_tokens_and_a_domain(text):
    normalise_url(text)
    url_words(text)
    url_tokens(text)
    registrable_domain(text)


_plain = st.text(alphabet="ab1-_.~", min_size=1, max_size=4)


@given(st.lists(_plain, max_size=3), st.lists(st.tuples(_plain, _plain), max_size=3))
def test_the_fast_way_gives_the_key_of_the_thorough_way(path, query):
    rest = "/".join(path) + "?" + "&".join("=".join(pair) for pair in query)
    encoded = rest.replace("a", "%61").replace("~", "%7e")
    assert normalise_url("https://www.shop.test/" + rest) == normalise_url("https://www.shop.test/" + encoded)


@given(st.lists(_plain, max_size=3), st.lists(st.tuples(_plain, _plain), max_size=2))
def test_a_key_is_its_own_key(path, query):
    key = normalise_url("https://shop.example/" + "/".join(path) + "?" + "&".join("=".join(pair) for pair in query))
    assert normalise_url(key) == key


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://blog.shop.example.co.uk/a", "example.co.uk"),
        ("http://anna.blogspot.com/2020", "anna.blogspot.com"),
        ("http://anna.github.io/", "anna.github.io"),
        ("https://www.shop.example", "shop.example"),
        ("https://Bücher.example/a", "xn--bcher-kva.example"),
        ("http://192.0.2.7:8080/x", "192.0.2.7"),
        ("http://user:secret@mail.shop.example/", "shop.example"),
        ("http://localhost:3000/", "localhost"),
        ("shop.example/a", "shop.example"),
        ("blogspot.com", "blogspot.com"),
        ("http://anna.blogspot.co.uk/2020", "anna.blogspot.co.uk"),
        ("http://www.anna.wordpress.com/", "anna.wordpress.com"),
        ("https://www.tumblr.com/anna", "tumblr.com"),
        ("https://www.github.io/", "github.io"),
        ("http://anna.blog14.fc2.com/", "anna.blog14.fc2.com"),
        ("https://medium.com/@anna/post", "medium.com"),
        ("https://sites.google.com/site/anna", "google.com"),
        ("https://www.gov.uk/", "www.gov.uk"),
        ("", ""),
    ],
)
def test_the_registrable_domain_is_what_someone_registered(url, domain):
    assert registrable_domain(url) == domain


@pytest.mark.parametrize(
    "domain",
    "wordpress.com blogspot.com blogspot.de blogspot.co.uk wixsite.com github.io medium.com tumblr.com weebly.com "
    "substack.com facebook.com sites.google.com google.com amazonaws.com pages.dev co.uk com WordPress.com".split(),
)
def test_what_many_owners_share_is_known(domain):
    assert owners_share(domain)


@pytest.mark.parametrize(
    "domain",
    "example.com anna.wordpress.com anna.github.io shop.example bbc.co.uk a.medium.com localhost 192.0.2.7".split(),
)
def test_what_one_owner_has_is_not_shared(domain):
    assert not owners_share(domain)


def test_the_list_of_shared_hosts_names_each_once_and_how():
    with (files("backlink_audit.text") / "data" / "shared_hosts.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    names = [row["host"] for row in rows]
    assert names == sorted(set(names))
    assert {row["owners"] for row in rows} == {"host", "path"}
    assert all(re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.([a-z]+|\*)", name) for name in names)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://www.shop.example/blue_shoes-2024.html", "shop example blue shoes"),
        ("https://shop.co.uk/caf%C3%A9/?q=red+chairs&utm_source=x&page=2", "shop café red chairs"),
        ("https://xn--mnchen-3ya.example/", "münchen example"),
        ("https://пример.рф/привет-мир", "пример привет мир"),
        ("http://[broken", ""),
        ("", ""),
    ],
)
def test_words_of_a_url_leave_out_what_says_nothing(url, words):
    assert url_words(url) == words


def test_tokens_are_the_original_apps():
    assert url_tokens("http://www.Shop.example/a--b?c=D&https://e") == [
        "www",
        "shop",
        "example",
        "a",
        "b",
        "c",
        "d",
        "e",
    ]


def test_series_keep_their_index_and_give_blanks_for_missing_values():
    urls = pd.Series(["https://www.shop.example/a/", None, "http://shop.example/a"], index=[7, 3, 9])
    assert normalise_urls(urls).to_dict() == {7: "shop.example/a", 3: "", 9: "shop.example/a"}
    assert registrable_domains(urls).to_dict() == {7: "shop.example", 3: "", 9: "shop.example"}


def test_series_give_the_values_of_the_plain_functions():
    urls = pd.Series([*SAME_PAGE, "http://anna.blogspot.com/", "nonsense", "", "mailto:anna@shop.example"])
    assert normalise_urls(urls).tolist() == [normalise_url(url) for url in urls]
    assert registrable_domains(urls).tolist() == [registrable_domain(url) for url in urls]


def test_empty_series_stay_empty():
    empty = pd.Series([], dtype="str")
    assert normalise_urls(empty).empty
    assert registrable_domains(empty).empty


def test_a_function_is_called_once_for_each_distinct_value():
    calls = []

    def shout(text):
        calls.append(text)
        return text.upper()

    assert map_distinct(pd.Series(["a", "b", "a", "a"]), shout).tolist() == ["A", "B", "A", "A"]
    assert sorted(calls) == ["a", "b"]


def test_many_repeated_urls_cost_little():
    urls = pd.Series(np.tile([f"https://www.site{n}.example/a/{n}" for n in range(500)], 400))
    start = time.process_time()
    normalise_urls(urls)
    registrable_domains(urls)
    assert time.process_time() - start < 2


_labels = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?", fullmatch=True)
_hosts = st.lists(_labels, min_size=2, max_size=3).map(".".join)
_any_case = st.lists(st.booleans(), min_size=26, max_size=26)


@given(
    _hosts,
    _any_case,
    st.sampled_from(["", "http://", "HTTPS://", "//"]),
    st.sampled_from(["", "www.", "WWW.", "Www."]),
    st.sampled_from(["", ".", ":80", ":443"]),
    st.lists(_plain, max_size=3),
)
def test_the_same_host_however_written_gives_the_same_key(host, upper, scheme, www, after, path):
    written = "".join(letter.upper() if up else letter for letter, up in zip(host, upper, strict=False))
    rest = "/" + "/".join(path)
    key = normalise_url(f"https://{host}{rest}")
    assert normalise_url(f"{scheme}{www}{written}{after}{rest}") == key
    assert normalise_url(key) == key


def test_a_host_longer_than_any_name_is_not_kept_after_its_visitor():
    long = "a." * 200 + "example.com"
    before = urls._remembered_domain.cache_info().currsize, urls._remembered_words.cache_info().currsize
    assert registrable_domain(f"https://{long}/") == "example.com"
    assert url_words(f"https://{long}/").endswith("example")
    after = urls._remembered_domain.cache_info().currsize, urls._remembered_words.cache_info().currsize
    assert after == before
