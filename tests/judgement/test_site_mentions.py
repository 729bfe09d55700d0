import pandas as pd
import pytest

from backlink_audit.judgement import referring_sites as module
from backlink_audit.judgement.referring_sites import (
    SiteName,
    mentions_in_words,
    named_in,
    names_of_sites,
    other_domains,
    plain_words,
    site_mentions,
)
from tests.judgement.links import links_table


def names(*domains):
    found = names_of_sites(domains)
    return [SiteName(*row) for row in zip(found["word"], found["domain"], found["is_plain_word"], strict=True)]


@pytest.mark.parametrize(
    "title",
    [
        "Gardentools: our review",
        "Garden Tools Ltd",
        "What garden-tools sells",
        "The Garden_Tools shop",
        "gardentols",
        "gardentoolz are back",
        "profile of gardentools24",
    ],
)
def test_a_name_is_found_joined_split_and_misspelt(title):
    assert named_in([title], names("gardentools.example")).tolist() == [True]


@pytest.mark.parametrize(
    "title", ["Tools for your garden", "Gardening tooth", "The gardens", "Сад и огород", "", "Hardened tools"]
)
def test_other_words_are_no_name(title):
    assert named_in([title], names("gardentools.example")).tolist() == [False]


@pytest.mark.parametrize(
    ("domain", "title"), [("time.com", "Time to go"), ("apple.com", "Apple pie"), ("zeit.de", "Zeit")]
)
def test_a_name_that_is_a_plain_word_is_found_by_its_address_alone(domain, title):
    texts = [title, f"{title} ({domain})", f"https://news.example/?from=https://www.{domain}/a", f"any{domain}"]
    assert named_in(texts, names(domain)).tolist() == [False, True, True, False]


def test_a_short_name_stands_by_itself_and_is_spelled_right():
    found = named_in(["Our qzx news", "qzxs", "Q.Z.X", "qzy"], names("qzx.example"))
    assert found.tolist() == [True, False, True, False]


def test_plain_words_are_known_in_several_languages():
    assert plain_words(["time", "zeit", "monde", "gardentools", "qzx"]) == {"time", "zeit", "monde"}
    assert plain_words([]) == frozenset()


def test_words_are_remembered_up_to_a_number(monkeypatch):
    monkeypatch.setattr(module, "_plain", {"time": True})
    monkeypatch.setattr(module, "WORDS_REMEMBERED", 3)
    assert plain_words(["time", "zeit"]) == {"time", "zeit"}
    assert plain_words(["monde", "qzx", "zeit"]) == {"monde", "zeit"}
    assert set(module._plain) == {"monde", "qzx"}, "known words make room for new ones"
    assert plain_words(["a", "b", "c", "d", "zeit"]) >= {"zeit"}
    assert len(module._plain) <= 3


def test_percent_encoded_urls_are_read():
    assert named_in(["https://x.example/%67arden-tools"], names("gardentools.example")).tolist() == [True]


def test_each_place_is_kept_apart_and_each_site_has_its_own_names():
    links = links_table(
        {"page": "https://a.example/gardentools", "referring_title": "Gardentools", "anchor": "Gardentools"},
        {"page": "https://a.example/x", "referring_title": "Spades", "anchor": "garden tools"},
        {"page": "https://a.example/y", "referring_title": "Gardentools"},
        {"page": "https://a.example/z", "referring_title": "Gardentools", "target": "https://seafarers.example/"},
    )
    links["target_domain"] = ["gardentools.example"] * 3 + ["seafarers.example"]
    found = site_mentions(links, names_of_sites(["gardentools.example", "seafarers.example"]))
    assert mentions_in_words(found).tolist() == ["title, URL, anchor", "anchor", "title", ""]


def test_an_old_domain_that_many_write_is_a_name_too():
    naked = pd.DataFrame(
        {
            "target_domain": "new.example",
            "referring_domain": [f"{n}.example" for n in range(20)],
            "written": ["oldgarden.com"] * 3
            + ["new.example"] * 10
            + ["facebook.com"]
            + ["austin.gardens1"] * 2
            + [""] * 4,
        }
    )
    others = other_domains(naked)
    assert others.to_dict("records") == [{"site": "new.example", "domain": "oldgarden.com"}]
    assert names_of_sites(["new.example"], others)["word"].tolist() == ["new", "oldgarden"]


def test_no_links_have_no_names():
    assert other_domains(pd.DataFrame({"target_domain": [], "referring_domain": [], "written": []}, dtype="str")).empty
    assert names_of_sites([]).empty
    assert site_mentions(links_table(), names_of_sites([])).empty
    assert named_in([], []).tolist() == []
