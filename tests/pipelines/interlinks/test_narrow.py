"""What was found is narrowed down without a new run."""

import pytest

from backlink_audit.errors import InvalidSetting
from backlink_audit.pipelines.interlinks.narrow import PathChoice, narrowed
from tests.pipelines.interlinks.test_run import find


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


def test_a_broken_pattern_is_refused():
    with pytest.raises(InvalidSetting, match="not a valid regular expression"):
        narrowed(find(), sources=PathChoice(pattern="("))
