"""Links to review that are of one making are one campaign; what stands alone is none."""

import pytest

from backlink_audit.judgement.footprints import campaign_of, campaigns
from tests.judgement.links import links_table


def titled(number: int, title: str, **row):
    return [{"page": f"https://s{i}.example/p{i}", "referring_title": title.format(i)} | row for i in range(number)]


@pytest.mark.parametrize(
    ("rows", "template", "made_by", "sizes"),
    [
        (
            titled(4, "Buy aged domains and links from s{0}.example"),
            "Buy aged domains and links",
            "the same title",
            (4, 4),
        ),
        (titled(2, "Buy aged domains and links"), None, "", ()),
        (
            [r | {"page": f"https://s{i}.example/best-website-list-{i}/"} for i, r in enumerate(titled(3, "List"))],
            "List",
            "the same address pattern",
            (3, 3),
        ),
        (
            [{"page": f"https://one.example/{i}", "referring_title": f"Page {i}"} for i in range(5)],
            "one.example",
            "one site",
            (5, 1),
        ),
        ([{"page": f"https://one.example/{i}", "referring_title": f"Page {i}"} for i in range(4)], None, "", ()),
        (
            [
                {"page": f"https://s{i}.example/", "referring_title": f"Page {i}", "attack": "homepage"}
                for i in range(3)
            ],
            "Gambling",
            "one attack",
            (3, 3),
        ),
    ],
)
def test_what_is_of_one_making_is_one_campaign(rows, template, made_by, sizes):
    attack = [row.get("attack", "") for row in rows]
    links = links_table(*({name: value for name, value in row.items() if name != "attack"} for row in rows))
    links = links.assign(verdict="Review", followed=True, attack=attack, spam_about="Gambling")
    keys = campaign_of(links)
    found = campaigns(links, keys)
    assert (keys != "").all() == (template is not None)
    said = found[["template", "made_by", "links", "domains"]].values.tolist()
    assert said == ([] if template is None else [[template, made_by, *sizes]])
    assert (campaign_of(links.assign(verdict="Fine")) == "").all()
