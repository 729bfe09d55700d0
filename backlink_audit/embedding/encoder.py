"""What an encoder is: texts in, unit vectors out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from backlink_audit.progress import Progress, silent


class Encoder(Protocol):
    """Turns texts into vectors. Tests pass a toy; `load_encoder` gives the real ones."""

    name: str
    dimensions: int

    def encode(self, texts: Sequence[str], on_progress: Progress = silent) -> np.ndarray:
        """Return one row per text, float32 of shape (len(texts), dimensions), each of length 1.

        Texts may repeat; each distinct text is embedded once. May raise Cancelled through `on_progress`.
        """
        ...
