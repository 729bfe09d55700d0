"""What the plain data of a stranger's project file must have, so that pages, digest and report can read it.

Every check raises KeyError, TypeError, ValueError or the like, or InvalidSetting.
"""

from collections.abc import Mapping
from datetime import date, datetime
from math import isfinite
from typing import Any

from backlink_audit.profile.shares import COLUMNS
from backlink_audit.projects.history import MOVES
from backlink_audit.projects.outreach_desk import Prospect
from backlink_audit.projects.snapshots import is_day_of_export, months_of
from backlink_audit.projects.store_tables import from_data
from backlink_audit.report.figures import EARNED, EARNED_KEY, LABELS
from backlink_audit.risk.review import SCOPES
from backlink_audit.risk.review import WORDS as STATES
from backlink_audit.settings import AuditSettings
from backlink_audit.site.page_figures import BY_MONTH

MOST = 2**53
"""The largest number that tables and charts have exactly."""
MOST_FILES = 10_000
"""Of one role."""
_COUNTED = ("new_domains", "lost_domains")
_LATER = ("top_anchor",)
"""Figures that older files do not have."""
_WORDS = ("headline", "authority_name", "dominant_anchor_words")


def check_snapshot(row: Mapping[str, Any]) -> None:
    """Check a snapshot's origin, settings, columns, figures and moments."""
    origin, figures = row["origin"], row["figures"]
    _check_moments(row["made_at"], origin.get("audited_at", row["made_at"]))
    _check(all(_text(origin[name]) for name in ("file", "format", "model", "device")), "origin")
    _check(is_day_of_export(date.fromisoformat(row["day"])), "day")
    _check(_counted(origin["rows"]) and _counts(origin["removed"]), "origin")
    from_data(AuditSettings(), row["settings"])
    _check(isinstance(row["columns"], list) and all(map(_text, row["columns"])), "columns")
    _check(all(_text(figures[name]) for name in _WORDS), "words")
    known = [figures.get(name) if name in _LATER else figures[name] for name in LABELS]
    _check(all(value is None or _number(value) for value in known), "figures")
    _check(_text(figures.get("top_anchor_words", "")) and _counted(figures.get("review_signals", 0)), "figures")
    _check(_counted(figures["links"]) and _counted(figures["domains"]), "figures")
    _check(_counts(figures["verdicts"]) and _counts(figures["states"]), "counts")
    _check_months(figures.get("months", {}))
    if EARNED_KEY in figures:
        _check_earned(figures[EARNED_KEY])


def check_moves(figures: Mapping[str, Any]) -> None:
    """Check the figures of a comparison."""
    _check(all(_counted(figures[name]) for name in MOVES.values()), "comparison")


def check_decision(row: Mapping[str, Any]) -> None:
    """Check what was decided on a domain or URL."""
    _check(row["scope"] in SCOPES and row["state"] in STATES, "decision")
    _check(_text(row["item"]) and bool(row["item"].strip()) and _text(row["note"]), "decision")
    _check(_whole(row["version"]) and row["version"] > 0, "decision")
    _check_moments(row["decided_at"])


def check_page_state(row: Mapping[str, Any]) -> None:
    """Check what was chosen and typed on the pages: texts, numbers and lists of them, by name."""
    value = row["value"]
    _check(_text(row["name"]) and isinstance(value, dict), "page")
    for one in value.values():
        _check(all(map(_single, one)) if isinstance(one, list) else _single(one), "page")


def check_prospect(row: Mapping[str, Any]) -> None:
    """Check a prospect of the outreach desk."""
    facts = row["facts"]
    Prospect(str(row["domain"])).changed(state=row["state"], contact=row["contact"])
    _check(all(_text(row[name]) for name in ("domain", "contact", "note")), "prospect")
    _check(isinstance(facts, dict) and all(map(_single, facts.values())), "prospect")
    _check(all(facts.get(name) is None or _number(facts[name]) for name in ("relevance", "authority")), "prospect")
    _check(_whole(row["version"]) and row["version"] > 0, "prospect")
    _check_moments(row["chosen_at"], row["decided_at"])


def check_file(row: Mapping[str, Any]) -> None:
    """Check what is said of a file."""
    mapping = row["mapping"]
    _check(_text(row["role"]) and _text(row["name"]), "file")
    _check(_whole(row["place"]) and 0 <= row["place"] < MOST_FILES, "file")
    _check(isinstance(mapping, dict) and all(map(_text, mapping.values())), "file")


def _check_moments(*moments: str) -> None:
    for moment in moments:
        _check(datetime.fromisoformat(moment).tzinfo is not None, "moment")


def _check_months(months: Any) -> None:
    _check(isinstance(months, dict) and months.keys() <= {*COLUMNS, *BY_MONTH}, "months")
    _check(not months or ("spike" in months and not months.keys().isdisjoint(_COUNTED)), "months")
    for name, column in months.items():
        _check(isinstance(column, list) and len(column) == len(months["month"]), "months")
        is_right = _text if name in ("month", "spike") else _counted if name in _COUNTED else _number_or_unknown
        _check(all(map(is_right, column)), "months")
    months_of({"months": months})


def _check_earned(earned: Any) -> None:
    _check(_text(earned["file"]) and _text(earned["fingerprint"]) and _whole(earned["pages"]), EARNED_KEY)
    _check(all(_whole(earned[name]) for name in EARNED if name in earned), EARNED_KEY)


def _counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_counted, value.values()))


def _whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= MOST


def _counted(value: Any) -> bool:
    return _whole(value) and value >= 0


def _number(value: Any) -> bool:
    return _whole(value) or (type(value) is float and isfinite(value) and abs(value) <= MOST)


def _number_or_unknown(value: Any) -> bool:
    return value is None or _number(value)


def _single(value: Any) -> bool:
    return value is None or isinstance(value, str | bool) or _number(value)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _check(is_so: bool, what: str) -> None:
    if not is_so:
        raise ValueError(f"{what} not in the format of this app")
