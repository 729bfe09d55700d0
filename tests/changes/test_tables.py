from io import BytesIO

import openpyxl
import pytest

from backlink_audit.changes.result import tables
from backlink_audit.changes.run import compare_exports
from backlink_audit.errors import WrongExport
from backlink_audit.report.files import to_csv, to_xlsx
from backlink_audit.settings import AuditSettings
from tests.audit.exports import semrush, semrush_domains
from tests.changes.made import newer, older
from tests.toy import ToyEncoder


def test_lists_of_domains_are_compared_by_domain() -> None:
    before = semrush_domains("a.csv", {"Domain": "lost.example"}, {"Domain": "kept.example"})
    after = semrush_domains("b.csv", {"Domain": "kept.example", "Last seen": "2025-06-01"}, {"Domain": "new.example"})
    changes = compare_exports(before, after)
    assert changes.links is None and changes.noun == "domain"
    assert changes.counts == {"new": 1, "lost": 1, "changed": 0, "kept": 1}
    assert changes.targets.empty and changes.months.empty
    assert changes.notes[0].startswith("a.csv and b.csv: the file lists only domains")
    assert tables(changes).main()["Change"].tolist() == ["kept", "new", "lost"]
    with pytest.raises(WrongExport, match="wrong order"):
        compare_exports(after, before)


def test_the_csv_has_one_row_per_link_with_the_agreed_columns() -> None:
    changes = compare_exports(older(), newer())
    table = tables(changes).main()
    assert list(table.columns[:4]) == ["Change", "Referring page URL", "Target URL", "What changed"]
    assert len(table) == 6
    assert to_csv(tables(changes)).count(b"\n") == 7


def test_the_workbook_holds_what_the_screen_shows() -> None:
    changes = compare_exports(older(), newer(), AuditSettings(), ToyEncoder())
    book = openpyxl.load_workbook(BytesIO(to_xlsx(tables(changes))))
    for word, count in changes.counts.items():
        assert book[f"{word.capitalize()} links"].max_row == count + 1
    summary = {row[1]: row[2] for row in book["Summary"].values}
    assert summary["In a sentence"] == changes.headline
    assert summary["Lost"] == f"{changes.cas_lost:.3f}"


def test_without_dates_there_are_no_months_and_without_a_model_no_verdicts() -> None:
    without = ("First seen", "Last seen", "New link", "Lost link")
    before, after = (semrush(name, {"Source url": f"https://{name}.example/"}, without=without) for name in "ab")
    sheets = tables(compare_exports(before, after)).sheets()
    assert not {"Months", "Changed verdicts"} & set(sheets)
    assert {"New links", "Lost links"} <= set(sheets)


def test_of_lists_of_domains_there_are_no_sheets_of_links() -> None:
    before = semrush_domains("a.csv", {"Domain": "lost.example"}, {"Domain": "kept.example"})
    changes = compare_exports(before, semrush_domains("b.csv", {"Domain": "kept.example", "Last seen": "2025-06-01"}))
    assert list(tables(changes).sheets()) == ["Summary", "Referring domains"]
    assert changes.lost_before == 0
