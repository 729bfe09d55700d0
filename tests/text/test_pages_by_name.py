"""Which page some words mean, among pages of similar names."""

from backlink_audit.text.page_names import PagesByName, Rarity

RARITY = Rarity({}, {"the", "a", "of", "for", "with", "and"}, {}, 100)


def meant(phrase, *titles, sections=None, standing=None, close=False):
    """Return which of the pages the phrase means."""
    nothing: list[list[str]] = [[] for _ in titles]
    names = PagesByName(
        [[title] for title in titles],
        [title.split(": ") for title in titles],
        sections or nothing,
        standing or [(0, 0)] * len(titles),
        RARITY,
    )
    words = tuple(phrase.split())
    return [page for page in range(len(titles)) if names.means(words, page, close=close)]


def test_the_page_whose_name_the_words_cover_most_is_meant():
    assert meant("teak table", "Teak tables", "How we sold a teak table in Kendal") == [0]


def test_too_small_a_part_of_a_name_means_no_page():
    assert meant("kendal", "How we sold a big teak table in Kendal") == []


def test_words_as_near_to_many_names_mean_none_of_them():
    titles = [f"Oak chairs {town}" for town in ("Kendal", "Ulverston", "Penrith")]
    assert meant("oak chair", *titles) == []
    assert meant("oak chair", *titles[:2]) == [0, 1]


def test_of_two_pages_of_one_name_the_one_that_more_link_to_is_meant():
    assert meant("teak table", "Teak table", "Teak tables", standing=[(0, 900), (3, 100)]) == [1]
    assert meant("teak table", "Sales: teak table", "Teak tables", standing=[(9, 900), (3, 100)]) == [1]


def test_a_title_counts_more_than_the_heading_of_a_section():
    assert meant("oak chair", "Words we use", "Oak chairs", sections=[["Oak chairs"], []]) == [1]
    assert meant("oak chair", "Words we use", "Stools", sections=[["Oak chairs"], []]) == [0]


def test_a_page_close_to_the_source_is_meant_by_less_of_its_name_if_no_other_is_nearer():
    assert meant("teak table", "Oil and wax for teak tables") == []
    assert meant("teak table", "Oil and wax for teak tables", close=True) == [0]
    assert meant("teak table", "Oil and wax for teak tables", "Teak tables", close=True) == [1]
    assert meant("teak table", "Oil, wax, brush and cloth for every teak table", close=True) == []


def test_of_two_pages_of_one_name_the_one_with_no_small_words_around_it_is_meant():
    assert meant("teak table", "Of the teak table", "Teak table", standing=[(9, 900), (0, 0)]) == [1]
