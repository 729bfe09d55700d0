"""Which languages the pages of an export or a crawl are in, and whether a model knows them; found without a run."""

from collections.abc import Sequence

import pandas as pd

from backlink_audit.embedding.models import MULTILINGUAL, UNKNOWN_BUT_NOT_ENGLISH, find_model, language_warning
from backlink_audit.embedding.similarity import spread_evenly
from backlink_audit.exports.recognise import Export
from backlink_audit.settings import DEFAULT_MODEL
from backlink_audit.text.languages import is_in_other_script, known_texts, likeliest_languages

TITLES_READ = 300  # titles of a file without languages that are read: enough to find which half is the larger
_TITLES = {"backlinks": ("referring_title",), "pages": ("title", "h1")}
"""The column by which a page's language is found, and the one used where that is blank."""


def warn_of_languages(model: str, exports: Sequence[Export]) -> str | None:
    """Return a sentence if the model knows few languages, and most pages of one of the files are in others.

    One is enough: whatever is compared with that site is compared with a language that the model does not know.
    """
    known = find_model(model)
    if known.few_languages is None:
        return None
    return next(filter(None, (language_warning(known, page_languages(export)) for export in exports)), None)


def model_for(model: str, pages: Export) -> str:
    """Return the model for a crawl: in place of the default one the multilingual, where most pages are not in English.

    A model that was chosen stays.
    """
    return MULTILINGUAL if model == DEFAULT_MODEL and warn_of_languages(model, [pages]) else model


def language_note(model: str, links: pd.DataFrame) -> str:
    """Return the same sentence on a table of links (language, referring_title), "" where no sentence is needed."""
    known = find_model(model)
    return (language_warning(known, _languages(links, "referring_title")) or "") if known.few_languages else ""


def page_languages(export: Export) -> pd.Series:
    """Return language codes of referring pages, or of the pages of a crawl.

    They are those that the file gives, else found from some titles ("und" in another script than ours); a page of a
    crawl without a title is asked by its H1. Of an export that lists domains or links inside a site nothing is known.
    """
    if export.kind not in _TITLES:
        return pd.Series([], dtype="str")
    return _languages(export.table, *_TITLES[export.kind])


def _languages(table: pd.DataFrame, title: str, otherwise: str = "") -> pd.Series:
    if (table["language"] != "").any():
        return table["language"]
    titles = table[title]
    return _detected(titles.where(titles != "", table[otherwise]) if otherwise else titles)


def _detected(titles: pd.Series) -> pd.Series:
    asked = titles[titles != ""].drop_duplicates()
    asked = asked.iloc[spread_evenly(len(asked), TITLES_READ)]
    found = likeliest_languages(asked).mask(known_texts(asked.tolist(), english_only=True), "en")
    return found.mask(asked.map(is_in_other_script).astype(bool), UNKNOWN_BUT_NOT_ENGLISH).reset_index(drop=True)
