"""Disavow files: what was decided merged in, checked against Google's rules by a checker of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backlink_audit.errors import FileProblem
from backlink_audit.risk.disavow import merge
from backlink_audit.risk.disavow_file import parse_disavow_file, write
from tests.judgement.disavowed import EXISTING, anything, breaks_googles_rules, hosts, parsed, urls


def test_merging_keeps_comments_and_order_and_appends_what_is_new():
    merged = merge(parsed(EXISTING), ["new.example.com"], ["https://other.example.com/x"], heading="Added in 2024")
    assert merged.file.text == EXISTING + "# Added in 2024\ndomain:new.example.com\nhttps://other.example.com/x\n"
    assert not merged.dropped


def test_merging_nothing_new_leaves_the_file_as_it_is():
    merged = merge(parsed(EXISTING), ["spam.example.com"], ["https://blog.example.org/links.html"], heading="Added")
    assert merged.file.text == EXISTING
    assert [line.why for line in merged.dropped] == ["it is already in the file"] * 2


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
        parsed("domain:Spam.COM.\nHTTPS://Site.com/A\n"), ["spam.com"], ["https://site.com/A", "https://site.com/a"]
    )
    assert merged.file.text == "domain:spam.com\nHTTPS://Site.com/A\nhttps://site.com/a\n"


def test_a_domain_in_its_own_script_and_in_idna_is_the_same():
    assert merge(parsed("domain:möbel.com\n"), ["xn--mbel-5qa.com"]).file.text == "domain:möbel.com\n"


def test_broken_lines_become_comments_and_nothing_is_lost():
    merged = merge(parsed("domain:example.com/path\n"), ["new.com"])
    assert merged.file.lines[0].text.startswith("# Line 1 is not included (“domain:” must not be followed by a path")
    assert merged.file.lines[0].text.endswith("domain:example.com/path")
    assert merged.dropped[0].number == 1
    assert not breaks_googles_rules(write(merged.file))


def test_what_the_user_keeps_leaves_the_file():
    merged = merge(parsed("domain:good.com\nhttps://blog.good.com/x\ndomain:bad.com\n"), withdrawn={"good.com"})
    assert merged.file.text == "domain:bad.com\n"
    assert {line.why for line in merged.dropped} == {"you set good.com to “keep”"}


def test_a_domain_that_covers_what_the_user_keeps_is_not_added():
    merged = merge(
        parsed(""), ["good.com", "host.com"], withdrawn={"good.com"}, withdrawn_urls=["https://a.host.com/x"]
    )
    assert merged.file.text == ""
    assert {line.why for line in merged.dropped} == {
        "you set good.com to “keep”",
        "it covers https://a.host.com/x, which you set to “keep”",
    }


def test_merging_twice_changes_nothing_more():
    once = merge(parsed(EXISTING + "broken line\n"), ["new.com"], ["https://x.com/"], heading="Added").file
    assert merge(once, ["new.com"], ["https://x.com/"], heading="Added").file == once


def test_blank_lines_and_comments_count():
    file = parsed("\n" * 50_000 + "# a\n" * 50_000)
    with pytest.raises(FileProblem, match="100,001 lines"):
        merge(file, ["new.com"])


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
