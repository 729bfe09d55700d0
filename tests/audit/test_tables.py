import pandas as pd
import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.audit.tables import tables
from backlink_audit.labels import VERDICTS
from backlink_audit.report.files import save
from backlink_audit.settings import AuditSettings, BacklinkFilters, LinkChoice
from tests.audit.made import CLOSE, FAR, HEADER, LOST, NO_LINKS_OUT, NO_WEB_ADDRESS, audit, audit_of_five, export


@pytest.fixture
def five():
    return audit_of_five()


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
        "Do this now",
        "Scored backlinks",
        "Referring domains",
        "Top performers",
        "Lowest performers",
        "Verdicts",
        "Relevance",
        "Reclaim",
        "Outreach",
    ]
    live = tables(five.chosen(LinkChoice())).sheets()
    assert len(live["Scored backlinks"]) < len(sheets["Scored backlinks"])  # lost links are not among the live ones
    assert sheets["Reclaim"]["Referring page URL"].tolist() == live["Reclaim"]["Referring page URL"].tolist() != []
    assert dict(zip(sheets["Outreach"]["Referring domain"], sheets["Outreach"]["What to ask for"], strict=True)) == {
        "a.example": "A strong site that knows you: suggest another page or an article.",
        "b.example": "A strong site that knows you: suggest another page or an article.",
        "d.example": "The export marks the link as lost, but does not say why: check the page first, then ask to add "
        "the link again.",
    }
    assert list(sheets["Scored backlinks"])[:5] == ["Verdict", "Why", "Relevance", "Similarity", "CAS"]
    theirs = list(five.cleaned.export.raw.columns)
    assert list(sheets["Scored backlinks"])[-len(theirs) :] == theirs
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
    aside = tables(result).sheets()["Excluded"]
    assert aside.index.tolist() == [1, 2]
    assert aside["Excluded because"].tolist() == ["Not http(s) URLs", "Exact duplicates"]
    theirs = result.cleaned.export.raw.loc[[1, 2]]
    assert aside.drop(columns="Excluded because").to_numpy().tolist() == theirs.to_numpy().tolist()


def test_a_column_of_the_user_s_about_rows_set_aside_keeps_its_values(toy):
    links = export(
        *(f"{scheme}://a.example/,https://b.example/,yes" for scheme in ("ftp", "https")),
        header="Referring page URL,Target URL,Excluded because",
    )
    aside = tables(audit_backlinks(links, AuditSettings(), toy)).sheets()["Excluded"]
    assert aside["Excluded because (in the file)"].tolist() == ["yes"]
    assert aside["Excluded because"].tolist() == ["Not http(s) URLs"]


def test_the_summary_adds_up(toy):
    result = audit(CLOSE, CLOSE, FAR, LOST, toy=toy, settings=AuditSettings()).chosen(LinkChoice())
    summary = tables(result).sheets()["Summary"].set_index("What")["Value"]
    removed = sum(int(value) for what, value in summary.items() if str(what).startswith("Excluded"))
    assert int(summary["In the file"]) == removed + int(summary["Scored"]) == 4
    assert (summary["State: live"], summary["State: lost"], summary["Links in this workbook"]) == ("2", "1", "live")
    assert summary["Links"] == "2" and "of 2 links" in summary["In a sentence"]
    assert summary["Model"] == "toy"
    assert "UR / external links x similarity" in summary["CAS"]


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


def test_referring_domains_stand_by_verdict_with_nothing_to_do_last(five):
    order = [*(label.word for label in VERDICTS if label.word != "Ignore"), "Ignore"]
    places = [order.index(word) for word in tables(five).sheets()["Referring domains"]["Verdict"]]
    assert len(set(places)) > 1 and places == sorted(places)
