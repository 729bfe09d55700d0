"""The redirect map as servers read it: every address escaped, what is not sure enough a comment."""

import re
from dataclasses import replace

import pandas as pd
import pytest

from backlink_audit.redirects.rules import WRITERS, server_file
from backlink_audit.redirects.run import map_redirects
from backlink_audit.settings import RedirectSettings
from tests.redirects.made import NEW_PAGES, OLD_PAGES, site
from tests.toy import ToyEncoder

OLD = 'https://shop.example/a b/"x".(y)+$z%25/'
NEW = "https://shop.example/neu/stühle?a=1&b=$2%20c"


@pytest.fixture(scope="module")
def made():
    return map_redirects(site(*OLD_PAGES), site(*NEW_PAGES), RedirectSettings(), ToyEncoder())


def rules(kind, redirects) -> str:
    return server_file(kind, redirects).data.decode()


def with_rows(made, *pairs: tuple[str, str]):
    table = pd.DataFrame(pairs, columns=["old_url", "new_url"])
    return replace(made, table=table.assign(confidence="sure", flags="", cas_at_risk=0.0))


def test_an_apache_rule_matches_the_old_path_alone_and_inserts_nothing(made):
    [rule] = [
        line for line in rules(".htaccess", with_rows(made, (OLD, NEW))).splitlines() if line.startswith("RewriteRule")
    ]
    [(pattern, target)] = re.findall(r'^RewriteRule "([^"]*)" "([^"]*)" \[R=301,L,NE,NC\]$', rule)
    for path in ('a b/"x".(y)+$z%', 'a b/"x".(y)+$z%/'):
        assert re.match(pattern, path)
    assert not re.match(pattern, 'a b/"x"!(y)+$z%') and not re.match(pattern, 'more/a b/"x".(y)+$z%')
    assert target.replace("\\", "") == "https://shop.example/neu/st%C3%BChle?a=1&b=$2%20c"
    assert not re.search(r"(?<!\\)[%$]", target)


def test_an_apache_rule_with_a_query_asks_for_it_and_comes_first(made):
    pairs = (
        ("https://shop.example/p", "https://shop.example/q"),
        ("https://shop.example/p?id=1.5", "https://shop.example/r"),
    )
    lines = rules(".htaccess", with_rows(made, *pairs)).splitlines()
    place = lines.index(r'RewriteCond "%{QUERY_STRING}" "^id=1\.5$" [NC]')
    assert lines[place + 1] == 'RewriteRule "^p/?$" "https://shop.example/r" [R=301,L,NE,QSD,NC]'
    assert place + 1 < lines.index('RewriteRule "^p/?$" "https://shop.example/q" [R=301,L,NE,NC]')


def test_nginx_maps_are_quoted_and_hold_no_variable(made):
    text = rules(".map", with_rows(made, (OLD, NEW), ("https://shop.example/p?id=1", "https://shop.example/r")))
    assert r'    "/a b/\"x\".(y)+$z%" "https://shop.example/neu/st%C3%BChle?a=1&b=%242%20c";' in text
    assert '    "/p?id=1" "https://shop.example/r";' in text
    assert text.count("{") - text.count("if ($redirect_to) {") == 2


def test_a_hosted_line_has_no_space_and_no_placeholder_in_its_path(made):
    lines = rules(
        "_redirects", with_rows(made, (OLD, NEW), ("https://shop.example/*/:id", "https://shop.example/r"))
    ).splitlines()
    assert "/a%20b/%22x%22.(y)+$z%25 https://shop.example/neu/st%C3%BChle?a=1&b=$2%20c 301" in lines
    assert "/%2A/%3Aid https://shop.example/r 301" in lines


def test_a_page_of_the_new_site_is_never_caught_by_a_rule(made):
    """The old URL differs from a living one by case, or by a query that the rule would not look at."""
    living = NEW_PAGES[1][0]
    cased, queried = living.replace("chairs", "CHAIRS"), made.sites.living.assign(url=f"{living}?page=2")
    apart = with_rows(made, (cased, living), (living, NEW))
    text = rules(".map", apart)
    assert r"~^/furniture/CHAIRS\\-of\\-oak/?\\?$" in text
    assert f'"{living.removeprefix("https://shop.example")}"' not in text
    assert f"# a page of the new site has this address: {living}" in text
    assert "[R=301,L,NE]" in rules(".htaccess", apart)
    other = replace(with_rows(made, (living, NEW)), sites=replace(made.sites, living=queried))
    assert "RewriteCond" in rules(".htaccess", other)
    assert f"# a page of the new site has nearly this address: {living}" in rules("_redirects", other)


def test_nginx_gets_the_sizes_that_the_longest_address_needs(made):
    short = server_file(".map", with_rows(made, ("https://shop.example/short", NEW)))
    long = server_file(".map", with_rows(made, (f"https://shop.example/{'a' * 200}", NEW)))
    assert b"map_hash" not in short.data and not short.notes
    assert b"map_hash_bucket_size 256;" in long.data and "map_hash_bucket_size 256" in long.notes[0]


def test_what_a_host_cannot_match_is_a_comment_with_its_reason(made):
    made = server_file(
        "_redirects", with_rows(made, ("https://shop.example/p?7", NEW), ("https://shop.example/p?a=1", NEW))
    )
    assert b"# not of the form name=value: https://shop.example/p?7" in made.data
    assert b"/p a=1 https://" in made.data and "Cloudflare Pages does not" in made.notes[0]


@pytest.mark.parametrize("kind", WRITERS)
def test_what_is_not_sure_enough_is_a_comment(made, kind):
    lines = rules(kind, made).splitlines()
    assert [line for line in lines if "tax-forms" in line] == ["# no good target: https://shop.example/tax-forms"]
    assert sum("furniture/chairs-of-oak" in line for line in lines if not line.startswith("#")) in (1, 2)


def test_a_line_end_in_an_address_starts_no_rule(made):
    text = rules(".htaccess", with_rows(made, ("https://shop.example/a%0ARewriteRule%20x%20y", NEW)))
    assert "RewriteRule " not in "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    assert "# control characters: https://shop.example/a%0ARewriteRule%20x%20y" in text
