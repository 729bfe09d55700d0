"""The redirect map: clean both crawls -> texts -> compare -> how sure -> what is at risk."""

import re

import numpy as np
import pandas as pd

from backlink_audit.audit.run import compare_links
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import CHOOSE, LIKELY, LINK_LIVE, NO_GOOD_TARGET, SURE
from backlink_audit.progress import Progress, silent
from backlink_audit.redirects import matching
from backlink_audit.redirects.pages import Sites, hosts, read_sites, with_existing, with_query
from backlink_audit.redirects.result import Redirects
from backlink_audit.redirects.rules import Living
from backlink_audit.settings import AuditSettings, RedirectSettings
from backlink_audit.site.pages import read_figures
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.page_texts import PageTexts
from backlink_audit.wording import by_number, count

QUERY_BEHIND = 0.05  # how far an old page with a query stands behind one without
_ALIKE = (
    "differ from another one in upper and lower case or percent-encoding alone, and to a server they are the same "
    "address: one rule serves each group, that of the highest row (flag “same address”)."
)
UNLIKE = 0.1  # cosine of the words of two titles below which they are of different pages
_OPAQUE = re.compile(r"^[^\W\d]{0,8}[-_]?\d[\d-]*(?:\.\w{2,5})?$")
NOT_INDEXABLE, CHAIN, LOOP, MANY, SAME = "target not indexable", "chain", "loop", "many to one", "same address"


def map_redirects(
    old: Export,
    new: Export,
    settings: RedirectSettings,
    encoder: Encoder | None = None,
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> Redirects:
    """Find for each old page that the new crawl lacks the page to redirect it to.

    `sources`: backlinks of the old site, whose CAS, which needs the `encoder`, is what is at risk; clicks or visits of
    its pages, of which those that earned most come first. Raises NoRowsLeft, WrongExport, Cancelled.
    """
    backlinks = sources.backlinks
    on_progress("Reading the pages", 0, 1)
    sites = read_sites(old, new, settings.query_urls)
    before, targets = sites.old.table, sites.targets
    urls = before["url"], targets["url"]
    texts = matching.read_both(before, targets, settings.brands)
    ways = matching.likenesses(urls, texts, on_progress)
    own = pd.Index(before["url_key"]).get_indexer(pd.Index(targets["url_key"]))
    matches = matching.match_pages(ways, own, _handicap(sites), on_progress)
    best = matches.pages[:, 0]
    sure = matching.confidence(matches, matching.evident(ways, urls, texts, best), matching.kept(ways, urls, best))
    rewritings = _rewritings(sites, ways, matches)
    matched = _by_category(_rewritten(_matched(sites, ways, matches, sure), rewritings, sites), sites, texts[0])
    table = with_existing(sites, matched)
    table = _with_flags(table, sites)[sites.lacking.to_numpy()]
    at_risk = _cas(backlinks, old, settings, encoder, on_progress) if backlinks and encoder else None
    keys = before["url_key"].loc[table.index]
    table = table.assign(cas_at_risk=np.nan if at_risk is None else keys.map(at_risk).fillna(0.0))
    inlinks = before["unique_inlinks"].fillna(before["inlinks"]).loc[table.index]
    earned = read_figures(sources.performance, before["url"])
    table = table.assign(inlinks=inlinks)
    if earned is not None:
        table = table.join(earned.of(table["old_url"]))
    by = [earned.at_stake] if earned and earned.at_stake else []
    order = [*by, "cas_at_risk", "inlinks"]
    alike = int(table["flags"].str.contains(SAME, regex=False).sum())
    ranked = table.sort_values(order, ascending=False, kind="stable", na_position="last")
    return Redirects(
        sites=sites,
        settings=settings,
        table=ranked.drop(columns=["new_row", "chain", "loop"]).reset_index(drop=True),
        brands=tuple(dict.fromkeys([*texts[0].brands, *texts[1].brands])),
        model=encoder.name if at_risk is not None and encoder else "",
        knows_backlinks=at_risk is not None,
        rewritings=tuple(rewritings),
        notes=(
            *_notes(sites, backlinks, at_risk),
            *([f"{count(alike, 'old URL')} {_ALIKE}"] if alike else []),
            *([] if earned is None else [earned.note(before["url"], "old pages")]),
        ),
    )


def _matched(sites: Sites, ways: list[matching.Likeness], matches: matching.Matches, sure: np.ndarray) -> pd.DataFrame:
    best = matches.pages[:, 0]
    urls = np.append(sites.targets["url"].to_numpy(dtype=object), "")
    alike = np.where(matches.scores > 0, matches.pages, -1)
    shown = np.pad(alike, ((0, 0), (0, 3 - alike.shape[1])), constant_values=-1)
    return pd.DataFrame(
        {
            "old_url": sites.old.table["url"].to_numpy(dtype=object),
            "new_url": np.where(sure == NO_GOOD_TARGET.word, "", urls[best]),
            "confidence": sure,
            "redirect_score": matches.scores[:, 0].astype("float64"),
            "reason": matching.reasons(ways, np.arange(len(best)), best),
            "alternative_1": urls[shown[:, 1]],
            "alternative_2": urls[shown[:, 2]],
            "new_row": best,
        },
        index=sites.old.table.index,
    )


def _rewritings(sites: Sites, ways: list[matching.Likeness], matches: matching.Matches) -> list[matching.Rewriting]:
    """Return the rewritings of the move; none leads to a page whose title is another one's."""
    old, new = sites.old.table["url"].tolist(), sites.targets["url"].tolist()
    lacking = np.flatnonzero(sites.lacking.to_numpy()).tolist()
    tried = matching.find_rewritings(old, new, lacking)
    by_path = {matching.path_of(url): row for row, url in reversed(list(enumerate(new)))}
    paths = list(map(matching.path_of, old))
    pairs = [(row, by_path[one.applied(paths[row]) or ""]) for one in tried for row in one.pages]
    if not pairs:
        return []
    rows, targets = map(np.array, zip(*pairs, strict=True))
    names = [way for way in ways if way.name == matching.NAMES]
    unlike = (
        np.array([way.pairs(rows, targets) < UNLIKE for way in names]).any(axis=0) if names else np.zeros(len(rows))
    )
    told = np.array([way.known[rows] for way in names]).any(axis=0) if names else np.zeros(len(rows), dtype=bool)
    better = matches.scores[rows, 0] >= matching.SURE_FROM
    astray = unlike.astype(bool) & told & better & (matches.pages[rows, 0] != targets)
    return matching.find_rewritings(
        old, new, lacking, set(map(tuple, np.column_stack([rows, targets])[astray].tolist()))
    )


def _rewritten(table: pd.DataFrame, rewritings: list[matching.Rewriting], sites: Sites) -> pd.DataFrame:
    table = table.copy()
    by_path = {matching.path_of(url): row for row, url in reversed(list(enumerate(sites.targets["url"])))}
    urls, settled = sites.targets["url"].tolist(), set[int]()
    for one in rewritings:
        for row in sorted(set(one.pages) - settled):
            label = table.index[row]
            target = by_path[one.applied(matching.path_of(str(table.at[label, "old_url"]))) or ""]
            table.loc[label, ["new_url", "confidence", "new_row"]] = [urls[target], SURE.word, target]
            table.at[label, "reason"] = f"{one.in_words}, as {count(len(one.pages), 'page')}"
            settled.add(row)
    return table


def _by_category(table: pd.DataFrame, sites: Sites, texts: PageTexts) -> pd.DataFrame:
    """Return the table with the page of its folder for a page that is gone."""
    table = table.copy()
    by_path = {matching.path_of(url): row for row, url in reversed(list(enumerate(sites.targets["url"])))}
    urls = sites.targets["url"].tolist()
    for row, label in enumerate(table.index):
        path = matching.path_of(str(table.at[label, "old_url"]))
        nameless = not (texts.titles[row] or texts.headings[row] or texts.bodies[row])
        opaque = nameless and bool(_OPAQUE.search(path.rpartition("/")[2]))
        if opaque and table.at[label, "confidence"] in (LIKELY.word, CHOOSE.word):
            table.loc[label, ["new_url", "confidence"]] = ["", NO_GOOD_TARGET.word]
            table.at[label, "reason"] = "nothing is known of this page"
        if table.at[label, "confidence"] != NO_GOOD_TARGET.word or opaque:
            continue
        folder = path.rpartition("/")[0]
        if folder and folder in by_path:
            table.loc[label, ["new_url", "confidence", "new_row"]] = [
                urls[by_path[folder]],
                CHOOSE.word,
                by_path[folder],
            ]
            table.at[label, "reason"] = "the page is gone: its category"
    return table


def _handicap(sites: Sites) -> np.ndarray:
    queried = with_query(sites.old.table["url"])
    return np.where(sites.lacking, np.where(queried, QUERY_BEHIND, 0), np.inf).astype(np.float32)


def _same_address(urls: pd.Series, sites: Sites) -> pd.Series:
    living = Living(sites.living["url"])
    keys = pd.Series([living.key(url) for url in urls], index=urls.index)
    return keys[sites.lacking].duplicated(keep=False).reindex(urls.index, fill_value=False)


def _with_flags(table: pd.DataFrame, sites: Sites) -> pd.DataFrame:
    indexable = sites.targets["is_indexable"].to_numpy()
    chosen = table["new_url"] != ""
    times = table["new_url"].map(table["new_url"].value_counts())
    marks = {
        MANY: chosen & (times > 1),
        NOT_INDEXABLE: chosen & ~indexable[table["new_row"].to_numpy()],
        CHAIN: table["chain"],
        LOOP: table["loop"],
        SAME: _same_address(table["old_url"], sites),
    }
    rows = zip(*(mark.to_numpy() for mark in marks.values()), strict=True)
    return table.assign(flags=[", ".join(name for name, on in zip(marks, row, strict=True) if on) for row in rows])


def _cas(backlinks: Export, old: Export, settings: RedirectSettings, encoder: Encoder, say: Progress) -> pd.Series:
    wanted = AuditSettings(model=settings.model)
    links = compare_links(clean_backlinks(backlinks, wanted.filters).table, wanted, encoder, old.table, on_progress=say)
    live = links[links["link_state"] == LINK_LIVE.word]
    return live["cas"].fillna(0.0).groupby(live["target_key"]).sum()


def _dead_or_alive(sites: Sites) -> tuple[int, int]:
    old, new = (
        pages.assign(answers=pages["http_status"].between(200, 299)).set_index("url_key")["answers"]
        for pages in (one.table[one.table["http_status"].notna()] for one in (sites.old, sites.new))
    )
    both = old[~old.index.duplicated()].to_frame("old").join(new[~new.index.duplicated()].rename("new"), how="inner")
    return int((both["new"] & ~both["old"]).sum()), int((both["old"] & ~both["new"]).sum())


def _notes(sites: Sites, backlinks: Export | None, at_risk: pd.Series | None) -> tuple[str, ...]:
    notes = []
    old, new = hosts(sites.old.table), hosts(sites.living)
    if not old & new:
        notes.append(
            f"The two files have no host in common ({', '.join(sorted(old)[:3])}; {', '.join(sorted(new)[:3])}). If "
            "the site did not move, these are two different sites, or the new file is from a staging site: "
            "then first replace its host with the live host."
        )
    elif not sites.found:
        notes.append(
            "The new crawl has none of the old URLs. Check that both files are of the same site and that the older "
            "file is first."
        )
    newer = int((~sites.new.table["url_key"].isin(sites.old.table["url_key"])).sum())
    dead, alive = _dead_or_alive(sites)
    if dead > alive:
        notes.append(
            f"{count(dead, 'page')} of the new crawl {by_number(dead, 'is', 'are')} redirected or broken in the old "
            f"crawl, and {alive:,} of the old crawl {by_number(alive, 'is', 'are')} redirected or broken in the new "
            "crawl. Did you swap the two files?"
        )
    elif sites.lacking.sum() == 0 and newer == 0:
        notes.append("The new crawl has all old URLs. Did you swap the two files?")
    if backlinks is not None and at_risk is not None and not at_risk.index.isin(sites.old.table["url_key"]).any():
        notes.append(
            f"{backlinks.name}: none of its links point to a page of the old site. Is it the export of the same site?"
        )
    loops = sum(key in sites.ends and sites.ends[key].url is None for key in sites.old.table["url_key"])
    if loops:
        notes.append(f"{count(loops, 'old page')} {by_number(loops, 'redirects', 'redirect')} in a redirect loop.")
    return tuple(notes)
