"""The story of invented profiles: what must be told of each, and what must not."""

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pandas as pd
import pytest

from backlink_audit.audit import charts
from backlink_audit.audit.result import Scored
from backlink_audit.audit.story import MOST_SENTENCES
from backlink_audit.labels import PROTECT, RECLAIM, REVIEW
from backlink_audit.settings import AuditSettings

NUMBERS = ("url_rating", "external_links", "page_traffic", "http_status", "target_status", "cas", "domain_rating")
NONE = {
    **{"verdict": "Fine", "band": "relevant", "page_kind": "page", "topic_field": "Gardening", "link_state": "live"},
    **{"referring_title": "", "target_url": "https://shop.example/", "target_key": "shop.example", "anchor": "shop"},
    **{"target_domain": "shop.example", "lost_status": "", "drop_reason": "", "linked_url": "", "scale": "ahrefs"},
    **{"first_seen": pd.NaT, "last_seen": pd.NaT, "lost_date": pd.NaT, "is_lost": False, "followed": True},
    **{"placement": "", "attack": "", "spam_about": "", "spam_share": 0.0},
    **{"relevance": 90.0, **dict.fromkeys(NUMBERS, float("nan"))},
}
_NUMBER = count()


def rows(number: int, sites: int | None = None, **values: Any) -> pd.DataFrame:
    """Links from so many sites (each its own); a title with # has the row's number there."""
    start = next(_NUMBER) * 1000
    places = [start + place % (sites or number) for place in range(number)]
    table = pd.DataFrame({name: [values.get(name, none)] * number for name, none in NONE.items()})
    table["referring_domain"] = [f"s{place}.example" for place in places]
    table["referring_url"] = [f"https://s{place}.example/{i}" for i, place in enumerate(places)]
    table["referring_key"] = table["referring_url"].str.removeprefix("https://")
    table["referring_title"] = [title.replace("#", str(i)) for i, title in enumerate(table["referring_title"])]
    for name in ("first_seen", "last_seen", "lost_date"):
        table[name] = pd.to_datetime(table[name])
    texts = [name for name in table if isinstance(NONE.get(str(name), ""), str)]
    return table.astype(dict.fromkeys(texts, "str"))


def lost(number: int, reason: str = "removedfromhtml", **values: Any) -> pd.DataFrame:
    given: dict[str, Any] = {"verdict": "Reclaim", "link_state": "lost", "is_lost": True, "lost_status": reason}
    return rows(number, **(given | values))


def dead(number: int, page: str = "old", **values: Any) -> pd.DataFrame:
    url = f"https://shop.example/{page}"
    given: dict[str, Any] = {"verdict": "Reclaim", "target_status": 404.0, "target_url": url}
    return rows(number, **(given | values), target_key=f"shop.example/{page}")


def months(numbers: list[int], name: str = "first_seen", **values: Any) -> list[pd.DataFrame]:
    days = pd.date_range("2024-01-15", periods=len(numbers), freq="MS")
    return [rows(number, **{name: day} | values) for number, day in zip(numbers, days, strict=True) if number]


FINE, STRONG = rows(30), rows(8, verdict="Protect", domain_rating=70.0)
SELLERS: dict[str, Any] = {"verdict": "Review", "referring_title": "Buy cheap aged domains at s#.example"}
QUIET = [4, 5, 6, 5, 4, 5, 6, 5]


@dataclass(frozen=True)
class Invented:
    """A profile: its links, the sentences that must be told (kind and words), and no others of what happened."""

    links: list[pd.DataFrame]
    told: dict[str, str] = field(default_factory=dict)


PROFILES = {
    "nothing to do": Invented([FINE], {"stake": "No link is strong; 30 links are still worth keeping."}),
    "strong links": Invented(
        [FINE, STRONG], {"stake": "8 links from 8 sites are worth protecting first; the strongest is s"}
    ),
    "one link": Invented([rows(1)], {"profile": "1 site links to shop.example with 1 live link"}),
    "mostly lists": Invented([rows(9, page_kind="list"), rows(2)], {"profile": "most are on lists"}),
    "mostly forums": Invented([rows(9, page_kind="visitors")], {"profile": "most are in forums"}),
    "off-topic": Invented([rows(9, band="off-topic")], {"profile": "none of them is about its subject"}),
    "a page is gone": Invented([FINE, dead(11)], {"redirect": "https://shop.example/old", "to do": "redirect 1 page"}),
    "one link to a dead page": Invented([FINE, dead(1)], {"to do": "restore or redirect 1 page (1 link back)"}),
    "two dead pages": Invented([dead(3), dead(5, "new")], {"redirect": "/new", "to do": "2 pages (8 links back)"}),
    "a redirect is gone": Invented(
        [FINE, lost(4, "lostredirect", linked_url="http://old.example/")], {"redirect": "old.example", "to do": "4"}
    ),
    "moved from another domain": Invented(
        [FINE, rows(20, linked_url="https://old.example/a")],
        {
            "moved": "20 of 50 live links reach shop.example through redirects from old.example, 20 of them worth",
            "to do": "keep old.example and its redirects (20 good links)",
        },
    ),
    "links removed": Invented([FINE, lost(3, sites=1)], {"to do": "about 3 lost links"}),
    "lost, nobody knows why": Invented([FINE, lost(3, "")], {"to do": "check whether 3 lost links are gone"}),
    "lost for good is not told": Invented([FINE, lost(3, "notfound", verdict="Ignore")]),
    "wave of good links": Invented(
        months([*QUIET, 30]), {"wave": "In October 2024, 30 sites linked for the first time (30 links); 5 a month"}
    ),
    "wave of spam": Invented(
        [*months(QUIET), *months([*[0] * 8, 30], **SELLERS)],
        {"wave": "30 of the new links look manipulative", "campaign": "Buy cheap aged domains", "to do": "1 group"},
    ),
    "steady growth is no wave": Invented(months([5, 6, 7, 8, 9, 10, 11, 12])),
    "beginning of the records is no wave": Invented(months([0, 2, 2, 2, 2, 2, 2, 90])),
    "many lost at once": Invented(
        [FINE, *months([*QUIET, 40], "lost_date", is_lost=True, link_state="lost", verdict="Ignore")],
        {"lost wave": "40 sites lost all their links"},
    ),
    "campaign": Invented([FINE, rows(12, **SELLERS)], {"campaign": "on 12 sites", "to do": "12 doubtful links"}),
    "attack": Invented(
        [FINE, rows(20, attack="homepage\t", verdict="Ignore", spam_about="Gambling", spam_share=0.9)],
        {
            "attack": "20 of all 50 links, live and lost, come from a spam campaign: pages about gambling on 20 sites, to the homepage"
        },
    ),
    "two attacks, the one that the server ends first": Invented(
        [
            FINE,
            rows(20, attack="homepage\t", verdict="Ignore", spam_about="Gambling", spam_share=0.9),
            rows(12, attack="open redirect\tshop.example/out", spam_about="Pharmacy", spam_share=0.9),
        ],
        {"attack": "to shop.example/out, an open redirect on shop.example", "attack1": "20 of all 62 links"},
    ),
    "many doubtful links": Invented(
        [FINE, rows(12, **SELLERS), rows(60, verdict="Review")],
        {"campaign": "on 12 sites", "to do": "12 of 72 doubtful links (1 group), which is not urgent"},
    ),
    "what is sure is asked first": Invented([FINE, lost(2), lost(3, "")], {"to do": "about 2 lost links"}),
    "single doubtful links": Invented([FINE, rows(4, verdict="Review")], {"to do": "disavow 4 doubtful links"}),
}
ALWAYS = {"profile", "stake"}


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_tells_its_story_and_no_other(name: str) -> None:
    one = PROFILES[name]
    links = pd.concat(one.links, ignore_index=True)
    links["risk_signals"] = 0
    story = Scored(links, AuditSettings()).story
    said = {sentence.kind: sentence.text for sentence in story}

    assert set(said) - ALWAYS == set(one.told) - ALWAYS, said
    assert all(words in said[kind] for kind, words in one.told.items()), said
    assert len(story) == len(said) <= MOST_SENTENCES
    for sentence in story:
        assert f"{sentence.number:,}" in sentence.text
        assert sentence.number and sentence.rows.is_unique and sentence.rows.isin(links.index).all()


@pytest.mark.parametrize(
    ("label", "names", "values"),
    [
        (PROTECT, ["strong.example", "small.example"], [216.0, 18.0]),  # 3 x 80 x 90 %, 20 x 90 %
        (RECLAIM, ["https://shop.example/old"], [36.0]),  # 4 links of sites without a rating
        (REVIEW, ["Buy cheap aged domains at"], [12.0]),
    ],
)
def test_a_picture_shows_where_most_of_a_task_is(label, names, values) -> None:
    strong, small = (rows(n, verdict="Protect", domain_rating=rating) for n, rating in ((3, 80.0), (1, 20.0)))
    strong["referring_domain"], small["referring_domain"] = "strong.example", "small.example"
    links = pd.concat([small, strong, dead(4), rows(12, **SELLERS)], ignore_index=True).assign(risk_signals=0)
    drawn = charts.task(Scored(links, AuditSettings()), label).data[0]
    assert list(drawn.x) == pytest.approx(values)
    assert list(drawn.hovertext) == names and drawn.marker.color == label.colour


def test_a_picture_of_nothing_says_so() -> None:
    drawn = charts.task(Scored(FINE.assign(risk_signals=0), AuditSettings()), RECLAIM)
    assert drawn.layout.annotations[0].text == "Nothing to compare."
