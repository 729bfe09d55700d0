"""Exports read in parts are the exports read in one piece."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backlink_audit.errors import InvalidSetting, MissingColumns, UnreadableFile, WrongExport
from backlink_audit.exports import delimited
from backlink_audit.exports import parts as part_files
from backlink_audit.exports.load import load
from backlink_audit.exports.parts import PartedExport, split
from tests.exports.made import HEADER, ROWS, csv_bytes, sample, xlsx_bytes

SAMPLES = sorted(path.name for path in (Path(__file__).parent / "samples").glob("*backlinks*.csv"))
LATE = [*HEADER, "First seen"]


def written(folder: Path, **files: bytes) -> list[Path]:
    paths = [folder / f"{name}.csv" for name in files]
    for path, data in zip(paths, files.values(), strict=True):
        path.write_bytes(data)
    return paths


def in_parts(paths: list[Path], rows_per_part: int = 2, whole_below: int = 0) -> PartedExport:
    return split(paths, paths[0].parent / "parts", rows_per_part=rows_per_part, whole_below=whole_below)


def assert_same(parts: PartedExport, paths: list[Path]) -> None:
    whole = load([(path.name, path.read_bytes()) for path in paths])
    numbers = range(len(parts))
    together = pd.concat([parts.table(number) for number in numbers])
    pd.testing.assert_frame_equal(together, whole.table, check_index_type=False)
    raw = pd.concat([parts.raw(number) for number in numbers])
    pd.testing.assert_frame_equal(raw, whole.raw, check_index_type=False)
    assert (parts.rows, parts.name, parts.notes) == (len(whole.raw), whole.name, whole.notes)
    assert parts.format == whole.format


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("whole_below", [0, 10**9])
def test_every_backlink_sample_is_the_same_in_parts_and_in_one_piece(tmp_path, name, whole_below):
    paths = written(tmp_path, links=sample(name))
    assert_same(in_parts(paths, whole_below=whole_below), paths)


def test_rows_are_divided_into_parts_of_the_size_asked_for(tmp_path):
    paths = written(tmp_path, links=csv_bytes([HEADER, *ROWS * 5]))
    assert [part.rows for part in in_parts(paths, rows_per_part=4).parts] == [4, 4, 2]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_any_encoding_is_read_in_parts(tmp_path, encoding):
    paths = written(tmp_path, links=csv_bytes(encoding=encoding))
    assert_same(in_parts(paths), paths)
    assert in_parts(paths).raw(0)["Anchor"].tolist()[1] == "café chairs"


def test_what_one_late_row_shows_applies_to_the_first_rows_too(tmp_path):
    early = [*ROWS[0][:3], "12,5", "1", "03/04/2025"]
    late = [*ROWS[1][:3], "1.012,5", "1", "25/04/2025"]
    paths = written(tmp_path, links=csv_bytes([LATE, *[early] * 4, late]))
    parts = in_parts(paths)
    assert parts.table(0)["url_rating"].tolist() == [12.5, 12.5]
    assert parts.table(0)["first_seen"].dt.month.tolist() == [4, 4]
    assert_same(parts, paths)


@pytest.mark.parametrize("whole_below", [0, 10**9])
def test_a_header_that_stands_again_is_no_row_and_that_of_another_table_is_refused(tmp_path, monkeypatch, whole_below):
    monkeypatch.setattr(delimited, "_PART", 1024)
    rows = [HEADER, *ROWS * 30, HEADER, *ROWS * 3]
    paths = written(tmp_path, links=csv_bytes(rows))
    assert in_parts(paths, whole_below=whole_below).rows == 33 * len(ROWS)
    assert_same(in_parts(paths, whole_below=whole_below), paths)
    other = ["URL", "Title", "H1-1", *[""] * (len(HEADER) - 3)]
    paths = written(tmp_path, links=csv_bytes([*rows, other, *ROWS]))
    with pytest.raises(UnreadableFile, match=rf"row {33 * len(ROWS) + 1} is another table's header"):
        in_parts(paths, whole_below=whole_below)


def test_several_files_of_one_tool_merge_in_parts(tmp_path):
    names = ["ahrefs_backlinks_2025.csv", "ahrefs_backlinks_2023.csv"]
    paths = written(tmp_path, a=sample(names[0]), b=sample(names[1]))
    assert_same(in_parts(paths), paths)


def test_the_same_file_twice_is_counted_once_and_said(tmp_path):
    paths = written(tmp_path, a=csv_bytes(), b=csv_bytes())
    parts = in_parts(paths)
    assert parts.rows == len(ROWS)
    assert parts.notes == ("b.csv is the same file as a.csv; it is counted once.",)


def test_the_same_path_twice_is_counted_once_and_said(tmp_path):
    [path] = written(tmp_path, a=csv_bytes())
    assert_same(in_parts([path, path]), [path, path])


def test_two_files_of_one_name_are_distinguished(tmp_path):
    folders = [tmp_path / "mine", tmp_path / "theirs"]
    for folder in folders:
        folder.mkdir()
    [first] = written(folders[0], links=csv_bytes())
    [second] = written(folders[1], links=csv_bytes([HEADER, ROWS[1]]))
    parts = in_parts([first, second])
    assert_same(parts, [first, second])
    assert parts.name == "links.csv + links.csv (2)"
    assert parts.table(1)["source_file"].tolist() == ["links.csv (2)"]


def test_link_types_that_begin_late_show_what_is_in_their_column(tmp_path):
    rows = [[*ROWS[0], kind] for kind in ("", "", "", "nofollow", "dofollow")]
    paths = written(tmp_path, links=csv_bytes([[*HEADER, "Type"], *rows]))
    parts = in_parts(paths)
    assert_same(parts, paths)
    assert parts.table(1)["nofollow"].isna().tolist() == [True, False]


def test_the_first_accent_may_stand_late(tmp_path):
    plain = [["https://a.example/1", "https://shop.example/", "shop", "1", "3"]] * 60_000
    paths = written(tmp_path, links=csv_bytes([HEADER, *plain, ROWS[1]], encoding="cp1252"))
    parts = in_parts(paths, rows_per_part=50_000)
    assert parts.raw(1)["Anchor"].tolist()[-1] == "café chairs"
    assert_same(parts, paths)


def test_blank_rows_are_left_out_wherever_a_part_ends(tmp_path):
    blank = [""] * len(HEADER)
    paths = written(tmp_path, links=csv_bytes([HEADER, blank, ROWS[0], blank, blank, ROWS[1], blank]))
    assert_same(in_parts(paths), paths)


def test_an_archive_is_refused_as_in_one_piece(tmp_path):
    paths = written(tmp_path, links=b"\x1f\x8b" + bytes(3000))
    with pytest.raises(UnreadableFile, match=r"^links\.csv: this is a gzip file; unpack it"):
        in_parts(paths)


def test_a_reading_that_was_cut_off_leaves_no_rows_of_another_file_behind(tmp_path, monkeypatch):
    mine, other = csv_bytes([HEADER, *ROWS * 2]), csv_bytes([HEADER, *ROWS[::-1] * 2])
    paths = written(tmp_path, links=mine)
    in_parts(paths)
    written(tmp_path, links=other)
    numbered = part_files.write_part

    def cut_off(raw, folder, stage, number):
        if number:
            raise KeyboardInterrupt
        numbered(raw, folder, stage, number)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(part_files, "write_part", cut_off)
        in_parts(paths)
    written(tmp_path, links=mine)
    assert_same(in_parts(paths), paths)


def test_ragged_rows_are_read_in_one_piece_and_kept_in_parts(tmp_path):
    ragged = csv_bytes([HEADER, *ROWS, [*ROWS[0], "one cell more"], *ROWS])
    paths = written(tmp_path, links=ragged)
    assert_same(in_parts(paths), paths)


def test_a_workbook_is_kept_in_parts_too(tmp_path):
    path = tmp_path / "links.xlsx"
    path.write_bytes(xlsx_bytes([HEADER, *ROWS * 3]))
    assert_same(in_parts([path]), [path])


def test_what_has_been_read_is_not_read_again(tmp_path, monkeypatch):
    paths = written(tmp_path, links=csv_bytes([HEADER, *ROWS * 3]))
    first = in_parts(paths)
    monkeypatch.setattr(part_files, "_read_all", lambda *_: pytest.fail("read again"))
    again = in_parts(paths)
    pd.testing.assert_frame_equal(again.table(1), first.table(1))


def test_a_changed_file_is_read_again(tmp_path):
    paths = written(tmp_path, links=csv_bytes([HEADER, *ROWS]))
    in_parts(paths)
    written(tmp_path, links=csv_bytes([HEADER, *ROWS[::-1]]))
    assert in_parts(paths).raw(0)["Referring page URL"].tolist() == [ROWS[1][0], ROWS[0][0]]


def test_another_kind_of_file_is_refused_by_name(tmp_path):
    with pytest.raises(WrongExport, match=r"^links\.csv: this is “Screaming Frog pages”"):
        in_parts(written(tmp_path, links=sample("screaming_frog_pages_en.csv")))


def test_a_header_without_rows_is_said(tmp_path):
    with pytest.raises(UnreadableFile, match="a header but no rows"):
        in_parts(written(tmp_path, links=csv_bytes([HEADER])))


def test_a_needed_column_that_is_blank_in_every_part_is_said(tmp_path):
    rows = [["https://a.example/", "", "", "1", "1"]] * 5
    with pytest.raises(MissingColumns, match=r"“Target URL” is empty in every row"):
        in_parts(written(tmp_path, links=csv_bytes([HEADER, *rows])))


def test_a_needed_column_may_be_blank_in_the_first_part(tmp_path):
    blank = ["https://a.example/", "", "", "1", "1"]
    assert in_parts(written(tmp_path, links=csv_bytes([HEADER, blank, blank, *ROWS]))).rows == 4


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(UnreadableFile, match="cannot be opened"):
        in_parts([tmp_path / "missing.csv"])


# No control characters but these: a file with many others is no table, and refused.
CHARACTERS = st.characters(
    exclude_categories=["Cs", "Cc"], include_characters="\t\n\r", exclude_characters="\ufffe\uffff"
)
CELLS = st.text(CHARACTERS, max_size=8)
LINKS = st.tuples(
    st.sampled_from(["https://a.example/1", "https://b.example/2", "", "c.example"]),
    st.sampled_from(["https://shop.example/", "https://shop.example/a"]),
    CELLS,
    st.sampled_from(["1", "1,5", "1.234", "1,234", "0.5", "", "n/a"]),
    st.sampled_from(["3", "1 200", "2.000", ""]),
    st.sampled_from(["03/04/2025", "25/04/2025", "2025-04-03", "45000", ""]),
)


@settings(max_examples=30)
@given(st.lists(LINKS, min_size=1, max_size=12), st.integers(1, 5), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_any_export_is_the_same_in_parts_and_in_one_piece(rows, rows_per_part, encoding):
    filled = ["https://first.example/", "https://shop.example/", "x", "2", "1", ""]
    with TemporaryDirectory() as folder:
        paths = written(Path(folder), links=csv_bytes([LATE, filled, *rows], encoding=encoding))
        assert_same(in_parts(paths, rows_per_part=rows_per_part), paths)


def test_cells_longer_than_any_exports_are_cut_and_said_in_parts_and_in_one_piece(tmp_path):
    long = ["https://long.example/" + "x" * 9_000, *ROWS[0][1:2], "y" * 9_000, "1" * 200, "3"]
    paths = written(tmp_path, links=csv_bytes([HEADER, *ROWS, long, *ROWS]))
    parts = in_parts(paths)
    assert parts.notes == (
        "1 cell of “Referring page URL” is too long; only the beginning is used.",
        "1 cell of “Anchor” is too long; only the beginning is used.",
    )
    row = parts.table(1).iloc[0]
    assert len(row["referring_url"]) == len(row["anchor"]) == 8_192
    assert pd.isna(row["url_rating"])
    assert parts.raw(1).iloc[0].tolist() == long
    assert_same(parts, paths)


GOOGLE = b"Linking page,Last crawled\n" + b"".join(b"https://a%d.example/,2026-07-0%d\n" % (n, n) for n in range(1, 6))


@pytest.mark.parametrize(("name", "site"), [("shop.example-Latest links", ""), ("Latest links", "www.shop.example")])
def test_search_consoles_links_lead_to_the_site_of_the_name_or_to_the_one_given(tmp_path, name, site):
    (path,) = written(tmp_path, **{name: GOOGLE})
    parts = split([path], tmp_path / "parts", rows_per_part=2, whole_below=0, site=site)
    together = pd.concat([parts.table(number) for number in range(len(parts))])
    whole = load([(path.name, GOOGLE)], site=site)
    pd.testing.assert_frame_equal(together, whole.table, check_index_type=False)
    assert len(parts) == 3 and set(together["target_url"]) == {"https://shop.example/"}


def test_another_site_is_another_reading_and_without_one_the_file_is_refused(tmp_path):
    (path,) = written(tmp_path, links=GOOGLE)
    for site in ("one.example", "two.example"):
        assert split([path], tmp_path / "parts", site=site).table(0)["target_url"][0] == f"https://{site}/"
    with pytest.raises(WrongExport, match="--site example.com"):
        split([path], tmp_path / "parts")
    with pytest.raises(InvalidSetting):
        split([path], tmp_path / "parts", site="no site")
