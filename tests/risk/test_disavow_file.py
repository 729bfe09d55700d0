"""Disavow files: read, checked, written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.errors import FileProblem, UnreadableFile
from backlink_audit.risk.disavow_file import parse_disavow_file, parse_line, write
from tests.judgement.disavowed import EXISTING, anything, breaks_googles_rules, entries, parsed


def test_lines_keep_their_order_and_their_kinds():
    file = parsed(EXISTING)
    assert [line.kind for line in file.lines] == ["comment", "domain", "blank", "comment", "url", "domain"]
    assert [line.number for line in file.lines] == [1, 2, 3, 4, 5, 6]
    assert file.domains == {"spam.example.com", "links.example.net"}
    assert file.urls == {"https://blog.example.org/links.html"}


def test_a_file_that_keeps_the_rules_is_written_as_it_was():
    assert write(parsed(EXISTING)) == EXISTING.encode()


@pytest.mark.parametrize(
    "data",
    [
        EXISTING.replace("\n", "\r\n").encode(),
        EXISTING.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + EXISTING.encode(),
        EXISTING.encode("utf-16"),
        b"\xfe\xff" + EXISTING.encode("utf-16-be"),
        EXISTING.rstrip("\n").encode(),
    ],
    ids=["windows line ends", "old mac line ends", "utf-8 bom", "utf-16 le", "utf-16 be", "no last line end"],
)
def test_any_line_ends_and_encodings_give_the_same_file(data):
    assert write(parse_disavow_file(data)) == EXISTING.encode()


def test_utf_16_is_noted():
    assert parse_disavow_file(EXISTING.encode("utf-16")).notes == (
        "It was in UTF-16; it is now written as UTF-8, as Google requires.",
    )


def test_windows_1252_is_read_and_noted():
    file = parse_disavow_file("# Müll\ndomain:a.com\n".encode("cp1252"))
    assert file.lines[0].text == "# Müll"
    assert "Windows-1252" in file.notes[0]


def test_a_file_that_is_no_text_is_refused():
    with pytest.raises(UnreadableFile, match=r"my\.txt: this is not a text file"):
        parse_disavow_file(b"PK\x03\x04\x00\x00", "my.txt")


marked = st.builds("{}{}".format, st.text("\ufeff ", min_size=1, max_size=3), anything)


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfdomain:a.example\x00\n", "a\0".encode("utf-16")])
def test_a_mark_does_not_make_text_of_what_is_none(data):
    with pytest.raises(UnreadableFile, match="this is not a text file"):
        parse_disavow_file(data)


@given(st.lists(st.one_of(anything, marked), max_size=6), st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_what_was_read_is_read_the_same_once_it_is_written(entries, encoding):
    file = parse_disavow_file("\n".join(entries).encode(encoding, "replace"))
    assert parse_disavow_file(file.text.encode()).lines == file.lines


def test_half_a_character_of_utf_16_is_refused():
    with pytest.raises(UnreadableFile, match="damaged"):
        parse_disavow_file(EXISTING.encode("utf-16") + b"\x0a")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("domain:https://example.com", "https://; write “domain:example.com”"),
        ("domain:http://www.example.com/a/b", "https://; write “domain:www.example.com”"),
        ("domain:example.com/path", "path, because it disavows the whole domain; write “domain:example.com”"),
        ("domain:example.com # spam", "write comments on a separate line; write “domain:example.com”"),
        ("domain:*.example.com", "wildcards"),
        ("domain:", "no domain"),
        ("domain:localhost", "is not a domain"),
        ("domain:exa_mple..com", "is not a domain"),
        ("example.com", "for the whole domain write “domain:example.com”"),
        ("www.example.com/page", "must be a URL with"),
        ("ftp://example.com/", "must be a URL with"),
        ("https://example.com/a b", "a space"),
        ("https://", "no valid host"),
        ("https://example.com/" + "x" * 2029, "2,049 characters"),
    ],
)
def test_a_broken_line_is_named_by_number_and_said_why(line, why):
    (broken,) = parsed(f"# first\n{line}\n").broken
    assert broken.number == 2
    assert why in broken.why
    assert breaks_googles_rules(f"{line}\n".encode())


@pytest.mark.parametrize(
    "line",
    ["domain:example.com", "DOMAIN: Example.com", "domain:xn--mbel-5qa.example", "domain:möbel.example", "https://example.com",
     "HTTP://EXAMPLE.com/a?b=c#d", "https://example.com/" + "x" * 2028],
)  # fmt: skip
def test_a_good_line_is_not_broken(line):
    assert parse_line(1, line).is_entry


def test_100_000_lines_are_written_and_one_more_is_refused():
    line = "# a\n"
    assert not breaks_googles_rules(write(parsed(line * 100_000)))
    with pytest.raises(FileProblem, match="100,001 lines, but Google allows at most 100,000"):
        parsed(line * 100_001)


def test_two_megabytes_are_written_and_one_byte_more_is_refused():
    rows = "#" * 1_999 + "\n"
    assert len(write(parsed(rows * 1_000))) == 2_000_000
    with pytest.raises(FileProblem, match="2,000,001 bytes"):
        parsed("#" + rows * 1_000)


def test_utf_16_is_measured_as_the_utf_8_that_is_written():
    assert parse_disavow_file(("#" * 1_499_999 + "\n").encode("utf-16")).comments == 1


def test_a_file_with_a_broken_line_is_not_written():
    with pytest.raises(FileProblem, match=r"disavow\.txt: line 2 is invalid"):
        write(parsed("domain:a.com\nnonsense\n"))


@given(st.lists(entries), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_writing_what_was_read_gives_the_same_file(lines, end, encoding):
    data = "".join(line + end for line in lines).encode(encoding)
    file = parse_disavow_file(data)
    assert parse_disavow_file(write(file)).lines == file.lines


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_sentence(data):
    try:
        parse_disavow_file(data, "my.txt")
    except FileProblem as problem:
        assert str(problem).startswith("my.txt: ")
