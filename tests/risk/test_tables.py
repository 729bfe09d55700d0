from backlink_audit.report.files import to_xlsx
from backlink_audit.risk.tables import tables
from tests.risk.made import RISKS, reviewed


def test_the_workbook_has_the_figures_of_the_screen():
    result = reviewed("a.icu")
    sheets = tables(result).sheets()
    assert list(sheets) == ["Summary", "Signals", "Domains", "Links", "Review"]
    assert len(sheets["Domains"]) == RISKS.flagged_domains
    assert len(sheets["Links"]) == RISKS.flagged_links
    summary = sheets["Summary"].set_index("What")["Value"]
    assert summary["In a sentence"] == RISKS.headline
    assert summary["disavow"] == "1"
    assert summary["Flagged or decided"] == "1 of 2"
    assert sheets["Domains"].columns[:5].tolist() == ["Referring domain", "State", "Proposed", "To review", "Signals"]
    assert to_xlsx(tables(result))[:2] == b"PK"


def test_the_main_table_has_every_domain():
    assert len(tables(reviewed()).main()) == 3
