"""The audit of existing links: links -> texts of pages -> embed -> compare -> judge."""

from collections.abc import Collection

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import shortest_path

from backlink_audit.embedding.encoder import Encoder
from backlink_audit.existing_links.result import InlinkAudit
from backlink_audit.existing_links.verdicts import inlink_verdicts, page_relevance, shared_anchors
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.anchor_classes import classify_anchors, content_words
from backlink_audit.labels import INLINK_VERDICTS
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import InlinkSettings
from backlink_audit.site.links import SiteLinks, read_site_links
from backlink_audit.site.pages import PAGES
from backlink_audit.site.vectors import embed_pages
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.languages import form, words
from backlink_audit.text.page_names import forms
from backlink_audit.text.page_texts import PageTexts, read_page_texts
from backlink_audit.text.sentences import read_text, section_headings
from backlink_audit.text.urls import normalise_urls, registrable_domains

MENU_SHARE = 0.5  # the share of the pages that link to a page outside their content from which it is in the menu
TOP_ANCHORS = 3
PLACES = {label.word: place for place, label in enumerate(INLINK_VERDICTS)}
"""Of each verdict: links that need work come first."""
BY_URL = "Without a crawl, pages are only compared by the words in their URLs. Load a crawl for better results."
BY_TITLE = (
    "The crawl has no content, so pages are compared by titles and headings, and only clear cases get the verdict "
    "off-topic."
)
NO_POSITIONS = "{name} does not show where the links are on their pages, so links in menus are checked too."


def audit_inlinks(
    inlinks: Export,
    settings: InlinkSettings,
    encoder: Encoder,
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> InlinkAudit:
    """Judge the links that a site has. `sources`: a crawl of its pages. Raises NoRowsLeft, Cancelled."""
    crawl = sources.pages
    on_progress("Reading the links", 0, 1)
    graph = read_site_links([inlinks.table], inlinks.name, crawl)
    pages, notes = _crawled_pages(graph, crawl)
    texts = read_page_texts(pages, settings.text)
    vectors = embed_pages(texts, encoder, on_progress)
    on_progress("Setting verdicts", 0, 1)
    judged = graph.links[graph.links["in_content"]] if settings.content_only else graph.links
    links = _links(inlinks, graph, judged, pages, texts, vectors)
    links = links.drop_duplicates(["source_url", "target_url", "anchor", "position"], ignore_index=True)
    unlike = links["page_relevance"] < settings.off_topic_below
    links = links.assign(in_target=in_target(links["anchor"], links["target"], texts, unlike))
    with_content = any(texts.bodies) and settings.text in (None, "content", "title+content")
    links = links.assign(**inlink_verdicts(links, settings, with_content=with_content))
    anchors = shared_anchors(links)
    if not graph.knows_positions:
        notes.append(NO_POSITIONS.format(name=inlinks.name))
    elif crawl is not None and not with_content and pages["title"].ne("").any():
        notes.append(BY_TITLE)
    links = links.sort_values("verdict", key=lambda words: words.map(PLACES), kind="stable")
    kept = ["source_url", "target_url", "anchor", "position", "similarity", "page_relevance", "anchor_class"]
    return InlinkAudit(
        graph=graph,
        settings=settings,
        links=links[[*kept, "verdict", "why", "source_title", "target_title"]].reset_index(drop=True),
        anchors=anchors,
        pages=_pages(graph, links, pages, texts),
        model=encoder.name,
        notes=(*graph.notes, *notes),
    )


def _crawled_pages(graph: SiteLinks, crawl: Export | None) -> tuple[pd.DataFrame, list[str]]:
    """Return a row of a mapped crawl for each page of the graph, blank texts where the crawl does not have it."""
    columns = ["title", "h1", "h2", "content", "crawl_depth"]
    if crawl is None or not graph.pages["in_crawl"].any():
        table = pd.DataFrame({**dict.fromkeys(columns[:-1], ""), "crawl_depth": np.nan}, index=graph.pages.index)
        return table.astype(dict.fromkeys(columns[:-1], "str")).assign(url=graph.pages["url"]), [BY_URL]
    cleaned = clean_pages(crawl, PAGES).table
    place = pd.Index(cleaned["url_key"]).get_indexer(pd.Index(graph.pages["key"]))
    table = cleaned[columns].iloc[np.maximum(place, 0)].reset_index(drop=True)
    texts = {name: table[name].where(place >= 0, "") for name in columns[:-1]}
    depth = table["crawl_depth"].where(place >= 0)
    return table.assign(**texts, crawl_depth=depth, url=graph.pages["url"]), []


def _links(
    inlinks: Export, graph: SiteLinks, judged: pd.DataFrame, pages: pd.DataFrame, texts: PageTexts, vectors: np.ndarray
) -> pd.DataFrame:
    rows = inlinks.table.iloc[judged["row"]].reset_index(drop=True)
    judged = judged.reset_index(drop=True)
    source, target = judged["source"].to_numpy(), judged["target"].to_numpy()
    words = rows["anchor"].where(rows["anchor"].str.strip() != "", rows["alt_text"])
    keys = graph.pages["key"]
    names = {
        key: [name for name in (title, heading) if name]
        for key, title, heading in zip(keys, texts.titles, texts.headings, strict=True)
    }
    described = pd.DataFrame(
        {
            "anchor": words,
            "target_key": keys.to_numpy()[target],
            "target_domain": registrable_domains(graph.pages["url"]).to_numpy()[target],
        }
    )
    titles = np.array(texts.names, dtype=object)
    circles = {key for key, end in graph.redirects.items() if end.url is None}
    return pd.DataFrame(
        {
            "source_url": rows["source_url"],
            "target_url": rows["target_url"],
            "anchor": words,
            "position": rows["link_position"],
            "similarity": np.einsum("ij,ij->i", vectors[source], vectors[target]).astype("float64").clip(-1, 1),
            "page_relevance": page_relevance(vectors, source, target),
            "anchor_class": classify_anchors(described, page_names=names),
            "status": rows["http_status"],
            "end_status": graph.pages["status"].to_numpy()[target],
            "end": graph.pages["url"].to_numpy()[target],
            "named": other_pages(words, target, texts, pages, set(graph.links["target"])),
            "steps": judged["steps"],
            "circle": normalise_urls(rows["target_url"]).isin(circles),
            "followed": judged["followed"],
            "target": target,
            "target_host": keys.str.partition("/")[0].to_numpy()[target],
            "in_menu": _in_menu(graph)[target],
            "source_title": pd.Series(titles[source], dtype="str"),
            "target_title": pd.Series(titles[target], dtype="str"),
        }
    )


def _in_menu(graph: SiteLinks) -> np.ndarray:
    outside = graph.links[~graph.links["in_content"]].drop_duplicates(["source", "target"])
    linking = np.bincount(outside["target"], minlength=len(graph.pages))
    return (linking >= MENU_SHARE * len(graph.pages)) | ~graph.pages["key"].str.contains("/").to_numpy(bool)


def _pages(graph: SiteLinks, links: pd.DataFrame, pages: pd.DataFrame, texts: PageTexts) -> pd.DataFrame:
    linked = graph.linked()
    links_in = np.asarray(linked.sum(axis=0)).ravel().astype(np.int64)
    counts = (
        links[links["anchor"] != ""].groupby(["target", "anchor"]).size().sort_values(ascending=False, kind="stable")
    )
    anchors = counts.reset_index(name="links").groupby("target")["anchor"]
    numbers = graph.pages.index
    return pd.DataFrame(
        {
            "url": graph.pages["url"],
            "title": pd.Series(texts.names, dtype="str"),
            "depth": pages["crawl_depth"].fillna(pd.Series(_depths(graph, links_in))),
            "links_in": links_in,
            "links_out": np.asarray(linked.sum(axis=1)).ravel().astype(np.int64),
            "anchors": anchors.size().reindex(numbers, fill_value=0),
            "top_anchors": anchors.agg(lambda words: " · ".join(words.head(TOP_ANCHORS))).reindex(numbers).fillna(""),
        }
    ).astype({"top_anchors": "str"})


def _depths(graph: SiteLinks, links_in: np.ndarray) -> np.ndarray:
    at_root = ~graph.pages["key"].str.contains("/").to_numpy(bool)
    home = int(np.argmax(np.where(at_root if at_root.any() else True, links_in, -1)))
    steps = shortest_path(graph.linked(), unweighted=True, indices=home)
    return np.where(np.isinf(steps), np.nan, steps)


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
