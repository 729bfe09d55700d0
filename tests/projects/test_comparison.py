"""Two snapshots differ as `changes` says of their two files."""

from backlink_audit.changes.run import compare_exports
from backlink_audit.labels import PROTECT
from backlink_audit.projects.history import compare, kept_figures
from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import save
from backlink_audit.settings import AuditSettings
from tests.projects.made import audit_of
from tests.toy import ToyEncoder


def test_new_and_lost_are_those_of_changes_on_the_two_files(store):
    project, audits = create(store, "Shop"), (audit_of("older"), audit_of("backlinks"))
    older, newer = (save(store, project, audit)[0] for audit in audits)
    found = compare(store, older, newer)
    before, after = (audit.cleaned.export for audit in audits)
    changes = compare_exports(before, after, AuditSettings(), ToyEncoder())
    assert changes.links is not None
    assert found.links["change"].tolist() == changes.links["change"].tolist()
    assert found.links["referring_url"].tolist() == changes.links["referring_url"].tolist()
    assert {f"{word}_links": n for word, n in changes.counts.items()}.items() <= found.figures.items()
    assert {f"{word}_domains": n for word, n in changes.domain_counts.items()}.items() <= found.figures.items()
    assert kept_figures(store, project) == {(older.id, newer.id): found.figures}


def test_lost_links_that_were_worth_protecting_are_named(store):
    project = create(store, "Shop")
    older, newer = (save(store, project, audit_of(role))[0] for role in ("older", "backlinks"))
    lost = compare(store, older, newer).lost_to_protect
    verdicts = audit_of("older").links.loc[lost["older_row"].astype("int64"), "verdict"]
    assert len(lost) and set(verdicts) == {PROTECT.word}
