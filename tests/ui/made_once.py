"""What pages read and compute of the same files with the same settings, made once for all tests of a process.

No page may change what it was given, so one result serves all. What is on screen is still held against a result that
the test makes itself.
"""

from collections.abc import Callable, Hashable
from copy import copy
from functools import wraps
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from backlink_audit.clusters import run as clusters
from backlink_audit.existing_links import run as existing_links
from backlink_audit.exports import load
from backlink_audit.exports.recognise import Export
from backlink_audit.internal_links import result as opportunities
from backlink_audit.internal_links import run as internal_links
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.redirects import run as redirects
from backlink_audit.sources import Sources
from backlink_audit.ui import audit, changes, gap, upload_state
from tests.toy import ToyEncoder


def once(step: Callable[..., Any]) -> Callable[..., Any]:
    """Return the step so that it works once for each input; every call gets a copy that shares its tables."""
    made: dict[Hashable, tuple[Any, Any]] = {}

    @wraps(step)
    def remembered(*given: Any, **named: Any) -> Any:
        key = named_by((given, named))
        try:
            hash(key)
        except TypeError:  # an input that cannot be distinguished from another one
            return step(*given, **named)
        if key not in made:
            made[key] = (given, named), step(*given, **named)  # inputs are held, so that no other one has their id
        return copy(made[key][1])

    return remembered


def named_by(value: Any) -> Hashable:
    """Return what distinguishes an input from others; how progress is reported makes no difference."""
    match value:
        case Export():
            return value.fingerprint, value.name, value.notes
        case Sources():
            return tuple((role, named_by(export)) for role, export in value.exports.items())
        case Opportunities():
            return id(value.table)
        case ToyEncoder():
            return type(value).__name__
        case list() | tuple():
            return tuple(named_by(one) for one in value)
        case dict():
            return tuple((name, named_by(one)) for name, one in value.items())
    return None if callable(value) else value


STEPS: list[tuple[ModuleType, str, Any]] = [
    (room, name, once(getattr(room, name)))
    for room, name in (
        (audit, "audit_backlinks"),
        (changes, "compare_exports"),
        (changes, "find_reclaims"),
        (clusters, "find_clusters"),
        (gap, "find_gap"),
        (existing_links, "audit_inlinks"),
        (redirects, "map_redirects"),
        (internal_links, "find_internal_links"),
        (opportunities, "with_clusters"),
    )
]
READERS = SimpleNamespace(load=once(load.load), recognise_file=once(load.recognise_file))


def share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pages of a test take what was made before."""
    for room, name, step in STEPS:
        monkeypatch.setattr(room, name, step)
    monkeypatch.setattr(upload_state, "load", READERS)
