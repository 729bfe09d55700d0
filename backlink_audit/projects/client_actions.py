"""What a client's report asks to do next: at most five steps, each with what it is about, and nothing decided already.

Its lists tell what came and went, and what is disavowed.
"""

import re
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Any

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.audit.result import Scored
from backlink_audit.audit.story import MOST_SINGLE, moved_from, strongest
from backlink_audit.judgement.actions import known_enough, titles_of_their_own, worth_protecting
from backlink_audit.judgement.footprints import WAYS, campaigns
from backlink_audit.judgement.losses import CHECK_FIRST, NOT_SAID, OURS, advice, losses
from backlink_audit.judgement.scales import chosen_links, site_authority, site_rating_names
from backlink_audit.judgement.verdicts import at_stake
from backlink_audit.projects.history import Comparison
from backlink_audit.report.client import Action, Listed, Step
from backlink_audit.risk.disavow import SentFile, covering_entries
from backlink_audit.risk.review import Review, certainly_bad, key_of
from backlink_audit.settings import LinkChoice
from backlink_audit.text.urls import without_tracking
from backlink_audit.wording import by_number, count, percent

STEPS, RISKS = 5, 3  # so many steps and risks are on the report's first page
MOST_ROWS, MOST_ADDRESSES = 8, 3  # what one step lists: the whole of it is in the workbook
MINUTES_OF_A_REDIRECT, MINUTES_OF_A_LETTER, MINUTES_OF_A_DECISION = 15, 10, 2
HIGH_ANCHOR, HIGH_SHARE = 0.15, 0.5
"""Share of the domains with one exact anchor, and of the value from one site, from which it is a risk."""
FEW_LOST = 3  # links to win back from which their loss is a risk
MOSTLY = 0.5  # share of a group's links that are certainly bad from which it is to disavow
SOME = 0.1  # share of doubtful links from which that is a risk
SELL = "Almost certainly spam, which search engines mostly ignore."
EMOJI = r"[\U00010000-\U0010ffff]\s?"  # and other letters that few fonts have
MOST_OF_A_TITLE = 90  # letters
MOST_LISTED = 5  # links of a list of changes: the whole of it is in the workbook
MOST_DISAVOWED = 10  # domains of the list of what is disavowed
BEST, DOUBTFUL = "One of the most valuable links.", "They look bought or generated."
WORTH_KEEPING = frozenset(label.word for label in labels.PRAISE)


def steps(
    audit: Scored,
    comparison: Comparison | None = None,
    sent: SentFile | None = None,
    review: Review = Review(),  # noqa: B008 (frozen)
) -> list[Step]:
    """Return at most five steps, those that win most with least work first; each with rows behind it.

    Good links in the disavow file come before all. Nothing of what is disavowed, or of what its owner was asked to
    remove, is among the others, and of the links to review only those that are undecided.
    """
    wanted = _wanted(audit.scored, sent, review)
    gone = set(audit.scored.loc[~wanted, "referring_domain"])
    live = audit.scored[wanted & chosen_links(audit.scored, LinkChoice())]
    found = (
        _in_file(sent),
        _redirects(audit),
        _moved(live),
        _lost(audit, gone, comparison, sent, review),
        _asked(audit, gone),
        _protected(audit, live),
        _doubtful(audit, live, review),
    )
    return [step for step in found if step is not None][:STEPS]


def _wanted(links: pd.DataFrame, sent: SentFile | None, review: Review) -> pd.Series:
    given_up = review.states_of_links(links).isin([label.word for label in labels.GIVEN_UP]).to_numpy()
    in_file = covering_entries(links, sent.file) != "" if sent else pd.Series(False, links.index)
    return ~in_file & ~given_up


def _in_file(sent: SentFile | None) -> Step | None:
    if sent is None or sent.good.empty:
        return None
    good = sent.good.drop_duplicates("referring_domain")
    what = f"Remove {count(len(good), 'good site')} from the disavow file"
    why = "The line “" + good["entry"] + "” disavows this link, but its verdict is " + good["verdict"] + "."
    worth = f"{count(len(sent.good), 'link')} that {by_number(len(sent.good), 'counts', 'count')} again"
    return Step(what, _time(MINUTES_OF_A_REDIRECT), "SEO", worth, _rows(good, why), len(good))


def _redirects(audit: Scored) -> Step | None:
    own = audit.causes[audit.causes["loss"].isin(OURS)]
    if own.empty:
        return None
    rows = [
        Action(without_tracking(row["about"]), f"{_from(row['links'], row['domains'])}. {row['advice']}", row["about"])
        for row in own.head(MOST_ROWS).to_dict("records")
    ]
    what = f"Restore or redirect {count(len(own), 'page')} of yours that good links lead to"
    time, worth = _time(MINUTES_OF_A_REDIRECT * len(own)), f"{count(int(own['links'].sum()), 'link')} back"
    return Step(what, time, "Web developer", worth, rows, len(own))


def _from(links: int, domains: int) -> str:
    return f"{count(links, 'link')} from {count(domains, 'site')}"


def _lost(
    audit: Scored, gone: set[str], comparison: Comparison | None, sent: SentFile | None, review: Review
) -> Step | None:
    """Return the step on sites that dropped links: by this file, or to protect in the one before and not in this."""
    theirs = audit.causes[~audit.causes["loss"].isin(OURS) & ~audit.causes["about"].isin(list(gone))]
    rows = audit.reclaims[audit.reclaims["cause"].isin(theirs["cause"].tolist())]
    rows = rows.assign(why=advice(losses(rows)) + " " + in_words(rows), stake=at_stake(rows), links=1)
    missing = _missing(comparison, sent, review)
    both = pd.concat([rows, missing]) if len(missing) else rows
    if both.empty:
        return None
    best = both.sort_values("stake", ascending=False, kind="stable").drop_duplicates("referring_domain")
    sure = missing.empty and not theirs["loss"].isin((*CHECK_FIRST, NOT_SAID.name)).any()
    sites, yours = count(len(best), "site"), by_number(len(both), "a link", "links")
    what = f"Write to {sites} that dropped {yours}" if sure else f"Look whether {sites} dropped {yours}, then ask"
    worth = f"up to {count(len(both), 'link')} back"
    return Step(what, _time(MINUTES_OF_A_LETTER * len(best)), "Outreach", worth, _rows(best, best["why"]), len(best))


def _missing(comparison: Comparison | None, sent: SentFile | None, review: Review) -> pd.DataFrame:
    """Return the links that were to be protected and are in the newer file no more."""
    if comparison is None:
        return pd.DataFrame()
    links = comparison.lost_to_protect
    links = links[links["newer_row"].isna() & known_enough(links)]
    links = links.assign(referring_key=[key_of("URL", url) for url in links["referring_url"]])
    links = links[_wanted(links, sent, review)].assign(relevance=100.0, page_traffic=float("nan"))
    why = (
        f"One of the most valuable links on {comparison.older.day}, not in the file of {comparison.newer.day}. Check "
        "the page first. If the link is missing, ask to add it again."
    )
    return links.assign(why=why, stake=at_stake(links))


def _moved(live: pd.DataFrame) -> Step | None:
    old, rows = moved_from(live)
    if not old:
        return None
    pages = live.loc[rows].groupby("linked_url")["referring_domain"].agg(["size", "nunique"])
    first = pages.sort_values("size", ascending=False, kind="stable").head(MOST_ADDRESSES)
    listed = [Action(f"{url}: {_from(links, sites)}", "", url) for url, links, sites in first.itertuples()]
    good = count(int(live.loc[rows, "verdict"].isin(list(WORTH_KEEPING)).sum()), "link")
    what, time = f"Keep {old} registered, and its redirects working", _time(MINUTES_OF_A_REDIRECT, " a year")
    return Step(what, time, "Web developer", f"{good} worth keeping, of {len(rows):,}", listed, len(pages))


def _doubtful(audit: Scored, live: pd.DataFrame, review: Review) -> Step | None:
    """Return the step on the links to review that are undecided: groups of one making first, then the worst."""
    every = live[live["verdict"] == labels.REVIEW.word]
    rows = every[(review.states_of_links(every) == labels.UNDECIDED.word).to_numpy()]
    if rows.empty:
        return None
    rows = rows.sort_values(["followed", "suspicion"], ascending=False, kind="stable")
    keys = audit.campaign_keys.loc[rows.index]
    groups, single = campaigns(rows, keys), rows[(keys == "").to_numpy()]
    later = len(single) if len(groups) and len(single) > MOST_SINGLE else 0
    decisions = len(groups) + (0 if later else len(single))
    sure = certainly_bad(rows.assign(signals=rows["risk_signals"]))
    advised = (sure.groupby(keys).mean() >= MOSTLY).map({True: SELL, False: "Look at a few of them first."})
    example = rows.groupby(keys)["referring_domain"].first()
    listed = [
        Action(
            f"“{re.sub(EMOJI, '', name).strip(' |')}” ({way}): {_from(links, domains)}, such as {example[key]}",
            SELL if way == WAYS["attack"] else advised[key],
        )
        for key, name, way, links, domains in groups.iloc[:, :5].itertuples(index=False)
    ]
    said = sure[single.index].map({True: SELL, False: "Look at it first."})
    listed += [] if later else _rows(single, said)
    wait = f"; {later:,} single links can wait" if later else ""
    doubtful = f"{count(len(rows) - later, 'doubtful link')} ({count(decisions, 'decision')})"
    what = f"Optional: look through {doubtful} and disavow the spam{wait}"
    time, worth = _time(MINUTES_OF_A_DECISION * decisions), "certainty; search engines ignore most of them anyway"
    return Step(what, time, "SEO", worth, listed[:MOST_ROWS], decisions)


def _asked(audit: Scored, gone: set[str]) -> Step | None:
    asked = audit.outreach[~audit.outreach["outreach_reason"].isin([labels.LOST_LINK.word])]
    asked = asked[~asked["referring_domain"].isin(list(gone))]
    if asked.empty:
        return None
    rows = audit.scored.set_index("referring_url", drop=False)
    rows = rows[~rows.index.duplicated()].reindex(asked["example_url"]).assign(asks=asked["asks"].to_numpy())
    links = by_number(len(asked), "links", "link")
    what = f"Ask {count(len(asked), 'site')} that already {links} to you for a better link or another one"
    time, worth = _time(MINUTES_OF_A_LETTER * len(asked)), f"up to {count(len(asked), 'link')}, of sites that know you"
    return Step(what, time, "Outreach", worth, _rows(rows, rows["asks"] + " " + in_words(rows)), len(asked))


def _protected(audit: Scored, live: pd.DataFrame) -> Step | None:
    best = live[live["verdict"] == labels.PROTECT.word]
    if best.empty:
        return None
    named = best[worth_protecting(best, audit.scored) | best.index.isin(strongest(best).index)]
    order = np.lexsort((-at_stake(named), -site_authority(named).fillna(-1)))
    named = named.iloc[order]  # the strongest is named on the first page
    named = named[~(named["referring_domain"].duplicated() | titles_of_their_own(named).duplicated())]
    what = f"Check every month that the {count(len(best), 'most valuable link')} are still there"
    time = _time(MINUTES_OF_A_REDIRECT, " a month")
    return Step(what, time, "SEO", "the best of your links kept", _rows(named, in_words(named)), len(best))


def _rows(links: pd.DataFrame, why: Sequence[str] | pd.Series) -> list[Action]:
    first = links.head(MOST_ROWS).to_dict("records")
    return [
        Action(_with_anchor(row), said.strip(), row["referring_url"]) for row, said in zip(first, why, strict=False)
    ]


def in_words(links: pd.DataFrame) -> pd.Series:
    """Say how strong each link's site is and who visits the page, in words that need no explanation; "" if unknown."""
    said = []
    ratings = zip(links["page_traffic"], site_authority(links), site_rating_names(links), strict=True)
    for visits, rating, name in ratings:
        read = f"{count(round(visits), 'visit')} to this page a month" if visits >= 1 else ""
        known = [f"{name} {rating:g}"] * bool(rating > 0) + [read] * bool(read)
        said.append(f"{', '.join(known)}." if known else "")
    return pd.Series(said, links.index, dtype="str")


def _with_anchor(row: Mapping[Any, Any]) -> str:
    anchor = f" with the text “{row['anchor']}”" if row["anchor"] else ""
    return f"{link_in_words(row)}{anchor}"


def _time(minutes: int, every: str = "") -> str:
    """Say how long work takes, in steps that a plan has.

    >>> _time(20), _time(150), _time(2880)
    ('30 minutes', '3 hours', '6 days')
    """
    if minutes <= 45:
        return f"{15 * -(-minutes // 15)} minutes{every}"
    hours = -(-minutes // 60)
    return f"{count(hours, 'hour')}{every}" if hours <= 8 else f"{count(-(-hours // 8), 'day')}{every}"


def risks(audit: Scored, figures: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the three largest risks, each with what shows it; none without rows behind it."""
    live = audit.scored[chosen_links(audit.scored, LinkChoice())]
    found: list[tuple[float, str, str]] = []
    best = live[live["verdict"] == labels.PROTECT.word]
    if len(best) >= STEPS:
        sites = best["referring_domain"].value_counts(normalize=True)
        if sites.iloc[0] >= HIGH_SHARE:
            why = f"{percent(sites.iloc[0])} of the most valuable links are on {sites.index[0]}"
            why += ": if it changes its pages, they are gone at once."
            found.append((sites.iloc[0], "Much depends on one site.", why))
    old, rows = moved_from(live)
    if old:
        good = int(live.loc[rows, "verdict"].isin(list(WORTH_KEEPING)).sum())
        why = f"If {old} or its redirects go, {count(good, 'link')} worth keeping {by_number(good, 'goes', 'go')} too."
        found.append((HIGH_SHARE, "Links depend on another domain.", why))
    reclaims = audit.reclaims
    if len(reclaims) >= FEW_LOST:
        share = len(reclaims) / max(1, len(reclaims) + len(best))
        why = f"{count(len(reclaims), 'link')} from {count(reclaims['referring_domain'].nunique(), 'site')}"
        why += " can still be won back; after some months nobody remembers them."
        found.append((share, "Good links are being lost.", why))
    doubtful = live[live["verdict"] == labels.REVIEW.word]
    share = len(doubtful) / max(1, len(live))
    if share >= SOME:
        why = f"{percent(share)} of the links look bought or generated; search engines ignore most of them."
        found.append((share, "Many links look manipulative.", why))
    anchor = figures.get("dominant_anchor") or 0
    if anchor > HIGH_ANCHOR:
        why = f"{percent(anchor)} of the sites use “{figures['dominant_anchor_words']}”."
        why += " Natural links name the site in many ways."
        found.append((anchor, "One link text is used too often.", why))
    return [(what, why) for _, what, why in sorted(found, reverse=True)[:RISKS]]


def changes(comparison: Comparison | None) -> list[Listed]:
    """Return the links worth keeping that were lost and gained, those with most at stake first, a domain each once."""
    if comparison is None:
        return []
    links = comparison.links
    lost = links[(links["change"] == labels.LOST.word) & links["verdict_before"].isin(WORTH_KEEPING)]
    new = links[links["change"] == labels.NEW.word]
    gained = new[new["verdict_after"].isin(WORTH_KEEPING)]
    found = [
        _in_list("Lost: links worth keeping", lost, "verdict_before"),
        _in_list("Gained: links worth keeping", gained, "verdict_after"),
    ]
    bad = new[new["verdict_after"] == labels.REVIEW.word]
    if len(bad):
        sites = count(bad["referring_domain"].nunique(), "domain")
        found.append(Listed("Gained: links to check", [(f"{count(len(bad), 'link')} from {sites}", DOUBTFUL)]))
    return [one for one in found if one.rows]


def _in_list(title: str, links: pd.DataFrame, verdict: str) -> Listed:
    # What they are worth is told by their verdict: only its strength puts them in order.
    stakes = at_stake(links.assign(relevance=100.0, page_traffic=float("nan")))
    first = links.loc[stakes.sort_values(ascending=False, kind="stable").index].drop_duplicates("referring_domain")
    number, first = len(first), first.head(MOST_LISTED)
    rows = [
        (link_in_words(row), BEST if row[verdict] == labels.PROTECT.word else "") for row in first.to_dict("records")
    ]
    return Listed(title, rows, number - len(rows))


def link_in_words(row: Mapping[Any, Any]) -> str:
    title = shorten(re.sub(EMOJI, "", str(row.get("referring_title") or "")), MOST_OF_A_TITLE, placeholder=" …")
    page = f"“{title}” on {row['referring_domain']}" if title else row["referring_url"]
    path = without_tracking(row["target_url"]).partition("://")[2].partition("/")[2]
    return f"{page} {'linked' if row.get('is_lost') else 'links'} to {f'/{path}' if path else 'your homepage'}"


def disavowed(audit: Scored, sent: SentFile | None, review: Review) -> Listed | None:
    """Return the domains whose links are disavowed, by decision or by the file, most links first; None for none.

    Why: the note of the decision, else the reason of the verdict of their link with most risk signals.
    """
    links = audit.links
    by_review = review.states_of_links(links).eq(labels.DISAVOW.word).to_numpy()
    by_file = links.index.isin(sent.links.index) if sent else False
    gone = links[by_review | by_file]
    if gone.empty:
        return None
    worst = gone.sort_values("risk_signals", ascending=False, kind="stable").drop_duplicates("referring_domain")
    numbers = gone["referring_domain"].value_counts()
    notes = {one.item: one.note for (scope, _), one in review.decisions.items() if scope == "domain" and one.note}
    worst = worst.assign(number=worst["referring_domain"].map(numbers))
    worst = worst.sort_values("number", ascending=False, kind="stable")
    rows = [
        (f"{row['referring_domain']}, {count(row['number'], 'link')}", notes.get(row["referring_domain"]) or row["why"])
        for row in worst.head(MOST_DISAVOWED).to_dict("records")
    ]
    return Listed("What is disavowed", rows, len(worst) - len(rows))
