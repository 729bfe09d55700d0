"""The ways in which old and new pages are alike: words of the URL, of title and H1, and of the content."""

from collections.abc import Sequence

import pandas as pd

from backlink_audit.analysis.redirects.matching import Likeness
from backlink_audit.progress import Progress
from backlink_audit.settings import PageText
from backlink_audit.text.languages.any_language import words
from backlink_audit.text.links.link_texts import page_words
from backlink_audit.text.pages.mentions import site_stop_words, weigh_documents
from backlink_audit.text.pages.page_texts import PageTexts, default_mode, read_page_texts

URL, NAMES, CONTENT = "URL", "title and H1", "content"
"""What each is called in a reason."""


def read_both(old: pd.DataFrame, new: pd.DataFrame, brands: Sequence[str] | None) -> tuple[PageTexts, PageTexts]:
    """Return the texts of the pages of both sites (columns url, title, h1, content), of the same kind.

    Each site's brand is cut from its own titles.
    """
    both = {default_mode(list(pages["content"])) for pages in (old, new)}
    mode: PageText = "title+content" if both == {"title+content"} else "title"
    return read_page_texts(old, mode, brands), read_page_texts(new, mode, brands)


def likenesses(
    urls: tuple[pd.Series, pd.Series], texts: tuple[PageTexts, PageTexts], on_progress: Progress
) -> list[Likeness]:
    """Return how the pages of both sites are alike; of an old page without title and H1 the URL's words are used.

    Title and H1 are one text: many pages have one of them alone, and a site may swap them.
    """
    old, new = texts
    stop = site_stop_words(old) | site_stop_words(new)
    slugs = [list(map(page_words, column)) for column in urls]
    names = [
        [f"{title} {heading}".strip() for title, heading in zip(site.titles, site.headings, strict=True)]
        for site in texts
    ]
    by_slug = ["" if name else slug for name, slug in zip(names[0], slugs[0], strict=True)]
    on_progress("Comparing words", 0, 1)

    def by_words(name: str, of_old: Sequence[str], of_new: Sequence[str], left_out: frozenset[str]) -> Likeness:
        rows = weigh_documents([words(text) for text in (*of_old, *of_new)], left_out)
        return Likeness(name, rows[: len(of_old)], rows[len(of_old) :])

    found = [
        by_words(URL, slugs[0], slugs[1], frozenset()),
        by_words(NAMES, names[0], names[1], stop),
        by_words("words of the URL and the title", by_slug, new.names, stop),
        by_words(CONTENT, old.bodies, new.bodies, stop),
    ]
    return [one for one in found if one.known.any()] or found[:1]
