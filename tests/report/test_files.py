import errno
import os
from io import BytesIO
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from backlink_audit.errors import AuditError
from backlink_audit.report.files import append_csv, append_parquet, check_target, save, to_parquet
from backlink_audit.report.rows import Tables


def tiny():
    main = pd.DataFrame({"URL": ["https://a.example/"], "CAS": [0.5]})
    return Tables(lambda: main, lambda: {"Summary": pd.DataFrame({"Figure": ["Backlinks"]}), "Links": main})


def test_the_suffix_says_which_kind_of_file(tmp_path: Path):
    for suffix in (".xlsx", ".csv", ".parquet"):
        assert save(tiny(), tmp_path / f"out{suffix}") == []
    assert openpyxl.load_workbook(tmp_path / "out.xlsx").sheetnames == ["Summary", "Links"]
    assert pd.read_csv(tmp_path / "out.csv")["CAS"].tolist() == [0.5]
    assert pd.read_parquet(tmp_path / "out.parquet")["URL"].tolist() == ["https://a.example/"]


def test_nothing_but_the_file_is_left_behind(tmp_path: Path):
    save(tiny(), tmp_path / "out.xlsx")
    assert [path.name for path in tmp_path.iterdir()] == ["out.xlsx"]


@pytest.mark.parametrize(("name", "words"), [("out.pdf", "must end in"), ("no/folder/out.csv", "create it first")])
def test_a_place_that_cannot_be_written_is_said_before_any_work(tmp_path: Path, name: str, words: str):
    with pytest.raises(AuditError, match=words):
        check_target(tmp_path / name)


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "; free some space or choose another folder"), (errno.EIO, r"\); choose another folder")],
)
@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_what_goes_wrong_while_writing_is_said_with_what_helps(tmp_path: Path, monkeypatch, number, words, suffix):
    def broken(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("backlink_audit.report.files.append_csv", broken)
    monkeypatch.setattr("xlsxwriter.workbook.ZipFile", broken)
    with pytest.raises(AuditError, match=words):
        save(Tables(tiny().main, dict), tmp_path / f"out{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a file system that refuses what the rights allow")
def test_a_place_that_refuses_files_is_said_before_any_work():
    with pytest.raises(AuditError, match="the file cannot be saved there"):
        check_target(Path("/proc/out.csv"))


def test_a_folder_is_no_file(tmp_path: Path):
    (tmp_path / "out.csv").mkdir()
    with pytest.raises(AuditError, match="cannot be saved"):
        check_target(tmp_path / "out.csv")


def test_a_file_of_the_longest_name_is_written(tmp_path: Path):
    target = tmp_path / ("x" * 251 + ".csv")
    check_target(target)
    save(tiny(), target)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_a_link_planted_beside_the_file_is_not_followed(tmp_path: Path):
    precious = tmp_path / "precious.txt"
    precious.write_text("mine")
    for name in (".out.csv.part", "out.csv.part"):
        (tmp_path / name).symlink_to(precious)
    save(tiny(), tmp_path / "out.csv")
    assert precious.read_text() == "mine"
    assert pd.read_csv(tmp_path / "out.csv")["CAS"].tolist() == [0.5]


def test_a_download_is_what_is_saved_and_a_table_without_rows_keeps_its_columns():
    assert pd.read_parquet(BytesIO(to_parquet(tiny())))["CAS"].tolist() == [0.5]
    target = BytesIO()
    append_parquet([tiny().main().head(0)], target)
    assert list(pd.read_parquet(BytesIO(target.getvalue())).columns) == ["URL", "CAS"]


def test_figures_have_the_digits_that_they_mean_and_columns_of_the_users_stay(tmp_path: Path):
    ours = {"Relevance": 84.50640106201172, "CAS": 1.0000049, "Similarity": 0.123456, "From outside": 1.2345e-7}
    table = pd.DataFrame([ours | {"My figure": 84.50640106201172}])
    expected = [84.5, 1.0, 0.1235, 1.2345e-7, 84.50640106201172]
    append_csv([table], tmp_path / "out.csv")
    assert pd.read_csv(tmp_path / "out.csv").iloc[0].tolist() == expected
    append_parquet([table], tmp_path / "out.parquet")
    assert pd.read_parquet(tmp_path / "out.parquet").iloc[0].tolist() == expected
