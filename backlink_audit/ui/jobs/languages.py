"""The warning where a model does not know the pages' languages, and one click to a model that does."""

from collections.abc import Sequence

import streamlit as st

from backlink_audit.embedding import models
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.languages import warn_of_languages
from backlink_audit.ui import session
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import show


def offer_multilingual(model: str, exports: Sequence[Export], key: str) -> None:
    """Warn if most pages of a file are in languages that the model does not know; offer one that knows them.

    `exports`: backlinks, or the crawl of a site.

    `key`: that of the widget in which the model is chosen (`inputs.model`).
    """
    sentence = unknown_languages(model, exports)
    if sentence is None:
        return
    other = models.find_model(models.MULTILINGUAL)
    st.warning(show.plain(sentence))
    size = "" if models.status(other) == "ready" else f" ({other.size_mb} MB, downloaded once)"
    st.button(
        f"Use {other.name}{size}",
        key=f"{key}:multilingual",
        help=f"{other.languages}. It is used for the next run; the model you have now is not removed.",
        on_click=session.fill_in,
        args=(key, other.name),
    )


def unknown_languages(model: str, exports: Sequence[Export]) -> str | None:
    """Return the sentence on languages in these files that the model does not know, or None; found out once."""
    known: dict[tuple[str, ...], str | None] = session.kept(Key.LANGUAGES, dict)
    asked = model, *(export.fingerprint for export in exports)
    if asked not in known:
        known[asked] = warn_of_languages(model, exports)
    return known[asked]
