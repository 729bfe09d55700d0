"""The fitted trees of each model: data in `fitted/`, written by `python -m benchmarks.judgement`."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from backlink_audit.analysis.relevance.forest import Forest, read_forest
from backlink_audit.labels import KIND_LIST, KIND_PAGE, KIND_SPAM, KIND_VISITORS
from backlink_audit.settings import LINKS_MODEL

KINDS = tuple(kind.word for kind in (KIND_PAGE, KIND_LIST, KIND_SPAM, KIND_VISITORS))
"""The kinds of pages that are told apart, in the order of their forests."""


@dataclass(frozen=True)
class Fitted:
    """What was fitted for one model, all on the same features.

    `relevance`: is the page about its target's subject; `worth`: would an SEO keep the link; `suspicion`: would one
    look at it, as at spam; `kinds`: one forest for each of KINDS, whose log-odds are weighed against each other.
    """

    relevance: Forest
    worth: Forest
    suspicion: Forest
    kinds: tuple[Forest, ...]


@cache
def load_fitted(model: str) -> Fitted:
    """Return what was fitted for a model; for one without a fit of its own, what was fitted for the default."""
    folder = files("backlink_audit.analysis.relevance") / "fitted"
    own, default = folder / f"{model}.json", folder / f"{LINKS_MODEL}.json"
    written: dict[str, Any] = json.loads((own if own.is_file() else default).read_text("utf-8"))
    features = written["features"]
    return Fitted(
        relevance=read_forest(features, written["relevance"]),
        worth=read_forest(features, written["worth"]),
        suspicion=read_forest(features, written["suspicion"]),
        kinds=tuple(read_forest(features, written["kinds"][kind]) for kind in KINDS),
    )
