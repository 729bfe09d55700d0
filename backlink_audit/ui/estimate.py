"""What a run will need, said beside its button before it is pressed."""

from collections.abc import Callable, Hashable

import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.pipelines.estimate import Estimate
from backlink_audit.ui import session
from backlink_audit.ui.session import Key


def note(key: Hashable, estimate: Callable[[], Estimate]) -> str:
    """Return the estimate in words, worked out once for each key; "" where it cannot be told: the run will say why."""
    known: dict[Hashable, str] = session.kept(Key.ESTIMATES, dict)
    if key not in known:
        with st.spinner("Estimating"):
            try:
                known[key] = estimate().sentence
            except AuditError:
                known[key] = ""
    return known[key]
