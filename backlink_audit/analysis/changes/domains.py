"""What happened to the referring domains of a site between two exports that list domains only."""

import numpy as np
import pandas as pd

from backlink_audit.analysis.scales import rating_names
from backlink_audit.labels import CHANGED, KEPT, LOST, NEW

FIGURES = {"backlinks": "Backlinks", "followed_backlinks": "Followed backlinks"}
"""What is compared of a domain that still links, besides its rating, and what it is called."""


def compare_domains(older: pd.DataFrame, newer: pd.DataFrame) -> pd.DataFrame:
    """Return one row per domain of two referring-domains tables, in the newer table's order, lost ones at the end.

    Columns: change (new, lost, kept, changed), what_changed (words), referring_domain, domain_rating, scale,
    links_before, links_after (NaN where unknown). A domain with a lost date does not link any more; a figure that
    either table lacks is no difference, nor are ratings on two scales.
    """
    before, after = _by_domain(older), _by_domain(newer)
    domains = after.index.append(before.index.difference(after.index, sort=False))
    before, after = before.reindex(domains), after.reindex(domains)
    was, now = before["links_here"].eq(True).to_numpy(), after["links_here"].eq(True).to_numpy()
    scale = after["scale"].where(after["domain_rating"].notna(), before["scale"]).fillna(after["scale"]).astype("str")
    labels = {name: np.full(len(domains), label, object) for name, label in FIGURES.items()}
    labels["domain_rating"] = rating_names(scale, "domain_rating").to_numpy(object)
    comparable = {"domain_rating": (before["scale"] == after["scale"]).to_numpy()}
    words: list[list[str]] = [[] for _ in range(len(domains))]
    for name, label in labels.items():
        old, new = before[name].to_numpy(), after[name].to_numpy()
        both = was & now & comparable.get(name, True) & ~np.isnan(old) & ~np.isnan(new)
        for row in np.flatnonzero(both & (old != new)):
            words[row].append(f"{label[row]}: {old[row]:.10g} to {new[row]:.10g}")
    differs = np.array([bool(row) for row in words], bool)
    change = np.select([now & ~was, was & ~now, differs], [NEW.word, LOST.word, CHANGED.word], default=KEPT.word)
    return pd.DataFrame(
        {
            "change": change,
            "what_changed": pd.Series(["; ".join(row) for row in words], dtype="str"),
            "referring_domain": domains.to_numpy(),
            "domain_rating": after["domain_rating"].fillna(before["domain_rating"]).to_numpy(),
            "scale": scale.to_numpy(),
            "links_before": np.where(was, before["backlinks"], 0.0),
            "links_after": np.where(now, after["backlinks"], 0.0),
        }
    )


def _by_domain(table: pd.DataFrame) -> pd.DataFrame:
    groups = table.groupby("referring_domain", sort=False)
    figures = {
        "backlinks": groups["backlinks"].sum(min_count=1),
        "followed_backlinks": groups["followed_backlinks"].sum(min_count=1),
        "domain_rating": groups["domain_rating"].max(),
        "scale": groups["scale"].first(),
        "links_here": table["lost_date"].isna().groupby(table["referring_domain"], sort=False).any(),
    }
    return pd.DataFrame(figures)
