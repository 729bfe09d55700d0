import pandas as pd
import pytest

from backlink_audit.text.page_texts import read_page_texts, split_into_chunks


def crawl(*rows):
    """Pages of (url, title, h1, content)."""
    return pd.DataFrame(rows, columns=["url", "title", "h1", "content"])


def test_without_content_the_h1_stands_for_a_page():
    texts = read_page_texts(crawl(("https://a.example/x", "Title", "Heading", "")))
    assert texts.mode == "h1"
    assert texts.texts == ("Heading",)


def test_with_content_title_and_content_stand_for_a_page():
    texts = read_page_texts(crawl(("https://a.example/x", "Title", "Heading", "Body text.")))
    assert texts.mode == "title+content"
    assert texts.texts == ("Title. Body text.",)


def test_a_blank_h1_falls_back_to_the_title_then_to_the_words_of_the_url():
    texts = read_page_texts(
        crawl(("https://a.example/x", "Title", "", ""), ("https://a.example/red-shoes.html", "", "", "")), "h1"
    )
    assert texts.texts[0] == "Title"
    assert "red shoes" in texts.texts[1]
    assert texts.fallbacks == 2


def test_a_title_and_a_heading_of_signs_only_name_no_page():
    rows = [(f"https://a.example/{name}", f"Acme | {name}", name, "") for name in ("sofas", "beds", "lamps")]
    texts = read_page_texts(crawl(*rows, ("https://a.example/red-shoes", "Acme | >", ">", "Body.")), brands=["Acme"])
    assert texts.names[:3] == ("sofas", "beds", "lamps")
    assert texts.names[3].endswith("red shoes")
    assert texts.headings[3] == ""


def test_brands_are_cut_from_titles_and_shown():
    rows = [(f"https://a.example/{name}", f"{name} | Acme", "", "") for name in ("sofas", "beds", "lamps", "rugs")]
    texts = read_page_texts(crawl(*rows), "title")
    assert texts.brands == ("Acme",)
    assert texts.texts == ("sofas", "beds", "lamps", "rugs")


def test_given_brands_are_the_only_ones_cut():
    rows = [(f"https://a.example/{name}", f"{name} | Acme", "", "") for name in ("sofas", "beds", "lamps", "rugs")]
    assert read_page_texts(crawl(*rows), "title", brands=()).texts[0] == "sofas | Acme"


def test_bodies_stay_letter_for_letter_while_texts_are_tidied():
    body = "One\u00a0line.\nAnother\u200b line."
    texts = read_page_texts(crawl(("https://a.example/x", "", "", body)), "content")
    assert texts.bodies == (body,)
    assert texts.texts == ("One line. Another line.",)


@pytest.mark.parametrize("sentence", ["A sentence about wooden tables. ", "木のテーブルについての文章です。"])
def test_a_long_text_is_cut_into_chunks_that_lose_no_word(sentence):
    text = (sentence * 200).strip()
    chunks = split_into_chunks(text)
    assert len(chunks) > 5
    assert max(map(len, chunks)) <= 1_000
    assert "".join("".join(chunks).split()) == "".join(text.split())


def test_every_further_chunk_begins_with_the_pages_name():
    chunks = split_into_chunks("Some words here. " * 200, "Tables")
    assert all(chunk.startswith("Tables. ") for chunk in chunks[1:])


def test_a_text_without_any_sentence_is_cut_too():
    assert max(map(len, split_into_chunks("x" * 5_000))) <= 1_000
