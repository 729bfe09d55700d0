import numpy as np
import pandas as pd
import pytest

from backlink_audit.errors import Cancelled, NoRowsLeft
from backlink_audit.exports.load import load
from backlink_audit.pipelines.audit.run import audit_backlinks
from backlink_audit.pipelines.audit.tables import tables
from backlink_audit.report.files import save
from backlink_audit.settings import LINK_TEXTS, AuditSettings, BacklinkFilters, LinkChoice

HEADER = (
    "Referring page title,Referring page URL,Referring page HTTP code,Domain rating,UR,External links,Target URL,"
    "Left context,Anchor,Right context,Nofollow,UGC,Sponsored,First seen,Last seen,Lost"
)
SEEN = "false,false,false,2024-01-02,2024-02-03,"
TARGET = "https://www.shop.example/oak-chairs"
CLOSE = f"Oak chairs for gardens,https://a.example/oak-chairs,200,60,50,1,{TARGET},,oak chairs,,{SEEN}"
FAR = f"Casino bonus codes,https://b.example/casino,200,70,10,5,{TARGET},,best slots,,{SEEN}"
NO_LINKS_OUT = "Oak tables,https://a.example/tables,404,60,20,0,https://shop.example/,,shop,,false,false,false,,,"
NO_RATING = ",https://c.example/,200,10,,4,https://shop.example/,,,,false,false,false,,,"
NO_WEB_ADDRESS = f"Oak chairs,mailto:d@d.example,200,20,5,2,{TARGET},,oak chairs,,{SEEN}"
LOST = f"Oak chairs,https://d.example/oak-chairs,200,20,5,2,{TARGET},,oak chairs,,{SEEN}2024-02-04"
CRAWL = "Address,Content Type,Status Code,Indexability,Title 1,H1-1"


def export(*lines, header=HEADER, name="links.csv"):
    return load([(name, "\n".join([header, *lines]).encode())])


def crawled(line):
    return load([("crawl.csv", f"{CRAWL}\n{line}\n".encode())], "pages")


def audit(*lines, toy, settings=None, **others):
    settings = settings or AuditSettings(filters=BacklinkFilters.none())
    return audit_backlinks(export(*lines), settings, toy, **others)


@pytest.fixture
def five(toy):
    return audit(CLOSE, FAR, NO_LINKS_OUT, NO_RATING, LOST, toy=toy)


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
    result = audit(CLOSE, toy=toy, pages=crawl)
    assert result.links["target_status"].tolist() == [404]
    assert result.links["verdict"].tolist() == ["Reclaim"]
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


def test_figures_and_headline_are_those_of_the_links(five):
    links = five.links
    assert five.domains == 4
    assert five.mean_similarity == pytest.approx(links["similarity"].mean())
    assert five.median_similarity == pytest.approx(links["similarity"].median())
    assert five.mean_cas == pytest.approx(links["cas"].mean())
    assert five.share_relevant == (links["band"] == "relevant").mean()
    assert f"of {five.backlinks} links are on topic" in five.headline
    assert five.verdict_counts.sum() == 5


def test_top_and_lowest_are_sorted_and_leave_out_blanks(five):
    assert five.top("cas").index[0] == 0 and len(five.top("cas")) == 3
    assert len(five.top("similarity", 2)) == 2
    lowest = five.lowest("similarity")
    assert lowest["similarity"].is_monotonic_increasing
    assert 2 not in lowest.index, "its page answers 404"
    assert five.lowest("url_rating").index.tolist() == [4, 1, 0]


def test_without_any_status_the_lowest_are_taken_from_all_links(toy):
    unknown = [line.replace(",200,", ",,") for line in (CLOSE, FAR)]
    assert len(audit(*unknown, toy=toy).lowest("cas")) == 2


def test_the_main_table_is_the_user_s_columns_then_ours(five):
    table = tables(five).main()
    ours = ["Similarity", "Relevance", "Band", "Field", "Topic", "Page kind", "Anchor fit", "Names the site"]
    ours += ["State", "CAS", "CAS percentile", "Verdict", "Why"]
    assert table.columns.tolist() == [*HEADER.split(","), *ours]
    assert table["Referring page URL"].tolist() == five.links["referring_url"].tolist()


def test_original_columns_follow_when_asked_for(toy):
    settings = AuditSettings(original_columns=True, filters=BacklinkFilters.none())
    table = tables(audit(CLOSE, NO_LINKS_OUT, toy=toy, settings=settings)).main()
    assert table.columns[-2:].tolist() == ["Cosine Similarity", "Contextual Authority Score"]
    assert table["Contextual Authority Score"].isna().tolist() == [False, True]


def test_a_column_of_the_user_s_with_one_of_our_names_keeps_its_values(toy):
    header = "Source url,Target url,Similarity,Similarity (in the file)"
    links = export("https://a.example/,https://b.example/,0.1,0.2", header=header)
    table = tables(audit_backlinks(links, AuditSettings(), toy)).main()
    assert table["Similarity (in the file)"].tolist() == ["0.1"]
    assert table["Similarity (in the file) (2)"].tolist() == ["0.2"]
    assert table.columns.is_unique


def test_sheets_are_those_of_the_definitions_and_the_scored_ones_are_sorted_by_cas(five):
    sheets = tables(five).sheets()
    assert list(sheets) == [
        "Summary",
        "Scored backlinks",
        "Referring domains",
        "Top performers",
        "Lowest performers",
        "Verdicts",
    ]
    assert (
        sheets["Scored backlinks"].index.tolist() == [0, 4, 1, 2, 3]
        or sheets["Scored backlinks"]["CAS"].dropna().is_monotonic_decreasing
    )
    assert sheets["Scored backlinks"]["CAS"].isna().tolist() == [False] * 3 + [True] * 2
    assert sheets["Verdicts"]["Links"].sum() == 5
    assert sheets["Referring domains"]["Links"].sum() == 5
    assert set(sheets["Lowest performers"]["Ranked by"]) == {"UR", "Similarity", "CAS"}


def test_rows_set_aside_stand_in_a_sheet_of_their_own_with_the_filter(toy):
    result = audit(CLOSE, NO_WEB_ADDRESS, CLOSE, FAR, toy=toy, settings=AuditSettings())
    aside = tables(result).sheets()["Set aside"]
    assert aside.index.tolist() == [1, 2]
    assert aside["Set aside as"].tolist() == ["Not a web address", "Exact repeats"]
    theirs = result.cleaned.export.raw.loc[[1, 2]]
    assert aside.drop(columns="Set aside as").to_numpy().tolist() == theirs.to_numpy().tolist()


def test_a_column_of_the_user_s_about_rows_set_aside_keeps_its_values(toy):
    links = export(
        *(f"{scheme}://a.example/,https://b.example/,yes" for scheme in ("ftp", "https")),
        header="Referring page URL,Target URL,Set aside as",
    )
    aside = tables(audit_backlinks(links, AuditSettings(), toy)).sheets()["Set aside"]
    assert aside["Set aside as (in the file)"].tolist() == ["yes"]
    assert aside["Set aside as"].tolist() == ["Not a web address"]


def test_the_summary_adds_up(toy):
    result = audit(CLOSE, CLOSE, FAR, LOST, toy=toy, settings=AuditSettings()).chosen(LinkChoice())
    summary = tables(result).sheets()["Summary"].set_index("What")["Value"]
    removed = sum(int(value) for what, value in summary.items() if what.startswith("Set aside"))
    assert int(summary["In the file"]) == removed + int(summary["Scored"]) == 4
    assert (summary["State: live"], summary["State: lost"], summary["Links in this workbook"]) == ("2", "1", "live")
    assert summary["Links"] == "2" and "of 2 links" in summary["In a sentence"]
    assert summary["Model"] == "toy"
    assert "UR / external links x similarity" in summary["CAS"]


def test_semrush_scores_keep_their_names(toy):
    header = (
        "Page ascore,Source title,Source url,Target url,Anchor,External links,Internal links,Nofollow,Sponsored,Ugc"
    )
    links = export("12,Oak,https://a.example/oak,https://b.example/oak,oak,3,4,false,false,false", header=header)
    result = audit_backlinks(links, AuditSettings(), toy)
    assert result.authority_label == "Page ascore"
    assert "Page ascore" in tables(result).sheets()["Top performers"].columns
    assert "Page ascore" in tables(result).sheets()["Referring domains"].columns
    assert "ascore 12" in result.links["why"].iloc[0]


def test_only_urls_are_enough_and_what_cannot_be_known_is_blank(toy):
    links = export("https://a.example/oak-chairs,https://b.example/oak-chairs", header="Source url,Target url")
    result = audit_backlinks(links, AuditSettings(), toy)
    assert result.links["similarity"].notna().all()
    assert result.blank_cas == {"Page rating not known": 1}
    assert np.isnan(result.mean_cas)
    assert "none has one" in tables(result).sheets()["Summary"]["Value"].tolist()
    assert not tables(result).main().astype(str).isin(["inf", "None"]).any(axis=None)


def test_a_file_of_the_same_row_is_scored_evenly(toy):
    settings = AuditSettings(filters=BacklinkFilters.none())
    result = audit(*[CLOSE] * 4, toy=toy, settings=settings)
    assert result.links["cas_percentile"].tolist() == [50.0] * 4
    assert result.links["verdict"].nunique() == 1


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
    assert result.links["verdict"].iloc[4] == "Not enough data"
    assert result.blank_cas["no text on one of the two sides"] == (2 if mode == "url-words" else 1)
    assert result.links["relevance"].dropna().between(0, 100).all()


@pytest.mark.parametrize("suffix", ["xlsx", "csv", "parquet"])
def test_the_result_can_be_saved_as_every_kind_of_file(five, tmp_path, suffix):
    path = tmp_path / f"out.{suffix}"
    save(tables(five), path)
    read = {
        "xlsx": lambda: pd.read_excel(path, "Scored backlinks"),
        "csv": lambda: pd.read_csv(path),
        "parquet": lambda: pd.read_parquet(path),
    }
    assert len(read[suffix]()) == 5


def test_no_row_left_says_which_filter_took_the_last(toy):
    with pytest.raises(NoRowsLeft, match="Not a web address"):
        audit(NO_WEB_ADDRESS, toy=toy, settings=AuditSettings())


def test_a_run_can_be_stopped(toy):
    def stop(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        audit(CLOSE, toy=toy, on_progress=stop)
