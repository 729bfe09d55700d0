import pandas as pd
import pytest

from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.formats import FORMATS
from backlink_audit.exports.formats import RATINGS as RATED
from backlink_audit.judgement.scales import (
    OTHER,
    RATINGS,
    SCALES,
    limits_of,
    rating_labels,
    read_limits,
    site_authority,
    site_label,
    site_rating_names,
)
from tests.backlinks import clean_links

SEVERAL = clean_links(
    scale=["Semrush", "Semrush", "Ahrefs", "Moz"],
    url_rating=[7, 7, 7, 7],
    domain_rating=[None, 30, None, 40],
)


def test_every_format_with_ratings_names_its_scale() -> None:
    rated = [layout for layout in FORMATS if set(RATED) & set(layout.headers)]
    names = {layout.name: layout.scale for layout in rated if layout.tool}
    assert len(names) >= 9
    known = {scale.name for scale in SCALES if scale is not OTHER}
    assert set(names.values()) == known - {"Common Crawl"}  # ranks rate links that no tool has rated
    assert {layout.scale for layout in rated if not layout.tool} == {""}


def test_every_rating_has_a_name_of_its_own_and_limits_in_order() -> None:
    assert len(RATINGS) == 2 * len(SCALES)
    for rating in RATINGS.values():
        assert 0 < rating.prospect_from <= rating.undervalued_below < rating.strong_from <= 100


def test_a_page_stands_for_its_site_only_where_its_scale_allows_it() -> None:
    authority = site_authority(SEVERAL)
    assert authority.fillna(-1).tolist() == [7.0, 30.0, -1.0, 40.0]
    assert site_rating_names(SEVERAL).tolist() == ["Page ascore", "Domain ascore", "DR", "DA"]


def test_labels_are_those_of_the_scales_at_hand() -> None:
    assert rating_labels(SEVERAL["scale"][2:]) == {"url_rating": "UR / PA", "domain_rating": "DR / DA"}
    assert rating_labels(SEVERAL["scale"][:0]) == {"url_rating": "Page rating", "domain_rating": "Domain rating"}
    assert site_label(SEVERAL[:1]) == "Page ascore"
    assert site_label(SEVERAL[:2]) == "Page ascore / Domain ascore"
    assert site_label(SEVERAL[2:3]) == "DR"


def test_a_chosen_limit_goes_before_the_ratings_own() -> None:
    names = pd.Series(["DR", "Page ascore", ""])
    assert limits_of(names, "prospect_from").tolist() == [30, 5, 0]
    assert limits_of(names, "prospect_from", (("DR", 12.0),)).tolist() == [12, 5, 0]


@pytest.mark.parametrize(
    ("texts", "present", "limits"),
    [
        (["DR=30", "page ascore = 5"], ["DR"], (("DR", 30.0), ("Page ascore", 5.0))),
        (["12.5"], ["Trust Flow"], (("Trust Flow", 12.5),)),
        (["0"], ["DR", "DA"], (("DR", 0.0), ("DA", 0.0))),
        (["40"], [], ()),
        ([], ["DR"], ()),
    ],
)
def test_limits_are_read_as_typed(texts, present, limits) -> None:
    assert read_limits(texts, present) == limits


@pytest.mark.parametrize(
    ("text", "present", "sentence"),
    [
        ("30", ["DR", "Page ascore"], r"several rating scales \(DR, Page ascore\).*DR=30"),
        ("XY=3", ["DR"], "no rating “XY”; use one of UR, DR, Page ascore"),
        ("high", ["DR"], "“high” is not a valid limit"),
        ("DR=300", ["DR"], "must be between 0 and 100"),
    ],
)
def test_a_limit_that_means_nothing_is_refused(text, present, sentence) -> None:
    with pytest.raises(InvalidSetting, match=sentence):
        read_limits([text], present)
