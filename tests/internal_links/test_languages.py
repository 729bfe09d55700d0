"""Pages in several languages: none is suggested to a page in another one."""

from backlink_audit.internal_links.result import with_clusters
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.settings import InterlinkSettings
from tests.crawls import crawl
from tests.toy import ToyEncoder

SITE = "https://spa.example"
SPANISH = {
    "masajes": ("Masajes relajantes", "Los masajes relajantes duran una hora y se reservan con el circuito termal."),
    "circuito": ("Circuito termal", "El circuito termal para adultos abre todos los días con baños de agua caliente."),
    "tarifas": ("Tarifas y horarios", "Las tarifas y horarios de los masajes relajantes cambian en verano y en otoño."),
}
ENGLISH = {
    "massages": ("Relaxing massages", "The relaxing massages take an hour and are booked with the thermal circuit."),
    "circuit": ("Thermal circuit", "The thermal circuit for adults is open every day, with baths of warm water."),
    "prices": ("Prices and hours", "The prices and hours of the relaxing massages change in summer and in autumn."),
}
PAGES = [(f"{SITE}/{slug}", title, title, text) for slug, (title, text) in SPANISH.items()] + [
    (f"{SITE}/en/{slug}", title, title, text) for slug, (title, text) in ENGLISH.items()
]


def find(**changes):
    return find_internal_links(crawl(*PAGES), InterlinkSettings(min_similarity=-1, **changes), ToyEncoder())


def crossing(result):
    ends = [result.table[f"{end}_url"].str.contains("/en/") for end in ("source", "target")]
    return (ends[0] != ends[1]).to_numpy()


def test_no_page_is_suggested_to_one_in_another_language():
    result = find()
    assert result.pages["language"].tolist() == ["es"] * 3 + ["en"] * 3
    assert len(result.table) == 12 and not crossing(result).any()
    assert "in 2 languages (en 3, es 3)" in " ".join(result.notes)


def test_a_switch_allows_it():
    result = find(across_languages=True)
    assert len(result.table) == 30 and crossing(result).sum() == 18
    assert "languages" not in " ".join(result.notes)


def test_a_page_alone_in_its_language_is_isolated_whatever_the_others_say():
    alone = (f"{SITE}/fr/soins", "Soins", "Soins", "Les soins du visage durent une heure et sont très demandés ici.")
    result = find_internal_links(crawl(*PAGES, alone), InterlinkSettings(min_similarity=-1), ToyEncoder())
    assert result.pages["language"].iloc[-1] == "fr"
    assert alone[0] not in {*result.table["source_url"], *result.table["target_url"]}


def test_clusters_have_pages_of_one_language():
    pages = with_clusters(find(), ToyEncoder()).pages
    assert (pages.groupby("cluster")["language"].nunique() == 1).all()
