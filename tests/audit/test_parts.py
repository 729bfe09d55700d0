"""An audit in parts gives the rows of an audit in one piece."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from backlink_audit import sample
from backlink_audit.audit.parts import PartedAudit
from backlink_audit.audit.result import Audit
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.audit.tables import tables
from backlink_audit.audit.tables import tables_of_parts as tables_in_parts
from backlink_audit.audit.tasks import to_do
from backlink_audit.errors import Cancelled, NoRowsLeft
from backlink_audit.exports.load import load
from backlink_audit.exports.parts import PartedExport, split
from backlink_audit.report.files import save
from backlink_audit.settings import AuditSettings, BacklinkFilters, LinkChoice
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder, audit_parts

ROWS_PER_PART = 59
READERS: dict[str, Callable[[Path], pd.DataFrame]] = {
    ".csv": pd.read_csv,
    ".parquet": pd.read_parquet,
    ".xlsx": lambda path: pd.read_excel(path, sheet_name="Scored backlinks"),
}
EVERY_ROW = AuditSettings(filters=BacklinkFilters.none(), original_columns=True)


BY_TOKENS = AuditSettings(link_text="url-tokens")


@dataclass(frozen=True)
class Both:
    """The same export audited in one piece and in parts, and how many texts were embedded for the parts."""

    whole: Audit
    parts: PartedAudit
    texts: int


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The sample's backlinks, some of them twice, and a title with a line break of its own kind."""
    name, data = sample.files()["backlinks"][0]
    text = data.decode("utf-16").replace("Hub dynamo drag", "Hub\r=1+1")
    header, *lines = text.splitlines(keepends=True)
    path = tmp_path_factory.mktemp("export") / name
    path.write_bytes("".join([header, *lines, *lines[:20]]).encode("utf-16"))
    return path


@pytest.fixture(scope="module")
def parted(path, tmp_path_factory) -> PartedExport:
    return split([path], tmp_path_factory.mktemp("run"), rows_per_part=ROWS_PER_PART, whole_below=0)


@pytest.fixture(scope="module")
def audited(path, parted, tmp_path_factory) -> Callable[[AuditSettings], Both]:
    """Gives both audits with these settings, made once for all tests, none of which changes them."""

    @cache
    def both(settings):
        pages = None if settings == EVERY_ROW else load(sample.files()["pages"], "pages")
        toy = ToyEncoder()
        parts = audit_parts(parted, settings, toy, tmp_path_factory.mktemp("stages"), Sources(pages=pages))
        return Both(whole(path, settings, pages), parts, len(toy.seen))

    return both


def whole(path, settings, pages=None):
    return audit_backlinks(load([(path.name, path.read_bytes())]), settings, ToyEncoder(), Sources(pages=pages))


@pytest.mark.parametrize("settings", [AuditSettings(), EVERY_ROW, BY_TOKENS])
def test_every_row_is_that_of_the_audit_in_one_piece(audited, settings):
    both = audited(settings)
    parts = len(both.parts.export)
    together = pd.concat([both.parts.links(number) for number in range(parts)])
    pd.testing.assert_frame_equal(together, both.whole.links, check_index_type=False)
    assert parts > 5
    assert (both.parts.removed, both.parts.headline) == (both.whole.cleaned.removed, both.whole.headline)


def test_the_file_written_in_parts_is_the_file_written_in_one_piece(audited, tmp_path):
    both = audited(EVERY_ROW)
    for suffix in (".csv", ".parquet"):
        save(tables(both.whole), tmp_path / f"whole{suffix}")
        save(tables_in_parts(both.parts), tmp_path / f"parts{suffix}")
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    pd.testing.assert_frame_equal(
        pd.read_parquet(tmp_path / "parts.parquet"), pd.read_parquet(tmp_path / "whole.parquet")
    )


@pytest.mark.parametrize("settings", [AuditSettings(), EVERY_ROW])
def test_the_workbook_of_parts_has_the_sheets_and_cells_of_the_one_made_in_one_piece(
    audited, tmp_path, monkeypatch, settings
):
    monkeypatch.setattr(sys.modules[tables.__module__], "ROWS_PER_PART", 50)
    monkeypatch.setattr("backlink_audit.report.workbook.MAX_ROWS", 150)
    both = audited(settings)
    said = save(tables(both.whole), tmp_path / "whole.xlsx")
    steps = []
    result = both.parts
    assert save(tables_in_parts(result, lambda *step: steps.append(step)), tmp_path / "parts.xlsx") == said
    expected = openpyxl.load_workbook(tmp_path / "whole.xlsx")
    book = openpyxl.load_workbook(tmp_path / "parts.xlsx")
    assert book.sheetnames == expected.sheetnames
    assert {"Scored backlinks", "Scored backlinks (2)", "Notes"} < set(book.sheetnames)
    assert ("Excluded" in book.sheetnames) == any(result.removed.values())
    for name in book.sheetnames:
        sheet, other = book[name], expected[name]
        assert cells(sheet) == cells(other)
        assert looks(sheet) == looks(other)
    assert {what for what, _, _ in steps} == {"Sorting", "Writing"}
    assert all(done < total for _, done, total in steps)


def looks(sheet):
    """How a sheet is laid out: formats, widths, filter, coloured ranges."""
    return (
        [cell.number_format for cell in sheet[2]],
        {letter: column.width for letter, column in sheet.column_dimensions.items()},
        (sheet.freeze_panes, sheet.auto_filter.ref),
        sorted(str(coloured.sqref) for coloured in sheet.conditional_formatting),
    )


def cells(sheet):
    """All rows but that of the time when the workbook was made."""
    return [row for row in sheet.iter_rows(values_only=True) if "Created" not in row]


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_where_it_was(audited, parted, tmp_path):
    def stop_in_the_middle(what, done, total):
        if what == "Comparing" and done > total / 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        audit_parts(parted, EVERY_ROW, ToyEncoder(), tmp_path / "stopped", on_progress=stop_in_the_middle)
    done = sorted((tmp_path / "stopped").glob("compared-*.parquet"))
    assert 0 < len(done) < len(parted)
    times = [path.stat().st_mtime_ns for path in done]
    second = ToyEncoder()
    result = audit_parts(parted, EVERY_ROW, second, tmp_path / "stopped")
    assert [path.stat().st_mtime_ns for path in done] == times
    undisturbed = audited(EVERY_ROW)
    assert 0 < len(second.seen) < undisturbed.texts
    for number in range(len(parted)):
        pd.testing.assert_frame_equal(result.links(number), undisturbed.parts.links(number))


@pytest.mark.slow
def test_a_half_written_part_counts_as_missing(audited, parted, tmp_path):
    done = audited(EVERY_ROW).parts
    stages = shutil.copytree(done.folder, tmp_path / "stages")
    (stages / "judged-00000.parquet").rename(stages / "judged-00000.parquet.x.part")
    result = audit_parts(parted, EVERY_ROW, ToyEncoder(), stages)
    pd.testing.assert_frame_equal(result.links(0), done.links(0))


def test_filters_that_leave_nothing_of_any_part_are_named(tmp_path):
    path = tmp_path / "lost.csv"
    row = "mailto:a{}@a.example,https://shop.example/\n"
    path.write_text("Referring page URL,Target URL\n" + "".join(row.format(number) for number in range(9)))
    parted = split([path], tmp_path / "run", rows_per_part=4)
    with pytest.raises(NoRowsLeft, match=r"of 9, the filter “Not http\(s\) URLs” removed the last 9"):
        audit_parts(parted, AuditSettings(), ToyEncoder(), tmp_path / "stages")


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx"])
def test_a_part_without_rows_after_cleaning_is_no_hindrance(tmp_path, suffix):
    path = tmp_path / "links.csv"
    row = "{}://a{}.example/oak-chairs,https://shop.example/oak\n"
    lines = [row.format("ftp" if number < 4 else "https", number) for number in range(9)]
    path.write_text("Referring page URL,Target URL\n" + "".join(lines))
    parted = split([path], tmp_path / "run", rows_per_part=4)
    result = audit_parts(parted, AuditSettings(), ToyEncoder(), tmp_path / "stages")
    assert [len(result.links(number)) for number in range(3)] == [0, 4, 1]
    save(tables_in_parts(result), tmp_path / f"parts{suffix}")
    save(tables(whole(path, AuditSettings())), tmp_path / f"whole{suffix}")
    scored = READERS[suffix](tmp_path / f"parts{suffix}")
    assert len(scored) == 5
    pd.testing.assert_frame_equal(scored, READERS[suffix](tmp_path / f"whole{suffix}"))


@pytest.mark.parametrize(
    "choice", [LinkChoice(), LinkChoice("live in content"), LinkChoice("everything", one_per_domain=True)]
)
def test_a_choice_of_links_gives_the_rows_of_an_audit_in_one_piece(audited, choice):
    both = audited(AuditSettings())
    result, expected = both.parts.chosen(choice), both.whole.chosen(choice)
    rows = pd.concat([result.links(number) for number in range(len(result.export))])
    assert rows.index.tolist() == expected.links.index.tolist()
    assert (result.backlinks, result.headline) == (expected.backlinks, expected.headline)
    assert to_do(result) == to_do(expected)
    assert {line.split()[0] for line in to_do(result)} >= {"Reclaim", "Protect", "Pitch"}
