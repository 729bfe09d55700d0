from backlink_audit.pipelines.crawl import estimate
from backlink_audit.pipelines.crawl.estimate import estimate_run
from backlink_audit.settings import InterlinkSettings
from tests.crawls import crawl

PAGES = [(f"https://a.example/{n}", f"Title {n}", f"Heading {n}", f"Words of page {n}. " * 200) for n in range(20)]


def test_titles_cost_less_than_contents_and_given_embeddings_least():
    contents, titles, given = (
        estimate_run(crawl(*PAGES), settings, embeddings_given=embeddings_given)
        for settings, embeddings_given in (
            (InterlinkSettings(), False),
            (InterlinkSettings(text="title"), False),
            (InterlinkSettings(), True),
        )
    )
    assert contents.seconds > titles.seconds > given.seconds
    assert (titles.texts, given.texts) == (20, 0)
    assert contents.texts > 20


def test_columns_joined_are_what_is_estimated():
    joined = estimate_run(crawl(*PAGES), InterlinkSettings(columns=("Title 1", "H1-1")))
    assert joined.texts == 20


def test_the_sentence_has_pages_pieces_time_and_memory():
    sentence = estimate_run(crawl(*PAGES), InterlinkSettings(text="h1")).sentence
    assert sentence.startswith("20 pages in 20 pieces: at most about 5 seconds and ")
    assert sentence.endswith(" GB of memory.")


def test_a_site_beyond_all_pairs_costs_by_the_page(monkeypatch):
    monkeypatch.setattr(estimate, "PAIRS_PER_SECOND", 1)
    settings = InterlinkSettings(text="h1")
    assert estimate_run(crawl(*PAGES), settings).seconds > 20 * 20
    monkeypatch.setattr(estimate, "EXACT_ROWS", 5)
    assert estimate_run(crawl(*PAGES), settings).seconds < 20
