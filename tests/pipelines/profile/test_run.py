"""The profile of an export and of an audit: figures as counted by hand, and sentences where nothing can be counted."""

import numpy as np
import pandas as pd
import pytest

from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.pipelines.audit.run import audit_backlinks
from backlink_audit.pipelines.profile.run import NEEDS, profile_backlinks
from backlink_audit.pipelines.profile.tables import tables
from backlink_audit.report.files import to_csv, to_xlsx
from backlink_audit.settings import AuditSettings, BacklinkFilters
from tests.exported import AHREFS, SEMRUSH, ahrefs_row, exported

LINKS = exported(
    ahrefs_row("https://a.com/1", anchor="Our site", domain_rating="70", first_seen="2024-02-01"),
    ahrefs_row("https://a.com/2", anchor="click here", domain_rating="70", nofollow="true"),
    ahrefs_row("https://b.com/1", anchor="oak desks", domain_rating="12", target_url="https://our-site.com/oak-desks"),
    ahrefs_row("https://c.com/1", anchor="", content="false", language="de"),
    ahrefs_row("https://d.com/1", anchor="gone", lost="2024-03-10", lost_status="notfound", domain_rating="5"),
    ahrefs_row("https://e.com/1", anchor="dead", referring_page_http_code="404"),
)


def test_figures_count_the_links_that_pass_the_filters():
    profile = profile_backlinks(LINKS)
    assert profile.backlinks == 3
    assert profile.referring_domains["referring_domain"].tolist() == ["a.com", "b.com"]
    assert profile.median_authority == 41
    assert profile.follow_share == pytest.approx(2 / 3)
    assert profile.headline == (
        "3 backlinks from 2 referring domains with a median DR of 41; 67% of the links are followed; "
        "1 exact-match anchor dominates."
    )


def test_attributes_and_months_count_every_link():
    profile = profile_backlinks(LINKS)
    assert profile.content_share == pytest.approx(5 / 6)
    placement = profile.attributes["placement"].set_index("value")["links"].to_dict()
    assert placement == {"in the content": 5, "outside the content": 1}
    assert profile.attributes["http_status"].set_index("value")["links"].to_dict() == {"200": 5, "404": 1}
    assert profile.months["new_domains"].tolist() == [5, 0, 0, 0, 0]
    assert profile.months["lost_domains"].tolist() == [0, 0, 1, 0, 0]


def test_the_net_velocity_is_over_all_days_the_export_knows():
    assert profile_backlinks(LINKS).net_per_day == pytest.approx((5 - 1) / (26 + 29 + 31 + 30 + 31 + 1))


def test_other_filters_give_other_figures():
    assert profile_backlinks(LINKS, BacklinkFilters.none()).backlinks == 6


def test_an_audits_profile_has_the_audits_numbers(toy):
    audit = audit_backlinks(LINKS, AuditSettings(), toy)
    profile = profile_backlinks(audit)
    assert profile.backlinks == audit.backlinks
    ours = profile.referring_domains.set_index("referring_domain").sort_index()
    theirs = audit.referring_domains.set_index("referring_domain").sort_index()
    pd.testing.assert_frame_equal(ours[theirs.columns], theirs)
    assert profile.target_pages["mean_relevance"].notna().any()
    assert profile.topics["links"].sum() == (audit.links["topic"] != "").sum()
    assert not {"topics", "relevance"} & set(profile.missing)


def test_without_an_audit_what_it_judges_is_said_to_be_missing():
    profile = profile_backlinks(LINKS)
    assert profile.topics.empty
    assert "Run the audit" in profile.missing["topics"]
    assert "mean_similarity" not in profile.anchors


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
        ("lost_domains", ("Lost", "Lost status", "Drop reason")),
    ],
)
def test_a_part_without_its_columns_says_which_and_the_rest_still_works(part, headers):
    rows = [dict(zip(AHREFS, row, strict=True)) for row in LINKS.raw[list(AHREFS)].to_numpy()]
    profile = profile_backlinks(exported(*rows, without=headers))
    assert profile.missing[part].startswith("This export has no column “")
    assert profile.backlinks > 0
    assert part in NEEDS
    written = pd.concat(tables(profile).sheets(), ignore_index=True).astype("str")
    assert not written.isin(["nan%", "None", "inf"]).any(axis=None)
    assert (tables(profile).sheets()["Summary"]["Value"] == profile.missing[part]).any()


def test_every_part_is_tested_for_its_missing_columns():
    marks = test_a_part_without_its_columns_says_which_and_the_rest_still_works.pytestmark
    assert {case[0] for case in marks[0].args[1]} == set(NEEDS)


def test_a_column_that_is_there_but_empty_is_said_to_be_empty():
    assert profile_backlinks(exported(ahrefs_row("https://a.com/"))).missing["lost_domains"] == (
        "The column “Lost” of this export is empty."
    )


def test_without_any_dates_there_are_no_months_and_a_sentence():
    dates = ("First seen", "Last seen", "Lost", "Lost status", "Drop reason")
    profile = profile_backlinks(exported(ahrefs_row("https://a.com/"), without=dates))
    assert profile.months.empty
    assert "First seen" in profile.missing["months"]
    assert profile.net_per_day is None


def test_new_domains_are_counted_where_lost_ones_cannot_be():
    months = profile_backlinks(exported(ahrefs_row("https://a.com/"))).months
    assert months["new_domains"].sum() == 1
    assert not {"lost_domains", "net_domains", "net_per_day"} & set(months.columns)


def test_semrush_figures_are_of_the_ascore():
    rows = [{"Source url": f"https://s{n}.com/", "Page ascore": str(score)} for n, score in enumerate((60, 30, 5))]
    profile = profile_backlinks(exported(*rows, base=SEMRUSH))
    assert profile.authority_word == "Page ascore"
    assert profile.median_authority == 30
    assert profile.authority_bands.set_index("value")["domains"].to_dict()["1–19 (check)"] == 1


def test_a_crawl_tells_exact_matches_by_title():
    from backlink_audit.exports.recognise import recognise

    crawl = pd.DataFrame({"Address": ["https://our-site.com/"], "Title 1": ["Gone fishing"], "H1-1": [""]}, dtype="str")
    row = ahrefs_row("https://a.com/", anchor="gone fishing")
    assert profile_backlinks(exported(row)).anchors["anchor_class"].tolist() == ["other"]
    profile = profile_backlinks(exported(row), pages=recognise(crawl, "crawl.csv"))
    assert profile.anchors["anchor_class"].tolist() == ["exact match"]


def test_filters_that_leave_nothing_say_so():
    with pytest.raises(NoRowsLeft, match="Lost links"):
        profile_backlinks(exported(ahrefs_row("https://a.com/", lost="2024-01-01")))


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
    }
    assert (
        to_csv(tables(profile))
        .decode("utf-8-sig")
        .splitlines()[0]
        .startswith("Referring domain,Links,Follow share,DR,DR band")
    )
    assert to_xlsx(tables(profile))[:2] == b"PK"


def test_counts_equal_those_of_pandas_on_a_larger_export():
    rng = np.random.default_rng(1)
    rows = [
        ahrefs_row(
            f"https://d{rng.integers(40)}.com/{n}",
            anchor=str(rng.choice(["oak", "Oak", "elm desk", ""])),
            nofollow=str(rng.choice(["true", "false"])),
            target_url=f"https://our-site.com/{rng.integers(5)}",
            language=str(rng.choice(["en", "de", ""])),
            domain_rating=str(rng.integers(90)),
        )
        for n in range(300)
    ]
    export = exported(*rows)
    profile = profile_backlinks(export)
    table = clean_backlinks(export, BacklinkFilters()).table
    domains = profile.referring_domains.set_index("referring_domain")
    assert domains["links"].to_dict() == table["referring_domain"].value_counts().to_dict()
    assert domains["authority"].to_dict() == table.groupby("referring_domain")["domain_rating"].max().to_dict()
    pages = profile.target_pages.set_index("target_url")["domains"].to_dict()
    assert pages == table.groupby("target_url")["referring_domain"].nunique().to_dict()
    languages = profile.attributes["language"].set_index("value")["links"].to_dict()
    assert languages == table.loc[table["language"] != "", "language"].value_counts().to_dict()
    anchors = profile.anchors.set_index("anchor")["domains"]
    assert anchors.max() == table.groupby(table["anchor"].str.lower())["referring_domain"].nunique().max()
