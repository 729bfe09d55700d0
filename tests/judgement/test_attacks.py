"""Attacks: which links are of one, what it is called, and who is not accused."""

from typing import Any

import pandas as pd
import pytest

from backlink_audit.audit.run import rank
from backlink_audit.judgement.footprints import BETWEEN, attack_of, attacks, footprints
from backlink_audit.judgement.referring_sites import join_summaries, summarise_part
from tests.backlinks import clean_links

HONEST = {"target": "/chairs", "anchor": "oak chairs", "trusted": True, "about": "", "share": 0.0}


def profile(count: int, target: str, about: str = "Gambling", domains: int = 8, **facts: Any) -> pd.DataFrame:
    """Ten honest links and so many of spam; `#` in the target is the number of the link."""
    rows = [HONEST] * 10
    spam = {"anchor": "casino", "trusted": False, "about": about, "share": 0.9, "redirecting": 0.0, "risky": 0.1}
    rows = [*rows, *({**spam, **facts, "target": target.replace("#", str(row))} for row in range(count))]
    links = clean_links(
        referring_url=[f"https://site{row % domains}.example/{row}" for row in range(len(rows))],
        target_url=[f"https://shop.example{row['target']}" for row in rows],
        anchor=[str(row["anchor"]) for row in rows],
        first_seen=[pd.Timestamp("2025-02-22") + pd.Timedelta(days=row) for row in range(len(rows))],
    )
    names = {"trusted": "trusted", "redirecting": "redirecting", "risky_target": "risky"}
    columns: dict[str, Any] = {name: [row.get(short, 0.0) for row in rows] for name, short in names.items()}
    links = links.assign(
        **columns, spam_about=[str(row["about"]) for row in rows], spam_share=[float(str(row["share"])) for row in rows]
    )
    return links.assign(attack=attack_of(links))


OUT = "/out.php?url=https%3A%2F%2Fspam.example%2F#"
ATTACKS = [
    (profile(20, OUT, redirecting=1.0), "open redirect", "shop.example/out.php"),
    (profile(20, "/casino-#.html", risky=0.9), "hacked pages", "shop.example/casino-#.html"),
    (profile(20, "/"), "homepage", "shop.example"),
    (profile(20, "/chairs"), "one page", "shop.example/chairs"),
    (profile(20, "/page-#"), "many pages", ""),
]


@pytest.mark.parametrize(("links", "kind", "address"), ATTACKS, ids=[kind for _, kind, _ in ATTACKS])
def test_an_attack_is_named_with_its_kind_its_address_and_its_rows_alone(links, kind, address):
    (found,) = attacks(links)
    assert (found.kind, found.address, found.about) == (kind, address, ("Gambling",))
    assert found.rows.tolist() == list(range(10, 30)) and (found.domains, found.of_links) == (8, 30)
    assert found.sentence.startswith(
        "Since March 2025, 20 of all 30 links, live and lost, come from a spam campaign: pages about gambling"
    )
    assert found.advice.endswith(".") and address in found.sentence
    shuffled = links.sample(frac=1, random_state=1)
    assert attack_of(shuffled).sort_index().tolist() == links["attack"].tolist()


def test_an_attack_has_no_date_where_most_other_links_are_as_old_for_the_tool():
    links, kind, _ = ATTACKS[2]
    (found,) = attacks(links.assign(first_seen=pd.Timestamp("2025-03-04")))
    assert found.kind == kind and found.sentence.startswith("20 of all 30 links, live and lost, come from")


@pytest.mark.parametrize(
    "links",
    [
        profile(9, "/"),
        profile(20, "/", domains=3),
        profile(20, "/", share=0.4),
        profile(20, "/", trusted=True),
        profile(20, "/our-casino", risky=0.9),
        profile(20, OUT, redirecting=1.0, share=0.1),
        profile(0, "/"),
    ],
    ids=["few links", "few domains", "no clear subject", "trusted", "its own subject", "its own newsletter", "nothing"],
)
def test_nobody_is_accused_without_evidence(links):
    assert attacks(links) == () and (links["attack"] == "").all()


def test_two_attacks_at_once_are_two_and_come_largest_first():
    one, other = profile(15, "/"), profile(20, OUT, redirecting=1.0).iloc[10:]
    links = pd.concat([one, other], ignore_index=True)
    links = links.assign(attack=attack_of(links))
    assert [(attack.kind, len(attack.rows)) for attack in attacks(links)] == [("open redirect", 20), ("homepage", 15)]
    assert links["attack"].str.contains(BETWEEN).sum() == 35


@pytest.mark.parametrize(("pages", "named"), [(6, 0), (11, 22)])
def test_the_addresses_of_one_page_are_one_page_of_an_attack(pages, named):
    links = profile(pages, "/").assign(referring_title="Casino", topic_field="unclear", cas=1.0)
    copies = links.assign(referring_url="http://www." + links["referring_url"].str[8:])
    links = pd.concat([links, copies], ignore_index=True)
    assert (attack_of(links) != "").sum() == 2 * pages
    ranked = rank(links, footprints(links), join_summaries([summarise_part(links)]))
    assert (ranked["attack"] != "").sum() == named
