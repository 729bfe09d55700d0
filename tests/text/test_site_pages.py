import pandas as pd

from backlink_audit.text.link_texts import site_texts


def test_a_page_is_represented_by_its_url_its_path_and_its_names() -> None:
    urls = pd.Series(["https://example.com/oak-tables", "https://example.com/"])
    sides = site_texts(urls, pd.Series(["Oak tables", ""]), pd.Series(["Tables of oak", ""]))
    assert [side.tolist() for side in sides] == [
        ["example oak tables", "example"],
        ["oak tables", ""],
        ["Oak tables Tables of oak", ""],
    ]


def test_a_heading_that_repeats_the_title_is_read_once() -> None:
    same = pd.Series(["Oak tables"])
    assert site_texts(pd.Series(["https://example.com/a"]), same, same)[2].tolist() == ["Oak tables"]
