"""Links whose target is named nowhere in the source: a phrase of both pages that is near the target in meaning."""

import numpy as np

from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.internal_links.tables import tables
from backlink_audit.settings import InterlinkSettings
from backlink_audit.site.vectors import PageVectors
from backlink_audit.sources import Sources
from tests.crawls import crawl, inlinks
from tests.toy import ToyEncoder

SITE = "https://shop.example"
SOURCE, TARGET = f"{SITE}/spring", f"{SITE}/drying"
SENTENCE = "In the loft we keep herb bundles, for the kitchen."
THINGS = "lamp rope fence stove boat kite drum violin clock mirror tent ladder wagon anvil saddle quilt bell".split()
OTHERS = [
    (f"{SITE}/{thing}", f"{thing} workshop", f"{thing} workshop", f"The {thing} is made of {thing} parts.")
    for thing in THINGS
]
DRYING = "We hang herb bundles. Why herb bundles? The herb bundles, herb bundles of the loft. Herb bundles smell."


def found(sentence=SENTENCE, target=DRYING, vectors=None):
    pages = [
        (SOURCE, "Spring cleaning", "Spring cleaning", f"Wash the windows first. {sentence}"),
        (TARGET, "Drying herbs", "Drying herbs", target),
        *OTHERS,
    ]
    settings = InterlinkSettings(min_similarity=-1, per_page=30)
    return find_internal_links(crawl(*pages), settings, ToyEncoder(), vectors=vectors)


def link(result):
    table = result.table
    return table[(table["source_url"] == SOURCE) & (table["target_url"] == TARGET)].iloc[0]


def test_a_phrase_of_both_pages_that_means_the_target_is_the_anchor():
    suggested = link(found())
    assert (suggested["anchor"], suggested["anchor_match"]) == ("herb bundles", "near in meaning")
    assert suggested["sentence"] == SENTENCE
    assert suggested["sentence"][suggested["anchor_at"] :].startswith("herb bundles")


def test_a_phrase_that_the_target_does_not_say_is_none():
    assert link(found(target="We hang thyme in the loft."))["anchor"] == ""


def test_a_phrase_inside_a_link_is_none():
    assert link(found("In the loft we keep [herb bundles](/other), for the kitchen."))["anchor"] == ""


def test_vectors_of_another_model_find_no_phrase():
    known = found()
    other = PageVectors(known.vectors.urls, np.asarray(known.vectors.vectors), "the crawler", None)
    assert link(found(vectors=other))["anchor"] == ""


def test_links_with_a_near_anchor_are_counted_and_listed_apart_from_those_without():
    result = found()
    assert result.with_near_anchor == (result.table["anchor_match"] == "near in meaning").sum() > 0
    sheets = tables(result).sheets()
    assert (sheets["Opportunities"]["Anchor"] != "").all()
    assert (sheets["Without an anchor"]["Anchor"] == "").all()


def test_release_notes_are_no_target_and_said_why():
    notes = (f"{SITE}/docs/release-notes-1.4", "Lamp release notes", "", "The lamp is made of lamp parts, and rope.")
    result = find_internal_links(crawl(*OTHERS, notes), InterlinkSettings(min_similarity=-1), ToyEncoder())
    assert notes[0] not in set(result.table["target_url"])
    assert list(result.pages.set_index("url").loc[notes[0], ["purpose", "purpose_evidence"]]) == [
        "past",
        "Release notes, or the notes of an upgrade",
    ]


def test_an_orphan_names_the_best_of_its_links_that_are_ready_to_add():
    pages = [(SOURCE, "Spring cleaning", "", SENTENCE), (TARGET, "Herb bundles", "", DRYING), *OTHERS]
    known = inlinks(*((TARGET, page[0], "see", "Content") for page in OTHERS))
    settings = InterlinkSettings(min_similarity=-1)
    result = find_internal_links(crawl(*pages), settings, ToyEncoder(), Sources(inlinks=known))
    assert result.orphans is not None
    orphan = result.orphans.set_index("url").loc[TARGET]
    assert (orphan["ready_links"], orphan["ready_source"], orphan["ready_anchor"]) == (1, SOURCE, "herb bundles")


def test_a_phrase_that_shares_no_word_with_the_title_is_none_unless_it_is_a_name():
    pages = [(SOURCE, "Spring cleaning", "", SENTENCE), (TARGET, "Drying", "", DRYING), *OTHERS]
    settings = InterlinkSettings(min_similarity=-1, per_page=30)
    assert link(find_internal_links(crawl(*pages), settings, ToyEncoder()))["anchor"] == ""


def test_a_phrase_that_is_the_whole_title_of_another_page_is_none():
    other = (f"{SITE}/bundles", "Herb bundles", "", "Nothing is said here.")
    pages = [(SOURCE, "Spring cleaning", "", SENTENCE), (TARGET, "Drying herb bundles", "", DRYING), other, *OTHERS]
    settings = InterlinkSettings(min_similarity=-1, per_page=30)
    assert link(find_internal_links(crawl(*pages), settings, ToyEncoder()))["anchor"] == ""
