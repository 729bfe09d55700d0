"""The suggested links as edits: each page's sentence as it is, and the same sentence with the link in it."""

import json
from html import escape

import pandas as pd

from backlink_audit.pipelines.interlinks.result import Opportunities

INSERTIONS = ("Page URL", "Target URL", "Anchor", "Sentence", "Sentence with link", "Anchor match")


def insertions(result: Opportunities) -> pd.DataFrame:
    """Return one row per suggested link that has an anchor, by page; the sentence with its link is HTML."""
    links = result.suggested[result.suggested["anchor"] != ""]
    parts = links[["sentence", "anchor", "target_url", "anchor_at"]].itertuples(index=False)
    sentences = [with_link(sentence, anchor, url, at) for sentence, anchor, url, at in parts]
    taken = [links[name].tolist() for name in ("source_url", "target_url", "anchor", "sentence")]
    columns = [*taken, sentences, links["anchor_match"].tolist()]
    return pd.DataFrame(dict(zip(INSERTIONS, columns, strict=True)), dtype="str")


def with_link(sentence: str, anchor: str, url: str, at: int) -> str:
    """Return a sentence as HTML with a link on the anchor, which begins `at`; signs of HTML in it are escaped.

    >>> with_link("Oil a table & rest.", "a table", "https://a.example/?x=1&y=2", 4)
    'Oil <a href="https://a.example/?x=1&amp;y=2">a table</a> &amp; rest.'
    """
    parts = sentence[:at], sentence[at : at + len(anchor)], sentence[at + len(anchor) :]
    start, words, end = (escape(text, quote=False) for text in parts)
    return f'{start}<a href="{escape(url)}">{words}</a>{end}'


def as_json(table: pd.DataFrame) -> bytes:
    """Return the insertions as JSON, one object per page with its links in order."""
    pages = [
        {
            "page": page,
            "links": [
                dict(zip(("target", "anchor", "sentence", "sentence_with_link", "anchor_match"), row[1:], strict=True))
                for row in rows.itertuples(index=False)
            ],
        }
        for page, rows in table.groupby("Page URL", sort=False)
    ]
    return json.dumps(pages, ensure_ascii=False, indent=1).encode("utf-8", errors="replace")
