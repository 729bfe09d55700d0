"""What links are judged against: the subjects of the whole web, and names of sites that do not exist.

The subjects are a few hundred short phrases, each with its field. The names look like host names in many languages:
without them, any two brand names would seem related, since both are so unlike plain words.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Topics:
    """The taxonomy, one entry per topic: its phrase, its field, and whether the field is a risky one."""

    phrases: tuple[str, ...]
    fields: np.ndarray
    risky: np.ndarray

    def __len__(self) -> int:
        return len(self.phrases)


@cache
def load_topics() -> Topics:
    """Return the taxonomy that the package carries."""
    with files("backlink_audit.text").joinpath("topics.csv").open(encoding="utf-8") as file:
        table = pd.read_csv(file, dtype=str, keep_default_na=False)
    return Topics(tuple(table["topic"]), table["field"].to_numpy(dtype=object), (table["risky"] == "1").to_numpy())


@cache
def load_site_names() -> tuple[str, ...]:
    """Return the invented site names that the package carries."""
    with files("backlink_audit.text").joinpath("site_names.csv").open(encoding="utf-8") as file:
        return tuple(pd.read_csv(file, dtype=str)["name"])
