"""The authority of a site: links -> graph -> what comes from outside -> shares -> verdicts.

PageRank (Brin and Page, 1998) by power iteration: a reader follows the links of a page in proportion to their weights,
and starts again with one step in seven, and at a page without links. docs/pages/authority.md, decisions/link-score.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from backlink_audit.authority.result import Added, SiteAuthority, WhatIf, compare, read_added, with_added
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.embedding.nearest import top_k
from backlink_audit.existing_links.verdicts import page_relevance
from backlink_audit.exports.clean import clean_pages
from backlink_audit.exports.recognise import Export
from backlink_audit.internal_links.anchors import find_anchors
from backlink_audit.labels import BROKEN_PAGE, DEAD_END, DESERVES_MORE, LINK_LIVE, ORPHAN, PASSES_ON, UNDERLINKED
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuthoritySettings, PageFilters
from backlink_audit.site.links import SiteLinks, is_broken, read_links, read_site_links
from backlink_audit.site.vectors import embed_pages
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.page_texts import read_page_texts
from backlink_audit.text.urls import normalise_urls
from backlink_audit.wording import by_number, count, part_of, percent

DAMPING = 0.85  # the share of steps that follow a link; Brin and Page's own
CLOSE = 1e-14
"""When all changes of a step add up to less, the shares are final. Each step shrinks the sum by the damping."""
MOST_STEPS = 1_000  # never reached: after 200 steps what is left of the start is 0.85 to the power of 200, under 1e-14
STRONG = 0.75
"""A page is strong, from outside or in all, if it has more than three quarters of the pages that have anything."""
WEAK_INSIDE = 0.5  # A page is weak inside if the links of the site alone put it into the lower half of the pages
FROM_OUTSIDE = 0.5
"""The part of the start that goes by what comes from outside; the other is even. DEFINITIONS: half and half."""
NO_POSITIONS = "{name} does not show where the links are on their pages, so all links have weight 1."
PAGES = ("url", "title", "link_score", "pagerank", "links_in", "links_out", "verdict")
LINKS = ("link_type", "source_url", "target_url", "anchor", "link_position")
"""What is read of an inlinks export: which words are links already."""
LOOKED_AT = 60  # nearest pages of each target that are looked through
SHOWN = 10  # sources of each target
RELEVANT = 60.0  # least relevance of source and target; two pages of chance have 50
MOST_TARGETS = 500  # targets that sources are found for, the strongest of the pages first
COLUMNS = ["target_url", "source_url", "source_title", "anchor", "sentence", "page_relevance", "passes"]


def link_shares(links: sp.csr_matrix, start: np.ndarray) -> np.ndarray:
    """Return the share of the site's authority that each page has, float64 (pages,), adding up to 1.

    `links` (pages, pages): the weight, 0 or more, of the link from the row's page to the column's. `start` (pages,):
    where readers begin, adding up to 1; a page without a link that weighs anything hands its share out in the same way.
    """
    out = np.asarray(links.sum(axis=1), dtype=np.float64).ravel()
    dead_end = out == 0
    scale = np.divide(1.0, out, out=np.zeros_like(out), where=~dead_end)
    step = (sp.diags_array(scale) @ links).T.tocsr()
    shares = start.astype(np.float64)
    for _ in range(MOST_STEPS):
        begins_anew = DAMPING * shares[dead_end].sum() + 1 - DAMPING
        former, shares = shares, DAMPING * (step @ shares) + begins_anew * start
        if np.abs(shares - former).sum() < CLOSE:
            break
    return shares / shares.sum()


def link_scores(shares: np.ndarray, links: sp.csr_matrix, start: np.ndarray) -> np.ndarray:
    """Return the shares on a scale of 0 to 100, float64 (pages,): 100 is the page with the most.

    By the logarithm, since a few pages have nearly all; 0 is what a page gets that no link leads to, and where nobody
    links to anybody all are 0.
    """
    dead_end = np.asarray(links.sum(axis=1)).ravel() == 0
    least = (DAMPING * shares[dead_end].sum() + 1 - DAMPING) * start.min()
    spread = np.log(shares.max() / least)
    if spread < CLOSE * len(shares) or np.isclose(spread, 0):
        return np.zeros(len(shares))
    return (100 * np.log(shares / least) / spread).clip(0, 100)


def authority_verdicts(pages: pd.DataFrame) -> pd.DataFrame:
    """Return verdict and why for each page, with the index of `pages`.

    `pages`: status (HTTP, NaN: unknown), circle (bool: its redirects run in a circle), links_in, links_out (pages, by
    followed links), pagerank, inside (the share by the site's links alone), from_outside (its share of what comes from
    outside, NaN: unknown) and wanted (bool: to be strengthened). The first verdict that fits wins.
    """
    inside, share = _rank(pages["inside"]), _rank(pages["pagerank"])
    outside = _rank(pages["from_outside"].where(pages["from_outside"] > 0))
    fits = {
        BROKEN_PAGE.word: pages["circle"] | is_broken(pages["status"]),
        UNDERLINKED.word: (outside > STRONG) & (inside <= WEAK_INSIDE),
        DESERVES_MORE.word: pages["wanted"] & (share <= STRONG),
        ORPHAN.word: pages["links_in"] == 0,
        DEAD_END.word: (share > STRONG) & (pages["links_out"] == 0),
    }
    verdict = pd.Series(np.select(list(fits.values()), list(fits), PASSES_ON.word), pages.index, dtype="str")
    rows = pages.assign(verdict=verdict, inside_rank=inside, share_rank=share).itertuples()
    return pd.DataFrame({"verdict": verdict, "why": pd.Series([_why(row) for row in rows], pages.index, dtype="str")})


def _rank(values: pd.Series) -> pd.Series:
    return values.rank(pct=True)


def _why(page: Any) -> str:
    links_in = f"{count(page.links_in, 'page')} {by_number(page.links_in, 'links', 'link')} to it"
    if page.verdict == BROKEN_PAGE.word:
        what = "It is in a redirect loop" if page.circle else f"It returns {page.status:.0f}"
        return f"{what}, and {links_in}."
    if page.verdict == UNDERLINKED.word:
        return (
            f"It gets {percent(page.from_outside)} of the authority from backlinks, but "
            f"{percent(1 - page.inside_rank)} of the pages get more through internal links; {links_in}."
        )
    if page.verdict == DESERVES_MORE.word:
        return f"It is on your list; {percent(1 - page.share_rank)} of the pages have more authority, {links_in}."
    if page.verdict == ORPHAN.word:
        return "No other page has a followed link to it."
    if page.verdict == DEAD_END.word:
        return (
            f"It has more authority than {percent(page.share_rank)} of the pages, but no followed link to another page."
        )
    return f"{links_in}, and it links to {count(page.links_out, 'page')}."


def find_authority(
    inlinks: Export | Iterable[pd.DataFrame],
    settings: AuthoritySettings,
    name: str = "",
    sources: Sources = NO_SOURCES,
    backlinks: pd.DataFrame | None = None,
    added: pd.DataFrame | None = None,
    wanted: Sequence[str] = (),
    on_progress: Progress = silent,
) -> SiteAuthority:
    """Return how much authority reaches each page. Raises NoRowsLeft without links between pages.

    `inlinks` as mapped tables (`exports.parts.Blocks`) need not fit into the memory; `name` is what the user calls
    them. `sources`: a crawl, for pages that nothing links to, redirects and titles. `backlinks`: scored (target_url,
    cas, followed, link_state): what comes in from outside. `added`: links to try out (source_url, target_url).
    `wanted`: URLs to strengthen.
    """
    on_progress("Reading the links", 0, 1)
    tables, name = ([inlinks.table], inlinks.name) if isinstance(inlinks, Export) else (inlinks, name)
    links = read_site_links(tables, name, sources.pages)
    on_progress("Calculating the link score", 0, 1)
    outside, notes = _from_outside(links, backlinks)
    pages = _scored(links, settings, outside)
    pages = pages.assign(title=_titles(links, sources.pages), wanted=_listed(links, wanted, notes))
    if not links.knows_positions:
        notes.append(NO_POSITIONS.format(name=name))
    pages = pages.assign(**authority_verdicts(pages))
    pages = pages.assign(deserving=pages["verdict"].isin([UNDERLINKED.word, DESERVES_MORE.word]))
    order = np.lexsort((pages["url"], -pages["pagerank"].round(12)))
    result = SiteAuthority(links, settings, pages.iloc[order].reset_index(drop=True), notes=(*links.notes, *notes))
    return result if added is None else try_links(result, added)


def try_links(result: SiteAuthority, pairs: pd.DataFrame) -> SiteAuthority:
    """Return the result with what these links would change; `pairs` has source_url, target_url and maybe rank."""
    links, pages = result.graph, result.pages
    keys = pd.Index(links.pages["key"])
    tried = read_added(pairs, links, result.settings.tried_per_page)
    outside = pages.set_index("key")["from_outside"].reindex(keys).to_numpy() if result.knows_outside else None
    place = keys.get_indexer(pd.Index(pages["key"]))
    after = {name: values[place] for name, values in _after(links, result.settings, outside, tried).items()}
    pages = pages.assign(**after)
    return replace(result, pages=pages, what_if=WhatIf(tried, compare(pages[["url", "pagerank", "share_after"]])))


def _scored(links: SiteLinks, settings: AuthoritySettings, outside: np.ndarray | None) -> pd.DataFrame:
    weights, linked = links.weights(_outside_content(links, settings)), links.linked()
    even = np.full(len(links.pages), 1 / len(links.pages))
    inside = link_shares(weights, even)
    start = _start(even, outside)
    shares = inside if outside is None else link_shares(weights, start)
    keys = links.pages["key"]
    circle = keys.isin([key for key, end in links.redirects.items() if end.url is None])
    return links.pages.assign(
        link_score=link_scores(shares, weights, start),
        pagerank=shares,
        inside=inside,
        from_outside=np.nan if outside is None else outside,
        links_in=np.asarray(linked.sum(axis=0)).ravel().astype(np.int64),
        links_out=np.asarray(linked.sum(axis=1)).ravel().astype(np.int64),
        circle=circle,
    )


def _after(
    links: SiteLinks, settings: AuthoritySettings, outside: np.ndarray | None, added: Added
) -> dict[str, np.ndarray]:
    weights = with_added(links.weights(_outside_content(links, settings)), added)
    start = _start(np.full(len(links.pages), 1 / len(links.pages)), outside)
    shares = link_shares(weights, start)
    return {"share_after": shares, "score_after": link_scores(shares, weights, start)}


def _outside_content(links: SiteLinks, settings: AuthoritySettings) -> float:
    return settings.outside_content if links.knows_positions else 1.0


def _start(even: np.ndarray, outside: np.ndarray | None) -> np.ndarray:
    return even if outside is None else (1 - FROM_OUTSIDE) * even + FROM_OUTSIDE * outside


def _from_outside(links: SiteLinks, backlinks: pd.DataFrame | None) -> tuple[np.ndarray | None, list[str]]:
    """Return each page's part of the CAS of the live followed backlinks, adding up to 1, and what to say of it.

    None where no backlink with a CAS above 0 leads to a page of the site.
    """
    if backlinks is None:
        return None, []
    live = backlinks[backlinks["followed"] & (backlinks["link_state"] == LINK_LIVE.word)]
    counting = live[live["cas"] > 0]
    page = links.find(counting["target_url"])
    found = page >= 0
    if not found.any():
        return None, [
            "These pages have no live followed backlinks with a CAS, so all pages start with the same authority."
        ]
    cas = np.bincount(page[found], counting["cas"].to_numpy()[found], minlength=len(links.pages))
    sentence = (
        f"The authority from backlinks uses {part_of(int(found.sum()), len(live), 'live followed backlink')}: "
        f"{len(live) - len(counting):,} have no CAS above 0, {int((~found).sum()):,} point to other pages."
    )
    return cas / cas.sum(), [sentence]


def _titles(links: SiteLinks, crawl: Export | None) -> pd.Series:
    keys = links.pages["key"]
    if crawl is None:
        return pd.Series("", keys.index, dtype="str")
    table = crawl.table
    titles = table["title"].where(table["title"] != "", table["h1"]).set_axis(normalise_urls(table["url"]))
    known = dict(zip(titles.index[::-1], titles[::-1], strict=True))
    return pd.Series([known.get(key, "") for key in keys], keys.index, dtype="str")


def _listed(links: SiteLinks, wanted: Sequence[str], notes: list[str]) -> np.ndarray:
    """Return which pages are on the user's list; those on it that are no pages of the site get a note."""
    places = links.find(pd.Series(list(wanted), dtype="str"))
    listed = np.zeros(len(links.pages), dtype=bool)
    listed[places[places >= 0]] = True
    unknown = int((places < 0).sum())
    if unknown:
        notes.append(f"{part_of(unknown, len(places), 'page')} of your list is not in the file of links.")
    return listed


def pages_and_links(result: SiteAuthority) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the pages (`PAGES`), and one row per linked pair: source, target (URLs), links, followed, in_content."""
    urls = result.graph.pages["url"].to_numpy()
    links = result.graph.links
    pairs = links.groupby(["source", "target"], sort=False).agg(
        links=("row", "size"), followed=("followed", "any"), in_content=("in_content", "any")
    )
    edges = pairs.reset_index()
    return (
        result.pages[list(PAGES)],
        edges.assign(source=urls[edges["source"].to_numpy()], target=urls[edges["target"].to_numpy()]),
    )


def with_sources(
    result: SiteAuthority, crawl: Export, links: pd.DataFrame, encoder: Encoder, on_progress: Progress = silent
) -> SiteAuthority:
    """Return the result with the sources worth linking from, for each page that is underlinked or deserves more.

    `links`: the inlinks export as a mapped table with LINKS. What a link passes is the source's share, divided by its
    links and one more, times the relevance of the two pages. Without content in the crawl the words to link are blank;
    with it, a page without such words is no source.
    """
    pages = clean_pages(crawl, PageFilters()).table.reset_index(drop=True)
    place = pd.Index(pages["url_key"]).get_indexer(pd.Index(result.pages["key"]))
    deserving = result.pages["deserving"].to_numpy(bool)
    rows = place[deserving & (place >= 0)][:MOST_TARGETS]
    if not len(rows) or len(pages) < 2:
        return replace(result, sources=_nothing(), notes=(*result.notes, *_left_out(int(deserving.sum()), 0)))
    texts = read_page_texts(pages, None)
    vectors = embed_pages(texts, encoder, on_progress)
    near, _ = top_k(vectors[rows], vectors, LOOKED_AT + 1)
    target, source = np.repeat(rows, near.shape[1]), near.ravel()
    of_page = result.pages.set_index("key").reindex(pages["url_key"])
    graph = read_links(links, pages, content_only=True)
    there = graph.has(source, target) if graph else np.zeros(len(source), dtype=bool)
    usable = (source != target) & ~there & of_page["pagerank"].notna().to_numpy()[source]
    source, target = source[usable], target[usable]
    order = np.argsort(source, kind="stable")
    source, target = source[order], target[order]
    relevance = page_relevance(vectors, source, target)
    anchors = find_anchors(
        source, target, texts, pages["h2"].tolist(), graph, on_progress, keys=pages["url_key"].tolist()
    )
    share, out = of_page["pagerank"].to_numpy()[source], of_page["links_out"].to_numpy()[source]
    found = pd.DataFrame(
        {
            "target_url": pages["url"].to_numpy()[target],
            "source_url": pages["url"].to_numpy()[source],
            "source_title": np.array(texts.names, dtype=object)[source],
            "anchor": [anchor.phrase for anchor in anchors],
            "sentence": [anchor.sentence for anchor in anchors],
            "page_relevance": relevance,
            "passes": share / (out + 1) * relevance / 100,
        }
    ).astype(dict.fromkeys(COLUMNS[:5], "str"))
    worth = found[(found["page_relevance"] >= RELEVANT) & ((found["anchor"] != "") | (not any(texts.bodies)))]
    ranked = worth.sort_values("passes", ascending=False, kind="stable").groupby("target_url", sort=False).head(SHOWN)
    strength = {url: rank for rank, url in enumerate(pages["url"].to_numpy()[rows])}
    ranked = ranked.sort_values("target_url", key=lambda urls: urls.map(strength), kind="stable", ignore_index=True)
    left = _left_out(int(deserving.sum()), ranked["target_url"].nunique())
    return replace(result, sources=ranked, notes=(*result.notes, *left))


def _nothing() -> pd.DataFrame:
    types = dict.fromkeys(COLUMNS[:5], "str") | dict.fromkeys(COLUMNS[5:], "float64")
    return pd.DataFrame(columns=COLUMNS).astype(types)


def _left_out(deserving: int, supplied: int) -> list[str]:
    without = deserving - supplied
    if not without:
        return []
    return [f"For {count(without, 'page')} that should be stronger, no relevant page to link from was found."]
