"""A kept audit comes back as it was, of the very file that it was made of."""

from dataclasses import replace

import pandas as pd
import sqlalchemy as sa

from backlink_audit.projects.project_files import kept_audit
from backlink_audit.projects.projects import create
from backlink_audit.projects.snapshots import SCORED, save
from backlink_audit.projects.store import SNAPSHOT_LINKS, pack_table
from tests.projects.made import audit_of

LATER = ["own_site", "words_around", "over_redirect", "redirect_codes", "redirects_from"]
"""Columns that audits of earlier versions did not have."""


def test_it_has_every_link_and_the_settings_of_the_audit(store):
    audit, project = audit_of("backlinks"), create(store, "Shop")
    save(store, project, audit_of("older"))
    save(store, project, audit)
    kept = kept_audit(store, project, audit.cleaned.export)
    assert kept is not None
    pd.testing.assert_frame_equal(kept.links, audit.scored)
    assert (kept.settings, kept.model, kept.device) == (audit.settings, audit.model, audit.device)


def test_another_file_has_none(store):
    project = create(store, "Shop")
    save(store, project, audit_of("older"))
    assert kept_audit(store, project, audit_of("backlinks").cleaned.export) is None


def test_columns_that_an_earlier_version_did_not_have_are_found_in_the_file(store):
    audit, project = audit_of("backlinks"), create(store, "Shop")
    snapshot, _ = save(store, project, audit)
    early = audit.scored.drop(columns=[name for name in LATER if name in audit.scored])
    [part] = pack_table(early)
    with store.writing() as connection:
        of_it = SNAPSHOT_LINKS.c.snapshot_id == snapshot.id
        connection.execute(sa.delete(SNAPSHOT_LINKS).where(of_it, SNAPSHOT_LINKS.c.part.startswith(SCORED)))
        row = {"snapshot_id": snapshot.id, "part": f"{SCORED}-00000", "data": part}
        connection.execute(sa.insert(SNAPSHOT_LINKS).values(row))
    kept = kept_audit(store, project, audit.cleaned.export)
    assert kept is not None
    whole = audit.scored
    for name in ("over_redirect", "words_around"):
        assert kept.links[name].tolist() == whole[name].tolist()
    assert len(replace(kept, links=kept.links).redirected) == len(audit.redirected)
