"""Which pages the anchor of an existing link fits: its target by what that says, or another by its name."""

from collections.abc import Collection

import numpy as np
import pandas as pd

from backlink_audit.analysis.anchor_classes import content_words
from backlink_audit.text.languages.any_language import words
from backlink_audit.text.languages.word_forms import form
from backlink_audit.text.pages.exact_names import forms
from backlink_audit.text.pages.no_link_spans import section_headings
from backlink_audit.text.pages.page_texts import PageTexts
from backlink_audit.text.pages.read_text import read_text


def other_pages(
    anchors: pd.Series, target: np.ndarray, texts: PageTexts, pages: pd.DataFrame, linked: Collection[int]
) -> list[str]:
    """Return for each link the one page but its own whose title or H1 the anchor is; "" where none or several are.

    `target` (links,) are rows of `pages` (url, h2). Only pages that are `linked` count: a step of a tutorial that no
    page links to is not what "components" means. An anchor that is a heading in its own target, as “props” in a
    reference of all options, means that section.
    """
    pages_of: dict[str, set[int]] = {}
    for page, names in enumerate(zip(texts.titles, texts.headings, strict=True)):
        for name in names:
            if name and page in linked:
                pages_of.setdefault(_folded(name), set()).add(page)
    urls, second, found = pages["url"].tolist(), pages["h2"].tolist(), []
    for anchor, own in zip(anchors, target.tolist(), strict=True):
        named = pages_of.get(_folded(anchor), set())
        is_other = len(named) == 1 and own not in named and not _is_section(anchor, texts.bodies[own], second[own])
        found.append(urls[next(iter(named))] if is_other else "")
    return found


def in_target(anchors: pd.Series, target: pd.Series, texts: PageTexts, asked: pd.Series) -> np.ndarray:
    """Return of which links the target is about the anchor's words, bool (links,); false of those not `asked`.

    It is where its content says them side by side, or one of them is in its title, H1 or URL; singular and plural are
    one.
    """
    return np.array(
        [
            ask and _is_about(anchor, page, texts)
            for anchor, page, ask in zip(anchors, target.tolist(), asked, strict=True)
        ],
        dtype=bool,
    )


def _is_about(anchor: str, page: int, texts: PageTexts) -> bool:
    named = {word for name in (texts.titles[page], texts.headings[page], texts.slugs[page]) for word in forms(name)}
    phrase = forms(anchor)
    is_said = bool(phrase) and read_text(texts.bodies[page]).says(phrase) > 0
    return is_said or not named.isdisjoint(map(form, content_words(words(anchor))))


def _is_section(anchor: str, body: str, second_heading: str) -> bool:
    return forms(anchor) in map(forms, (*section_headings(body), second_heading))


def _folded(text: str) -> str:
    return " ".join(words(text))
