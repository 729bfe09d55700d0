"""Links over redirects: what the page really links to, the whole way in words, and what to do by old target."""

import pandas as pd
import pytest

from backlink_audit.audit.tasks import redirect_columns, redirected_targets, target_error
from tests.backlinks import clean_links

NEW = "https://new.example/chairs"


def links(*chains: tuple[str, str], **columns: list[object]) -> pd.DataFrame:
    urls, codes = zip(*chains, strict=True)
    table = clean_links(target_url=[NEW] * len(chains), redirect_urls=urls, redirect_codes=codes, **columns)
    table = table.join(redirect_columns(table))
    return table.assign(cas=[float(number) for number in range(len(chains), 0, -1)])


def test_each_link_has_its_linked_url_its_steps_and_the_whole_way():
    chains = links(("http://old.example/a, https://old.example/a", "301, 302"), ("", ""))
    first, second = chains.iloc[0], chains.iloc[1]
    assert (first["over_redirect"], first["linked_url"], first["redirects"]) == (True, "http://old.example/a", 2)
    assert first["redirect_status"] == 302
    assert first["redirect_chain"] == f"http://old.example/a (301) → https://old.example/a (302) → {NEW}"
    assert (second["over_redirect"], second["linked_url"], second["redirect_chain"]) == (False, "", "")
    assert pd.isna(second["redirects"]) and pd.isna(second["redirect_status"])


def test_a_chain_without_codes_or_with_a_comma_in_a_url_is_read_too():
    chains = links(("http://old.example/a,1", ""), ("http://old.example/a,1, https://old.example/a,1", "301, 0"))
    assert chains["redirects"].tolist() == [1, 2]
    assert chains["redirect_chain"].tolist() == [
        f"http://old.example/a,1 → {NEW}",
        f"http://old.example/a,1 (301) → https://old.example/a,1 (not checked) → {NEW}",
    ]


@pytest.mark.parametrize(
    ("urls", "codes", "to_do"),
    [
        ("http://old.example/a", "404", "leads to an error (404)"),
        ("http://old.example/a, https://old.example/a", "301, 0", "did not check every step"),
        ("http://old.example/a", "302", "temporary (302): make it permanent"),
        ("http://www.new.example/chairs/", "301", "Only http/https, www or the trailing slash differs"),
        ("http://old.example/a, https://old.example/a", "301, 301", "in one step instead of 2"),
        ("http://old.example/a", "301", "ask the sites to link directly to the target page"),
    ],
)
def test_what_to_do_is_the_first_rule_that_fits(urls, codes, to_do):
    found = redirected_targets(links((urls, codes)))
    assert len(found) == 1 and to_do in found["to_do"][0]


def test_old_targets_are_counted_once_whatever_their_spelling_the_most_cas_first():
    table = links(
        ("http://old.example/b", "301"),
        ("http://old.example/a", "301"),
        ("https://www.old.example/a/, https://old.example/a", "301, 301"),
        ("", ""),
        referring_url=[f"https://{site}.example/p" for site in ("one", "two", "two", "three")],
        nofollow=[False, False, True, False],
    )
    found = redirected_targets(table)
    assert found[["linked_url", "links", "domains", "followed_domains", "redirects", "cas"]].to_numpy().tolist() == [
        ["http://old.example/a", 2, 1, 1, 2.0, 5.0],
        ["http://old.example/b", 1, 1, 1, 1.0, 4.0],
    ]
    assert found["links"].sum() == table["over_redirect"].sum()


def test_six_sites_on_an_old_domain_are_too_many_to_ask_each():
    table = links(*[("http://old.example/a", "301")] * 6)
    assert redirected_targets(table)["to_do"][0].startswith("Keep the old domain and its redirect")


def test_a_chain_that_ends_in_an_error_has_a_dead_target():
    assert target_error(links(("http://old.example/a", "301, 410"), ("http://old.example/b", "301"))).tolist()[0] == 410


def test_without_redirects_the_list_is_empty():
    assert redirected_targets(links(("", ""))).empty


def test_a_chain_that_ends_where_the_tool_was_refused_is_not_dead():
    found = target_error(pd.DataFrame({"redirect_status": [404.0, 403.0, 429.0, 301.0, float("nan")]}))
    assert found.dropna().tolist() == [404.0]
