"""What was found is narrowed down without a new run."""

import time

import pandas as pd
import pytest

from backlink_audit.errors import InvalidSetting
from backlink_audit.internal_links import result as internal_links_result
from backlink_audit.internal_links.result import PathChoice, narrowed
from tests.internal_links.test_run import find


def urls(result, end):
    return set(result.table[f"{end}_url"])


def test_a_higher_minimum_leaves_the_links_that_reach_it():
    result = find()
    fewer = narrowed(result, 0.4)
    assert 0 < len(fewer.table) < len(result.table)
    assert fewer.table["similarity"].min() >= 0.4
    assert len(fewer.suggested) == (result.suggested["similarity"] >= 0.4).sum()


def test_one_of_several_texts_is_enough_and_each_excluded_one_too_much():
    result = find()
    both = narrowed(result, sources=PathChoice(contains=("/blog/", "/care/")))
    assert urls(both, "source") == {url for url in urls(result, "source") if "/blog/" in url or "/care/" in url}
    neither = narrowed(result, targets=PathChoice(excludes=("/blog/", "lamps")))
    assert urls(neither, "target") == {
        url for url in urls(result, "target") if "/blog/" not in url and "lamps" not in url
    }


def test_pages_are_chosen_by_folder_and_by_pattern():
    result = find()
    assert all("/blog/" in url for url in urls(narrowed(result, sources=PathChoice(folders=("/blog/",))), "source"))
    assert all(url.endswith("lamps") for url in urls(narrowed(result, targets=PathChoice(pattern="lamps$")), "target"))


@pytest.mark.parametrize("pattern", ["(", "(?R)", "(?:(?:a?){1000}){1000}", r"(a)\1", "a(?=b)"])
def test_a_pattern_that_cannot_be_searched_in_time_is_refused_with_the_reason(pattern):
    with pytest.raises(InvalidSetting, match=r"not a valid regular expression: \S.+[^.]\.$"):
        narrowed(find(), sources=PathChoice(pattern=pattern))


@pytest.mark.parametrize("pattern", ["(" * 2_000 + ")" * 2_000, "|".join(f"word{n}" for n in range(60_000))])
def test_a_pattern_of_endless_length_is_refused_in_a_short_sentence(pattern):
    start = time.monotonic()
    with pytest.raises(InvalidSetting, match=r"^A pattern can have at most 1,000 characters; this one has \d+,\d+\.$"):
        PathChoice(pattern=pattern).mask(pd.Series(["https://a.example/a"]))
    assert time.monotonic() - start < internal_links_result.PATTERN_SECONDS


def test_the_limit_is_for_all_addresses_together(monkeypatch):
    urls = pd.Series([f"https://a.example/{'ab' * 50}{number}" for number in range(5_000)])
    assert PathChoice(pattern="(?:[ab]?){40}c$").mask(urls).sum() == 0
    monkeypatch.setattr(internal_links_result, "PATTERN_SECONDS", 0.2)
    start = time.monotonic()
    with pytest.raises(InvalidSetting, match="takes too long to search"):
        PathChoice(pattern="(?:[ab]?){1000}" * 9 + "c$").mask(urls)
    assert time.monotonic() - start < 10  # on a busy machine; all addresses would take minutes
