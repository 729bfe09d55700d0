import pytest

from backlink_audit.audit.tasks import task
from backlink_audit.labels import PITCH, PROTECT
from tests.judgement.links import links_table


def links():
    return links_table(
        {"page": "https://a.example/x", "domain_rating": 40, "page_traffic": 30, "scale": "Ahrefs"},
        {"page": "https://a.example/x", "domain_rating": 40, "page_traffic": 30, "scale": "Ahrefs"},
        {"page": "https://b.example/y", "domain_rating": 71, "scale": "Ahrefs"},
    )


def test_a_task_counts_links_domains_the_strongest_site_and_the_visits_of_each_page_once():
    found = task(PROTECT, links())
    assert (found.number, found.domains, found.best_authority, found.visits) == (3, 2, 71, 30)
    assert found.sentence("DR") == "Protect 3 links from 2 domains: DR up to 71, 30 visits a month."
    assert task(PITCH, links(), "site").sentence("DR") == "Pitch 2 sites: DR up to 71, 30 visits a month."


@pytest.mark.parametrize("none", [{"page_traffic": None}, {"page_traffic": 0}])
def test_what_is_not_known_is_not_said(none):
    rows = links().assign(domain_rating=float("nan"), **{name: float("nan") for name in none})
    assert task(PROTECT, rows).sentence("DR") == "Protect 3 links from 2 domains."
