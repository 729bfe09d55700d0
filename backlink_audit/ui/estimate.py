"""What a run will need, said beside its button before it is pressed."""

from collections.abc import Callable, Hashable

import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.pipelines.estimate import Estimate
from backlink_audit.ui import jobs, session
from backlink_audit.ui.session import Key


def needed(label: str, key: Hashable, estimate: Callable[[], Estimate], inputs: Hashable = None) -> Estimate | None:
    """Return what a run would need; None where its result is there, or where the run will say why it fails.

    Args:
        label: The label of the run.
        key: The key of the run.
        estimate: Computes it; called once for the same inputs.
        inputs: What the estimate depends on, where that is less than the key.
    """
    if jobs.last(label, key) is not None:
        return None
    # What a run has embedded costs nothing again, so its result is part of what the estimate depends on.
    asked = label, key if inputs is None else inputs, getattr(jobs.last(label), "made_at", None)
    known: dict[Hashable, Estimate | None] = session.kept(Key.ESTIMATES, dict)
    if asked not in known:
        with st.spinner("Estimating"):
            try:
                known[asked] = estimate()
            except AuditError:
                known[asked] = None
    return known[asked]
