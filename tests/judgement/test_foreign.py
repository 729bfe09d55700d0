"""Languages and scripts unlike those of most referring domains."""

import pandas as pd

from backlink_audit.judgement import foreign_languages
from tests.backlinks import clean_links


def foreign_links(links: pd.DataFrame) -> pd.Series:
    page_languages = links[["target_domain", "referring_domain"]].join(foreign_languages.languages_and_scripts(links))
    languages, scripts = (
        foreign_languages.usual(page_languages, "language"),
        foreign_languages.usual(page_languages, "script"),
    )
    return foreign_languages.foreign_links(
        links, languages, scripts, foreign_languages.at_home(page_languages, languages, scripts)
    )


def test_a_page_in_another_language_than_most_domains_is_reported():
    evidence = foreign_links(clean_links(language=["en", "en-GB", "en, de", "ru"])).tolist()
    assert evidence == ["", "", "", "page in ru, but 75% of the referring domains are in en"]


def test_a_page_that_also_speaks_the_usual_language_is_not_foreign():
    assert foreign_links(clean_links(language=["en", "en", "en", "es, en"])).tolist() == [""] * 4


def test_a_page_that_reads_like_the_usual_language_is_not_foreign_whatever_its_mark_says():
    titles = ["", "", "", "", "Comment créer sa boutique en ligne", "", "How to open a shop of your own"]
    around = ["", "", "", "", "", "Je vous conseille de visiter le site de", "You should have a look at"]
    marks = ["fr"] * 4 + ["en"] * 3
    evidence = foreign_links(clean_links(referring_title=titles, left_context=around, language=marks)).tolist()
    assert evidence[:6] == [""] * 6
    assert evidence[6] == "page in en, but 57% of the referring domains are in fr"


def test_domains_count_not_links():
    urls = [f"https://spam.example/{row}" for row in range(9)] + [f"https://site{row}.example/" for row in range(3)]
    evidence = foreign_links(clean_links(referring_url=urls, language=["th"] * 9 + ["en"] * 3)).tolist()
    assert evidence[0] == "page in th, but 75% of the referring domains are in en"
    assert evidence[9:] == [""] * 3


def test_without_a_majority_nothing_is_foreign():
    assert set(foreign_links(clean_links(language=["en", "de", "fr", "en"]))) == {""}


def test_each_target_site_has_its_own_usual_language():
    targets = ["https://a.example/"] * 2 + ["https://b.example/"] * 2
    assert set(foreign_links(clean_links(target_url=targets, language=["en", "en", "de", "de"]))) == {""}


def test_without_languages_the_script_of_title_and_anchor_decides():
    titles = ["Bitcoin price", "Price of Bitcoin", "More prices", "Цена Bitcoin сегодня"]
    evidence = foreign_links(clean_links(referring_title=titles)).tolist()
    assert evidence == ["", "", "", "written in Cyrillic script, but 75% of the referring domains use Latin script"]


def test_accents_do_not_make_a_script():
    assert set(foreign_links(clean_links(referring_title=["Möbel", "Café", "Chairs"]))) == {""}


def test_translations_on_a_site_that_also_has_pages_in_the_usual_language_are_not_foreign():
    urls = ["https://news.example/en/1", "https://news.example/ru/1", "https://ru.example/1"]
    urls += [f"https://site{row}.example/" for row in range(3)]
    evidence = foreign_links(clean_links(referring_url=urls, language=["en", "ru", "ru", "en", "en", "en"])).tolist()
    assert [bool(text) for text in evidence] == [False, False, True, False, False, False]
    titles = ["Bitcoin price", "Цена сегодня", "Цена завтра", "Prices", "More prices", "Price list"]
    evidence = foreign_links(clean_links(referring_url=urls, referring_title=titles)).tolist()
    assert [bool(text) for text in evidence] == [False, False, True, False, False, False]


def test_a_site_is_at_home_only_with_the_target_whose_language_it_has():
    urls = ["https://two.example/1", "https://two.example/2"] + [f"https://site{row}.example/" for row in range(6)]
    targets = ["https://a.example/", "https://b.example/"] + ["https://a.example/"] * 3 + ["https://b.example/"] * 3
    evidence = foreign_links(
        clean_links(referring_url=urls, target_url=targets, language=["de"] * 2 + ["en"] * 3 + ["de"] * 3)
    )
    assert [bool(text) for text in evidence] == [True] + [False] * 7
