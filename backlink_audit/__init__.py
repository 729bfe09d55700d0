"""Which backlinks matter, and which pages of a site should link to each other.

>>> import backlink_audit as ba                                          # doctest: +SKIP
>>> links = ba.load([("backlinks.csv", data)])                           # doctest: +SKIP
>>> audit = ba.audit_backlinks(links, ba.AuditSettings(), ba.load_encoder("all-MiniLM-L6-v2"))  # doctest: +SKIP
>>> from backlink_audit.pipelines.audit.tables import tables
>>> ba.save(tables(audit), Path("scored.xlsx"))                          # doctest: +SKIP
"""

from importlib import import_module
from typing import Any

__version__ = "1.0.0"

_HOMES = {
    "AuditError": "errors",
    "AuditSettings": "settings",
    "AuthoritySettings": "settings",
    "ClusterSettings": "settings",
    "GapSettings": "settings",
    "InlinkSettings": "settings",
    "InterlinkSettings": "settings",
    "audit_inlinks": "pipelines.inlinks.run",
    "audit_backlinks": "pipelines.audit.run",
    "compare_exports": "pipelines.changes.run",
    "find_authority": "pipelines.authority.run",
    "find_clusters": "pipelines.clusters.run",
    "find_gap": "pipelines.gap.run",
    "find_internal_links": "pipelines.interlinks.run",
    "load": "exports.load",
    "load_encoder": "embedding.models",
    "profile_backlinks": "pipelines.profile.run",
    "review_risks": "pipelines.risk.run",
    "save": "report.files",
}
"""Where each public name lives: fetched when first asked for, so that importing the package costs nothing."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
