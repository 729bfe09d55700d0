"""Suggested links between six pages, as the charts of internal links take them."""

import numpy as np
import pandas as pd

SITES = [f"https://a.example/{name}" for name in "abcdef"]


def suggestions() -> pd.DataFrame:
    """Every page linked to every other, the best first."""
    rows = [(one, other) for one in SITES for other in SITES if one != other]
    table = pd.DataFrame(rows, columns=["source_url", "target_url"])
    table["source_title"] = "Page " + table["source_url"].str[-1]
    table["target_title"] = "Page " + table["target_url"].str[-1]
    table["similarity"] = np.linspace(1, 0.5, len(table))
    table["score"] = np.linspace(3, 0, len(table))
    return table
