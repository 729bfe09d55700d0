"""Letters become drafts that Python's own mail parser reads back, and no title of others writes a header."""

import io
import zipfile
from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backlink_audit.report.letters import Letter, address_of, as_archive, as_eml, as_table, letter_of

HOSTILE = [
    "x\r\nBcc: all@evil.example\r\n\r\n<script>",
    "x\u2028Bcc: all@evil.example",
    "x\x00\x0b\x85y",
    "\ud800 half",
    "ü" * 2000,
    "=?utf-8?q?Bcc:_x?=",
    "=?utf-8?q?=0ABcc:spy=40evil.example?=",
    "=?utf-8?q?=0D=0A=0D=0Ayours?=",
    "=\x00?utf-8?b?CkJjYzogeEBldmlsLmV4YW1wbGU=?=",
    "==??utf-8?q?=0ABcc:x?=",
]
HEADERS = ["Content-Transfer-Encoding", "Content-Type", "MIME-Version", "Subject", "To", "X-Unsent"]
PIECES = ("=?", "=", "?", "utf-8", "?q?", "?b?", "=0A", "=0D=0A", "?=", "Bcc:", " ", "\t", "\n", "\x1c", "ü", "\u200b")


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_of_others_writes_no_header(title):
    data = as_eml(letter_of("a.example", "ann@a.example", f"Subject: A source for {title}\n\nHello {title}"))
    read = message_from_bytes(data, policy=default)
    assert sorted(read) == HEADERS
    assert read["To"] == "ann@a.example"
    assert read["Subject"].startswith("A source for")
    assert "Hello" in read.get_content()


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=30).map("".join))
@settings(max_examples=150, deadline=None)
def test_no_text_at_all_writes_a_header(title):
    read = message_from_bytes(as_eml(letter_of("a.example", "ann@a.example", f"Subject: A {title}\n\nYours")))
    assert sorted(read) == HEADERS
    assert "Yours" in str(read.get_payload(decode=True))


@pytest.mark.parametrize("to", ["=?utf-8?q?=0ABcc:x?=@a.example", "änn@a.example", "a@straße.example", "ann", "a@b"])
def test_what_is_no_address_is_not_written_to(to):
    assert address_of(to) is None
    assert message_from_bytes(as_eml(letter_of("a.example", to, "Hello")))["To"] is None


def test_an_address_at_a_domain_of_other_letters_is_written_as_servers_know_it():
    assert b"To: ann@xn--bcher-kva.example\r\n" in as_eml(letter_of("a.example", "ann@bücher.example", "Hello"))


def test_a_letter_in_other_scripts_reads_as_it_was_written():
    read = message_from_bytes(as_eml(letter_of("a.example", "", "Subject: Über Ζελτ\n\nGrüße 山\n")), policy=default)
    assert (read["Subject"], read.get_content().replace("\r\n", "\n")) == ("Über Ζελτ", "Grüße 山\n")
    assert read["To"] is None


def test_a_pitch_without_a_subject_keeps_every_line():
    assert letter_of("a.example", "", "Hello\nSubject: no") == Letter("a.example", "", "", "Hello\nSubject: no\n")


def test_the_archive_has_one_draft_for_each_and_no_path_of_others():
    letters = [letter_of(domain, "", "Subject: x\n\ny") for domain in ("a.example", "../../etc/b.example")]
    with zipfile.ZipFile(io.BytesIO(as_archive(letters))) as archive:
        assert archive.namelist() == ["a.example.eml", ".._.._etc_b.example.eml"]
    assert as_table(letters)["Domain"].tolist() == ["a.example", "../../etc/b.example"]


@pytest.mark.parametrize("to", ["(" * 20_000, "(" * 120 + ")" * 120 + "@a.example", "a" * 250 + "@a.example"])
def test_no_text_is_too_long_or_too_nested_to_be_no_address(to):
    assert address_of(to) is None
