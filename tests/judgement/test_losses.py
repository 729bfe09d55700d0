"""What happened to a lost link, by what each tool says, and what to do about it."""

import pandas as pd
import pytest

from backlink_audit.judgement.losses import (
    CODES,
    HOPELESS,
    LOSSES,
    advice,
    causes,
    links_to_reclaim,
    losses,
    not_to_ask,
    still_reaching,
)
from tests.judgement.links import links_table


def one(**row) -> pd.DataFrame:
    target = row.pop("target_status", float("nan"))
    table = links_table({"page": "https://a.example/"} | row)
    marks = [row.get("lost_status"), row.get("drop_reason"), row.get("lost_link"), row.get("lost_date")]
    return table.assign(target_status=[target], is_lost=any(marks)).astype({"target_status": "float64"})


@pytest.mark.parametrize(
    ("row", "loss", "do"),
    [
        ({"lost_status": "removedfromhtml", "http_status": 200}, "removed", "Ask to add"),
        ({"lost_status": "notfound", "http_status": 404}, "page gone", "Nothing to ask"),
        ({"lost_status": "pageerror", "http_status": 410}, "page gone", "Nothing to ask"),
        ({"lost_status": "pageerror", "http_status": 429}, "not read", "Check if the link still exists"),
        ({"lost_status": "pageerror", "http_status": 403}, "not read", "Check if the link still exists"),
        ({"lost_status": "pageredirected", "http_status": 301}, "page redirects", "Look at the page"),
        ({"lost_status": "lostredirect", "http_status": 200}, "redirect gone", "Restore the redirect"),
        ({"lost_status": "noindex", "http_status": 200}, "noindex", "Nothing to ask"),
        ({"lost_status": "notcanonical"}, "other canonical", "Look at the canonical page"),
        ({"drop_reason": "tooold", "http_status": 0}, "not seen for long", "Check if the link still exists"),
        ({"lost_status": "notfound", "drop_reason": "tooold"}, "page gone", "Nothing to ask"),
        ({"lost_status": "Link removed"}, "removed", "Ask to add"),
        ({"lost_link": True}, "not said", "Check the page first"),  # Semrush
        ({"lost_link": True, "lost_date": pd.Timestamp("2025-01-01"), "http_status": 404}, "page gone", "Nothing"),
        ({"lost_status": "by hand"}, "not said", "Check the page first"),
        ({"target_status": 404}, "target dead", "Restore your page or redirect it"),
        ({"target_status": 410, "lost_status": "removedfromhtml"}, "target dead", "Restore your page"),
        ({"page": "https://a.example/blog/category/oak", "lost_link": True}, "lists change", "Nothing to ask"),
        ({"page": "https://a.example/donors/sign_in?x=1", "lost_link": True}, "lists change", "Nothing to ask"),
        ({"page": "https://a.example/research/oak", "lost_link": True}, "not said", "Check the page first"),
        ({"target_status": 404, "http_status": 404}, "page gone", "Nothing to ask: the referring page"),
        ({"http_status": 404}, "", ""),
        ({"target_status": 200}, "", ""),
    ],
)
def test_what_happened_decides_what_to_do(row, loss, do):
    found = losses(one(**row))
    assert found.tolist() == [loss]
    assert advice(found)[0].startswith(do) and bool(advice(found)[0]) is bool(loss)


def test_only_a_page_that_is_gone_or_hidden_or_changes_by_itself_cannot_be_won_back():
    hopeless = [loss.name for loss in LOSSES if not loss.can_be_won_back]
    assert hopeless == ["noindex", "page gone", "lists change"]
    assert losses(one(lost_status="notfound"))[0] in HOPELESS and losses(one(lost_link=True))[0] not in HOPELESS
    assert set(CODES.values()) <= set(LOSSES)


@pytest.mark.parametrize(
    ("target", "redirects", "reaches"),
    [
        ("https://www.shop.example/", "", True),  # its home page: the link is there
        ("https://www.shop.example/alive", "", True),  # the crawl has it
        ("https://www.shop.example/dead", "", False),
        ("https://www.shop.example/alive", "http://shop.example/old", False),
        ("https://www.shop.example/alive", "http://shop.example/alive/", True),
    ],
)
def test_a_link_that_only_lost_a_redirect_is_no_loss_where_its_address_is_alive(target, redirects, reaches):
    pages = pd.DataFrame(
        {"url": ["https://shop.example/alive", "https://shop.example/dead"], "http_status": [200, 404]}
    )
    row = {"target": target, "redirect_urls": redirects, "lost_status": "lostredirect", "http_status": 200}
    assert still_reaching(one(**row), pages).tolist() == [reaches]
    assert not still_reaching(one(**row | {"lost_status": "removedfromhtml"}), pages).any()


def test_one_action_is_one_cause():
    links = pd.concat(
        [
            *(
                one(page=f"https://{site}.example/{i}", target="https://shop.example/old", target_status=404, **{})
                for site, i in (("a", 1), ("a", 2), ("b", 1))
            ),
            *(one(page=f"https://c.example/{i}", lost_status="removedfromhtml", http_status=200) for i in (1, 2)),
            one(page="https://d.example/", lost_status="lostredirect", redirect_urls="http://shop.example/moved"),
            one(page="https://e.example/", drop_reason="tooold"),
        ],
        ignore_index=True,
    ).assign(verdict="Reclaim", cas=1.0, page_kind="page")
    links["linked_url"] = links["redirect_urls"]
    found = causes(links_to_reclaim(links), pd.Series([1.0] * 6 + [9.0]))
    assert found[["what_happened", "links", "domains", "at_stake"]].values.tolist() == [
        ["3 links back with one redirect on https://shop.example/old, which returns 404.", 3, 2, 3.0],
        ["c.example: 2 links removed from the page.", 2, 1, 2.0],
        ["1 link back with one redirect on http://shop.example/moved.", 1, 1, 1.0],
        ["e.example: 1 link, not checked for a long time.", 1, 1, 9.0],
    ]


def asked(*rows: tuple[str, str, str, bool, int]) -> list[bool]:
    """Whether each link is asked for: site, title, our page, lost, days that it stood."""
    table = pd.DataFrame(rows, columns=["referring_domain", "referring_title", "target_key", "is_lost", "days"])
    first = pd.Timestamp("2025-01-01")
    table = table.assign(first_seen=first, last_seen=first + pd.to_timedelta(table["days"], "D"), cas=range(len(rows)))
    return (~not_to_ask(table, pd.DataFrame({"address": range(len(rows))}))).tolist()


def test_what_no_letter_brings_back_is_not_asked_for():
    home, guide = "shop.example/", "shop.example/how-to-oil-an-old-oak-table"
    title = "How to oil an old oak table | News"
    assert asked(("a", "Oak", home, True, 90)) == [True]
    assert asked(("a", "Oak", home, True, 90), ("a", "Elm", home, False, 90)) == [False, True]
    assert asked(("a", "Oak", home, True, 90), ("a", "Elm", guide, False, 90)) == [True, True]
    assert asked(("a", title, guide, True, 90), ("b", "All about oil", guide, True, 90)) == [False, True]
    whole_site = [("a", f"Oak {n}", f"shop.example/{n}", True, 90) for n in range(4)]
    assert asked(*whole_site) == [False, False, False, True]
    assert not any(asked(*((*row[:4], 20) for row in whole_site)))
