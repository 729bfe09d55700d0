"""Audits of the sample project with a toy encoder, made once for all tests, and a project of them."""

from dataclasses import replace
from datetime import date
from functools import cache

import pandas as pd

from backlink_audit import sample
from backlink_audit.audit.result import Audit
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.exports.load import load
from backlink_audit.projects.history import compare
from backlink_audit.projects.outreach_desk import choose
from backlink_audit.projects.project_files import keep_widgets, replace_files
from backlink_audit.projects.projects import Project, create, find_or_refuse, keep_review, kept_review
from backlink_audit.projects.snapshots import every_snapshot, save
from backlink_audit.projects.store import Store
from backlink_audit.risk.review import Review
from backlink_audit.settings import AuditSettings
from tests.toy import ToyEncoder

FILES = {"backlinks": [("links.csv", b"a,b\n1,2\n")]}


@cache
def audit_of(role: str) -> Audit:
    """The audit of the sample's backlinks ("backlinks") or of its older ones ("older")."""
    return audit_backlinks(load(sample.files()[role]), AuditSettings(), ToyEncoder())


def as_another_file(audit: Audit, name: str) -> Audit:
    """The same audit, as if it were of another file with the same rows."""
    export = replace(audit.cleaned.export, name=name, fingerprint=name)
    return replace(audit, cleaned=replace(audit.cleaned, export=export))


def filled(store: Store) -> Project:
    """A project with all that one can have."""
    made = create(store, "Shop")
    save(store, made, audit_of("older"), date(2025, 3, 1))
    save(store, made, audit_of("backlinks"), date(2025, 11, 20))
    compare(store, *every_snapshot(store, made))
    keep_review(store, made, kept_review(store, made), Review().decide("domain", ["spam.example"], "disavow"))
    replace_files(store, made, FILES)
    keep_widgets(store, made, {"risk:least": 2})
    choose(store, made, pd.DataFrame({"referring_domain": ["a.example"]}))
    return find_or_refuse(store, "Shop")
