"""Which backlinks matter, and which pages of a site should link to each other.

>>> import backlink_audit as ba                            # doctest: +SKIP
>>> audit = ba.audit(ba.read("backlinks.csv"))             # doctest: +SKIP
>>> audit.headline, audit.links[["referring_url", "verdict", "why"]]  # doctest: +SKIP
>>> ba.save(audit, "scored.xlsx")                          # doctest: +SKIP

docs/notebook.ipynb shows more, and `make reference` writes a page of all functions and settings.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__version__ = "1.0.0"

_SETTINGS = (
    *("AuditSettings", "AuthoritySettings", "ClusterSettings", "GapSettings", "InlinkSettings", "InterlinkSettings"),
    *("LinkChoice", "RedirectSettings"),
)
_FUNCTIONS = (
    *("read", "audit", "profile", "competitors", "risk", "gap", "changes", "reclaim", "interlinks", "clusters"),
    *("authority", "inlinks", "redirects", "citations", "search", "tables", "save"),
)
_HOMES = {
    "AuditError": "errors",
    "load_encoder": "embedding.models",
    **dict.fromkeys(_SETTINGS, "settings"),
    **dict.fromkeys(_FUNCTIONS, "interface"),
}
"""Where each public name lives: fetched when first asked for, so that importing the package costs nothing."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


class _Package(ModuleType):
    """Keeps `ba.gap` the function: an import of the folder of the same name would put the folder in its place."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _FUNCTIONS and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
