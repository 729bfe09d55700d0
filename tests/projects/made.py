"""Audits of the sample project with a toy encoder, made once for all tests."""

from dataclasses import replace
from functools import cache

from backlink_audit import sample
from backlink_audit.exports.load import load
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.audit.run import audit_backlinks
from backlink_audit.settings import AuditSettings
from tests.toy import ToyEncoder


@cache
def audit_of(role: str) -> Audit:
    """The audit of the sample's backlinks ("backlinks") or of its older ones ("older")."""
    return audit_backlinks(load(sample.files()[role]), AuditSettings(), ToyEncoder())


def as_another_file(audit: Audit, name: str) -> Audit:
    """The same audit, as if it were of another file with the same rows."""
    export = replace(audit.cleaned.export, name=name, fingerprint=name)
    return replace(audit, cleaned=replace(audit.cleaned, export=export))
