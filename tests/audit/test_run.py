import numpy as np
import pytest

from backlink_audit.errors import Cancelled, NoRowsLeft
from backlink_audit.settings import LINK_TEXTS, AuditSettings, BacklinkFilters
from tests.audit.made import CLOSE, FAR, LOST, NO_LINKS_OUT, NO_RATING, NO_WEB_ADDRESS, audit, audit_of_five, crawled


@pytest.fixture
def five():
    return audit_of_five()


def test_every_row_of_the_file_is_scored_in_its_order(five):
    assert five.backlinks == 5
    assert five.links.index.tolist() == [0, 1, 2, 3, 4]
    assert five.links["similarity"].iloc[0] > 0.5
    assert five.links["similarity"].iloc[0] > five.links["similarity"].iloc[1]
    assert five.links["page_kind"].iloc[0] == "page"
    assert five.links["band"].iloc[0] == "relevant"
    assert (five.model, five.links["topic"].ne("").all()) == ("toy", True)


def test_cas_is_made_of_the_file_s_numbers_and_blank_where_one_is_missing(five):
    similarity = five.links["similarity"]
    np.testing.assert_allclose(
        five.links["cas"], [50 * similarity[0], 2 * similarity[1], np.nan, np.nan, 2.5 * similarity[4]]
    )
    assert five.blank_cas == {"UR not known": 1, "0 external links": 1}


def test_each_distinct_text_is_asked_for_once(toy):
    audit(CLOSE, CLOSE.replace("https://a.example", "https://z.example"), FAR, toy=toy)
    assert len(toy.seen) == len(set(toy.seen))


def test_lost_links_that_were_relevant_are_to_be_reclaimed(five):
    assert five.links["verdict"].iloc[4] == "Reclaim"
    assert "lost" in five.links["why"].iloc[4]


def test_links_to_pages_that_the_crawl_found_dead_are_to_be_reclaimed(toy):
    crawl = crawled("https://shop.example/oak-chairs/,text/html,404,Non-Indexable,Not found,")
    result = audit(CLOSE, FAR, NO_LINKS_OUT, LOST, toy=toy, pages=crawl)
    assert result.links["target_status"].fillna(0).tolist() == [404, 404, 0, 404]
    assert result.links["verdict"].iloc[0] == "Reclaim"
    assert "404" in result.links["why"].iloc[0]


def test_a_crawl_of_the_target_site_adds_its_titles(toy):
    row = CLOSE.replace("https://www.shop.example/oak-chairs", "https://www.shop.example/p?id=1").replace(
        ",oak chairs,", ",here,"
    )
    crawl = crawled(
        "https://www.shop.example/p?id=1,text/html,200,Indexable,Oak chairs for gardens,Oak chairs for gardens"
    )
    assert audit(row, toy=toy, pages=crawl).links["similarity"].iloc[0] == pytest.approx(1)
    assert audit(row, toy=toy).links["similarity"].iloc[0] < 0.5


@pytest.mark.parametrize("mode", LINK_TEXTS)
def test_every_mode_scores_odd_links_without_fail(toy, mode):
    odd = [
        CLOSE,
        NO_RATING,
        "庭,https://例え.jp/庭,200,1,1,1,https://пример.рф/сад,,花,,,,,,,",
        "%%%,http://[broken,200,1,1,1,not a url,,=1+1,,,,,,,",
        ",https://x.example/,200,1,1,1,,,,,,,,,,",
    ]
    settings = AuditSettings(link_text=mode, filters=BacklinkFilters.none())
    result = audit(*odd, toy=toy, settings=settings)
    assert result.links["similarity"].isna().tolist() == [False, False, False, mode == "url-words", True]
    assert "no text to compare" in result.links["why"].iloc[4]
    assert result.blank_cas["no text on one of the two pages"] == (2 if mode == "url-words" else 1)
    assert result.links["relevance"].dropna().between(0, 100).all()


def test_no_row_left_says_which_filter_took_the_last(toy):
    with pytest.raises(NoRowsLeft, match=r"Not http\(s\) URLs"):
        audit(NO_WEB_ADDRESS, toy=toy, settings=AuditSettings())


def test_a_run_can_be_stopped(toy):
    def stop(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        audit(CLOSE, toy=toy, on_progress=stop)
