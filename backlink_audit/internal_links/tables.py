"""Internal link opportunities as tables for the reader: the pairs csv and the sheets of the workbook."""

import json
from collections.abc import Iterator
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd

from backlink_audit.glossary import TERMS
from backlink_audit.internal_links import lists
from backlink_audit.internal_links.competing import competing_pages
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.internal_links.run import off_topic_pages
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import Rows, Tables, WholeTables, rows_of_file, sheet, summary_table, tables_of

DECIMALS = 6


def _in_words(pairs: pd.DataFrame) -> pd.DataFrame:
    flags = [name for name in ("near_duplicate", "near_top") if name in pairs]
    return pairs.assign(**{name: pairs[name].map({True: "yes", False: "no"}) for name in flags})


PAIRS = sheet("interlinks.pairs", lambda result: _in_words(result.opportunities))
UNPLACED = sheet("interlinks.unplaced", lambda result: _in_words(result.unplaced))
ALIKE = sheet("interlinks.alike", lambda result: result.near_duplicates)
TRANSLATIONS = sheet("interlinks.translations", lambda result: result.translations)
TEMPLATES = sheet("interlinks.templates", lambda result: result.templates)
ORPHANS = sheet("interlinks.orphans", lambda one: one.pages.head(0) if one.orphans is None else one.orphans)
ISOLATED = sheet("interlinks.isolated", lambda result: result.isolated)
FAR = sheet("interlinks.far", off_topic_pages)
COMPETING = sheet("interlinks.competing", competing_pages)
MERGE = sheet("interlinks.merge", lists.pages_to_merge)
OLD = sheet("interlinks.old", lists.old_pages)
BLOCKS = sheet("interlinks.blocks", lists.blocks)
LEFT_OUT = sheet("interlinks.left_out", lists.pages_left_out)
SECTIONS = sheet("interlinks.sections", lambda result: lists.focus(result)[1])
PAGES = sheet("interlinks.pages", lambda result: result.pages)
SOURCES = sheet("interlinks.sources", lambda result: None)  # of one page: the rows are given
TARGETS = sheet("interlinks.targets", lambda result: None)
SHEETS = (
    PAIRS,
    UNPLACED,
    MERGE,
    OLD,
    BLOCKS,
    LEFT_OUT,
    ALIKE,
    TRANSLATIONS,
    TEMPLATES,
    ORPHANS,
    ISOLATED,
    FAR,
    COMPETING,
)


def tables(result: Opportunities) -> WholeTables:
    """Return the tables of suggested links: every pair, and the workbook."""
    every_pair = replace(PAIRS, rows=lambda result: _in_words(result.table))
    return tables_of(result, every_pair, SHEETS, lambda: summary(result))


def all_pairs_tables(result: Opportunities, threshold: float) -> Tables[Rows]:
    """Return every pair at or above the threshold as tables that are written part by part."""

    def every_pair() -> Iterator[pd.DataFrame]:
        return all_pairs(result, threshold)

    return Tables(lambda: every_pair, lambda: {"Summary": summary(result), "All pairs": every_pair})


def summary(result: Opportunities) -> pd.DataFrame:
    """Return what was done, with what, and what came out, as rows of Part, What and Value."""
    settings, texts = result.settings, result.texts
    orphans = result.orphans
    return summary_table(
        [
            ("Run", "File", result.cleaned.export.name),
            ("Run", "Created", result.made_at),
            ("Run", "Model", result.vectors.model),
            ("Settings", "Page text", texts.mode),
            ("Settings", "Remove from titles", ", ".join(texts.brands) or "nothing"),
            ("Settings", "Main language", texts.language),
            ("Settings", "Links between languages", "yes" if settings.across_languages else "no"),
            ("Settings", "Order", settings.order),
            ("Settings", "Maximum targets per page", settings.per_page),
            ("Settings", "Maximum sources per target", settings.per_target or "no limit"),
            ("Settings", "Minimum similarity", settings.least_similarity),
            ("Settings", "Minimum similarity of near duplicates", settings.near_duplicate),
            (
                "Settings",
                "Existing links",
                "in the content" if settings.content_links_only else "anywhere on the page",
            ),
            *(("Settings", name, text) for name, text in _path_filters(result)),
            *rows_of_file(len(result.cleaned.export.raw), result.cleaned.removed),
            ("Rows", "Pages compared", len(result.pages)),
            ("Result", "In a sentence", result.headline),
            ("Result", "Links suggested", len(result.suggested)),
            ("Result", "With an anchor", result.with_anchor),
            ("Result", "With an exact anchor", result.with_exact_anchor),
            ("Result", "With an anchor near in meaning", result.with_near_anchor),
            ("Result", "Near duplicates", len(result.near_duplicates)),
            ("Result", "Pairs of translations, excluded", len(result.translations)),
            ("Result", "Pairs with the same template, excluded", len(result.templates)),
            (
                "Result",
                "Orphans",
                "unknown: no inlinks export" if orphans is None else len(orphans),
            ),
            ("Result", "Isolated pages (no similar page on the site)", len(result.isolated)),
            *(("Result", "Note", note) for note in result.notes),
            ("Formulas", "Similarity", TERMS["similarity"].help),
            ("Formulas", "Score", TERMS["score"].help),
            ("Formulas", "Anchor match", TERMS["anchor_match"].help),
        ]
    )


def _path_filters(result: Opportunities) -> list[tuple[str, str]]:
    settings = result.settings
    named = {
        "Source path contains": settings.source_contains,
        "Source path does not contain": settings.source_excludes,
        "Target path contains": settings.target_contains,
        "Target path does not contain": settings.target_excludes,
    }
    return [(name, text) for name, text in named.items() if text]


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


BLOCK_SCORES = 8 * 1024**2  # Similarities held at once: 32 MiB


def all_pairs(result: Opportunities, threshold: float, on_progress: Progress = silent) -> Iterator[pd.DataFrame]:
    """Yield tables of the pairs at or above the threshold, by source: Source URL, Target URL, Similarity Score.

    The threshold is a cosine. Each pair stands in both directions, as far as the path filters let its pages be source
    and target; no page with itself. At least one table is yielded, empty where there is no pair.
    """
    sources, targets = result.matrix_pages()
    vectors, urls = result.vectors.vectors, result.pages["url"].to_numpy(dtype=object)
    size = max(1, BLOCK_SCORES // max(1, len(targets)))
    for start in range(0, max(1, len(sources)), size):
        on_progress("Writing pairs", start, len(sources))
        block = sources[start : start + size]
        cosines = (vectors[block] @ vectors[targets].T).clip(-1, 1)
        row, column = np.nonzero((cosines >= threshold) & (block[:, None] != targets))
        yield pd.DataFrame(
            {
                "Source URL": urls[block[row]],
                "Target URL": urls[targets[column]],
                "Similarity Score": cosines[row, column].astype("float64").round(DECIMALS),
            }
        )
