"""From a file on disk to the disavow file: every live link counts, and no host of many owners is named as a whole."""

import pytest

from backlink_audit.audit.run import audit_backlinks
from backlink_audit.exports.load import load
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.risk.result import Question, RiskReview
from backlink_audit.risk.review import Review
from backlink_audit.risk.run import review_risks
from backlink_audit.settings import AuditSettings
from backlink_audit.text.urls import owners_share
from tests.exported import AHREFS, ahrefs_row
from tests.toy import ToyEncoder

SELLER = {"referring_page_title": "Buy cheap backlinks"}
PAGES = [
    "https://anna.wordpress.com/2020/oak",
    "https://wordpress.com/read/feeds/7",
    "https://oaks.blogspot.de/1",
    "https://medium.com/@anna/oak",
    "https://github.com/anna/oak",
    "https://sites.google.com/view/oak",
    "https://anna.github.io/oak",
    "https://www.weebly.com/oak",
    *(f"https://seller{row}.example/links" for row in range(30)),
]
LOST = ahrefs_row("https://lost.example/1", **SELLER) | {"Lost": "2024-02-01"}
DEAD = ahrefs_row("https://dead.example/1", referring_page_http_code="404", **SELLER)
OUTSIDE = [ahrefs_row(f"https://footer{row}.example/1", content="false", **SELLER) for row in range(5)]
NOT_CHECKED = ahrefs_row("https://asked.example/1", referring_page_http_code="403", **SELLER)
LIVE = len(PAGES) + len(OUTSIDE) + 1


@pytest.fixture(scope="module")
def risks():
    """A native Ahrefs file: UTF-16 with a byte order mark, tabs, every cell in quotes."""
    rows = [*(ahrefs_row(page, **SELLER) for page in PAGES), LOST, DEAD, *OUTSIDE, NOT_CHECKED]
    lines = [list(AHREFS), *((AHREFS | row).values() for row in rows)]
    text = "\r\n".join("\t".join(f'"{cell}"' for cell in line) for line in lines)
    return review_risks(load([("backlinks.csv", text.encode("utf-16"))]))


def test_the_review_starts_from_all_live_links_wherever_they_stand(risks):
    assert len(risks.links) == LIVE
    assert not risks.links["referring_domain"].isin(["lost.example", "dead.example"]).any()
    assert risks.links["referring_domain"].isin(["footer0.example", "asked.example"]).sum() == 2


@pytest.mark.parametrize("scope", ["domain", "URL"])
def test_all_filtered_never_disavows_a_host_of_many_owners(risks, scope):
    rows = RiskReview(risks, Review()).rows(scope)
    question = Question(risks, scope, rows[rows["signals"] >= 1], "disavow")
    assert question.is_needed
    result = RiskReview(risks, Review().decide(scope, question.items, "disavow"))
    written = parse_disavow_file(result.disavow().data, "disavow.txt")
    assert not [domain for domain in written.domains if owners_share(domain)]
    assert set(written.domains) == (
        {"anna.wordpress.com", "oaks.blogspot.de", "anna.github.io"}
        | {domain for domain in risks.links["referring_domain"] if domain.endswith(".example")}
        if scope == "domain"
        else set()
    )
    if scope == "URL":
        assert set(PAGES) <= {line.value for line in written.lines}
    for host in ("medium.com", "github.com", "wordpress.com", "weebly.com", "sites.google.com"):
        assert any(line.kind == "url" and host in line.value for line in written.lines), host


SOFTWARE = "https://arendeflode.example/"
CUSTOMERS = {"vattenverket.example": "60", "skogsmyndigheten.example": "63", "hamnstyrelsen.example": "66"}
"""Authorities that run the software of the site: one title, one address."""


@pytest.fixture(scope="module")
def agency():
    """What an agency uploads for a Swedish software company: three customers among many sellers of links."""
    customers = [
        ahrefs_row(
            f"https://diarium.{site}/arendeflode/start",
            referring_page_title="Diariet - Ärendeflöde",
            language="sv",
            domain_rating=rating,
            target_url=SOFTWARE,
            anchor="Ärendeflöde",
        )
        for site, rating in CUSTOMERS.items()
    ]
    sellers = [
        ahrefs_row(f"https://sell{row}.example/links", target_url=SOFTWARE, anchor="software", **SELLER)
        for row in range(30)
    ]
    lines = [list(AHREFS), *((AHREFS | row).values() for row in [*customers, *sellers])]
    return load([("backlinks.csv", "\n".join("\t".join(line) for line in lines).encode("utf-16"))])


@pytest.fixture(scope="module", params=["the export alone", "with an audit"])
def agency_risks(request, agency):
    return review_risks(
        agency if request.param == "the export alone" else audit_backlinks(agency, AuditSettings(), ToyEncoder())
    )


@pytest.mark.parametrize("scope", ["domain", "URL"])
def test_customers_are_disavowed_by_nobody_who_has_not_ticked_them(agency_risks, scope):
    every = RiskReview(agency_risks, Review()).rows(scope)  # whatever the signals say
    question = Question(agency_risks, scope, every, "disavow")
    assert question.worth_keeping["referring_domain"].tolist() == sorted(
        CUSTOMERS, key=CUSTOMERS.__getitem__, reverse=True
    )
    assert all("DR 6" in why for why in question.worth_keeping["why"])
    chosen = Review().decide(scope, question.with_ticked(), "disavow")
    assert len(RiskReview(agency_risks, chosen).disavow().added) == 30
    everything = RiskReview(agency_risks, Review().decide(scope, question.items, "disavow"))
    lines = everything.disavow().data.decode().splitlines()
    assert not [line for line in lines if not line.startswith("#") and any(site in line for site in CUSTOMERS)]
    assert [line.split()[3] for line in lines[:3]] == list(question.worth_keeping["referring_domain"])
    ticked = everything.disavow(ticked=["vattenverket.example"])
    assert list(ticked.on_purpose) == ["vattenverket.example"] and len(ticked.held_back) == 2
