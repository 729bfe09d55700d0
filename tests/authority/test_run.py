"""The authority of a site, from inlinks to shares, verdicts and what-if."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from backlink_audit.authority.result import PAGES, tables
from backlink_audit.authority.run import find_authority
from backlink_audit.exports.lists import read_pairs
from backlink_audit.exports.load import load
from backlink_audit.labels import BROKEN_PAGE, DEAD_END, DESERVES_MORE, ORPHAN, UNDERLINKED
from backlink_audit.settings import AuthoritySettings
from backlink_audit.sources import Sources
from tests.crawls import as_csv

SITE = "https://shop.example"
HEADER = ("Type", "Source", "Destination", "Status Code", "Follow", "Link Position")
CRAWL = ("Address", "Content Type", "Status Code", "Title 1", "Redirect URL")


def inlinks(*rows):
    table = [("Hyperlink", f"{SITE}{a}", f"{SITE}{b}", status, follow, where) for a, b, status, follow, where in rows]
    return load([("links.csv", as_csv(HEADER, table))], "inlinks")


def plain(*pairs):
    return inlinks(*((a, b, 200, "true", "Content") for a, b in pairs))


def tried(*pairs):
    return read_pairs(
        "pairs.csv", as_csv(("Source URL", "Target URL"), [(f"{SITE}{a}", f"{SITE}{b}") for a, b in pairs])
    )


def backlinks(**cas):
    rows = [(f"{SITE}/{name}", value, True, "live") for name, value in cas.items()]
    return pd.DataFrame(rows, columns=["target_url", "cas", "followed", "link_state"])


def verdicts(result):
    return {
        url.removeprefix(SITE): verdict
        for url, verdict in zip(result.pages["url"], result.pages["verdict"], strict=True)
    }


def test_shares_are_those_of_networkx_on_a_random_site_with_dead_ends_redirects_and_nofollow():
    rng = np.random.default_rng(5)
    moved = {f"/{number}": f"/{number + 1}" for number in (10, 11, 30)}
    rows = []
    for a, b in rng.integers(0, 60, (400, 2)).tolist():
        if f"/{a}" in moved or a % 7 == 0:
            continue
        place, follow = rng.choice(["Content", "Footer"]), rng.choice(["true", "false"], p=[0.8, 0.2])
        rows.append((f"/{a}", f"/{b}", 200, follow, place))
    crawl = [
        (f"{SITE}/{n}", "text/html", 301 if f"/{n}" in moved else 200, "", f"{SITE}{moved.get(f'/{n}', '')}")
        for n in range(60)
    ]
    crawled = [row if row[2] == 301 else (*row[:4], "") for row in crawl]
    exported = load([("crawl.csv", as_csv(CRAWL, crawled))], "pages")
    result = find_authority(inlinks(*rows), AuthoritySettings(outside_content=0.4), sources=Sources(pages=exported))

    graph = nx.DiGraph()
    graph.add_nodes_from(f"/{n}" for n in range(60) if f"/{n}" not in moved)
    for a, b, _, follow, place in rows:
        while b in moved:
            b = moved[b]
        if a != b and follow == "true":
            former = graph.edges[a, b]["weight"] if graph.has_edge(a, b) else 0
            graph.add_edge(a, b, weight=max(former, 1 if place == "Content" else 0.4))
    expected = nx.pagerank(graph, tol=1e-15, max_iter=1_000)
    found = result.pages.set_index("url")["pagerank"]
    assert len(found) == len(expected) == 57
    assert [found[f"{SITE}{page}"] for page in expected] == pytest.approx(list(expected.values()), abs=1e-9)
    assert found.sum() == pytest.approx(1)


def test_half_of_the_start_goes_by_what_backlinks_bring():
    result = find_authority(
        plain(("/a", "/b"), ("/b", "/a"), ("/b", "/c")), AuthoritySettings(), backlinks=backlinks(c=3)
    )
    table = result.pages.set_index("url")
    assert table["from_outside"].to_dict() == {f"{SITE}/a": 0, f"{SITE}/b": 0, f"{SITE}/c": 1}
    graph = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
    expected = nx.pagerank(graph, personalization={"a": 1 / 6, "b": 1 / 6, "c": 4 / 6}, tol=1e-15, max_iter=1_000)
    assert table["pagerank"][f"{SITE}/c"] == pytest.approx(expected["c"], abs=1e-9)


def test_backlinks_that_are_lost_nofollow_weak_or_lead_elsewhere_bring_nothing():
    links = backlinks(a=2, b=-1, gone=5)
    links = pd.concat([links, links.head(1).assign(followed=False), links.head(1).assign(link_state="lost")])
    result = find_authority(plain(("/a", "/b"), ("/b", "/a")), AuthoritySettings(), backlinks=links)
    assert result.pages.set_index("url")["from_outside"][f"{SITE}/a"] == 1
    assert "1 of 3 live followed backlinks" in result.notes[0]
    nothing = find_authority(plain(("/a", "/b")), AuthoritySettings(), backlinks=backlinks(gone=5))
    assert not nothing.knows_outside and "all pages start with the same authority" in nothing.notes[0]


def test_each_verdict_is_given_with_its_reason():
    rows = [(f"/{n}", "/hub", 200, "true", "Content") for n in range(8)]
    rows += [("/hub", f"/{n}", 200, "true", "Content") for n in range(5)]
    rows += [("/hub", "/dead", 404, "true", "Content"), ("/hub", "/end", 200, "true", "Content")]
    rows += [(f"/{n}", "/end", 200, "true", "Content") for n in range(8)]
    links = backlinks(**{"6": 9, "hub": 1, "0": 1, "1": 1})
    result = find_authority(inlinks(*rows), AuthoritySettings(), backlinks=links, wanted=[f"{SITE}/2", f"{SITE}/no"])
    found = verdicts(result)
    assert found["/6"] == UNDERLINKED.word and found["/dead"] == BROKEN_PAGE.word and found["/5"] == ORPHAN.word
    assert found["/2"] == DESERVES_MORE.word and found["/end"] == DEAD_END.word
    assert "1 of 2 pages of your list" in " ".join(result.notes)
    why = result.pages.set_index("url")["why"]
    assert why[f"{SITE}/dead"] == "It returns 404, and 1 page links to it."
    assert why[f"{SITE}/6"].startswith("It gets 75% of the authority from backlinks")


def test_what_if_gives_shares_after_and_says_who_loses():
    result = find_authority(
        plain(("/a", "/b"), ("/b", "/a"), ("/c", "/a")),
        AuthoritySettings(),
        added=tried(("/a", "/c"), ("/a", "/c"), ("/a", "/b"), ("/a", "/unknown")),
    )
    graph = nx.DiGraph([("a", "b"), ("b", "a"), ("c", "a"), ("a", "c")])
    after = result.pages.set_index("url")["share_after"]
    assert after[f"{SITE}/c"] == pytest.approx(nx.pagerank(graph, tol=1e-15, max_iter=1_000)["c"], abs=1e-9)
    assert result.what_if is not None
    assert result.what_if.gains["url"].tolist() == [f"{SITE}/c"]
    assert f"{SITE}/b" in set(result.what_if.losses["url"])
    assert result.what_if.sentence.startswith("1 of 4 links is added (not used: 1 with a URL that is not in the file")
    assert list(PAGES.table(result).columns) == [
        *("URL", "Link score", "Share", "From outside", "Links in", "Links out", "Verdict", "Why", "Share after")
    ]
    assert list(tables(result).sheets()) == ["Summary", "Pages", "What if"]


def test_a_what_if_that_adds_nothing_says_so():
    result = find_authority(
        plain(("/a", "/b"), ("/b", "/a")), AuthoritySettings(), added=tried(("/a", "/b"), ("/x", "/y"))
    )
    assert result.what_if is not None
    assert result.what_if.sentence.startswith("These links change nothing: of 2 links, ")
    assert result.pages["share_after"].tolist() == result.pages["pagerank"].tolist()


def test_without_positions_every_link_weighs_1_and_that_is_said():
    result = find_authority(inlinks(("/a", "/b", 200, "true", ""), ("/a", "/c", 200, "true", "")), AuthoritySettings())
    assert "does not show where the links are" in result.notes[0]
    assert result.pages["link_score"].max() == 100


def test_of_suggestions_with_ranks_only_the_best_few_of_each_page_are_tried():
    rows = [(f"{SITE}/a", f"{SITE}/{name}", rank) for rank, name in enumerate("cdef", 1)]
    pairs = read_pairs("pairs.csv", as_csv(("Source URL", "Target URL", "Rank"), rows))
    known = plain(("/a", "/b"), ("/b", "/c"), ("/c", "/d"), ("/d", "/e"), ("/e", "/f"), ("/f", "/a"))
    result = find_authority(known, AuthoritySettings(tried_per_page=2), added=pairs)
    assert result.what_if is not None
    assert (len(result.what_if.added.source), result.what_if.added.beyond) == (2, 2)
    assert "2 after the best few of their page" in result.what_if.sentence
