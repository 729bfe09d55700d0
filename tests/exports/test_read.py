"""Tests of backlink_audit.exports.read: each bad file gets one clear sentence."""

import io
import random
import time
import zipfile

import pytest

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.read import read_table
from tests.exports.made import HEADER, ROWS, csv_bytes, xlsx_bytes

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def zipped(**files: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()


BAD = {
    "empty": (b"", "the file is empty"),
    "blank": (b"\n\n  ,,,\r\n\n", "the file is empty"),
    "only a mark": (b"\xff\xfe", "the file is empty"),
    "pdf": (b"%PDF-1.7 \x00\x01", "this is a PDF"),
    "png": (b"\x89PNG\r\n\x1a\n\x00", "this is an image"),
    "jpeg": (b"\xff\xd8\xff\xe0\x00\x10JFIF", "this is an image"),
    "gzip": (b"\x1f\x8b\x08\x00\x00", "this is a gzip file; unpack it"),
    "zip": (zipped(a="URL,Title"), "this is an archive, not a workbook; unpack it"),
    "cut zip": (b"PK\x03\x04\x14\x00\x00\x00\x08", "the workbook is damaged or incomplete"),
    "parquet": (b"PAR1\x15\x04\x15", "this is a Parquet file"),
    "html": (b"\n<!DOCTYPE html><html><body>Log in</body></html>", "this is a web page"),
    "json": (b'[{"url": "https://a.example"}]', "this is JSON"),
    "encrypted": (
        OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
        "the workbook has a password; save it without a password",
    ),
    "xls": (OLE + bytes(600) + "Workbook".encode("utf-16-le"), "an old Excel or Office format"),
    "binary": (bytes(range(256)) * 40, "not a table"),
}


@pytest.mark.parametrize("kind", sorted(BAD))
def test_a_file_that_is_no_table_gets_one_clear_sentence(kind):
    data, sentence = BAD[kind]
    with pytest.raises(UnreadableFile) as caught:
        read_table(data, "file.csv")
    assert str(caught.value).startswith("file.csv: ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("lowest", "highest"), [(0, 255), (32, 126), (128, 255)])
def test_ten_megabytes_of_garbage_are_refused_within_seconds(lowest, highest):
    alphabet = bytes(lowest + byte % (highest - lowest + 1) for byte in range(256))
    garbage = random.Random(2).randbytes(10_000_000).translate(alphabet)
    start = time.process_time()
    with pytest.raises(UnreadableFile):
        read_table(garbage, "garbage.csv")
    assert time.process_time() - start < 5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_a_table_reads_the_same_in_every_wrapping(encoding, delimiter):
    table = read_table(csv_bytes(delimiter=delimiter, encoding=encoding), "a.txt")
    assert list(table.columns) == HEADER
    assert table.to_numpy().tolist() == ROWS


def test_a_workbook_is_recognised_by_its_bytes_not_by_its_name():
    assert read_table(xlsx_bytes([HEADER, *ROWS]), "misnamed.csv").to_numpy().tolist() == ROWS


def test_a_csv_is_recognised_by_its_bytes_not_by_its_name():
    assert read_table(csv_bytes(), "misnamed.xlsx").to_numpy().tolist() == ROWS


def test_half_a_character_in_json_is_marked_and_no_text_has_it():
    data = b'{"url": "https://a.example/\\ud800", "ti\\udc00tle": "a\\ud800b\\u0000", "h1": ["\\udfff"]}\n' * 2
    table = read_table(data, "site.jl")
    assert table.iloc[0].tolist() == ["https://a.example/\ufffd", "a\ufffdb", "\ufffd"]
    assert list(table.columns) == ["url", "ti\ufffdtle", "h1"]


@pytest.mark.parametrize("deep", [900, 200_000])
@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}")])
def test_json_nested_without_end_is_a_sentence_or_a_cell(opens, closes, deep):
    line = f'{{"url": "https://a.example/", "title": {opens * deep}1{closes * deep}}}\n'
    try:
        assert len(read_table(line.encode(), "site.jl")) == 1
    except UnreadableFile as problem:
        assert str(problem).startswith("site.jl: line 1 has arrays or objects inside each other, too many")
