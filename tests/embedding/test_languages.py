from backlink_audit.embedding.models import page_languages, warn_of_languages
from backlink_audit.exports.load import recognise_file
from backlink_audit.settings import DEFAULT_MODEL, LINKS_MODEL
from tests.audit.exports import semrush, semrush_domains
from tests.crawls import crawl

TITLES = ("Les chaises de la cuisine et du jardin", "東京のホテル", "The best oak tables for your garden", "")


def test_an_export_without_languages_is_asked_by_its_titles() -> None:
    rows = [{"Source url": f"https://a.example/{n}", "Source title": title} for n, title in enumerate(TITLES)]
    assert page_languages(semrush("a.csv", *rows)).tolist() == ["fr", "und", "en"]


def test_the_languages_of_an_export_stand_as_they_are() -> None:
    data = b"Referring page URL,Target URL,Language\nhttps://a.example/,https://b.example/,de\n"
    assert page_languages(recognise_file("a.csv", data)).tolist() == ["de"]


def test_nothing_is_known_of_a_list_of_domains() -> None:
    assert page_languages(semrush_domains("a.csv", {"Domain": "a.example"})).empty


def test_one_foreign_export_is_enough_to_warn_and_a_multilingual_model_is_not_warned_of() -> None:
    english = semrush("a.csv", *({"Source url": f"https://a.example/{n}", "Source title": TITLES[2]} for n in range(9)))
    french = semrush("b.csv", *({"Source url": f"https://b.example/{n}", "Source title": TITLES[n]} for n in range(2)))
    assert "100% of the 2 pages" in str(warn_of_languages(DEFAULT_MODEL, [english, french]))
    assert warn_of_languages(DEFAULT_MODEL, [english]) is None
    assert warn_of_languages("multilingual-e5-small", [french]) is None


def test_a_model_of_few_languages_is_warned_of_where_a_file_is_in_others() -> None:
    titles = ("Så väljer du rätt stolar till köket och trädgården", "Hvordan man vedligeholder et gammelt bord af eg")
    nordic = semrush("a.csv", *({"Source url": f"https://a.example/{n}", "Source title": titles[n]} for n in range(2)))
    french = semrush("b.csv", *({"Source url": f"https://b.example/{n}", "Source title": TITLES[n]} for n in range(2)))
    sentence = str(warn_of_languages(LINKS_MODEL, [french, nordic]))
    assert "(most: sv, da): multilingual-e5-small" in sentence or "(most: da, sv): multilingual-e5-small" in sentence
    assert warn_of_languages(LINKS_MODEL, [french]) is None
    assert warn_of_languages("multilingual-e5-small", [nordic]) is None


def test_the_pages_of_a_crawl_are_asked_by_their_titles_or_else_their_h1() -> None:
    pages = [(f"https://a.example/{n}", title, TITLES[0] * (not title), "") for n, title in enumerate(TITLES)]
    assert page_languages(crawl(*pages)).tolist() == ["fr", "und", "en"]
    assert "67% of the 3 pages" in str(warn_of_languages(DEFAULT_MODEL, [crawl(*pages)]))
    assert warn_of_languages("multilingual-e5-small", [crawl(*pages)]) is None
