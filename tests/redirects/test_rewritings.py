"""The rewritings of a move: found where they hold for many pages, never where one leads astray."""

import re

import numpy as np
import pytest

from backlink_audit.redirects.rules import server_file
from backlink_audit.redirects.run import map_redirects
from backlink_audit.settings import RedirectSettings
from tests.redirects.made import site
from tests.toy import ToyEncoder

SHOP = "https://shop.example"
WORDS = np.random.default_rng(1).permutation([f"thing{number}" for number in range(200)]).tolist()
NAMES = [f"{WORDS[2 * number]}-{WORDS[2 * number + 1]}" for number in range(60)]
MOVES = (
    ("/blog/{}", "/articles/{}", NAMES[:12]),
    ("/shop/lamps/{}.html", "/lamps/{}", NAMES[12:24]),
    ("/{}", "/product/{}", NAMES[24:36]),
)


def page(path, name, about=""):
    return f"{SHOP}{path}", name.replace("-", " ").title(), about


@pytest.fixture(scope="module")
def moved():
    home = page("/", "Home of all things")
    old = [home, *(page(before.format(name), name) for before, _, names in MOVES for name in names)]
    new = [home, *(page(after.format(name), name) for _, after, names in MOVES for name in names)]
    old += [page("/rugs/wool-rug", "Wool rug"), page("/item-2758", ""), page("/contact-people", "Contact people")]
    old += [page(f"/imprint-{number}", f"Imprint {number}") for number in range(3)]
    new += [page("/rugs", "Rugs"), page("/contact-people", "Contact people")]
    return map_redirects(site(*old), site(*new), RedirectSettings(), ToyEncoder())


def test_three_rewritings_are_found_no_other_and_their_pages_are_sure(moved):
    found = {one.in_words: len(one.pages) for one in moved.rewritings}
    assert found == {"/blog/… -> /articles/…": 12, "/shop/….html -> /…": 12, "/… -> /product/…": 12}
    rows = moved.table.set_index("old_url")
    for before, after, names in MOVES:
        for name in names:
            row = rows.loc[SHOP + before.format(name)]
            assert (row["new_url"], row["confidence"]) == (SHOP + after.format(name), "sure")
    assert moved.headline.startswith("36 of 41 redirects settled (36 by 3 rewritings).")


def test_a_page_that_is_gone_goes_to_its_category_and_an_opaque_one_nowhere(moved):
    rows = moved.table.set_index("old_url")
    gone, opaque = rows.loc[f"{SHOP}/rugs/wool-rug"], rows.loc[f"{SHOP}/item-2758"]
    assert (gone["new_url"], gone["confidence"]) == (f"{SHOP}/rugs", "choose")
    assert (opaque["new_url"], opaque["confidence"]) == ("", "no good target")


@pytest.mark.parametrize(
    ("kind", "patterns"),
    [
        (".htaccess", [r'RewriteRule "^blog/([^/]+?)/?$" "https://shop.example/articles/$1" [R=301,L,NE]']),
        (".map", [r'    "~^/blog/(?<kept>[^/]+?)/?$" "https://shop.example/articles/${kept}";']),
        ("_redirects", ["/blog/* https://shop.example/articles/:splat 301"]),
    ],
)
def test_a_pattern_serves_a_rewriting_that_catches_no_other_page(moved, kind, patterns):
    lines = server_file(kind, moved).data.decode().splitlines()
    assert [line for line in lines if line in patterns] == patterns
    assert not any("/blog/thing" in line for line in lines if not line.startswith("#"))
    rooted = [line for line in lines if re.search(r'"\^/?\(|~\^/\(\?<kept', line) or line.startswith("/* ")]
    assert rooted == []  # /… -> /product/… would catch pages that are gone or live on


def test_a_rewriting_that_leads_to_a_page_about_something_else_is_none():
    names = NAMES[:12]
    old = [page("/", "Home"), *(page(f"/a/{name}", name, f"{name} is oiled by hand. " * 4) for name in names)]
    swapped = dict(zip(names, [*names[1:], names[0]], strict=True))
    new = [page("/", "Home")]
    new += [page(f"/b/{name}", swapped[name], f"{swapped[name]} is oiled by hand. " * 4) for name in names]
    found = map_redirects(site(*old), site(*new), RedirectSettings(), ToyEncoder())
    assert found.rewritings == ()
