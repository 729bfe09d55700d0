"""Which languages the referring pages of exports are in, as far as it can be told without a run."""

from collections.abc import Sequence

import pandas as pd

from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.sampling import spread_evenly
from backlink_audit.text.known_languages import known_texts

ASKED_TITLES = 300
"""Titles of an export without languages that are looked at: enough to tell which half is the larger."""
UNKNOWN_BUT_NOT_ENGLISH = "und"
"""ISO 639's word for a language that is not told."""


def page_languages(exports: Sequence[Export]) -> pd.Series:
    """Return language codes of referring pages: those that the exports give, else told from titles ("en" or "und").

    Of an export without languages some titles are asked; of one that lists domains alone nothing is known.
    """
    found = [_languages(export.table) for export in exports if export.kind == "backlinks"]
    return pd.concat(found, ignore_index=True) if found else pd.Series([], dtype="str")


def _languages(links: pd.DataFrame) -> pd.Series:
    return links["language"] if (links["language"] != "").any() else _told(links["referring_title"])


def _told(titles: pd.Series) -> pd.Series:
    asked = titles[titles != ""].drop_duplicates()
    asked = asked.iloc[spread_evenly(len(asked), ASKED_TITLES)]
    english = known_texts(asked.tolist(), english_only=True)
    return pd.Series(english).map({True: "en", False: UNKNOWN_BUT_NOT_ENGLISH}).astype("str")
