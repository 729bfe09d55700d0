"""Search by meaning, on small tables with the toy encoder: texts that share words are alike."""

import numpy as np
import pytest

from backlink_audit.errors import InvalidSetting
from backlink_audit.search.run import index_links, index_vectors, once_a_site, search, tables
from tests.backlinks import clean_links
from tests.toy import ToyEncoder

TITLES = ["Oak chairs for the garden", "Garden oak and other woods", "Bread in ten minutes", "Chairs made of oak"]


def found(query: str, titles=TITLES, **columns):
    return search(index_links(clean_links(referring_title=titles, **columns), ToyEncoder()), query, ToyEncoder())


def test_rows_with_exactly_these_words_come_first_and_rows_about_something_else_do_not_come():
    result = found("oak chairs")
    assert result.table["referring_title"].tolist()[0] == "Oak chairs for the garden"
    assert result.table["match"].tolist()[0] == "exact words"
    assert "Bread in ten minutes" not in result.table["referring_title"].tolist()


def test_a_name_is_found_in_the_anchor_and_in_the_address():
    urls = ["https://a.example/", "https://oakhouse.example/x", "https://b.example/", "https://c.example/"]
    result = found("Oakhouse", referring_url=urls, anchor=["", "", "by Oakhouse", ""])
    assert set(result.table.index[:2]) == {1, 2}
    assert result.exact == 2


def test_words_are_whole_so_a_part_of_a_word_is_no_exact_match():
    assert found("oa").exact == 0


@pytest.mark.parametrize("query", ["", "  ", "!?", "\u200b"])
def test_a_query_without_a_word_is_refused(query):
    with pytest.raises(InvalidSetting, match="Type one word"):
        found(query)


def test_a_very_long_query_is_cut_and_answered():
    assert len(found("oak chairs " * 10_000).query) <= 1_000


def test_a_word_that_joins_others_finds_nothing_by_itself():
    assert "Garden oak and other woods" not in found("bread and zebra").table["referring_title"].tolist()
    assert found("and").table["referring_title"].tolist() == ["Garden oak and other woods"]


def test_a_query_of_words_that_stand_nowhere_finds_nothing_and_says_so():
    result = found("zebra")
    assert result.table.empty
    assert result.headline == "Nothing matches “zebra” among 4 links."


def test_a_title_that_a_site_repeats_is_shown_once():
    urls = ["https://a.example/1", "https://a.example/2", "https://b.example/", "https://c.example/"]
    result = found("oak chairs", titles=["Oak chairs"] * 4, referring_url=urls)
    assert once_a_site(result).table.index.tolist() == [0, 2, 3]


def test_an_empty_table_is_searched_without_a_result():
    assert (
        search(index_links(clean_links(referring_title=TITLES).head(0), ToyEncoder()), "oak", ToyEncoder()).exact == 0
    )


def test_vectors_that_are_there_already_are_used_and_no_row_is_embedded_again():
    links, toy = clean_links(referring_title=TITLES), ToyEncoder()
    vectors = ToyEncoder().encode(TITLES)
    index = index_vectors(links, "page", vectors, [links["referring_title"]])
    result = search(index, "bread", toy)
    assert toy.seen[-1] == "bread" and not set(TITLES) & set(toy.seen)
    assert result.table.index.tolist() == [2]
    assert np.isclose(result.table["query_similarity"].iloc[0], vectors[2] @ ToyEncoder().encode(["bread"])[0])


def test_the_table_has_the_match_and_the_links_own_columns():
    table = tables(found("oak chairs")).main()
    assert table.columns.tolist()[:3] == ["Match", "Search similarity", "Referring page URL"]


def test_a_name_that_says_nothing_to_the_model_finds_the_rows_that_have_it_and_no_others():
    urls = [f"https://site{n}.example/" for n in range(3)] + ["https://oakhouse.example/"]
    result = found("Oakhouse", referring_url=urls)
    assert result.table.index.tolist() == [3]
