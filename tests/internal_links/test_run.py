"""Internal links of a hand-made site whose answers are known."""

import io

import numpy as np
import openpyxl
import pandas as pd
import pytest

from backlink_audit.errors import EmbeddingMismatch, MissingColumns, NoRowsLeft, UnreadableFile
from backlink_audit.exports.load import load
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.internal_links.tables import tables
from backlink_audit.report.files import write_csv
from backlink_audit.report.workbook import write_workbook
from backlink_audit.settings import InterlinkSettings, PageFilters
from backlink_audit.site.vectors import crawl_vectors, read_page_vectors
from backlink_audit.sources import Sources
from tests.crawls import CRAWL_HEADER, as_csv, crawl, inlinks
from tests.toy import ToyEncoder

SITE = "https://shop.example"
OIL = f"{SITE}/care/oil-a-teak-table"
TEAK = f"{SITE}/teak"
WINTER = f"{SITE}/blog/winter"
LAMPS = f"{SITE}/lamps"
PAGES = [
    (f"{SITE}/", "Garden furniture | Acme", "Welcome", "Garden furniture made of teak, and lamps for your terrace."),
    (OIL, "How to oil a teak table | Acme", "Oil a teak table", "Sand the wood, wipe it, and oil it twice a year."),
    (TEAK, "Teak furniture | Acme", "Teak furniture", "Teak lasts. Before winter, oil a teak table with care."),
    (WINTER, "Ready for winter | Acme", "Winter", "Cover the teak furniture. Bring the solar lamps inside."),
    (LAMPS, "Solar lamps | Acme", "Solar lamps", "Solar lamps need sun. They shine all night."),
    (f"{SITE}/returns", "Returns | Acme", "Returns", "Send it back within thirty days, free of charge."),
    (f"{SITE}/delivery", "Delivery | Acme", "Delivery", "Parcels leave our store within two days, free of charge."),
    (f"{SITE}/old-lamps", "Solar lamps | Acme", "Solar lamps", "Solar lamps need sun. They shine all night."),
    (f"{SITE}/blog/terrace", "Terrace ideas | Acme", "Terrace ideas", "Teak furniture and solar lamps on one terrace."),
    (f"{SITE}/jobs", "Careers | Acme", "Careers", "Xylophone quartz jackdaw."),
]
LOW = InterlinkSettings(min_similarity=-1)
MATCHES = {"exact": 0, "partial": 1, "": 2}


def find(settings=LOW, pages=PAGES, links=None, vectors=None):
    return find_internal_links(crawl(*pages), settings, ToyEncoder(), sources=Sources(inlinks=links), vectors=vectors)


def pairs(result):
    return set(zip(result.table["source_url"], result.table["target_url"], strict=True))


def row(result, source, target):
    table = result.table
    return table[(table["source_url"] == source) & (table["target_url"] == target)].iloc[0]


def test_the_page_that_mentions_another_gets_a_link_to_it_on_those_words():
    result = find()
    best = result.targets_for(TEAK).iloc[0]
    assert best["target_url"] == OIL
    assert best["anchor"] == "oil a teak table"
    assert best["sentence"] == "Before winter, oil a teak table with care."


def test_anchors_stand_in_their_sentences_and_sentences_in_the_content():
    bodies = {url: content for url, _, _, content in PAGES}
    with_anchor = find().table.query("anchor != ''")
    assert len(with_anchor) >= 5
    for pair in with_anchor.itertuples():
        assert pair.anchor in pair.sentence
        assert pair.sentence in bodies[pair.source_url]


def test_a_heading_in_the_content_of_a_file_is_no_place_for_a_link():
    menu = "Teak furniture\r\nSolar lamps\r\nGarden benches are made of oak.\r\n\r\nThey match our Teak furniture well."
    pages = [*PAGES, (f"{SITE}/benches", "Garden benches | Acme", "Benches", menu)]
    pair = row(find(pages=pages), f"{SITE}/benches", TEAK)
    assert (pair["anchor"], pair["sentence"]) == ("Teak furniture", "They match our Teak furniture well.")
    assert row(find(pages=pages), f"{SITE}/benches", LAMPS)["anchor"] == ""


def test_words_written_with_joiners_are_found_and_shown_as_they_are_written():
    persian = "می\u200cخواهم نمایه\u200cسازی کنم"
    pages = [*PAGES, (f"{SITE}/fa", persian, "", "x"), (f"{SITE}/fa2", "دیگر", "", f"من امروز {persian}.")]
    pair = row(find(pages=pages), f"{SITE}/fa2", f"{SITE}/fa")
    assert pair["anchor"] == persian and persian in pair["sentence"]


def test_no_page_links_to_itself_and_ranks_count_from_one():
    table = find(InterlinkSettings(min_similarity=-1, per_page=3)).table
    assert (table["source_url"] != table["target_url"]).all()
    assert table.groupby("source_url")["rank"].agg(list).tolist() == [[1, 2, 3]] * (len(PAGES) - 1)


def test_the_brand_is_cut_from_titles():
    result = find()
    assert result.texts.brands == ("Acme",)
    assert row(result, TEAK, OIL)["target_title"] == "How to oil a teak table"


def test_a_page_listed_twice_gets_neither_a_link_to_itself_nor_links_it_has():
    pages = [*PAGES, (TEAK.replace("https://", "http://www."), *PAGES[2][1:])]
    twice = InterlinkSettings(min_similarity=-1, filters=PageFilters(duplicates=False))
    links = inlinks((TEAK, OIL, "oil", "Content"))
    result = find(twice, pages=pages, links=links)
    assert len(result.pages) == len(PAGES) + 1
    assert not {(pages[-1][0], TEAK), (TEAK, pages[-1][0]), (pages[-1][0], OIL), (TEAK, OIL)} & pairs(result)
    assert result.pages["inlinks"].tolist().count(0) == len(PAGES)
    assert (pages[-1][0], TEAK) not in pairs(find(twice, pages=pages))


def test_existing_links_in_the_content_are_left_out_in_their_direction_only():
    links = inlinks(
        (TEAK.replace("https://", "http://www."), OIL + "/?utm_source=x#top", "oil", "Content"),
        (WINTER, LAMPS, "Solar lamps", "Navigation"),
    )
    result = find(links=links)
    assert (TEAK, OIL) not in pairs(result)
    assert row(result, OIL, TEAK)["reverse"] == "yes"
    assert (WINTER, LAMPS) in pairs(result)
    assert set(result.table["existing"]) == {"no"}
    everywhere = find(InterlinkSettings(min_similarity=-1, content_links_only=False), links=links)
    assert (WINTER, LAMPS) not in pairs(everywhere)


def test_words_lead_to_the_page_they_name_best_and_to_no_step_of_a_tutorial():
    step, guide, other = f"{SITE}/steps/1", f"{SITE}/guide/lamp-oil", f"{SITE}/blog/a-day"
    text = "A lamp oil is clear. Sand the wood, wipe it, oil it and let it rest. "
    pages = [
        *PAGES,
        (step, "Lamp oils", "Lamp oils", "Pour it."),
        (guide, "Lamp oil", "Lamp oil", text * 3),
        (other, "How we found lamp oil in Kendal and Ulverston", "Our day", text.replace("lamp", "fish") * 3),
        (f"{SITE}/blog/night", "Nights", "Nights", "Xylophones rest. We fill a lamp oil twice a week."),
    ]
    links = inlinks((TEAK, OIL, "oil", "Content"))
    result = find(pages=pages, links=links)
    named = {target: row(result, f"{SITE}/blog/night", target)["anchor"] for target in (step, guide, other)}
    assert named == {step: "", guide: "lamp oil", other: ""}


def test_a_page_that_says_the_words_of_its_title_seldom_is_not_about_them():
    seldom, about = f"{SITE}/blog/people", f"{SITE}/guide/varnish"
    pages = [
        *PAGES,
        (seldom, "What is blue varnish", "People", "We met people and more people, and went home late."),
        (
            about,
            "Varnish guide",
            "Varnish guide",
            "Blue varnish is thin. Mix blue varnish. Buy blue varnish.",
        ),
        *((f"{SITE}/n/{n}", f"Night {n}", "", f"Xylophones rest {n} times. We use blue varnish.") for n in range(5)),
    ]
    result = find(InterlinkSettings(min_similarity=-1, per_page=30), pages=pages)
    assert row(result, f"{SITE}/n/1", seldom)["anchor"] == ""
    often = [
        page if page[0] != seldom else (*page[:3], page[3] + " Blue varnish! We like it: blue varnish.")
        for page in pages
    ]
    result = find(InterlinkSettings(min_similarity=-1, per_page=30), pages=often)
    assert row(result, f"{SITE}/n/1", seldom)["anchor"] == "blue varnish"


def test_words_that_are_linked_already_are_not_suggested_again():
    links = inlinks((WINTER, f"{SITE}/delivery", "the teak furniture", "Content"))
    assert row(find(), WINTER, TEAK)["anchor"] == "teak furniture"
    assert row(find(links=links), WINTER, TEAK)["anchor"] == ""


def test_without_inlinks_what_exists_is_unknown():
    table = find().table
    assert set(table["existing"]) == set(table["reverse"]) == {"unknown"}


def test_inlinks_of_another_day_are_said_with_how_many_urls_the_crawl_lacks():
    pages = [(f"{SITE}/{n}", f"Tents {n}", f"Tents {n}", f"Tents for {n} people") for n in range(4)]
    links = [(f"{SITE}/{n}", f"{SITE}/{n + 1}", "tents", "Content") for n in (0, 1, 7, 8)]
    links.append((f"{SITE}/0", f"{SITE}/plan.pdf", "plan", "Content"))
    found = find_internal_links(crawl(*pages), InterlinkSettings(), ToyEncoder(), Sources(inlinks=inlinks(*links)))
    assert any(note.startswith("all_inlinks.csv: 3 of 6 URLs (50%) are not in crawl.csv") for note in found.notes)
    fitting = find_internal_links(
        crawl(*pages), InterlinkSettings(), ToyEncoder(), Sources(inlinks=inlinks(*links[:2], links[-1]))
    )
    assert not any("not in crawl.csv" in note for note in fitting.notes)


def test_inlinks_of_another_site_are_named_as_such():
    links = inlinks(("https://other.example/", "https://other.example/x", "x", "Content"))
    result = find(links=links)
    assert any("other.example" in note and "shop.example" in note for note in result.notes)
    assert set(result.table["existing"]) == {"unknown"}


def test_near_duplicates_are_flagged_set_apart_and_counted_once():
    result = find()
    alike = result.near_duplicates
    assert {frozenset(pair) for pair in zip(alike["source_url"], alike["target_url"], strict=True)} == {
        frozenset({LAMPS, f"{SITE}/old-lamps"})
    }
    assert len(alike) == 1
    assert not result.suggested["near_duplicate"].any()
    assert f"{SITE}/old-lamps" not in result.targets_for(LAMPS)["target_url"].tolist()
    assert tables(result).sheets()["Near duplicates"]["Near duplicate URL"].tolist() == alike["target_url"].tolist()


def test_orphans_are_pages_without_inlinks_from_any_place():
    links = inlinks(*((f"{SITE}/", url, "x", "Navigation") for url, *_ in PAGES if url not in (LAMPS, f"{SITE}/")))
    assert find(links=links).orphans["url"].tolist() == [f"{SITE}/", LAMPS]
    assert find().orphans is None


def test_a_page_linked_only_from_a_page_set_aside_is_no_orphan():
    others = [(f"{SITE}/", url, "x", "Navigation") for url, *_ in PAGES[1:] if url != LAMPS]
    links = inlinks(*others, (f"{SITE}/tag/light?page=2", LAMPS, "Solar lamps", "Content"), (LAMPS, LAMPS, "", ""))
    result = find(links=links)
    assert result.orphans["url"].tolist() == [f"{SITE}/"]
    assert result.pages.set_index("url")["inlinks"][LAMPS] == 1


def test_isolated_pages_have_nothing_above_the_minimum():
    result = find(InterlinkSettings(min_similarity=0.25))
    cosines = result.similarities([url for url, *_ in PAGES]).to_numpy(copy=True)
    np.fill_diagonal(cosines, -1)
    alone = [url for (url, *_), nearest in zip(PAGES, cosines.max(axis=1), strict=True) if nearest < 0.25]
    assert alone
    assert result.isolated["url"].tolist() == alone
    assert (result.table["similarity"] >= 0.25).all()


def test_isolated_pages_and_orphans_name_their_nearest_page_and_their_own_words():
    links = inlinks(*((f"{SITE}/", url, "x", "Navigation") for url, *_ in PAGES if url not in (LAMPS, f"{SITE}/")))
    result = find(InterlinkSettings(min_similarity=0.25), links=links)
    urls = [url for url, *_ in PAGES]
    cosines = result.similarities(urls)
    words = {url: len(content.split()) for url, _, _, content in PAGES}
    listed = pd.concat([result.isolated, result.orphans])
    assert len(listed) == 3
    for row in listed.itertuples():
        others = cosines[row.url].drop(row.url)
        assert row.nearest == pytest.approx(others.max(), abs=1e-6)
        assert cosines[row.url][row.nearest_url] == pytest.approx(others.max(), abs=1e-6)
        assert row.nearest_title == result.pages.set_index("url")["title"][row.nearest_url]
        assert row.word_count == words[row.url]
    sheet = tables(result).sheets()["Isolated pages"]
    assert sheet["Nearest page URL"].tolist() == result.isolated["nearest_url"].tolist()


def test_a_page_alone_on_its_site_has_no_nearest_page():
    result = find_internal_links(crawl(PAGES[0]), InterlinkSettings(min_similarity=0.25), ToyEncoder())
    pages = result._with_nearest_page(result.pages)
    assert pages["nearest_url"].tolist() == [""] and pages["nearest"].isna().all()


def test_path_filters_are_literal_and_hold_for_the_download():
    chosen = InterlinkSettings(min_similarity=-1, source_contains="/blog/", target_excludes="/blog/")
    table = tables(find(chosen)).main()
    assert table["Source URL"].str.contains("/blog/").all()
    assert not table["Target URL"].str.contains("/blog/").any()
    assert find(InterlinkSettings(min_similarity=-1, source_contains="bl.g")).table.empty


def test_similarity_order_goes_by_the_cosine():
    table = find(InterlinkSettings(min_similarity=-1, order="similarity")).table
    for _, rows in table.groupby("source_url"):
        assert rows["similarity"].is_monotonic_decreasing
    assert table["score"].tolist() == pytest.approx(table["similarity"].tolist(), abs=1e-5)


def test_sources_per_target_are_capped():
    table = find(InterlinkSettings(min_similarity=-1, per_target=2)).table
    assert table["target_url"].value_counts().max() == 2


def test_the_csv_begins_with_the_columns_other_tools_read():
    columns = tables(find()).main().columns.tolist()
    assert columns[:9] == [
        "Source URL",
        "Target URL",
        "Similarity Score",
        "Score",
        "Rank",
        "Anchor",
        "Sentence",
        "Existing link",
        "Near duplicate",
    ]


def test_the_workbook_holds_what_the_screen_shows():
    result = find()
    file = io.BytesIO()
    write_workbook(tables(result).sheets(), file)
    book = openpyxl.load_workbook(file)
    assert book.sheetnames == [
        "Summary",
        "Opportunities",
        "Without an anchor",
        "Merge or redirect",
        "Old pages",
        "Blocks",
        "Left out",
        "Near duplicates",
        "Translations",
        "Same template",
        "Orphans",
        "Isolated pages",
        "Off-topic pages",
        "Competing pages",
        "Notes",
    ]
    assert book["Opportunities"].max_row - 1 == len(result.placeable)
    assert book["Without an anchor"].max_row - 1 == len(result.suggested) - len(result.placeable)
    summary = {what: value for _, what, value in book["Summary"].iter_rows(min_row=2, values_only=True)}
    assert summary["In a sentence"] == result.headline


def test_csv_and_table_hold_the_same_pairs():
    result = find()
    back = pd.read_csv(io.BytesIO(write_csv(tables(result).main())), keep_default_na=False)
    assert set(zip(back["Source URL"], back["Target URL"], strict=True)) == pairs(result)


def test_embeddings_go_out_and_in_again_with_the_same_result():
    first = find()
    saved = read_page_vectors("x.npz", first.vectors.to_npz())
    assert saved.text == "title+content"
    again = find(vectors=saved)
    pd.testing.assert_frame_equal(again.table, first.table)


def test_given_embeddings_are_not_made_anew():
    saved = read_page_vectors("x.npz", find().vectors.to_npz())
    encoder = ToyEncoder()
    find_internal_links(crawl(*PAGES), LOW, encoder, vectors=saved)
    assert encoder.seen == []


def test_embeddings_of_another_model_are_refused_with_both_numbers():
    saved = read_page_vectors("x.npz", find().vectors.to_npz())
    with pytest.raises(EmbeddingMismatch, match=r"64.*32"):
        find_internal_links(crawl(*PAGES), LOW, ToyEncoder(32), vectors=saved)


def test_embeddings_of_fewer_pages_are_refused_with_both_numbers():
    saved = read_page_vectors("x.npz", find(pages=PAGES[:6]).vectors.to_npz())
    with pytest.raises(EmbeddingMismatch, match=r"are for 6 pages, but 10"):
        find(vectors=saved)


def test_embeddings_of_another_text_are_refused():
    saved = read_page_vectors("x.npz", find(InterlinkSettings(text="h1", min_similarity=-1)).vectors.to_npz())
    with pytest.raises(EmbeddingMismatch, match="h1"):
        find(InterlinkSettings(text="title", min_similarity=-1), vectors=saved)
    assert find(vectors=saved).texts.mode == "h1"


def test_embeddings_remember_the_columns_they_were_made_of():
    joined = InterlinkSettings(min_similarity=-1, columns=("H1-1", "Title 1"))
    saved = read_page_vectors("x.npz", find(joined).vectors.to_npz())
    assert saved.text == "H1-1 + Title 1"
    assert pairs(find(joined, vectors=saved)) == pairs(find(joined))
    with pytest.raises(EmbeddingMismatch, match=r"H1-1 \+ Title 1"):
        find(vectors=saved)


def test_columns_that_the_file_lacks_are_named():
    with pytest.raises(MissingColumns, match="“Colour”"):
        find(InterlinkSettings(columns=("Colour",)))


@pytest.mark.parametrize("data", [b"", b"garbage", b"PK\x03\x04 broken"])
def test_a_file_that_is_no_npz_is_a_clear_sentence(data):
    with pytest.raises(UnreadableFile, match="vectors.npz"):
        read_page_vectors("vectors.npz", data)


def test_an_npz_without_its_parts_says_which_is_missing():
    file = io.BytesIO()
    np.savez(file, urls=np.array(["a"]))
    with pytest.raises(UnreadableFile, match="vectors"):
        read_page_vectors("x.npz", file.getvalue())


def crawl_with_embeddings(*cells):
    rows = [(url, "text/html", 200, "Indexable", title, h1, "") for url, title, h1, _ in PAGES[: len(cells)]]
    header = (*CRAWL_HEADER, "OpenAI Embeddings 1")
    return load([("crawl.csv", as_csv(header, [(*row, cell) for row, cell in zip(rows, cells, strict=True)]))], "pages")


def test_embeddings_made_by_the_crawler_are_used():
    pages = crawl_with_embeddings("[1, 0, 0]", "0.9,0.1,0", "0,0,1")
    settings = InterlinkSettings(order="similarity")
    result = find_internal_links(pages, settings, ToyEncoder(), vectors=crawl_vectors(pages))
    assert pairs(result) == {(PAGES[0][0], PAGES[1][0]), (PAGES[1][0], PAGES[0][0])}


def test_a_crawl_without_embeddings_or_with_broken_ones_says_so():
    with pytest.raises(MissingColumns, match="embeddings"):
        crawl_vectors(crawl(*PAGES))
    with pytest.raises(EmbeddingMismatch, match="from 2 to 3"):
        crawl_vectors(crawl_with_embeddings("1,0", "1,0,0"))
    with pytest.raises(EmbeddingMismatch, match="not a list of numbers"):
        crawl_vectors(crawl_with_embeddings("[1, 0]", "[one, two]"))


def test_all_filtered_out_names_the_filter():
    with pytest.raises(NoRowsLeft, match="Not HTML"):
        rows = [(url, "image/png", 200, "Indexable", "", "", "") for url, *_ in PAGES]
        find_internal_links(load([("crawl.csv", as_csv(CRAWL_HEADER, rows))], "pages"), LOW, ToyEncoder())


def test_one_page_gives_a_sentence_and_no_link():
    result = find(pages=PAGES[:1])
    assert result.table.empty
    assert "only one page" in result.notes[-1]
    assert tables(result).sheets()["Opportunities"].empty


def test_blank_h1s_fall_back_and_are_counted():
    pages = [(url, title, "" if place % 2 else h1, "") for place, (url, title, h1, _) in enumerate(PAGES)]
    result = find(InterlinkSettings(text="h1", min_similarity=-1), pages=pages)
    assert result.texts.fallbacks == 5
    assert any("5 of 10 pages have no H1" in note for note in result.notes)


def test_a_crawl_of_urls_alone_is_compared_by_their_words():
    pages = [(f"{SITE}/teak-table-{place}", "", "", "") for place in ("large", "small")]
    assert len(find(pages=pages).table) == 2


def test_thousands_of_identical_titles_are_no_trouble():
    pages = [(f"{SITE}/plumber/{place}", "Plumber in CITY", "Plumber in CITY", "") for place in range(3_000)]
    result = find(InterlinkSettings(per_page=5), pages=pages)
    assert len(result.table) == 3_000 * 5
    assert any("same text" in note for note in result.notes)
    assert result.headline.startswith("Only near duplicates")


def test_titles_in_scripts_without_spaces_find_each_other():
    pages = [
        (f"{SITE}/1", "東京のホテル予約", "東京のホテル予約", "週末の旅行なら東京のホテル予約がおすすめです。"),
        (f"{SITE}/2", "京都の旅行ガイド", "京都の旅行ガイド", "春には、東京のホテル予約を早めに済ませましょう。"),
        (f"{SITE}/3", "大阪の食べ物", "大阪の食べ物", "たこ焼きとお好み焼きが有名です。"),
    ]
    best = find(pages=pages).targets_for(f"{SITE}/2").iloc[0]
    assert best["target_url"] == f"{SITE}/1"
    assert best["anchor"] == "東京のホテル予約"


def test_two_runs_give_the_same_result():
    pd.testing.assert_frame_equal(find().table, find().table)


def test_the_matrix_is_symmetric_and_labelled():
    urls = [TEAK, OIL, LAMPS]
    shown = find().similarities(urls)
    assert shown.index.tolist() == shown.columns.tolist() == urls
    assert np.diag(shown) == pytest.approx([1, 1, 1], abs=1e-5)
    assert shown.loc[TEAK, OIL] == pytest.approx(row(find(), TEAK, OIL)["similarity"], abs=1e-5)


def test_the_sparse_matrix_holds_the_nearest_of_each():
    nearest = find().nearest_pairs(2)
    assert len(nearest) == 2 * len(PAGES)
    assert (nearest["Source URL"] != nearest["Target URL"]).all()


def test_pages_set_aside_are_counted():
    pages = [*PAGES, (PAGES[0][0], "again", "", "")]
    result = find(pages=pages)
    assert result.cleaned.removed["Duplicates"] == 1
    assert len(result.pages) == len(PAGES)
    assert find(InterlinkSettings(filters=PageFilters(duplicates=False), min_similarity=-1), pages=pages) is not None


@pytest.mark.parametrize("order", ["editorial", "similarity"])
def test_a_site_too_large_for_all_pairs_is_searched_through_an_index_and_says_how_exact_that_is(order, monkeypatch):
    settings = InterlinkSettings(min_similarity=-1, order=order)
    exact = find(settings)
    monkeypatch.setattr("backlink_audit.internal_links.order.EXACT_ROWS", 5)
    indexed = find(settings)
    assert pairs(indexed) == pairs(exact)
    note = next(note for note in indexed.notes if "In a sample" in note)
    assert "more than 5 pages" in note
    assert "this found 100% of all suggestions" in note
    assert not any("In a sample" in note for note in exact.notes)
    assert note in tables(indexed).sheets()["Summary"].to_numpy().ravel().tolist()


def test_the_sparse_matrix_of_a_large_site_comes_from_the_index(monkeypatch):
    exact = find().nearest_pairs(3)
    monkeypatch.setattr("backlink_audit.internal_links.result.EXACT_ROWS", 5)
    columns = ["Source URL", "Similarity Score"]  # equally similar pages may stand in another order
    pd.testing.assert_frame_equal(find().nearest_pairs(3)[columns], exact[columns])


def test_without_an_inlinks_export_nothing_is_called_worth_adding():
    assert "worth adding" not in find().headline
    assert "unknown" in find().headline
    assert "worth adding" in find(links=inlinks((TEAK, OIL, "oil", "Content"))).headline


def test_the_home_page_is_not_linked_by_its_name():
    pages = [*PAGES, (f"{SITE}/patio", "Patio | Acme", "Patio", "On a patio we put garden furniture at night.")]
    assert row(find(pages=pages), f"{SITE}/patio", f"{SITE}/")["anchor"] == ""
    moved = [(f"{SITE}/garden", *page[1:]) if page[0] == f"{SITE}/" else page for page in pages]
    assert row(find(pages=moved), f"{SITE}/patio", f"{SITE}/garden")["anchor"] == "garden furniture"


def test_links_come_by_score_and_near_duplicates_last():
    table = find().table
    for _, rows in table.groupby("source_url"):
        assert rows["near_duplicate"].is_monotonic_increasing
        assert rows.loc[~rows["near_duplicate"], "score"].is_monotonic_decreasing
    assert table["score"].between(0, 100).all()
    assert find().strongest()["score"].is_monotonic_decreasing
    anchored = find().table.groupby("anchor_match")["score"].mean()
    assert anchored["exact"] > anchored[""]


def test_a_whole_name_is_an_exact_anchor_a_part_of_one_partial():
    text = "For the patio we like weatherproof benches best."
    pages = [*PAGES, (f"{SITE}/patio", "Patio | Acme", "Patio", text)]
    teak = row(find(pages=PAGES), WINTER, TEAK)
    assert (teak["anchor"], teak["anchor_match"]) == ("teak furniture", "exact")
    pages[1] = (OIL, "How to care for tables | Acme", "Oil a teak table", f"{PAGES[1][3]} Weatherproof benches too.")
    users = (f"{SITE}/blog/terrace", f"{SITE}/returns")
    known = inlinks(*((user, OIL, "weatherproof benches", "Content") for user in users))
    result = find(pages=pages, links=known)
    linked = row(result, f"{SITE}/patio", OIL)
    assert (linked["anchor"], linked["anchor_match"], linked["rank"]) == ("weatherproof benches", "exact", 1)
    assert result.with_exact_anchor < result.with_anchor


def test_a_part_of_a_title_is_exact_only_if_it_is_most_of_it_or_a_name_by_its_capitals():
    seasoned = (f"{SITE}/oak", "Bert Stone and the oak boards", "", "Bert Stone piles up the oak boards.")
    for words, match in (("Bert Stone", "exact"), ("oak boards", "partial")):
        source = (f"{SITE}/patio", "Patio", "Patio", f"For our patio we asked for {words} in autumn.")
        found = row(find(pages=[*PAGES, seasoned, source]), f"{SITE}/patio", f"{SITE}/oak")
        assert (found["anchor"], found["anchor_match"]) == (words, match)


def test_a_page_with_a_section_of_its_own_on_the_words_links_them_to_no_section_and_to_a_title_as_partial():
    lines = "For our patio it is said.\n{}\nWe write here how it is done.\nFor us {} are best of all."
    oiled = (
        f"{SITE}/oak",
        "Oak boards",
        "Oak boards",
        "Boards need it.\nDeep grooves\nDeep grooves hold the oil well.",
    )
    for words, found in (("Oak boards", "partial"), ("Deep grooves", "")):
        source = (f"{SITE}/patio", "Patio", "Patio", lines.format(words, words.lower()))
        assert row(find(pages=[*PAGES, oiled, source]), f"{SITE}/patio", f"{SITE}/oak")["anchor_match"] == found
        plain = (*source[:3], source[3].replace(f"\n{words}\n", " "))
        without = row(find(pages=[*PAGES, oiled, plain]), f"{SITE}/patio", f"{SITE}/oak")["anchor_match"]
        assert without == ("exact" if found else "partial")


def test_the_words_that_several_pages_link_with_are_looked_for_too():
    text = "For the patio we like a weatherproof bench best."
    pages = [*PAGES, (f"{SITE}/patio", "Patio | Acme", "Patio", text)]
    links = [(f"{SITE}/{page}", TEAK, "weatherproof bench", "Content") for page in ("blog/terrace", "returns")]
    assert row(find(pages=pages, links=inlinks(*links)), f"{SITE}/patio", TEAK)["anchor"] == "weatherproof bench"
    assert row(find(pages=pages, links=inlinks(links[0])), f"{SITE}/patio", TEAK)["anchor"] == ""
    assert row(find(pages=pages), f"{SITE}/patio", TEAK)["anchor"] == ""


def test_the_words_of_one_link_name_its_target_if_half_of_them_are_in_its_title():
    text = "For the patio we asked what the furniture shelter costs."
    pages = [*PAGES, (f"{SITE}/patio", "Patio | Acme", "Patio", text)]
    known = inlinks((f"{SITE}/blog/terrace", TEAK, "furniture shelter", "Content"))
    assert row(find(pages=pages, links=known), f"{SITE}/patio", TEAK)["anchor"] == "furniture shelter"


def test_words_lead_to_the_page_of_that_name_and_not_to_one_that_begins_with_it():
    department, other = f"{SITE}/ce", f"{SITE}/ce/working"
    text = "Our Customer Engineering helps. Customer Engineering is small."
    pages = [
        *PAGES,
        (department, "Customer Engineering (CE) | Acme", "Customer Engineering (CE)", text),
        (other, "Customer Engineering: Working with Customers | Acme", "", text),
        (f"{SITE}/patio", "Patio | Acme", "Patio", "For the patio we ask the Customer Engineering team first."),
    ]
    result = find(pages=pages)
    named = {target: row(result, f"{SITE}/patio", target)["anchor"] for target in (department, other)}
    assert named == {department: "Customer Engineering", other: ""}


def test_anchors_that_say_nothing_name_no_page():
    pages = [*PAGES, (f"{SITE}/patio", "Patio | Acme", "Patio", "Read more about our patio today.")]
    known = inlinks((f"{SITE}/blog/terrace", TEAK, "read more", "Content"))
    assert row(find(pages=pages, links=known), f"{SITE}/patio", TEAK)["anchor"] == ""


def with_twins():
    spanish = (
        "Muebles de teca y lámparas solares para la terraza, con aceite y mucho cuidado en invierno y en verano. " * 3
    )
    return [
        *PAGES,
        (f"{SITE}/es/teak", "Muebles de teca | Acme", "Muebles", spanish),
        (f"{SITE}/fr/teak", "Meubles en teck | Acme", "Meubles", spanish),
        (f"{SITE}/news/1", "Recalls 5.0.4 | Acme", "Recalls", "Lamps of the batch 5.0.4 are recalled."),
        (f"{SITE}/news/2", "Recalls 5.0.5 | Acme", "Recalls", "Lamps of the batch 5.0.5 are recalled."),
    ]


def test_translations_and_pages_of_one_template_are_in_lists_of_their_own_and_in_no_other():
    header = (*CRAWL_HEADER, "HTML hreflang 1 URL")
    rows = [
        (url, "text/html", 200, "Indexable", title, h1, content, f"{SITE}/es/teak" if url == TEAK else "")
        for url, title, h1, content in with_twins()
    ]
    pages = load([("crawl.csv", as_csv(header, rows))], "pages")
    result = find_internal_links(pages, InterlinkSettings(min_similarity=-1, near_duplicate=0.999), ToyEncoder())
    apart = {
        "translations": {frozenset({TEAK, f"{SITE}/es/teak"})},
        "templates": {frozenset({f"{SITE}/news/1", f"{SITE}/news/2"})},
    }
    listed = {frozenset(pair) for pair in pairs(result)}
    for name, expected in apart.items():
        table = getattr(result, name)
        assert {frozenset(pair) for pair in zip(table["source_url"], table["target_url"], strict=True)} == expected
        assert not expected & listed
    assert "1 pair of translations, 1 pair of pages with the same template" in result.set_aside
    assert tables(result).sheets()["Same template"]["URL"].tolist() == [f"{SITE}/news/1"]


def test_pages_apart_leave_their_places_to_others():
    table = find(InterlinkSettings(min_similarity=-1, per_page=3), pages=with_twins()).table
    english = ~table["source_url"].str.contains("/(?:es|fr)/")
    assert table[english].groupby("source_url").size().eq(3).all()


W = "oak elm ash fir yew teak pine palm larch beech birch maple".split()


def pages_of(*, url="{site}/{word}", title="{word}", content="The {word} of {word} is good."):
    values = [{"site": SITE, "word": word, "n": n} for n, word in enumerate(W)]
    return [(url.format(**of), title.format(**of), "", content.format(**of)) for of in values]


@pytest.mark.parametrize(
    "pages",
    [
        pages_of(title="Shop"),
        pages_of(title="", content=""),
        pages_of(content="Home | Products | Contact | Login"),
        pages_of(content="The {word} is wood. Der Tisch ist aus Holz. La mesa es buena. Стол сделан из дерева."),
        pages_of(title="q{n}x", content="a{n} b{n} c{n}"),
    ],
    ids=["one title", "no titles", "menus", "mixed languages", "no word in common"],
)
def test_bad_crawls_give_a_sentence_and_links_of_pages_that_exist(pages):
    result = find(pages=pages, settings=InterlinkSettings())
    assert result.headline.endswith(".")
    assert set(result.table["source_url"]) | set(result.table["target_url"]) <= {page[0] for page in pages}
    assert (result.table["source_url"] != result.table["target_url"]).all()
    assert (result.table["anchor"] == "").all()


def test_pages_of_one_template_get_a_block_and_a_sentence_that_says_so():
    pages = pages_of(title="Cheap home insurance in {word}", content="We insure your home. Call us.")
    result = find(pages=pages, settings=InterlinkSettings())
    assert result.table.empty and "of one template" in result.headline
    assert tables(result).sheets()["Blocks"].iloc[:, 1].tolist() == [len(W)]


def test_pages_of_two_sites_are_not_linked_to_each_other_and_it_is_said():
    other = [(url.replace("shop", "store"), *rest) for url, *rest in PAGES]
    result = find(pages=[*PAGES, *other])
    assert len(result.table) and all(one[:15] == two[:15] for one, two in pairs(result))
    assert any("on 2 sites" in note for note in result.notes)
