"""Whether a link's other verdict comes from another fact, or only from the place among the other links now.

Part of a verdict is how a link's CAS ranks among the links of its export. Another export has other links, so the rank
moves though nothing about the link did: such a verdict is not a changed one.
"""

import numpy as np
import pandas as pd

from backlink_audit.analysis.scoring.cas import LEAST_MOVEMENT
from backlink_audit.analysis.scoring.verdicts import verdict_facts
from backlink_audit.settings import VerdictLimits

COMPARED = ("band", "link_state", "followed", "page_kind", "risk_signals")
"""What a verdict asks of a link besides `verdict_facts`."""


def facts_changed(older: pd.DataFrame, newer: pd.DataFrame, ranked: pd.DataFrame, limits: VerdictLimits) -> np.ndarray:
    """Return for which links a fact that verdicts ask for differs, bool (links,).

    `older` and `newer`: the same links in the same order, as two audits judged them. `ranked`: all links of the older
    audit, among which both CAS are ranked: cas and cas_percentile.
    """
    on_one_scale = newer.assign(cas_percentile=_ranks(older, newer, ranked))
    before, after = verdict_facts(older, limits), verdict_facts(on_one_scale, limits)
    differs = (before.to_numpy() != after.to_numpy()).any(axis=1)
    for name in COMPARED:
        differs |= older[name].to_numpy() != newer[name].to_numpy()
    return np.asarray(differs, dtype=bool)


def _ranks(older: pd.DataFrame, newer: pd.DataFrame, ranked: pd.DataFrame) -> np.ndarray:
    """Return the percentile that the CAS of each newer link would have had in the older export; NaN without a CAS."""
    before, after = older["cas"].to_numpy("float64"), newer["cas"].to_numpy("float64")
    known = ranked[["cas", "cas_percentile"]].dropna().drop_duplicates("cas").sort_values("cas")
    if known.empty:
        return np.full(len(newer), np.nan)
    ranks = np.interp(after, known["cas"], known["cas_percentile"])
    ranks = np.where(np.isnan(after), np.nan, ranks)
    same = np.abs(after - before) <= LEAST_MOVEMENT
    return np.where(same, older["cas_percentile"].to_numpy("float64"), ranks)
