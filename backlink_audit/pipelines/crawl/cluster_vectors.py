"""The vectors that pages are grouped by: their own, but one for the pages of a template."""

import numpy as np

from backlink_audit.text.links.bags import unit_rows
from backlink_audit.text.pages.duplicate_pages import template_groups
from backlink_audit.text.pages.page_texts import PageTexts

ALIKE = 0.8
"""Least cosine of a page to the mean of its template; one further away is about something of its own."""


def without_templates(vectors: np.ndarray, texts: PageTexts) -> np.ndarray:
    """Return unit vectors, one and the same for all pages of a template, so that no grouping parts them.

    Pages of a template have titles that differ by numbers alone, and much the same text.
    """
    groups = template_groups(texts.names)
    together = vectors.copy()
    for number in range(int(groups.max(initial=-1)) + 1):
        members = np.flatnonzero(groups == number)
        mean = unit_rows(vectors[members].mean(axis=0, keepdims=True))
        together[members[vectors[members] @ mean[0] >= ALIKE]] = mean
    return together
