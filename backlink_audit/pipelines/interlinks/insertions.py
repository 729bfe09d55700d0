"""The suggested links as edits: each page's sentence as it is, and the same sentence with the link in it."""

import json
from html import escape

import pandas as pd

from backlink_audit.pipelines.interlinks.result import Opportunities

INSERTIONS = ("Page URL", "Target URL", "Anchor", "Sentence", "Sentence with link")


def insertions(result: Opportunities) -> pd.DataFrame:
    """Return one row per suggested link that has an anchor, by page; the sentence with its link is HTML."""
    links = result.suggested[result.suggested["anchor"] != ""]
    sentences = [
        with_link(sentence, anchor, url)
        for sentence, anchor, url in zip(links["sentence"], links["anchor"], links["target_url"], strict=True)
    ]
    columns = [*(links[name].tolist() for name in ("source_url", "target_url", "anchor", "sentence")), sentences]
    return pd.DataFrame(dict(zip(INSERTIONS, columns, strict=True)), dtype="str")


def with_link(sentence: str, anchor: str, url: str) -> str:
    """Return a sentence as HTML with a link on the first place of the anchor; signs of HTML in it are escaped.

    >>> with_link("Oil a table & rest.", "a table", "https://a.example/?x=1&y=2")
    'Oil <a href="https://a.example/?x=1&amp;y=2">a table</a> &amp; rest.'
    """
    before, found, after = sentence.partition(anchor)
    start, words, end = (escape(text, quote=False) for text in (before, found, after))
    return f'{start}<a href="{escape(url)}">{words}</a>{end}'


def as_json(table: pd.DataFrame) -> bytes:
    """Return the insertions as JSON, one object per page with its links in order."""
    pages = [
        {
            "page": page,
            "links": [
                {"target": row[1], "anchor": row[2], "sentence": row[3], "sentence_with_link": row[4]}
                for row in rows.itertuples(index=False)
            ],
        }
        for page, rows in table.groupby("Page URL", sort=False)
    ]
    return json.dumps(pages, ensure_ascii=False, indent=1).encode("utf-8", errors="replace")
