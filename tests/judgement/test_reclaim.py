from typing import Any

import numpy as np
import pandas as pd
import pytest

from backlink_audit.judgement.losses import dead_targets, links_to_reclaim, redirect_map
from tests.judgement.links import links_table


def scored(*rows: dict[str, Any]) -> pd.DataFrame:
    table = links_table(*({"page": f"https://site{i}.example/"} | row for i, row in enumerate(rows)))
    return table.assign(
        cas=[row.get("cas", float("nan")) for row in rows],
        target_status=[row.get("target_status", float("nan")) for row in rows],
        page_kind=[row.get("page_kind", "page") for row in rows],
        verdict=[row.get("verdict", "Reclaim") for row in rows],
    ).astype({"cas": "float64", "target_status": "float64"})


def test_gone_links_that_are_worth_it_come_with_real_pages_first_then_the_highest_cas() -> None:
    links = scored(
        {"lost_date": pd.Timestamp("2025-03-01"), "drop_reason": "Page gone", "cas": 0.5},
        {"cas": 9.0, "target_status": 200},
        {"cas": 2.0, "target_status": 404},
        {"lost_link": True, "cas": 7.0, "page_kind": "unclear"},
        {"lost_link": True, "cas": 8.0, "verdict": "Review"},
        {"lost_link": True, "cas": 8.0, "verdict": "Ignore"},
        {"lost_link": True, "lost_status": "removedfromhtml", "cas": 0.1, "target_status": 410},
    )
    found = links_to_reclaim(links)
    assert found["how_lost"].tolist() == [
        "Target page returns 404",
        "Lost on 2025-03-01: Page gone",
        "Lost: target page returns 410",
        "Lost: the export does not say why",
    ]


@pytest.mark.parametrize(("status", "read"), [(403, False), (429, False), (503, False), (200, True)])
def test_a_lost_link_whose_page_refused_the_crawler_may_be_live_and_comes_last(status: int, read: bool) -> None:
    links = scored({"lost_link": True, "cas": 5.0, "http_status": status}, {"lost_link": True, "cas": 1.0})
    found = links_to_reclaim(links)
    not_said, unread = "Lost: the export does not say why", f"Lost: the page could not be read (HTTP {status})"
    assert found["how_lost"].tolist() == ([not_said, not_said] if read else [not_said, unread])
    assert found["advice"].iloc[-1].startswith("Check the page first" if read else "Check if the link still exists")
    assert found["cas"].tolist() == ([5.0, 1.0] if read else [1.0, 5.0])


def test_a_live_link_to_a_dead_page_was_read() -> None:
    assert not links_to_reclaim(scored({"target_status": 404, "http_status": 429}))["not_read"].any()


def test_nothing_to_reclaim_is_an_empty_table() -> None:
    links = scored({"cas": 1.0, "target_status": 200})
    assert links_to_reclaim(links).empty and dead_targets(links).empty


def test_dead_pages_are_counted_up_with_their_anchors() -> None:
    gone = {"target": "https://shop.example/old", "target_status": 404}
    links = scored(
        gone | {"anchor": "oak", "cas": 1.0},
        gone | {"anchor": "oak", "cas": 2.0},
        gone | {"anchor": "table"},
        {"target": "https://shop.example/older", "target_status": 500, "cas": 7.0, "anchor": " "},
    )
    dead = dead_targets(links)
    assert dead["target_key"].tolist() == ["shop.example/older", "shop.example/old"]
    assert dead["cas"].tolist() == [7.0, 3.0]
    assert dead["links"].tolist() == [1, 3]
    assert dead["anchors"].tolist() == ["", "oak table"]


def test_a_redirect_map_names_the_living_page_or_nothing() -> None:
    dead = pd.DataFrame({"target_key": ["a", "b"]})
    living = pd.Series(["https://shop.example/new"])
    redirects = redirect_map(dead, living, np.array([0, -1]), np.array([0.7, np.nan]))
    assert redirects["redirect_to"].tolist() == ["https://shop.example/new", ""]
    assert redirects["similarity"].isna().tolist() == [False, True]


def test_a_tools_code_is_said_in_words_and_a_word_that_nobody_knows_stays() -> None:
    links = scored(
        {"lost_link": True, "lost_status": "LostRedirect", "cas": 3.0},
        {"lost_link": True, "drop_reason": "tooold", "cas": 2.0},
        {"lost_link": True, "lost_status": "by hand", "cas": 1.0},
    )
    found = links_to_reclaim(links)
    assert found["how_lost"].tolist() == [
        "Lost: the redirect to this page was removed",
        "Lost: the tool has not checked the referring page for a long time",
        "Lost: by hand",
    ]
    assert found["lost_status"].tolist() == ["LostRedirect", "", "by hand"]
