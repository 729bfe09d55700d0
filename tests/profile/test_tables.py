import pandas as pd
import pytest

from backlink_audit.profile.result import tables
from backlink_audit.profile.run import NEEDS, profile_backlinks
from backlink_audit.report.files import to_csv, to_xlsx
from tests.exported import AHREFS, exported
from tests.profile.made import LINKS


@pytest.mark.parametrize(
    ("part", "headers"),
    [
        ("authority", ("Domain rating",)),
        ("follow", ("Nofollow", "UGC", "Sponsored")),
        ("link_type", ("Type",)),
        ("placement", ("Content",)),
        ("http_status", ("Referring page HTTP code",)),
        ("language", ("Language",)),
        ("platform", ("Platform",)),
        ("anchors", ("Anchor",)),
        ("new_domains", ("First seen",)),
        ("toxic", ()),
        ("visitors", ()),
        ("lost_domains", ("Lost", "Lost status", "Drop reason")),
    ],
)
def test_a_part_without_its_columns_says_which_and_the_rest_still_works(part, headers):
    rows = [dict(zip(AHREFS, row, strict=True)) for row in LINKS.raw[list(AHREFS)].to_numpy()]
    profile = profile_backlinks(exported(*rows, without=headers))
    assert profile.missing[part].startswith("This export has no column “")
    assert profile.backlinks > 0
    assert part in NEEDS
    written = pd.concat(list(tables(profile).sheets().values()), ignore_index=True).astype("str")
    assert not written.isin(["nan%", "None", "inf"]).any(axis=None)
    assert (tables(profile).sheets()["Summary"]["Value"] == profile.missing[part]).any()


def test_every_part_is_tested_for_its_missing_columns():
    marks = test_a_part_without_its_columns_says_which_and_the_rest_still_works.pytestmark
    assert {case[0] for case in marks[0].args[1]} == set(NEEDS)


def test_the_figures_shown_are_those_of_the_summary_sheet():
    profile = profile_backlinks(LINKS)
    summary = tables(profile).sheets()["Summary"].set_index("What")["Value"]
    for label, value, why in profile.figures:
        assert summary[label] == (why if value is None else str(value)), label


def test_the_downloads_hold_the_tables_of_the_screen():
    profile = profile_backlinks(LINKS)
    sheets = tables(profile).sheets()
    assert list(sheets["Referring domains"]["Referring domain"]) == list(profile.referring_domains["referring_domain"])
    assert "DR" in sheets["Referring domains"]
    assert sheets["Anchors"]["Links"].sum() == profile.backlinks
    assert set(sheets["Attributes"]["Attribute"]) == {
        "Follow",
        "Link type",
        "Placement",
        "HTTP status",
        "Language",
        "Platform",
        "Top-level domain",
    }
    assert (
        to_csv(tables(profile))
        .decode("utf-8-sig")
        .splitlines()[0]
        .startswith("Referring domain,Links,Follow share,DR,DR band")
    )
    assert to_xlsx(tables(profile))[:2] == b"PK"
