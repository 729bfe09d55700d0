"""Internal link opportunities as tables for the reader: pairs, lists of pages to merge, join or retire, and sheets.

What to do with each is said in words; what is best to keep goes by clicks, else by links.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from html import escape
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from backlink_audit.embedding.nearest import EXACT_ROWS, nearest, top_k
from backlink_audit.glossary import TERMS
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.internal_links.run import off_topic_pages
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import Rows, Tables, WholeTables, rows_of_file, sheet, summary_table, tables_of
from backlink_audit.text.languages import stop_words_of, words
from backlink_audit.text.page_kinds import LISTING, PAST, UTILITY
from backlink_audit.wording import count, first_of, percent

SAME_SUBJECT = 0.75  # cosine of two pages from which they may compete for one subject
SAME_WORDS = 0.5  # share of the words of two titles that both have, from which they do
NEIGHBOURS = 5  # most similar pages of each that are looked at
TEMPLATE_PAGES = 3
"""Titles that differ at one place alone, from which they are of one template: a page for each town, or model."""
LONGEST_PLACE = 3  # words at that place, as in “New York City”
QUERIES_SHOWN = 3
Pair = tuple[int, int]
Frame = tuple[tuple[str, ...], tuple[str, ...]]
"""The words before and after the place at which the titles of a template differ."""
FEW_IN_A_BLOCK = 3  # titles of a family that are shown
FOR_EVENTS = "refresh for the next one, or leave"
ADVICE = {
    "There is a newer version": "redirect to the newer version, or set its canonical there",
    "The text says": "redirect to what took its place, or refresh it",
    "Release notes": "leave as it is: no new links to it",
}
"""What to do with an old page by the beginning of its evidence."""
DECIMALS = 6
INSERTIONS = ("Page URL", "Target URL", "Anchor", "Sentence", "Sentence with link", "Anchor match")
BLOCK_SCORES = 8 * 1024**2  # Similarities held at once: 32 MiB


def competing_pages(result: Opportunities) -> pd.DataFrame:
    """Return pairs of pages about one subject whose titles share most words, the surest first.

    Near duplicates are no such pairs: they are to be merged. Nor are pages of one template, whose titles differ by a
    number, a place or the like. Columns: source_title, target_title, similarity, shared_words, source_url, target_url;
    where it is known which queries find which page also shared_queries, and the pairs that share most come first.
    """
    titles, urls = result.pages["title"].tolist(), result.pages["url"].tolist()
    named = [words(title) for title in titles]
    alike = {pair: cosine for pair, cosine in _similar(result).items() if _share_words(*(named[one] for one in pair))}
    templates = _of_one_template(alike, named, stop_words_of(result.texts.languages))
    rows = [
        (
            titles[one],
            titles[other],
            cosine,
            " ".join(sorted(set(named[one]) & set(named[other]))),
            _shared(result.queries.get(urls[one], {}), result.queries.get(urls[other], {})),
            urls[one],
            urls[other],
        )
        for (one, other), cosine in alike.items()
        if (one, other) not in templates
    ]
    rows.sort(key=lambda row: (-len(row[4]), -row[2], row[5], row[6]))
    columns = ["source_title", "target_title", "similarity", "shared_words", "shared_queries", "source_url"]
    found = pd.DataFrame(rows, columns=[*columns, "target_url"])
    if not result.queries:
        return found.drop(columns="shared_queries")
    shown = [first_of(queries, QUERIES_SHOWN) for queries in found["shared_queries"]]
    return found.assign(shared_queries=pd.array(shown, dtype="str"))


def _similar(result: Opportunities) -> dict[Pair, float]:
    """Return the cosine of each two pages that are compared and about one subject, but no near duplicates."""
    vectors, groups, urls = result.vectors.vectors, result.compared, result.pages["url"].tolist()
    pairs: dict[Pair, float] = {}
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        search = top_k if len(rows) <= EXACT_ROWS else nearest
        near, cosines = search(vectors[rows], vectors[rows], NEIGHBOURS + 1)  # one of them is the page itself
        fits = (near >= 0) & (cosines >= SAME_SUBJECT) & (cosines < result.settings.near_duplicate)
        for place, column in np.argwhere(fits):
            one, other = sorted((int(rows[place]), int(rows[near[place, column]])), key=urls.__getitem__)
            if one != other:
                pairs.setdefault((one, other), float(cosines[place, column]))
    return pairs


def _share_words(one: Sequence[str], other: Sequence[str]) -> bool:
    both, either = set(one) & set(other), set(one) | set(other)
    return len(both) >= SAME_WORDS * max(1, len(either)) and not _is_series(set(one), set(other))


def _is_series(one: set[str], other: set[str]) -> bool:
    numbers = [{word for word in of_title if any(map(str.isdigit, word))} for of_title in (one, other)]
    return bool(numbers[0] and numbers[1] and numbers[0] != numbers[1])


def _of_one_template(
    pairs: Collection[Pair], titles: Sequence[Sequence[str]], says_nothing: frozenset[str]
) -> set[Pair]:
    """Return the pairs whose titles differ at one place alone, where titles of the site differ as a rule.

    That is: `TEMPLATE_PAGES` titles differ there, as pages for each town do, or so many pairs differ by the same words,
    as the small and the large size do. Titles that differ by words that say nothing are not counted: “oil a table” and
    “oil the table” are one subject.
    """
    differences = {pair: found for pair in pairs if (found := _difference(*(titles[one] for one in pair))) is not None}
    wanted = {frame for frame, _ in differences.values()}
    fillings: dict[Frame, set[tuple[str, ...]]] = defaultdict(set)
    for title in titles if wanted else ():
        for frame, filling in _places(title):
            if frame in wanted and not (filling and says_nothing >= set(filling)):
                fillings[frame].add(filling)
    exchanged = Counter(exchange for _, exchange in set(differences.values()))
    return {
        pair
        for pair, (frame, exchange) in differences.items()
        if max(len(fillings[frame]), exchanged[exchange]) >= TEMPLATE_PAGES
    }


def _difference(one: Sequence[str], other: Sequence[str]) -> tuple[Frame, frozenset[tuple[str, ...]]] | None:
    """Return what stands around the place at which two titles differ, and what each has there; None for no such place.

    >>> _difference(["oak", "small"], ["oak", "large"]) == ((("oak",), ()), frozenset({("small",), ("large",)}))
    True
    """
    shorter = min(len(one), len(other))
    before = next((n for n in range(shorter) if one[n] != other[n]), shorter)
    after = next((n for n in range(shorter - before) if one[-1 - n] != other[-1 - n]), shorter - before)
    fillings = frozenset(tuple(title[before : len(title) - after]) for title in (one, other))
    if not before + after or len(fillings) == 1 or max(map(len, fillings)) > LONGEST_PLACE:
        return None
    return (tuple(one[:before]), tuple(one[len(one) - after :])), fillings


def _places(title: Sequence[str]) -> Iterator[tuple[Frame, tuple[str, ...]]]:
    for start in range(len(title) + 1):
        for stop in range(start, min(start + LONGEST_PLACE, len(title)) + 1):
            yield (tuple(title[:start]), tuple(title[stop:])), tuple(title[start:stop])


def _shared(one: dict[str, float], other: dict[str, float]) -> list[str]:
    return sorted(one.keys() & other.keys(), key=lambda query: (-min(one[query], other[query]), query))


def pages_to_merge(result: Opportunities) -> pd.DataFrame:
    """Return near duplicates, then competing pages, each with the page to keep and the redirect rule.

    Columns: merge_why, keep_url, keep_title, merge_url, merge_title, similarity, redirect_rule. Which one to keep goes
    by clicks where they are loaded, else by inlinks, else by how much each says.
    """
    near = result.near_duplicates.assign(why="near duplicate")
    competing = competing_pages(result).assign(why="same subject, nearly the same title")
    pairs = pd.concat([near, competing], ignore_index=True)
    clicks = _clicks(result)
    pages = result.pages.set_index("url")
    weight = {
        url: (clicks.get(url, 0.0), inlinks, words)
        for url, inlinks, words in zip(
            pages.index, pages["inlinks"].fillna(0), pages["word_count"].fillna(0), strict=True
        )
    }
    rows = []
    columns = ("why", "source_url", "source_title", "target_url", "target_title", "similarity")
    for why, one, one_title, other, other_title, similarity in pairs[list(columns)].itertuples(index=False):
        ends = [(one, one_title), (other, other_title)]
        keep, merge = sorted(sorted(ends), key=lambda end: (*weight[end[0]], -len(end[0])), reverse=True)
        rule = f"Redirect 301 {urlsplit(merge[0]).path or '/'} {keep[0]}"
        rows.append((why, *keep, *merge, similarity, rule))
    named = ["merge_why", "keep_url", "keep_title", "merge_url", "merge_title", "similarity", "redirect_rule"]
    return pd.DataFrame(rows, columns=named)


def old_pages(result: Opportunities) -> pd.DataFrame:
    """Return the pages whose time is over, those with most inlinks first."""
    rows = result.pages[result.pages["purpose"] == PAST]
    advice = [
        next((told for start, told in ADVICE.items() if evidence.startswith(start)), FOR_EVENTS)
        for evidence in rows["purpose_evidence"]
    ]
    found = rows.assign(page_advice=pd.array(advice, dtype="str"))[
        ["title", "purpose_evidence", "page_advice", "inlinks", "url"]
    ]
    return found.sort_values("inlinks", ascending=False, kind="stable", na_position="last", ignore_index=True)


def pages_left_out(result: Opportunities) -> pd.DataFrame:
    """Return the pages that are no end of a suggested link: title, purpose, purpose_evidence, url."""
    rows = result.pages[result.pages["purpose"].isin((UTILITY, LISTING))]
    return rows[["purpose", "purpose_evidence", "title", "url"]].sort_values(
        ["purpose", "purpose_evidence"], kind="stable", ignore_index=True
    )


def blocks(result: Opportunities) -> pd.DataFrame:
    """Return one row per family of pages that one block of links should join: block, size, examples, parent_url.

    `parent_url`: the page of the folder that most of them are in, where the block belongs as well; "" without one.
    """
    urls = set(result.pages["url"].str.rstrip("/"))
    rows = []
    for family, pages in result.pages[result.pages["family"] >= 0].groupby("family"):
        titles = [title.split() for title in pages["title"]]
        shared = Counter(word for title in titles for word in set(title))
        pattern = [word if shared[word] > len(titles) / 2 else "…" for word in titles[0]]
        block = " ".join(word for at, word in enumerate(pattern) if word != "…" or not at or pattern[at - 1] != "…")
        parents = Counter(url.rstrip("/").rpartition("/")[0] for url in pages["url"])
        parent = next((url for url, _ in parents.most_common() if url in urls), "")
        rows.append((block, len(pages), "; ".join(pages["title"].head(FEW_IN_A_BLOCK)), parent, int(str(family))))
    found = pd.DataFrame(rows, columns=["block", "size", "examples", "parent_url", "family"])
    return found.sort_values("size", ascending=False, kind="stable", ignore_index=True)


def focus(result: Opportunities) -> tuple[str, pd.DataFrame]:
    """Return how focused the site is, in a sentence, and by section: section, size, focus, radius.

    Focus is the mean cosine of the pages to the mean of those of their language; radius the distance (1 − cosine) that
    nine tenths of them are within.
    """
    vectors, groups = result.vectors.vectors, result.compared
    near = np.zeros(len(vectors))
    for group in np.unique(groups):
        own = groups == group
        centre = vectors[own].mean(axis=0)
        near[own] = vectors[own] @ (centre / max(float(np.linalg.norm(centre)), 1e-9))
    far = off_topic_pages(result)
    stays = ~result.pages["url"].isin(far["url"]).to_numpy()
    said = f"The pages are {near.mean():.2f} near to the site's subject on average (1 is the most)."
    if len(far) and stays.any():
        said += f" {count(len(far), 'page')} pull it apart: without them it would be {near[stays].mean():.2f}."
        clicks = _clicks(result)
        if clicks and (total := sum(clicks.values())):
            said += f" They have {percent(sum(clicks.get(url, 0) for url in far['url']) / total)} of the clicks."
    sections = result.pages["url"].map(lambda url: f"/{urlsplit(url).path.strip('/').partition('/')[0]}")
    table = pd.DataFrame({"section": sections, "near": near}).groupby("section")["near"]
    found = pd.DataFrame({"size": table.size(), "focus": table.mean(), "radius": 1 - table.quantile(0.1)})
    return said, found.sort_values("size", ascending=False, kind="stable").reset_index()


def _clicks(result: Opportunities) -> dict[str, float]:
    if "target_clicks" not in result.table:
        return {}
    clicks = result.table.groupby("target_url")["target_clicks"].max().fillna(0)
    return {str(url): float(number) for url, number in clicks.items()}


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
MERGE = sheet("interlinks.merge", pages_to_merge)
OLD = sheet("interlinks.old", old_pages)
BLOCKS = sheet("interlinks.blocks", blocks)
LEFT_OUT = sheet("interlinks.left_out", pages_left_out)
SECTIONS = sheet("interlinks.sections", lambda result: focus(result)[1])
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
            ("Settings", "Existing links", "in the content" if settings.content_links_only else "anywhere on the page"),
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
            ("Result", "Orphans", "unknown: no inlinks export" if orphans is None else len(orphans)),
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
