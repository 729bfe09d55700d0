"""The lists of a client's report: what came and went, and what is disavowed and why."""

from dataclasses import replace

import pandas as pd

from backlink_audit.projects.client_actions import MOST_DISAVOWED, changes, disavowed
from backlink_audit.projects.client_report import audit_report, client_report
from backlink_audit.projects.history import Comparison, compare
from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import save
from backlink_audit.report.client import Look, render
from backlink_audit.risk.disavow import SentFile
from backlink_audit.risk.disavow_file import parse_disavow_file
from backlink_audit.risk.review import Review
from tests.projects.made import audit_of


def moved(*rows: tuple[str, str, str, str, str]) -> Comparison:
    """A comparison with these links: domain, DR, change, verdict before and after."""
    links = pd.DataFrame(rows, columns=["referring_domain", "rating", "change", "verdict_before", "verdict_after"])
    links["referring_url"] = "https://" + links["referring_domain"] + "/p"
    links = links.assign(
        target_url="https://us.example/",
        domain_rating=links["rating"].astype(float),
        url_rating=float("nan"),
        followed=True,
        scale="UR",
    )
    return Comparison(None, None, links)  # type: ignore[arg-type]


def test_only_links_worth_keeping_are_listed_strongest_first_and_those_to_review_are_counted():
    comparison = moved(
        ("small.example", "10", "lost", "Protect", ""),
        ("paper.example", "80", "lost", "Fine", ""),
        ("junk.example", "90", "lost", "Weak", ""),
        ("fan.example", "30", "new", "", "Undervalued"),
        ("bad.example", "5", "new", "", "Review"),
        ("bad.example", "5", "new", "", "Review"),
        ("kept.example", "70", "kept", "Protect", "Protect"),
    )
    lost, gained, to_check = changes(comparison)
    assert [what.split("/")[2] for what, _ in lost.rows] == ["paper.example", "small.example"]
    assert lost.rows[0] == ("https://paper.example/p links to your homepage", "")
    assert lost.rows[1][1] == "One of the most valuable links."
    assert [what.split("/")[2] for what, _ in gained.rows] == ["fan.example"]
    assert list(to_check.rows) == [("2 links from 1 domain", "They look bought or generated.")]


def test_without_a_snapshot_before_nothing_changed():
    assert changes(None) == [] and changes(moved()) == []


def test_many_lost_links_say_how_many_more_there_are():
    [lost] = changes(moved(*((f"site{n}.example", "50", "lost", "Fine", "") for n in range(9))))
    assert len(lost.rows) == 5 and lost.more == 4


def test_what_is_disavowed_says_why_the_note_of_the_user_first():
    audit = audit_of("backlinks")
    names = list(dict.fromkeys(audit.links["referring_domain"]))
    review = Review().decide("domain", names[:1], "disavow", "sells links").decide("domain", names[1:2], "keep")
    sent = SentFile(parse_disavow_file(f"domain:{names[2]}\n".encode()), audit.links)
    found = disavowed(audit, sent, review)
    assert found is not None
    said = dict(found.rows)
    [noted] = [why for what, why in said.items() if what.startswith(f"{names[0]},")]
    [by_file] = [why for what, why in said.items() if what.startswith(f"{names[2]},")]
    assert noted == "sells links" and len(found.rows) == 2
    assert by_file in set(audit.links.loc[audit.links["referring_domain"] == names[2], "why"])
    assert disavowed(audit, None, Review()) is None


def test_a_long_list_of_what_is_disavowed_is_cut_and_says_so():
    audit = audit_of("backlinks")
    names = list(dict.fromkeys(audit.links["referring_domain"]))[: MOST_DISAVOWED + 3]
    found = disavowed(audit, None, Review().decide("domain", names, "disavow"))
    assert found is not None and len(found.rows) == MOST_DISAVOWED and found.more == 3


def test_the_page_has_a_cover_with_figures_and_names_what_changed_and_what_is_disavowed(store):
    project = create(store, "Shop")
    older, _ = save(store, project, audit_of("older"))
    newer, _ = save(store, project, audit_of("backlinks"))
    made = client_report(store, project)
    page = render(made, Look("Agency")).decode()
    assert [row.title for row in made.changes] == [row.title for row in changes(compare(store, older, newer))]
    assert made.changes and f"What changed since {older.day}" in page
    cover = page[page.index('class="cover"') : page.index("</section>")]
    values = {label: value for label, value, *_ in made.figures}
    assert len(made.key_figures) == 4
    assert all(f"<dt>{label}</dt><dd>{values[label]}" in cover for label in made.key_figures)
    assert "Agency" in cover and "What was done" not in page


def test_names_of_strangers_are_text_in_every_list():
    made = audit_report(audit_of("backlinks"), review=Review().decide("domain", ["x.example"], "disavow"))
    [first, *rest] = made.steps
    rows = [replace(first.rows[0], what="<script>1</script>", why="<script>2</script>")]
    page = render(replace(made, steps=[replace(first, rows=rows), *rest]), Look()).decode()
    assert "<script>" not in page
