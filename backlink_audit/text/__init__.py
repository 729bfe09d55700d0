"""The words that represent links and pages, and the lists of words, hosts and endings in `data/`."""

import csv
from functools import cache
from importlib.resources import files

import regex

FIRM = 1 << 62  # set among the bits of the fields that field words name, where several words, or a phrase, name them
_SPACES = regex.compile(r"\s+")
_INVISIBLE = regex.compile(r"[\p{Cf}\uFFFD--[\u200c\u200d]]", flags=regex.V1)
"""Without the two joiners, which are part of the spelling in Persian, Hindi and emoji."""


@cache
def read_list(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a list, each by the headers of its file; `name` without ending.

    >>> read_list("spam_tlds")[0].keys()
    dict_keys(['tld', 'source'])
    """
    with (files("backlink_audit.text") / "data" / f"{name}.csv").open(encoding="utf-8") as lines:
        return tuple(csv.DictReader(lines))


def clean_text(text: str) -> str:
    r"""Return a text without invisible characters, its white space single and none at the ends.

    >>> clean_text("  Oil\u200b a\xa0 table\n")
    'Oil a table'
    """
    return _SPACES.sub(" ", _INVISIBLE.sub("", text)).strip()
