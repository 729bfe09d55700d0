"""Instant, the quick model: made ready while nobody waits, and the preview that it gives of a slower model's result."""

import logging
import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import streamlit as st

from backlink_audit.embedding import models
from backlink_audit.embedding.catalogue import Model
from backlink_audit.embedding.models import warn_of_languages
from backlink_audit.embedding.weights import find_folder
from backlink_audit.errors import AuditError, Cancelled
from backlink_audit.exports.recognise import Export
from backlink_audit.progress import Progress
from backlink_audit.ui import jobs, session, show
from backlink_audit.ui.access import limits
from backlink_audit.ui.preview import Preview
from backlink_audit.ui.session import Key

T = TypeVar("T")

NAME = "Instant"
LEAST_SECONDS = 8.0  # A result that is there sooner needs no preview, which takes two or three seconds itself
CHARACTERS_PER_SECOND = 15_000
"""What the default model embeds in a second of one core's time; measured on titles and on pages."""
CHARACTERS_PER_ROW = 140
"""Of a link's title, anchor and URLs that are not in another row too; measured on a real export."""
CALM_SECONDS = 10.0  # How long after the start, and after a run, the making begins: the first pages come first

_log = logging.getLogger(__name__)


def preview_of(
    label: str, model: str, exports: Sequence[Export], work: Callable[[Progress, str], T]
) -> Preview[T] | None:
    """Return how to preview a run by the chosen model, or None where a preview is not worth it or not possible.

    Args:
        label: The run's.
        model: The chosen model's name.
        exports: What the run reads, its main file first. Its earlier result, with other settings, is a better look at
            it than a preview; and Instant reads English only.
        work: The run; it is given the name of the model to use.
    """
    if model == NAME or not limits().previews or jobs.is_of(label, exports[0].fingerprint):
        return None
    try:
        instant, chosen = models.find_model(NAME), models.find_model(model)
    except AuditError:
        return None  # the run will say why
    if models.status(instant) != "ready" or _seconds(chosen, exports) < LEAST_SECONDS:
        return None
    if not chosen.english_only and unknown_languages(NAME, exports):
        return None
    return Preview(lambda progress: work(progress, NAME), NAME, model)


def _seconds(model: Model, exports: Sequence[Export]) -> float:
    rows = sum(len(export.table) for export in exports)
    contents = sum(export.table["content"].str.len().sum() for export in exports if export.has("content"))
    characters = rows * CHARACTERS_PER_ROW + contents
    return float(characters * model.cost / CHARACTERS_PER_SECOND / (os.cpu_count() or 1))


def prepare() -> None:
    """Make the model ready while nothing runs; begun again after a run that it had to give way to."""
    instant = models.find_model(NAME)
    teacher = models.find_model(str(instant.teacher))
    pause = threading.Event()
    while limits().previews and find_folder(teacher) and models.status(instant) != "ready":
        pause.wait(CALM_SECONDS)
        if jobs.is_idle():
            try:
                with suppress(Cancelled):
                    models.load_encoder(NAME, on_progress=_give_way)
            except AuditError as problem:
                _log.warning("The fast model Instant is not ready, so there are no previews: %s", problem)
                return


def _give_way(what: str, done: int, total: int) -> None:
    if not jobs.is_idle():
        raise Cancelled


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
