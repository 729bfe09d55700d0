"""The language of each page: declared, checked by its text, or found from it."""

import pytest

from backlink_audit.text.page_languages import page_languages, site_language

SPANISH = ["Masajes relajantes", "Entradas de día", "Tarifas y horarios", "Circuito termal para niños"]
CATALAN = ["Massatges relaxants", "Entrades de dia", "Tarifes i horaris", "Circuit termal per a nens"]
ENGLISH = ["Relaxing massages", "Day tickets", "Prices and opening hours", "A thermal circuit for children"]
LONG = {
    "es": "El balneario abre todos los días del año y ofrece masajes, baños y un restaurante con vistas al valle. ",
    "en": "The spa is open every day of the year and offers massages, baths and a restaurant above the valley. ",
    "ar": "المنتجع مفتوح كل أيام السنة ويقدم التدليك والحمامات ومطعما يطل على الوادي والجبال. ",
    "he": "הספא פתוח בכל ימות השנה ומציע עיסויים, אמבטיות ומסעדה מעל העמק. ",
}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Wie man einen alten Tisch abschleift und danach mit Öl pflegt, damit er lange hält"),
        ("fr", "Comment choisir une table en bois massif pour la salle à manger de votre maison"),
        ("ja", "東京駅の近くにあるおすすめのホテルをご紹介します"),
    ],
)
def test_a_sites_language_is_found(language, text):
    assert site_language([text, text.upper(), text + "."]) == language


@pytest.mark.parametrize("language", LONG)
def test_the_text_of_a_page_shows_its_language(language):
    assert page_languages([3 * LONG[language], 3 * LONG["en"]]) == [language, "en"]


def test_short_titles_take_the_languages_of_their_addresses_if_the_titles_agree_with_these():
    codes = ["", "", "", "", "ca", "ca", "ca", "ca", "en", "en", "en", "en"]
    assert page_languages([*SPANISH, *CATALAN, *ENGLISH], [codes]) == 4 * ["es"] + 4 * ["ca"] + 4 * ["en"]


def test_a_department_named_like_a_language_is_none():
    codes = ["it"] * 4 + [""] * 4
    assert page_languages([*ENGLISH, *ENGLISH[::-1]], [codes]) == ["en"] * 8


def test_one_attribute_on_all_pages_whatever_their_language_is_not_believed():
    attributes, addresses = ["en-US"] * 8, [""] * 4 + ["ca"] * 4
    assert page_languages([*SPANISH, *CATALAN], [attributes, addresses]) == 4 * ["es"] + 4 * ["ca"]


def test_the_text_of_one_page_can_be_in_another_language_than_its_address_says():
    texts = [3 * LONG["es"], 3 * LONG["en"], *SPANISH]
    assert page_languages(texts, [["es"] * 6]) == ["es", "en", "es", "es", "es", "es"]


def test_a_page_with_its_menu_in_another_language_is_in_that_of_its_text():
    menu = "Home | About us | Our treatments | Prices and opening hours | Contact and directions | Book your day now. "
    assert page_languages([menu + 6 * LONG["es"]]) == ["es"]


def test_a_page_that_says_nothing_takes_the_language_of_its_site():
    assert page_languages(["", "4711", 3 * LONG["es"], "Clivo 3200"]) == ["es"] * 4


def test_each_page_may_be_in_a_language_of_its_own():
    assert page_languages([3 * text for text in LONG.values()]) == list(LONG)


def test_a_site_without_text_counts_as_english():
    assert site_language(["", " "]) == "en"
