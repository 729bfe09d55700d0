"""Columns of texts -> their vectors, in one run of the encoder."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.progress import Progress, silent


def encode_columns(encoder: Encoder, columns: Sequence[pd.Series], on_progress: Progress = silent) -> list[np.ndarray]:
    """Return for each text Series a float32 matrix (rows, dimensions) of unit rows; blank texts give zeros."""
    texts = pd.concat(columns, ignore_index=True).to_numpy(object)
    vectors = np.zeros((len(texts), encoder.dimensions), np.float32)
    filled = np.flatnonzero(texts != "")
    if len(filled):
        vectors[filled] = encoder.encode(texts[filled].tolist(), on_progress)
    return np.split(vectors, np.cumsum([len(column) for column in columns])[:-1])
