"""The text of a page is found whatever its server says of the charset."""

import pytest

from backlink_audit.fetching.html import decode_page

RUSSIAN = "<p>Велосипеды для долгой дороги: обзор и советы мастера, ремонт цепи и тормозов.</p>"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (RUSSIAN.encode(), "text/html; charset=windows-1251"),
        (RUSSIAN.encode(), ""),
        (RUSSIAN.encode("cp1251"), "text/html; charset=windows-1251"),
        (RUSSIAN.encode("cp1251"), "text/html; charset=utf-8"),
        (RUSSIAN.encode("cp1251"), "text/html; charset=no-such-charset"),
        (b'<meta charset="koi8-r">' + RUSSIAN.encode("koi8-r"), "text/html"),
        (b"\xff\xfe" + RUSSIAN.encode("utf-16-le"), "text/html; charset=utf-8"),
    ],
)
def test_the_charset_is_found(body, content_type):
    assert RUSSIAN in decode_page(body, content_type)


def test_a_text_cut_off_within_a_character_is_read_to_its_end():
    assert decode_page(("ж" * 1_000).encode()[:-1], "text/html; charset=utf-8") == "ж" * 999


def test_bytes_that_are_no_text_are_read_all_the_same():
    assert isinstance(decode_page(bytes(range(256)) * 10, "text/html; charset=utf-8"), str)
    assert decode_page(b"") == ""
