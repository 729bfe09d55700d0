"""Disavow files: read, merge, deduplicate, validate, write; checked against Google's rules by a checker of its own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.analysis.disavow import DisavowFile, merge, parse_disavow_file, parse_line, write
from backlink_audit.errors import FileProblem, UnreadableFile


def breaks_googles_rules(data: bytes) -> list[str]:
    """An independent reading of the rules in Search Console's help."""
    if len(data) > 2 * 1000 * 1000:
        return ["larger than 2 MB"]
    text = data.decode("utf-8")
    lines = text.split("\n")
    if lines[-1] == "":
        lines = lines[:-1]
    problems = ["more than 100,000 lines"] if len(lines) > 100_000 else []
    problems += ["byte order mark"] if text.startswith("\ufeff") else []
    for number, line in enumerate(lines, 1):
        if line == "" or line.startswith("#"):
            continue
        domain = re.fullmatch(r"domain:[^\s/:*?#.]+(\.[^\s/:*?#.]+)+", line)
        url = re.fullmatch(r"https?://[^\s/]+\.[^\s/]+(/\S*)?", line, re.IGNORECASE)
        if not domain and not (url and len(line) <= 2048):
            problems.append(f"line {number}: {line}")
    return problems


def parsed(text: str) -> DisavowFile:
    return parse_disavow_file(text.encode())


EXISTING = """# Disavowed in 2023 after the agency's clean-up
domain:spam.example.com

# asked twice, no answer
https://blog.example.org/links.html
domain:links.example.net
"""


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
        "It was in UTF-16; it is written as UTF-8, which Google asks for.",
    )


def test_windows_1252_is_read_and_noted():
    file = parse_disavow_file("# Müll\ndomain:a.com\n".encode("cp1252"))
    assert file.lines[0].text == "# Müll"
    assert "Windows-1252" in file.notes[0]


def test_a_file_that_is_no_text_is_refused():
    with pytest.raises(UnreadableFile, match=r"my\.txt: this is not a text file"):
        parse_disavow_file(b"PK\x03\x04\x00\x00", "my.txt")


def test_half_a_character_of_utf_16_is_refused():
    with pytest.raises(UnreadableFile, match="damaged"):
        parse_disavow_file(EXISTING.encode("utf-16") + b"\x0a")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("domain:https://example.com", "scheme; write “domain:example.com”"),
        ("domain:http://www.example.com/a/b", "scheme; write “domain:www.example.com”"),
        ("domain:example.com/path", "path, but only whole domains can be disavowed so; write “domain:example.com”"),
        ("domain:example.com # spam", "a comment needs a line of its own; write “domain:example.com”"),
        ("domain:*.example.com", "wildcards"),
        ("domain:", "no domain"),
        ("domain:localhost", "is not a domain"),
        ("domain:exa_mple..com", "is not a domain"),
        ("example.com", "for the whole domain write “domain:example.com”"),
        ("www.example.com/page", "neither a URL"),
        ("ftp://example.com/", "neither a URL"),
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


def test_merging_keeps_comments_and_order_and_appends_what_is_new():
    merged = merge(parsed(EXISTING), ["new.example.com"], ["https://other.example.com/x"], heading="Added in 2024")
    assert merged.file.text == EXISTING + "# Added in 2024\ndomain:new.example.com\nhttps://other.example.com/x\n"
    assert not merged.dropped


def test_merging_nothing_new_leaves_the_file_as_it_is():
    merged = merge(parsed(EXISTING), ["spam.example.com"], ["https://blog.example.org/links.html"], heading="Added")
    assert merged.file.text == EXISTING
    assert [line.why for line in merged.dropped] == ["it is there already"] * 2


def test_a_url_under_a_disavowed_domain_is_dropped_even_if_the_domain_comes_later():
    merged = merge(parsed("https://blog.example.org/links.html\nhttps://stays.example.com/\n"), ["example.org"])
    assert merged.file.text == "https://stays.example.com/\ndomain:example.org\n"
    assert [(line.number, line.why) for line in merged.dropped] == [(1, "“domain:example.org” covers it")]


def test_a_subdomain_of_a_disavowed_domain_is_dropped():
    assert merge(parsed("domain:a.b.com\n"), ["b.com", "c.a.b.com"]).file.text == "domain:b.com\n"


def test_a_domain_that_only_ends_alike_is_not_covered():
    assert merge(parsed("domain:notb.com\n"), ["b.com"]).file.text == "domain:notb.com\ndomain:b.com\n"


def test_the_case_of_domains_and_hosts_does_not_matter():
    merged = merge(
        parsed("domain:Spam.COM\nHTTPS://Site.com/A\n"), ["spam.com"], ["https://site.com/A", "https://site.com/a"]
    )
    assert merged.file.text == "domain:Spam.COM\nHTTPS://Site.com/A\nhttps://site.com/a\n"


def test_a_domain_in_its_own_script_and_in_idna_is_the_same():
    assert merge(parsed("domain:möbel.com\n"), ["xn--mbel-5qa.com"]).file.text == "domain:möbel.com\n"


def test_broken_lines_become_comments_and_nothing_is_lost():
    merged = merge(parsed("domain:example.com/path\n"), ["new.com"])
    assert merged.file.lines[0].text.startswith("# Line 1 was left out (after “domain:” stands a path")
    assert merged.file.lines[0].text.endswith("domain:example.com/path")
    assert merged.dropped[0].number == 1
    assert not breaks_googles_rules(write(merged.file))


def test_what_the_user_keeps_leaves_the_file():
    merged = merge(parsed("domain:good.com\nhttps://blog.good.com/x\ndomain:bad.com\n"), withdrawn={"good.com"})
    assert merged.file.text == "domain:bad.com\n"
    assert {line.why for line in merged.dropped} == {"you keep good.com"}


def test_merging_twice_changes_nothing_more():
    once = merge(parsed(EXISTING + "broken line\n"), ["new.com"], ["https://x.com/"], heading="Added").file
    assert merge(once, ["new.com"], ["https://x.com/"], heading="Added").file == once


def test_100_000_lines_are_written_and_one_more_is_refused():
    line = "# a\n"
    assert not breaks_googles_rules(write(parsed(line * 100_000)))
    with pytest.raises(FileProblem, match="100,001 lines, but Google takes at most 100,000"):
        parsed(line * 100_001)


def test_blank_lines_and_comments_count():
    file = parsed("\n" * 50_000 + "# a\n" * 50_000)
    with pytest.raises(FileProblem, match="100,001 lines"):
        merge(file, ["new.com"])


def test_two_megabytes_are_written_and_one_byte_more_is_refused():
    rows = "#" * 1_999 + "\n"
    assert len(write(parsed(rows * 1_000))) == 2_000_000
    with pytest.raises(FileProblem, match="2,000,001 bytes"):
        parsed("#" + rows * 1_000)


def test_utf_16_is_measured_as_the_utf_8_that_is_written():
    assert parse_disavow_file(("#" * 1_499_999 + "\n").encode("utf-16")).comments == 1


def test_a_file_with_a_broken_line_is_not_written():
    with pytest.raises(FileProblem, match=r"disavow\.txt: line 2 is broken"):
        write(parsed("domain:a.com\nnonsense\n"))


hosts = st.from_regex(r"[a-z][a-z0-9]{0,8}(\.[a-z][a-z0-9]{1,6}){0,2}\.(example|test)", fullmatch=True)
urls = st.builds(
    lambda host, path: f"https://{host}/{path}", hosts, st.from_regex(r"[a-z0-9/?=&%-]{0,20}", fullmatch=True)
)
texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)
entries = st.one_of(hosts.map("domain:{}".format), urls, st.just(""), texts.map("#{}".format))
anything = st.one_of(entries, texts)


@given(st.lists(entries), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_writing_what_was_read_gives_the_same_file(lines, end, encoding):
    data = "".join(line + end for line in lines).encode(encoding)
    file = parse_disavow_file(data)
    assert parse_disavow_file(write(file)).lines == file.lines


@given(st.lists(anything), st.lists(hosts), st.lists(urls))
def test_whatever_is_merged_keeps_the_rules_and_disavows_what_it_should(lines, domains, new_urls):
    existing = parse_disavow_file("\n".join(lines).encode())
    merged = merge(existing, domains, new_urls)
    assert not breaks_googles_rules(write(merged.file))
    assert sum(line.kind == "comment" for line in existing.lines) <= merged.file.comments
    wanted = existing.domains | set(domains)
    assert all(any(domain == own or domain.endswith(f".{own}") for own in merged.file.domains) for domain in wanted)
    assert merged.file.domains <= wanted
    assert len(merged.file.domains) + len(merged.file.urls) == sum(line.is_entry for line in merged.file.lines)


@given(st.lists(anything), st.lists(hosts))
def test_merging_again_is_without_effect(lines, domains):
    once = merge(parse_disavow_file("\n".join(lines).encode()), domains).file
    assert merge(once, domains).file == once


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_a_sentence(data):
    try:
        parse_disavow_file(data, "my.txt")
    except FileProblem as problem:
        assert str(problem).startswith("my.txt: ")
