"""What sort of page a prospect is; a page that says nothing of itself has none."""

import pandas as pd
import pytest

from backlink_audit.judgement.actions import PROSPECT_KINDS, prospect_kinds

TITLES = {
    "coupon": "Shop Example promo codes for May",
    "profile": "Profile of oakfan",
    "forum": "Oak lovers' forum",
    "directory": "Furniture directory",
    "guest post": "Guest post: why oak lasts",
    "review": "Shop Example review: one year with an oak table",
    "resource page": "Useful links for carpenters",
    "list": "12 best oak tables of 2025",
    "news": "Press release: oak prices rise",
}
URLS = {
    "coupon": "https://a.example/coupons/shop",
    "profile": "https://a.example/members/oakfan",
    "forum": "https://forum.a.example/t/12",
    "directory": "https://a.example/listing/shop",
    "guest post": "https://a.example/guest-post/oak",
    "review": "https://a.example/shop-review/",
    "resource page": "https://a.example/resources/",
    "list": "https://a.example/top-10-tables",
    "news": "https://news.a.example/1",
}


@pytest.mark.parametrize("kind", PROSPECT_KINDS)
def test_a_title_or_an_address_is_enough(kind):
    found = prospect_kinds(pd.Series([TITLES[kind], ""]), pd.Series(["https://a.example/x", URLS[kind]]))
    assert found.tolist() == [kind, kind]


def test_an_unclear_page_has_no_sort():
    titles = pd.Series(["Oak tables", "Newsletter", "Our newsroom of oak", "The forumla of oak", ""])
    urls = pd.Series(
        ["https://a.example/blog/oak", "https://a.example/company/history", "https://a.example/~john/oak.html", "", ""]
    )
    assert prospect_kinds(titles, urls).tolist() == [""] * 5


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Código descuento Amazon", "coupon"),
        ("Códigos de descuento", "coupon"),
        ("Article invité : le chêne", "guest post"),
        ("Gastbeitrag: Eiche", "guest post"),
    ],
)
def test_titles_in_other_languages(title, kind):
    assert prospect_kinds(pd.Series([title]), pd.Series([""])).tolist() == [kind]
