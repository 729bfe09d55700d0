"""Pages that no editor would link to each other: translations, and pages of one template."""

import pytest

from backlink_audit.text.page_kinds import template_groups, translation_groups

SITE = "https://shop.example"


def together(groups):
    """The sets of pages that share a group."""
    return {frozenset(page for page, own in enumerate(groups) if own == group) for group in set(groups) - {-1}}


def translated(urls, languages=(), alternates=()):
    return together(translation_groups(urls, languages or ["en"] * len(urls), alternates).tolist())


def templates(*names):
    return together(template_groups(names).tolist())


def test_addresses_that_differ_by_a_language_are_translations():
    urls = [f"{SITE}/{code}/teak-table" for code in ("en", "de", "fr")] + [f"{SITE}/teak-table", f"{SITE}/de/lamps"]
    assert translated(urls, ["en", "de", "fr", "en", "de"]) == {frozenset({0, 1, 2, 3})}


@pytest.mark.parametrize(
    "urls",
    [
        ["https://de.shop.example/lamps", "https://shop.example/lamps"],
        [f"{SITE}/en-us/lamps", f"{SITE}/en-gb/lamps"],
        [f"{SITE}/blog/de/lamps", f"{SITE}/blog/en/lamps"],
    ],
)
def test_languages_stand_in_hosts_and_anywhere_in_a_path(urls):
    languages = ["de", "en"] if "de" in urls[0] else ["en", "en"]
    assert translated(urls, languages) == {frozenset({0, 1})}


def test_departments_named_like_languages_are_none():
    urls = [f"{SITE}/it/rules", f"{SITE}/hr/rules", f"{SITE}/it/printers", f"{SITE}/hr/holidays", f"{SITE}/rules"]
    assert translated(urls) == set()


def test_the_same_slug_in_another_language_is_a_translation_and_in_the_same_language_none():
    urls = [f"{SITE}/productos/teak-table", f"{SITE}/products/teak-table"]
    assert translated(urls, ["es", "en"]) == {frozenset({0, 1})}
    assert translated(urls, ["en", "en"]) == set()


def test_pages_that_name_each_other_are_one_group():
    urls = [f"{SITE}/{page}" for page in ("mesa", "table", "tisch", "lamps")]
    assert translated(urls, alternates=[[0, 1], [1, 2]]) == {frozenset({0, 1, 2})}


def test_titles_that_differ_by_numbers_dates_and_versions_are_of_one_template():
    assert templates("Release v5.0.4", "Release v5.0.5", "Release notes") == {frozenset({0, 1})}
    assert templates("News of May 2021", "News of June 2022", "News of teak") == {frozenset({0, 1})}
    assert templates("OKRs FY21 Q1", "OKRs FY22 Q3", "OKRs") == {frozenset({0, 1})}


def test_parts_of_a_series_and_equal_titles_are_no_template():
    assert templates("Sailing, part 1", "Sailing, part 2") == set()
    assert templates("Logging", "Logging", "2021", "2022") == set()
