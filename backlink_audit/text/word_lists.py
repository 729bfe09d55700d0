"""The lists of words, hosts and endings that the package carries: csv files in `data/`."""

import csv
from functools import cache
from importlib.resources import files

FIRM = 1 << 62
"""Set among the bits of the fields that field words name, where several words, or a phrase, name them."""


@cache
def read_list(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a list, each by the headers of its file; `name` without ending.

    >>> read_list("spam_tlds")[0].keys()
    dict_keys(['tld', 'source'])
    """
    with (files("backlink_audit.text") / "data" / f"{name}.csv").open(encoding="utf-8") as lines:
        return tuple(csv.DictReader(lines))
