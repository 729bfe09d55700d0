"""Profiles side by side: every column is what the file's own profile says."""

import openpyxl
import pandas as pd
import pytest

import backlink_audit as ba
from backlink_audit.competitors.result import NOT_IN_FILE, compare_profiles, tables
from backlink_audit.errors import WrongExport
from backlink_audit.exports.load import recognise_file
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.report.files import save
from backlink_audit.sample import files
from backlink_audit.settings import LinkChoice
from backlink_audit.wording import percent
from tests.exported import SEMRUSH, ahrefs_row, exported
from tests.profile.made import LINKS

OTHER = exported(
    {"Source url": "https://a.com/", "Anchor": "click here", "Page ascore": "40"},
    {"Source url": "https://b.com/", "Anchor": "our-site.com", "Nofollow": "true"},
    base=SEMRUSH,
    without=("Sitewide",),
)


@pytest.fixture(scope="module")
def result():
    return compare_profiles([LINKS, OTHER])


def column(result, place: int, part: str) -> dict[str, str]:
    rows = result.table[result.table["section"] == part]
    return dict(zip(rows["metric"], rows[result.names[place]], strict=True))


@pytest.mark.parametrize(("place", "export"), [(0, LINKS), (1, OTHER)])
def test_every_column_is_the_files_own_profile(result, place, export):
    own = profile_backlinks(export)
    shown = column(result, place, "Profile")
    for label, value, _ in own.figures:
        name = "Median authority" if label.startswith("Median") else label
        words = NOT_IN_FILE if value is None else f"{value:,}" if isinstance(value, int) else str(value)
        assert shown[name].split(" ")[0] == words.split(" ")[0]
    bands = dict(zip(own.authority_bands["value"], own.authority_bands["share"].map(percent), strict=True))
    assert column(result, place, "Authority") == bands
    classes = dict(zip(own.class_mix["anchor_class"], own.class_mix["share"].map(percent), strict=True))
    assert {what: share for what, share in column(result, place, "Anchors").items() if what in classes} == classes
    linked = result.most_linked[result.names[place]]
    assert linked[0].endswith(own.target_pages["target_url"][0].removeprefix("https://").removeprefix("www."))


def test_what_a_file_does_not_have_is_shown_and_scales_are_distinguished(result):
    assert set(column(result, 1, "Placement").values()) == {NOT_IN_FILE}
    assert any("DR and Page ascore are different scales" in note for note in result.notes)
    assert any("different tools (Ahrefs, Semrush)" in note for note in result.notes)
    assert compare_profiles([LINKS, LINKS]).notes == ()


def test_counts_of_different_tools_are_not_ranked(result):
    assert result.headline.endswith("no ranking, because the files are from different tools.")
    assert compare_profiles([LINKS, LINKS]).headline.endswith("number 1 of 2; the next has 3.")


def test_files_of_our_own_tool_are_ranked_beside_those_of_another():
    fewer, semrush = exported(ahrefs_row("https://only.com/")), exported({"Source url": "https://a.com/"}, base=SEMRUSH)
    result = compare_profiles([LINKS, semrush, fewer])
    ranked = "3 referring domains link to you: number 1 of 2 files from Ahrefs, the next has 1;"
    assert result.headline == f"{ranked} 1 file from Semrush is not comparable."
    assert compare_profiles([LINKS, semrush, fewer, semrush]).headline == (
        f"{ranked} 2 files from Semrush are not comparable."
    )


def test_in_the_sample_a_competitor_is_ranked():
    [ours], theirs = files()["backlinks"], files()["competitors"]
    found = compare_profiles([recognise_file(*one) for one in (ours, *theirs)])
    assert "number 1 of 2 files from Ahrefs" in found.headline


def test_sitewide_links_alone_do_not_make_a_placement():
    known_sitewide = exported({"Source url": "https://a.com/", "Sitewide": "true"}, base=SEMRUSH)
    found = compare_profiles([LINKS, known_sitewide])
    assert set(column(found, 1, "Placement").values()) == {NOT_IN_FILE}


def test_files_of_one_name_stay_apart_and_our_place_is_said():
    fewer = exported(ahrefs_row("https://only.com/"))
    result = compare_profiles([fewer, LINKS])
    assert len(set(result.names)) == 2
    assert result.headline == "1 referring domain links to you: number 2 of 2; the highest is 3."


def test_a_file_without_chosen_links_has_an_empty_column():
    lost = exported(ahrefs_row("https://gone.com/", lost="2024-03-10", lost_status="notfound"))
    result = compare_profiles([LINKS, lost], LinkChoice("live"))
    assert set(result.most_linked[result.names[1]]) == {""}
    assert column(result, 1, "Profile")["Backlinks"] == "0"


def test_the_workbook_holds_the_table_and_the_most_linked_pages(result, tmp_path):
    save(tables(result), tmp_path / "side.xlsx")
    assert openpyxl.load_workbook(tmp_path / "side.xlsx").sheetnames == [
        "Summary",
        "Side by side",
        "Most linked pages",
    ]
    main = tables(result).main()
    assert main.columns.tolist() == ["Section", "Metric", *result.names]
    assert not pd.isna(main).any().any()


def test_our_own_export_is_no_competitors():
    [one] = files()["backlinks"]
    again = recognise_file("again.csv", one[1].replace(b"campfield", b"campmeadow"))
    with pytest.raises(WrongExport, match=r"^again\.csv: its links point to your own site, longroad\.example; use the"):
        ba.competitors(recognise_file(*one), [again])
