import re

import pytest

from backlink_audit.errors import InvalidSetting
from backlink_audit.judgement.letters import (
    LANGUAGES,
    TEMPLATES,
    blanks,
    check_template,
    language_of,
    worth_a_letter,
    write_pitch,
)

KNOWN = {
    **{"referring_domain": "oils.example", "example_title": "Oils", "example_url": "https://oils.example/a"},
    **{"our_page": "https://www.shop.example/oil", "our_page_title": "Jojoba", "sender": "Ann"},
    **{"competitors": "rival.example", "example_target": "https://rival.example/oil"},
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_letter_names_both_pages_the_sender_and_no_competitor(name: str) -> None:
    letter = write_pitch(TEMPLATES[name], KNOWN)
    assert blanks(TEMPLATES[name], KNOWN) == []
    for words in ('"Oils" (https://oils.example/a)', "https://www.shop.example/oil", "Ann\nshop.example", "Subject: "):
        assert words in letter
    assert not re.search(r"rival|[{}\[\]]|  |None", letter)
    greeted = write_pitch(TEMPLATES[name], KNOWN | {"recipient": "Bo Ek"})
    assert re.search(r" Bo Ek[,!:]?\n", greeted) and len(greeted) == len(letter) + len(" Bo Ek")
    assert len(set(TEMPLATES.values())) == len(TEMPLATES)


@pytest.mark.parametrize(
    ("reason", "relevance", "ours", "goes_out"),
    [
        *(("new link", 90, "/a", True), ("new link", 90, "", False), ("new link", 20, "/a", False)),
        *(("new link", None, "", True), ("lost link", 20, "", True)),
    ],
)
def test_whoever_does_not_link_is_asked_only_where_both_pages_fit(
    reason: str, relevance: float, ours: str, goes_out: bool
) -> None:
    assert worth_a_letter(reason, relevance, ours) is goes_out


def test_an_unknown_placeholder_is_named_with_the_known_ones() -> None:
    with pytest.raises(InvalidSetting, match=r"\{first_name\}.*use.*\{referring_domain\}"):
        check_template("Dear {first_name}")


@pytest.mark.parametrize("template", ["{sender.__class__}", "{sender!r}", "{sender:>9}", "{0}", "{}"])
def test_a_template_runs_no_code(template: str) -> None:
    with pytest.raises(InvalidSetting, match="unknown placeholder"):
        write_pitch(template, {"sender": "oak"})


@pytest.mark.parametrize("template", ["{", "}", "{sender", "a } b"])
def test_a_lone_brace_is_refused(template: str) -> None:
    with pytest.raises(InvalidSetting, match="single"):
        check_template(template)


def test_braces_in_a_value_stay_as_they_are() -> None:
    assert write_pitch("{sender}", {"sender": "{our_page} {"}) == "{our_page} {"


def test_nothing_is_offered_to_a_page_in_a_language_that_no_letter_is_in() -> None:
    title = "Para que serve o óleo de bétula?"
    language = language_of("b.example", title)
    assert language not in LANGUAGES
    assert not worth_a_letter("another link", 90.0, "https://a.example/", language)
    assert worth_a_letter("lost link", 90.0, "https://a.example/", language)


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("Oak chairs", ' ("Oak chairs")'),
        ("« Oak »", ' ("Oak")'),
        ("https://shop.example/oil", ""),
        ("oak-chairs-2026", ""),
        ("shop.example", ""),
        ("→", ""),
        ("oak " * 30, ""),
    ],
)
def test_a_letter_quotes_the_words_of_a_link_where_they_are_words(words: str, quoted: str) -> None:
    assert write_pitch("to {our_page}{link_text}.", KNOWN | {"link_text": words}) == (
        f"to https://www.shop.example/oil{quoted}."
    )


@pytest.mark.parametrize(
    ("title", "domain", "named"),
    [
        ("Seeds for gardens | Energy News Network", "energynews.example", "Seeds for gardens"),
        ("Review: how to oil leather | Stridewise", "stridewise.example", "Review: how to oil leather"),
        ("VAT for small firms | All you need to know", "boost.example", "VAT for small firms | All you need to know"),
        ("Oils", "oils.example", "Oils"),
    ],
)
def test_the_title_of_their_page_is_whole_but_for_the_name_of_their_site(title: str, domain: str, named: str) -> None:
    assert write_pitch("{example_title}", {"example_title": title, "referring_domain": domain}) == named


def test_an_address_of_ours_has_no_tracking() -> None:
    assert write_pitch("{our_page}", {"our_page": "https://a.example/x?srsltid=1"}) == "https://a.example/x"
