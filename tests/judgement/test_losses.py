"""What happened to a lost link, by what each tool says, and what to do about it."""

import pandas as pd
import pytest

from backlink_audit.judgement.losses import CODES, LOSSES, advice, losses, nothing_to_ask
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
        ({"http_status": 404}, "", ""),
        ({"target_status": 200}, "", ""),
    ],
)
def test_what_happened_decides_what_to_do(row, loss, do):
    found = losses(one(**row))
    assert found.tolist() == [loss]
    assert advice(found)[0].startswith(do) and bool(advice(found)[0]) is bool(loss)


def test_only_a_page_that_is_gone_or_hidden_cannot_be_won_back():
    hopeless = [loss.name for loss in LOSSES if not loss.can_be_won_back]
    assert hopeless == ["noindex", "page gone"]
    assert nothing_to_ask(one(lost_status="notfound"))[0] and not nothing_to_ask(one(lost_link=True))[0]
    assert set(CODES.values()) <= set(LOSSES)
