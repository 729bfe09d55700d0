"""Which languages the referring pages of an export are in, and whether a model knows them; told without a run."""

from collections.abc import Sequence

import pandas as pd

from backlink_audit.embedding.models import find_model, language_warning
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.sampling import spread_evenly
from backlink_audit.text.known_languages import known_texts

ASKED_TITLES = 300
"""Titles of an export without languages that are looked at: enough to tell which half is the larger."""
UNKNOWN_BUT_NOT_ENGLISH = "und"
"""ISO 639's word for a language that is not told."""


def warn_of_languages(model: str, exports: Sequence[Export]) -> str | None:
    """Return a sentence if the model knows English only, and most pages of one of the exports are in other languages.

    One is enough: whatever is compared with that site is compared with a language that the model does not know.
    """
    known = find_model(model)
    if not known.english_only:
        return None
    return next(filter(None, (language_warning(known, page_languages(export)) for export in exports)), None)


def page_languages(export: Export) -> pd.Series:
    """Return language codes of referring pages: those that the export gives, else told from titles ("en" or "und").

    Of an export without languages some titles are asked; of one that lists domains alone nothing is known.
    """
    if export.kind != "backlinks":
        return pd.Series([], dtype="str")
    languages = export.table["language"]
    return languages if (languages != "").any() else _detected(export.table["referring_title"])


def _detected(titles: pd.Series) -> pd.Series:
    asked = titles[titles != ""].drop_duplicates()
    asked = asked.iloc[spread_evenly(len(asked), ASKED_TITLES)]
    english = known_texts(asked.tolist(), english_only=True)
    return pd.Series(english).map({True: "en", False: UNKNOWN_BUT_NOT_ENGLISH}).astype("str")
