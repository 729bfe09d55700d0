"""The judgement cannot drift unseen: what it says of invented, labelled links, and of odd exports.

`labelled.csv`: links of three invented sites. `topic`: is the page about the site's subject; `kind`: of page; `worth`:
whether an SEO would keep the link, would not ask for it, or would look at it as at spam (review).
"""

import csv
import warnings
from pathlib import Path

import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.embedding.models import load_encoder
from backlink_audit.labels import BANDS, PAGE_KINDS, VERDICTS
from backlink_audit.settings import LINKS_MODEL, AuditSettings
from tests.exported import ahrefs_row, exported

pytestmark = pytest.mark.model

PRAISED = ("Protect", "Undervalued", "Fine")
FLOORS = {
    "relevance": 0.95,
    "relevant of the topic": 0.9,
    "relevant of others": 0.4,
    "kinds": 0.9,
    "worst kind": 0.7,
    "praised of worthy": 0.9,
    "praised of others": 0.35,
    "protected": 0.8,
    "reviewed of spam": 0.9,
    "reviewed of worthy": 0.05,
}
"""A little worse than what was measured."""


def audited(*rows: dict[str, str]) -> pd.DataFrame:
    return audit_backlinks(exported(*rows), AuditSettings(), load_encoder(LINKS_MODEL)).links


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """The labelled links with what an audit says of them."""
    with (Path(__file__).parent / "labelled.csv").open(encoding="utf-8") as lines:
        links = list(csv.DictReader(lines))
    said = pd.concat(
        audited(*(row_of(link) for link in links if link["target"].startswith(site))).set_index("referring_url")
        for site in sorted({"/".join(link["target"].split("/")[:3]) for link in links})
    )
    assert len(said) == len(links)
    labels = pd.DataFrame(links).set_index("page").add_prefix("true_")
    return labels.join(said)


def row_of(link: dict[str, str]) -> dict[str, str]:
    return ahrefs_row(
        link["page"],
        target_url=link["target"],
        referring_page_title=link["title"],
        anchor=link["anchor"],
        external_links=link["external_links"],
        ur=link["rating"],
        nofollow=link["nofollow"],
    )


def test_pages_about_the_subject_are_more_relevant(labelled):
    assert roc_auc_score(labelled["true_topic"] == "yes", labelled["relevance"]) >= FLOORS["relevance"]


def test_most_bands_are_right(labelled):
    about = labelled["true_topic"] == "yes"
    assert (labelled["band"] == "relevant")[about].mean() >= FLOORS["relevant of the topic"]
    assert (labelled["band"] == "relevant")[~about].mean() <= FLOORS["relevant of others"]


def test_most_kinds_of_pages_are_right(labelled):
    right = labelled["true_kind"] == labelled["page_kind"]
    assert right.mean() >= FLOORS["kinds"]
    assert right.groupby(labelled["true_kind"]).mean().min() >= FLOORS["worst kind"]


def test_what_is_worth_keeping_is_praised_and_nothing_else(labelled):
    praised, worthy = labelled["verdict"].isin(PRAISED), labelled["true_worth"] == "yes"
    assert praised[worthy].mean() >= FLOORS["praised of worthy"]
    assert praised[~worthy].mean() <= FLOORS["praised of others"]
    assert (labelled["verdict"] == "Protect")[worthy].mean() >= FLOORS["protected"]


def test_what_is_spam_is_reviewed_and_nothing_worth_keeping(labelled):
    reviewed = labelled["verdict"] == "Review"
    assert reviewed[labelled["true_worth"] == "review"].mean() >= FLOORS["reviewed of spam"]
    assert reviewed[labelled["true_worth"] == "yes"].mean() <= FLOORS["reviewed of worthy"]


TITLES = ("Oak chairs for a small kitchen", "How to oil an oak table", "Football results of the week", "Web directory")


def ordinary(titles: tuple[str, ...] = TITLES, pages: int = 12, **more: str) -> list[dict[str, str]]:
    return [
        ahrefs_row(
            f"https://garden{row}.example/p{row}",
            referring_page_title=titles[row % len(titles)],
            target_url=f"https://oakworks.example/chairs-{row % 4}",
            anchor="oak chairs",
            **more,
        )
        for row in range(pages)
    ]


ODD = {
    "every title blank": ordinary(("",)),
    "nothing but a bare host": [ahrefs_row(f"https://{row}.example/") for row in range(5)],
    "titles of 10,000 characters": ordinary(tuple((title + " ") * (10_000 // len(title)) for title in TITLES)),
    "one link": ordinary()[:1],
    "all nofollow": ordinary(nofollow="true"),
    "all from one template": ordinary(("The best of all oak things",)),
    "right to left": ordinary(("כיסאות אלון למטבח", "طاولات خشب البلوط", "نتائج كرة القدم")),
    "CJK": ordinary(("オークの椅子の選び方", "橡木桌子保养方法", "축구 경기 결과")),
    "a common word as name": [row | {"Target URL": f"https://apple.example/{p}"} for p, row in enumerate(ordinary())],
}


@pytest.mark.parametrize("name", ODD)
def test_odd_exports_are_judged_without_a_warning_and_with_sense(name):
    rows = ODD[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        links = audited(*rows)
    assert len(links) == len(rows)
    assert set(links["verdict"]) <= {label.word for label in VERDICTS}
    assert set(links["page_kind"]) <= {label.word for label in PAGE_KINDS}
    assert set(links["band"]) <= {"", *(label.word for label in BANDS)}
    assert (links["worth"].between(0, 100) & links["suspicion"].between(0, 100)).all()
    assert links["relevance"].dropna().between(0, 100).all()
    assert links["why"].str.endswith(".").all() and not links["why"].str.contains(r"nan\b|<NA>|inf\b").any()
