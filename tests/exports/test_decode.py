"""Tests of backlink_audit.exports.read."""

import random
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.errors import UnreadableFile
from backlink_audit.exports.read import is_utf8, to_utf8, utf8_file

TEXT = "Titel,URL\n" + "\n".join(f"Müßige Gärtner pflegen schöne Möbel {n},https://a.example/{n}" for n in range(40))


POLISH = """Krzesła ogrodowe z drewna są trwałe i piękne
Jak wybrać stół na taras i do małego ogrodu
Pielęgnacja drewna tekowego krok po kroku, żeby służyło latami
Dlaczego warto kupić ławkę z recyklingu? Odpowiadają użytkownicy
"""
FRENCH = """Comment choisir une chaise de jardin en été
Les meilleurs modèles testés à la plage et près de la forêt
Où acheter une table pliante légère ?
"""


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"],
)
def test_text_is_the_same_in_every_encoding(encoding):
    assert to_utf8(TEXT.encode(encoding), "a.csv").decode() == TEXT


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Заголовок страницы о садовой мебели и стульях,https://a.example/\n" * 30, "cp1251"),
        (POLISH, "cp1250"),
        (FRENCH, "cp1252"),
        ("庭の椅子とテーブルについてのページです,https://a.example/\n" * 30, "shift_jis"),
    ],
)
def test_older_encodings_are_found_from_the_text(text, encoding):
    assert to_utf8(text.encode(encoding), "a.csv").decode() == text


def test_a_little_typography_in_english_text_is_western():
    text = "The chair’s – “best” of the year, https://a.example/, and so on for many more words of plain English\n" * 20
    assert to_utf8(text.encode("cp1252"), "a.csv").decode() == text


def test_both_byte_orders_with_their_mark():
    assert to_utf8(b"\xff\xfe" + TEXT.encode("utf-16-le"), "a.csv").decode() == TEXT
    assert to_utf8(b"\xfe\xff" + TEXT.encode("utf-16-be"), "a.csv").decode() == TEXT


def test_a_stray_byte_does_not_turn_utf8_into_something_else():
    broken = TEXT.encode() + b"\nab\xffcd"
    assert to_utf8(broken, "a.csv").decode() == TEXT + "\nab\ufffdcd"


def test_a_file_cut_within_a_character_is_still_utf8():
    assert to_utf8("schön schön ß".encode()[:-1], "a.csv").decode().startswith("schön schön")


@pytest.mark.parametrize(("of_few", "of_many"), [("cp1252", "utf-8"), ("utf-8", "cp1252"), ("cp1250", "utf-8")])
def test_rows_of_two_programs_are_read_each_in_its_encoding(tmp_path, of_few, of_many):
    few, many = "Příliš žluťoučký kůň, zlé\n" if of_few == "cp1250" else FRENCH, "Führer für Köln und Øresund\n"
    data = few.encode(of_few) * 5 + many.encode(of_many) * 20
    assert to_utf8(data, "a.csv").decode() == few * 5 + many * 20 == _of_file(tmp_path, data)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_with_another_in_utf_16_glued_on_is_refused(tmp_path, encoding):
    data = FRENCH.encode() * 200 + "Referring page URL,Target URL\n".encode(encoding)
    for read in (lambda: to_utf8(data, "a.csv"), lambda: _of_file(tmp_path, data)):
        with pytest.raises(UnreadableFile, match=r"^a\.csv: a part of it is in UTF-16, as if two files were joined"):
            read()


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "cp1251"])
def test_the_encoding_is_found_wherever_the_first_accent_is(tmp_path, encoding):
    late = {"cp1251": "Заголовок страницы о садовой мебели\n"}.get(encoding, FRENCH) * 20
    text = "Oak chairs and tables,https://a.example/\n" * 130_000 + late
    data = text.encode(encoding)
    assert to_utf8(data, "a.csv").decode() == text
    assert _of_file(tmp_path, data) == text


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        TEXT.encode("cp1252"),
        TEXT.encode()[:-1] + b"\xc3",
        b"a,b\n1\x00,2\n",
        TEXT.encode() + b"\nab\xffcd",
        "shop\uffff,chair\ufffe".encode(),
    ],
)
def test_a_file_is_read_as_its_bytes_are(tmp_path, data):
    assert _of_file(tmp_path, data) == to_utf8(data, "a.csv").decode()


def _of_file(folder, data):
    (folder / "a.csv").write_bytes(data)
    path, start = utf8_file(folder / "a.csv", "a.csv", folder / "copy")
    return path.read_bytes()[start:].decode("utf-8", "strict")


def test_a_few_nul_characters_are_dropped():
    assert to_utf8(b"a,b\n1\x00,2\n", "a.csv") == b"a,b\n1,2\n"


def test_code_points_that_no_workbook_may_hold_are_dropped():
    assert to_utf8("shop\uffff,chair\ufffe".encode(), "a.csv") == b"shop,chair"


def test_random_bytes_are_no_text():
    with pytest.raises(UnreadableFile, match=r"^noise\.csv: this file is not a table"):
        to_utf8(random.Random(1).randbytes(300_000), "noise.csv")


def test_is_utf8_looks_across_pieces():
    assert is_utf8("ß".encode() * 3_000_000)
    assert not is_utf8(b"a" * 5_000_000 + b"\xff")


WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff\ufffe\uffff"), max_size=60)


@given(st.lists(WORDS), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_any_unicode_text_is_decoded_as_it_was(lines, encoding):
    text = "\n".join(["URL,Title", *lines])
    assert to_utf8(text.encode(encoding), "a.csv").decode() == text


@given(st.one_of(st.binary(max_size=300), st.lists(WORDS).map(lambda lines: "\n".join(lines).encode("utf-16-le"))))
def test_any_bytes_are_the_same_text_in_memory_and_on_disk_or_refused(data):
    with TemporaryDirectory() as folder:
        try:
            text = to_utf8(data, "a.csv").decode()
        except UnreadableFile as refused:
            with pytest.raises(UnreadableFile, match=re.escape(str(refused))):
                _of_file(Path(folder), data)
        else:
            assert _of_file(Path(folder), data) == text
            assert "\0" not in text
