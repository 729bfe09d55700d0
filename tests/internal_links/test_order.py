"""The order learned from a site's own links: used where it finds more of them, and said either way."""

import numpy as np
import pytest

from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.internal_links.tables import tables
from backlink_audit.settings import InterlinkSettings
from backlink_audit.sources import Sources
from tests.crawls import crawl, inlinks
from tests.toy import ToyEncoder

SITE = "https://manual.example"
SUBJECTS = ["looms", "kilns", "boats", "bells", "hives", "clocks"]
PAGES_OF_EACH, GUIDES_OF_EACH = 10, 4
LEARNED = InterlinkSettings(min_similarity=-1, per_page=5, order="learned")
EDITORIAL = InterlinkSettings(min_similarity=-1, per_page=5)


def page_url(subject: str, number: int) -> str:
    return f"{SITE}/{subject}/{number}"


def pages():
    random = np.random.default_rng(3)
    words = [f"w{number}" for number in range(400)]
    for subject in SUBJECTS:
        for number in range(PAGES_OF_EACH):
            title = f"{subject} {' '.join(random.choice(words, 2))}"
            content = " ".join([*[subject] * 4, *random.choice(words, 60)])
            yield page_url(subject, number), title, "", content


def guides(subject):
    """The pages of a subject that its others link to."""
    return [page_url(subject, number) for number in range(GUIDES_OF_EACH)]


LINKS = [
    (page_url(subject, number), guide, "read on", "Content")
    for subject in SUBJECTS
    for number in range(PAGES_OF_EACH)
    for guide in guides(subject)
    if page_url(subject, number) != guide
]


def find(settings, links):
    return find_internal_links(
        crawl(*pages()), settings, ToyEncoder(), sources=Sources(inlinks=inlinks(*links) if links else None)
    )


def test_what_the_site_links_to_comes_first_and_both_shares_are_said():
    missing = (page_url("boats", 9), guides("boats")[0])
    links = [link for link in LINKS if link[:2] != missing]
    result = find(LEARNED, links)
    assert result.order == "learned"
    assert result.targets_for(missing[0])["target_url"].iloc[0] == missing[1]
    assert result.lesson.links == len(links) >= 200
    assert result.lesson.learned > 0.9 > result.lesson.editorial
    shown = [f"{share:.0%}" for share in (result.lesson.learned, result.lesson.editorial)]
    note = next(note for note in result.notes if "withheld" in note)
    assert all(share in note for share in shown)
    summary = {what: value for _, what, value in tables(result).sheets()["Summary"].itertuples(index=False)}
    assert [summary[f"Withheld links found by the {order} order"] for order in ("learned", "editorial")] == shown
    assert not {link[:2] for link in links} & set(result.table[["source_url", "target_url"]].itertuples(index=False))


def test_links_without_a_rule_leave_the_editorial_order():
    random = np.random.default_rng(1)
    urls = [url for url, *_ in pages()]
    links = [(*random.choice(urls, 2, replace=False), "x", "Content") for _ in range(400)]
    result, editorial = find(LEARNED, links), find(EDITORIAL, links)
    assert not result.lesson.is_better
    assert result.order == "editorial"
    assert result.table.equals(editorial.table)


@pytest.mark.parametrize("links", [LINKS[:150], []])
def test_too_few_links_leave_the_editorial_order_and_say_so(links):
    result = find(LEARNED, links)
    assert (result.order, result.lesson) == ("editorial", None)
    assert result.table.equals(find(EDITORIAL, links).table)
    assert any("at least 200 links" in note for note in result.notes)


def test_links_of_a_menu_teach_nothing():
    urls = [url for url, *_ in pages()]
    menu = [(source, target, "", "") for source in urls for target in urls[:5] if source != target]
    assert find(LEARNED, menu).lesson is None


def test_the_learned_order_keeps_the_limits_of_sources_and_targets():
    result = find(InterlinkSettings(min_similarity=-1, per_page=3, per_target=2, order="learned"), LINKS)
    assert result.order == "learned"
    assert result.table["source_url"].value_counts().max() <= 3
    assert result.table["target_url"].value_counts().max() <= 2
    assert result.table.groupby("source_url")["rank"].agg(list).map(lambda ranks: ranks == sorted(ranks)).all()
