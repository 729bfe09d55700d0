"""What the plain data of a stranger's project file must hold, so that history, digest and report can read it."""

from collections.abc import Mapping
from math import isfinite
from sys import float_info
from typing import Any

from backlink_audit.analysis.page_figures import BY_MONTH
from backlink_audit.analysis.velocity import COLUMNS
from backlink_audit.projects.figures import months_of
from backlink_audit.projects.history import MOVES
from backlink_audit.projects.packed import from_data
from backlink_audit.report.figures import EARNED, EARNED_KEY, LABELS
from backlink_audit.settings import AuditSettings

_COUNTED = ("new_domains", "lost_domains")
_WORDS = ("headline", "authority_name", "dominant_anchor_words")


def check_snapshot(row: Mapping[str, Any]) -> None:
    """Check a snapshot's origin, settings, columns and figures. Raises KeyError, TypeError, ValueError or the like."""
    origin, figures = row["origin"], row["figures"]
    _check(all(_text(origin[name]) for name in ("file", "format", "model", "device")), "origin")
    _check(_whole(origin["rows"]) and _counts(origin["removed"]), "origin")
    from_data(AuditSettings(), row["settings"])
    _check(isinstance(row["columns"], list) and all(map(_text, row["columns"])), "columns")
    _check(all(_text(figures[name]) for name in _WORDS), "words")
    _check(all(figures[name] is None or _number(figures[name]) for name in LABELS), "figures")
    _check(_whole(figures["links"]) and _whole(figures["domains"]), "figures")
    _check(_counts(figures["verdicts"]) and _counts(figures["states"]), "counts")
    _check_months(figures.get("months", {}))
    if EARNED_KEY in figures:
        _check_earned(figures[EARNED_KEY])


def check_moves(figures: Mapping[str, Any]) -> None:
    """Check the figures of a comparison. Raises KeyError, TypeError or ValueError."""
    _check(all(_whole(figures[name]) for name in MOVES.values()), "comparison")


def _check_months(months: Any) -> None:
    _check(isinstance(months, dict) and months.keys() <= {*COLUMNS, *BY_MONTH}, "months")
    _check(not months or ("spike" in months and not months.keys().isdisjoint(_COUNTED)), "months")
    for name, column in months.items():
        _check(isinstance(column, list) and len(column) == len(months["month"]), "months")
        is_right = _text if name in ("month", "spike") else _number_or_unknown
        _check(all(map(is_right, column)), "months")
    months_of({"months": months})


def _check_earned(earned: Any) -> None:
    _check(_text(earned["file"]) and _text(earned["fingerprint"]) and _whole(earned["pages"]), EARNED_KEY)
    _check(all(_whole(earned[name]) for name in EARNED if name in earned), EARNED_KEY)


def _counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_whole, value.values()))


def _whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= float_info.max  # tables have it as float64


def _number(value: Any) -> bool:
    return _whole(value) or (type(value) is float and isfinite(value))


def _number_or_unknown(value: Any) -> bool:
    return value is None or value != value or _number(value)  # NaN is not itself


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _check(is_so: bool, what: str) -> None:
    if not is_so:
        raise ValueError(f"{what} not as this app writes them")
