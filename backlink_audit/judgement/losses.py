"""What happened to a link that is lost or leads to a dead page, by what the export says, and what to do about it."""

import csv
import re
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

from backlink_audit.judgement.anchor_classes import content_words
from backlink_audit.judgement.evidence import matched
from backlink_audit.labels import KIND_PAGE, RECLAIM
from backlink_audit.schema import DEAD_FROM
from backlink_audit.text.field_words import last_parts, last_words
from backlink_audit.text.urls import map_distinct, normalise_urls, urls_of, without_tracking
from backlink_audit.wording import count

REFUSED = (401, 403, 406, 429)
"""HTTP statuses of a page that turned the tool's crawler away, and so says nothing about its links; so does 5xx."""
FAILED_FROM = 500
PAGE_GONE = (404, 410)
ANSWERS = 200
MOVED = (301, 302, 307, 308)
CHANGING = (
    r"(?i)/(?:search|sign_?in)[/?]|/(?:category|tag|archives?|archiwum|archivo)/|/page/\d|[?&](?:page=\d|search\b)"
)
CHANGING += r"|//(?:archive|r\d+|staging|dev|test)\.|/people-search/|/security-rating/|/firms/\d+/?$"
CHANGING += r"|[-/][a-z]{2}\d[a-z0-9]{8}\d(?:[/?.]|$)"
"""In addresses of pages that no one wrote: search results, archives, copies, logins, stocks by their number (RE2)."""
LEFT_FROM, LEFT_SHARE, BRIEF_DAYS = 3, 0.95, 45
"""Lost links of a site, and share of its links, from which it let go of us at once; days in which a list rotates."""
LONG_ADDRESS, COPIED = 5, 0.6
"""Words of the address of a page of ours, and share of them in a title, from which its page is a copy of ours."""
OF_LOSSES = ["is_lost", "first_seen", "last_seen"]  # what `not_to_ask` needs beside OF_ATTACKS
CAUSES = ("cause", "loss", "about", "what_happened", "advice", "links", "domains", "at_stake", "example_url")


@dataclass(frozen=True)
class Loss:
    """One thing that can happen: its words, what to do, the same of all links with one cause, and whether that helps.

    `cause` names {page} (ours), {site} (theirs), {links} and {status}. `ask`: what the other site is asked for, with
    {target} and {status}; "" where nothing can be.
    """

    name: str
    words: str
    advice: str
    cause: str
    can_be_won_back: bool
    ask: str


with (files("backlink_audit.judgement") / "losses.csv").open(encoding="utf-8") as _lines:
    _ROWS = tuple(csv.DictReader(_lines))
LOSSES = tuple(
    Loss(row["name"], row["words"], row["advice"], row["cause"], row["can_be_won_back"] == "True", row["ask"])
    for row in _ROWS
)
"""Everything that can happen, what can be mended soonest first."""
TARGET_DEAD, REMOVED, REDIRECT_LOST, REDIRECTED, OTHER_CANONICAL, NOT_SAID, TOO_OLD, NOT_READ, NOINDEX, GONE, LISTED = (
    LOSSES
)
HOPELESS = tuple(loss.name for loss in LOSSES if not loss.can_be_won_back)
OURS = (TARGET_DEAD.name, REDIRECT_LOST.name)  # what is mended on the site itself, for all links at once
CHECK_FIRST = (TOO_OLD.name, NOT_READ.name)  # where the link may well be live
CODES = {code: loss for loss, row in zip(LOSSES, _ROWS, strict=True) for code in row["codes"].split()}
"""What the words mean that tools write as the reason, by their letters: Ahrefs' lost status and drop reason."""


def losses(links: pd.DataFrame) -> pd.Series:
    """Return what happened to each link, a name of `LOSSES`; "" for a link that is there and leads somewhere.

    A dead page of ours comes first, since it can be mended here, unless the referring page is gone too; then what that
    answered; then what the link's last check found (lost_status) before why the tool stopped looking (drop_reason).
    `links` has is_lost, lost_status, drop_reason, http_status, target_status (NaN where not known), referring_url.
    """
    status, lost = links["http_status"], links["is_lost"].to_numpy(dtype=bool)
    dead = (links["target_status"] >= DEAD_FROM).to_numpy(dtype=bool, na_value=False)
    found = _by_code(links["lost_status"])
    found = found.where(found != "", _by_code(links["drop_reason"]))
    choices: list[tuple[Any, Loss | None]] = [
        (status.isin(PAGE_GONE) & (lost | dead), GONE),
        (dead, TARGET_DEAD),
        (~lost, None),
        (matched(links["referring_url"], CHANGING), LISTED),
        (status.isin(REFUSED) | (status >= FAILED_FROM), NOT_READ),
        (status.isin(MOVED), REDIRECTED),
    ]
    chosen = found.where(found != "", NOT_SAID.name).to_numpy(dtype=object, copy=True)
    for rows, loss in reversed(choices):
        chosen[np.asarray(rows, dtype=bool)] = loss.name if loss else ""
    return pd.Series(chosen, links.index, dtype="str")


def advice(found: pd.Series) -> pd.Series:
    return found.map({"": ""} | {loss.name: loss.advice for loss in LOSSES}).astype("str")


def _by_code(codes: pd.Series) -> pd.Series:
    names = {code: loss.name for code, loss in CODES.items()}
    return map_distinct(codes, lambda code: names.get(re.sub(r"[^a-z]", "", code.casefold()), ""))


NAMES = {loss.name: loss for loss in LOSSES}
MOST_ANCHORS = 3  # how many of a dead page's anchors the table shows, the most frequent first


def gone(links: pd.DataFrame) -> pd.Series:
    return links["is_lost"] | (links["target_status"] >= DEAD_FROM)


def links_to_reclaim(links: pd.DataFrame) -> pd.DataFrame:
    """Return the gone links with the verdict Reclaim: what happened (loss, how_lost) and what to do (advice).

    Real pages come first, each by CAS; lost links whose page could not be read
    (`not_read`) come after the others: they may be live. `links` is scored: is_lost, lost_date, lost_status,
    drop_reason, http_status, target_status (NaN where no crawl has it), page_kind, cas, verdict.
    """
    found = links[gone(links) & (links["verdict"] == RECLAIM.word)]
    loss = losses(found)
    found = found.assign(loss=loss, how_lost=_how_lost(found, loss), advice=advice(loss), not_read=not_read(found))
    found = found.join(_cause(found))
    ranked = found.assign(other=found["page_kind"] != KIND_PAGE.word)
    return ranked.sort_values(["not_read", "other", "cas"], ascending=[True, True, False], kind="stable").drop(
        columns="other"
    )


def still_reaching(links: pd.DataFrame, pages: pd.DataFrame | None = None) -> pd.Series:
    """Return which links are called lost though only a redirect changed and what they link to is alive, bool.

    That is the site's home page, or a page that answers 200 in its crawl (`pages`). `links` are cleaned.
    """
    changed = links["is_lost"] & (losses(links.assign(target_status=np.nan)) == REDIRECT_LOST.name)
    if not changed.any():
        return changed.astype(bool)
    some = links[changed]
    first = map_distinct(some["redirect_urls"], lambda urls: urls_of(urls)[0] if urls else "")
    address = normalise_urls(first).where(first != "", some["target_key"])
    alive = set() if pages is None else set(normalise_urls(pages.loc[pages["http_status"] == ANSWERS, "url"]))
    reached = address.isin(list(alive)) | (address == some["target_domain"])
    return reached.reindex(links.index, fill_value=False).astype(bool)


def causes(reclaims: pd.DataFrame, stakes: pd.Series) -> pd.DataFrame:
    """Return one row per cause of `links_to_reclaim`, most at stake first; what only has to be looked at comes last.

    `stakes`: what is at stake with each link. Columns: cause (the key, as in `reclaims`), loss, about (our page's
    address, or their site), what_happened, advice, links, domains, at_stake (the sum), example_url.
    """
    rows = reclaims.assign(at_stake=stakes.reindex(reclaims.index))
    rows = rows.sort_values("at_stake", ascending=False, kind="stable")
    groups = rows.groupby("cause", sort=False)
    found = groups.agg(
        loss=("loss", "first"),
        about=("about", "first"),
        status=("target_status", "first"),
        advice=("advice", "first"),
        links=("referring_url", "size"),
        domains=("referring_domain", "nunique"),
        at_stake=("at_stake", "sum"),
        example_url=("referring_url", "first"),
    ).reset_index()
    said = [
        NAMES[loss].cause.format(page=about, site=about, links=count(links, "link"), status=f"{status:g}")
        for loss, about, links, status in zip(
            found["loss"], found["about"], found["links"], found["status"], strict=True
        )
    ]
    found = found.assign(what_happened=pd.Series(said, found.index, dtype="str"), first=found["loss"].isin(CHECK_FIRST))
    ordered = found.sort_values(["first", "at_stake"], ascending=[True, False], kind="stable", ignore_index=True)
    return ordered[list(CAUSES)]


def _cause(links: pd.DataFrame) -> pd.DataFrame:
    ours = links["loss"].isin(OURS)
    linked = links["linked_url"] if "linked_url" in links else links["target_url"]
    page = linked.where((links["loss"] == REDIRECT_LOST.name) & (linked != ""), links["target_url"])
    about = map_distinct(page, without_tracking).where(ours, links["referring_domain"])
    keys = normalise_urls(about).where(ours, about)
    return pd.DataFrame({"cause": links["loss"] + ": " + keys, "about": about}, index=links.index)


def not_to_ask(links: pd.DataFrame, prints: pd.DataFrame) -> pd.Series:
    """Return which lost links nobody is asked for, bool, by all links and their page's address (`footprints`).

    The site still links to the same page of ours; its page is a copy of our own; or it has let go of nearly all that
    it had, and one question about the best is enough: none where links stay but for days.
    """
    lost, site = links["is_lost"].astype(bool), links["referring_domain"]
    lives_on = lost & ~lost.groupby([site, links["target_key"]]).transform("all")
    share = lost.groupby(site).transform("mean")
    left = lost & (lost.groupby(site).transform("sum") >= LEFT_FROM) & (share >= LEFT_SHARE)
    days = (links["last_seen"] - links["first_seen"]).dt.days.where(left)
    brief = days.groupby(site).transform("median") < BRIEF_DAYS
    nothing = lives_on | left & brief | _copies_ours(links, lost)
    order = np.lexsort((prints["address"].to_numpy(), -links["cas"].fillna(-np.inf).to_numpy(dtype=float)))
    further = site.where(left & ~nothing).iloc[order].duplicated().reindex(links.index)
    return nothing | left & further


def _copies_ours(links: pd.DataFrame, asked: pd.Series) -> pd.Series:
    """Return which of the links in question are on a copy of our page: its title has the words of our address."""
    some = links[asked]
    named = last_parts("https://" + some["target_key"]).map(last_words).str.split().map(content_words)
    titles = some["referring_title"].str.casefold().map(lambda title: set(re.findall(r"\w+", title)))
    share = [
        len(title.intersection(words)) / max(LONG_ADDRESS, len(words))
        for title, words in zip(titles, named, strict=True)
    ]
    return pd.Series(share, some.index, dtype="float64").ge(COPIED).reindex(links.index, fill_value=False)


def not_read(links: pd.DataFrame) -> pd.Series:
    return losses(links) == NOT_READ.name


def _how_lost(links: pd.DataFrame, loss: pd.Series) -> pd.Series:
    on = " on " + links["lost_date"].dt.strftime("%Y-%m-%d")
    http = " (HTTP " + links["http_status"].astype("Int64").astype("str") + ")"
    http = http.where(links["http_status"] > 0, "").fillna("")
    said = links["lost_status"].where(links["lost_status"] != "", links["drop_reason"]).fillna("")
    target = links["target_status"].astype("Int64").astype("str").fillna("")
    words = [
        NAMES[name].words.format(target=returned, http=code) if name != NOT_SAID.name or not reason else reason
        for name, returned, code, reason in zip(loss, target, http, said, strict=True)
    ]
    happened = pd.Series(words, links.index, dtype="str")
    lost = "Lost" + on.fillna("").astype("str") + ": " + happened
    return lost.where(links["is_lost"], happened.str.slice(0, 1).str.upper() + happened.str.slice(1)).astype("str")


def dead_targets(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per dead target page, the highest CAS first.

    `links` is as for `links_to_reclaim`, with target_key, target_url, anchor, referring_domain. Columns: target_key,
    target_url, target_status, links, domains (referring), cas (the sum), anchors (the most frequent, space-separated).
    """
    dead = links[links["target_status"] >= DEAD_FROM]
    groups = dead.groupby("target_key", sort=False)
    pages = groups.agg(
        target_url=("target_url", "first"),
        target_status=("target_status", "first"),
        links=("referring_url", "size"),
        domains=("referring_domain", "nunique"),
        cas=("cas", "sum"),
    )
    pages["anchors"] = groups["anchor"].agg(_frequent).astype("str")
    return pages.sort_values("cas", ascending=False, kind="stable").reset_index()


def _frequent(anchors: pd.Series) -> str:
    return " ".join(anchors[anchors.str.strip() != ""].value_counts().index[:MOST_ANCHORS])


def redirect_map(dead: pd.DataFrame, living: pd.Series, place: np.ndarray, similarity: np.ndarray) -> pd.DataFrame:
    """Return `dead_targets`' rows with redirect_to and similarity: "" and NaN where no living page was found.

    `living` are the URLs of the living pages; `place` and `similarity` give the closest to each dead one,
    -1 for none.
    """
    urls = np.array([*living, ""], dtype=object)[place]
    return dead.assign(
        redirect_to=pd.Series(urls, index=dead.index, dtype="str"), similarity=similarity.astype("float64")
    )


def newest_day(links: pd.DataFrame, today: date) -> pd.Timestamp | None:
    """Return the newest date of links that is not in the future; None where they have none."""
    end = pd.Timestamp(today) + pd.Timedelta(days=2)
    newest = [links[name][links[name] < end].max() for name in DATES]
    return max((day for day in newest if not pd.isna(day)), default=None)


DATES = ("first_seen", "last_seen", "lost_date")
