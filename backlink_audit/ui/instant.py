"""Instant, the quick model: made ready while nobody waits, and the preview that it gives of a slower model's result."""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from backlink_audit.embedding import models
from backlink_audit.embedding.weights import find_folder
from backlink_audit.errors import AuditError, Cancelled
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.estimate import Estimate
from backlink_audit.progress import Progress
from backlink_audit.ui import jobs, languages, queue
from backlink_audit.ui.limits import limits
from backlink_audit.ui.preview import Preview

T = TypeVar("T")

NAME = "Instant"
LEAST_SECONDS = 8.0
"""A result that is there sooner needs no preview, which takes two or three seconds itself."""
CALM_SECONDS = 10.0
"""How long after the start, and after a run, the making begins: the first pages come first."""

_log = logging.getLogger(__name__)


def preview_of(
    label: str, model: str, estimate: Estimate | None, exports: Sequence[Export], work: Callable[[Progress, str], T]
) -> Preview[T] | None:
    """Return how to preview a run by the chosen model, or None where a preview is not worth it or not possible.

    Args:
        label: The run's.
        model: The chosen model's name.
        estimate: What its run needs.
        exports: What the run reads, its main file first. Its earlier result, with other settings, is a better look at
            it than a preview; and Instant reads English only.
        work: The run; it is given the name of the model to use.
    """
    if estimate is None or not estimate.texts or estimate.seconds < LEAST_SECONDS or not limits().previews:
        return None
    instant = models.find_model(NAME)
    if model == NAME or jobs.is_of(label, exports[0].fingerprint) or models.status(instant) != "ready":
        return None
    if not models.find_model(model).english_only and languages.unknown_languages(NAME, exports):
        return None
    return Preview(lambda progress: work(progress, NAME), NAME, model, estimate.seconds)


def prepare() -> None:
    """Make the model ready while nothing runs; begun again after a run that it had to give way to."""
    instant = models.find_model(NAME)
    teacher = models.find_model(str(instant.teacher))
    pause = threading.Event()
    while limits().previews and find_folder(teacher) and models.status(instant) != "ready":
        pause.wait(CALM_SECONDS)
        if queue.is_idle():
            try:
                with suppress(Cancelled):
                    models.load_encoder(NAME, on_progress=_give_way)
            except AuditError as problem:
                _log.warning("The fast model Instant is not ready, so there are no previews: %s", problem)
                return


def _give_way(what: str, done: int, total: int) -> None:
    if not queue.is_idle():
        raise Cancelled
