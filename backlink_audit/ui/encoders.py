"""Models in memory: loaded once for all visitors, kept while there is room."""

import streamlit as st

from backlink_audit.embedding import models
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.progress import Progress, silent

MODELS_IN_MEMORY = 2
"""How many models stay loaded; the bundled one takes about 100 MB, the largest 1.3 GB."""


def encoder(name: str, on_progress: Progress = silent) -> Encoder:
    """Return the encoder of a model of the catalogue. Raises ModelUnavailable."""
    return _load(name, on_progress)


@st.cache_resource(max_entries=MODELS_IN_MEMORY, show_spinner=False)
def _load(name: str, _on_progress: Progress) -> Encoder:
    return models.load_encoder(name, on_progress=_on_progress)
