import numpy as np
import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.audit.tables import tables
from backlink_audit.settings import DEFAULT_MODEL, AuditSettings, BacklinkFilters
from tests.audit.made import CLOSE, FAR, audit, audit_of_five, export


@pytest.fixture
def five():
    return audit_of_five()


def test_figures_and_headline_are_those_of_the_links(five):
    links = five.links
    assert five.domains == 4
    assert five.mean_similarity == pytest.approx(links["similarity"].mean())
    assert five.median_similarity == pytest.approx(links["similarity"].median())
    assert five.mean_cas == pytest.approx(links["cas"].mean())
    assert five.share_relevant == (links["band"] == "relevant").mean()
    assert f"of {five.backlinks} links are relevant" in five.headline
    entry = links["page_kind"].isin(["list", "visitors"])
    assert five.relevant_entries == ((links["band"] == "relevant") & entry).sum()
    assert five.verdict_counts.sum() == 5


def test_top_and_lowest_are_sorted_and_leave_out_blanks(five):
    assert five.top("cas").index[0] == 0 and len(five.top("cas")) == 3
    assert len(five.top("similarity", 2)) == 2
    lowest = five.lowest("similarity")
    assert lowest["similarity"].is_monotonic_increasing
    assert 2 not in lowest.index, "its page answers 404"
    assert five.lowest("url_rating").index.tolist() == [4, 1, 0]


@pytest.mark.parametrize(
    ("order", "labels"),
    [
        ("domain_rating", [1, 0, 2, 4, 3]),
        ("cas", None),
        ("similarity", None),
        ("lowest similarity", None),
        ("lowest cas", None),
        ("lowest url_rating", [4, 1, 0]),
    ],
)
def test_links_are_ordered_by_what_is_asked_and_by_a_score_those_without_one_are_left_out(five, order, labels):
    found = five.ordered(order)
    if labels is not None:
        assert found.tolist() == labels
    else:
        column, lowest = order.split()[-1], order.startswith("lowest")
        values = five.links.loc[found, column]
        assert values.notna().all() and len(values) > 1
        assert values.is_monotonic_increasing if lowest else values.is_monotonic_decreasing


@pytest.mark.parametrize("order", ["at_stake", "first_seen"])
def test_every_link_has_its_place_by_what_is_at_stake_and_by_date(five, order):
    found = five.ordered(order)
    assert sorted(found) == sorted(five.links.index)
    values = five.stakes if order == "at_stake" else five.links[order]
    assert values.loc[found].dropna().is_monotonic_decreasing


def test_without_any_status_the_lowest_are_taken_from_all_links(toy):
    unknown = [line.replace(",200,", ",,") for line in (CLOSE, FAR)]
    assert len(audit(*unknown, toy=toy).lowest("cas")) == 2


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
    assert "no link has a CAS" in tables(result).sheets()["Summary"]["Value"].tolist()
    assert not tables(result).main().astype(str).isin(["inf", "None"]).any(axis=None)


def test_a_file_of_the_same_row_is_scored_evenly(toy):
    settings = AuditSettings(filters=BacklinkFilters.none())
    result = audit(*[CLOSE] * 4, toy=toy, settings=settings)
    assert result.links["cas_percentile"].tolist() == [50.0] * 4
    assert result.links["verdict"].nunique() == 1


def test_an_english_model_on_other_languages_is_said_in_the_summary(toy):
    header = "Source title,Source url,Target url,Language"
    rows = [f"Stühle aus Eiche,https://{name}.example/oak,https://b.example/oak,de" for name in "ac"]
    result = audit_backlinks(export(*rows, header=header), AuditSettings(model=DEFAULT_MODEL), toy)
    assert result.language_note.startswith("100% of the ")
    summary = tables(result).sheets()["Summary"]
    assert result.language_note in summary.loc[summary["Part"] == "Notes", "Value"].tolist()
