"""What a client's report asks to do next: the actions at which most is at stake, nothing that is decided already."""

from collections.abc import Hashable, Mapping, Sequence
from textwrap import shorten
from typing import Any

import pandas as pd

from backlink_audit import labels
from backlink_audit.audit.result import Scored
from backlink_audit.audit.story import MOST_SINGLE
from backlink_audit.judgement.actions import known_enough, titles_of_their_own, worth_an_action
from backlink_audit.judgement.losses import CHECK_FIRST, NOT_SAID, OURS, advice, losses
from backlink_audit.judgement.scales import chosen_links, site_authority, site_rating_names
from backlink_audit.judgement.verdicts import at_stake
from backlink_audit.projects.history import Comparison
from backlink_audit.report.client import Action, Listed, Step
from backlink_audit.risk.disavow import SentFile, covering_entries
from backlink_audit.risk.review import Review, key_of
from backlink_audit.settings import LinkChoice
from backlink_audit.text.urls import without_tracking
from backlink_audit.wording import by_number, count, first_of, percent

ACTIONS = 10
MOST_OF_A_KIND = 5  # so many actions have the same verb, as long as there are others
VERBS = ((labels.RECLAIM, "Reclaim"), (labels.PROTECT, "Protect"), (labels.UNDERVALUED, "Stay in contact"))
"""What to do with the links of a verdict, one by one."""
SITES_NAMED = 3
Found = tuple[float, tuple[str, str], Action]
"""What is at stake, the referring domain and the title of the page, and the action."""
STEPS, RISKS = 5, 3  # so many actions and risks are on the report's first page
MINUTES_OF_A_REDIRECT, MINUTES_OF_A_LETTER, MINUTES_OF_A_DECISION = 15, 10, 2
HIGH_ANCHOR, HIGH_SHARE = 0.15, 0.5
"""Share of the domains with one exact anchor, and of the value from one site, from which it is a risk."""
FEW_LOST = 3  # links to win back from which their loss is a risk
SOME = 0.1  # share of doubtful links from which that is a risk
MOST_OF_A_TITLE = 90  # letters
MOST_LISTED = 5  # links of a list of changes: the whole of it is in the workbook
MOST_DISAVOWED = 10  # domains of the list of what is disavowed
BEST, DOUBTFUL = "One of the most valuable links.", "They look bought or generated."
WORTH_KEEPING = frozenset(label.word for label in labels.PRAISE)


def actions(
    audit: Scored,
    comparison: Comparison | None = None,
    sent: SentFile | None = None,
    review: Review = Review(),  # noqa: B008 (frozen)
) -> list[Action]:
    """Return at most ten actions, one for each referring domain and each title; fewer where fewer are worth the time.

    Good links in the disavow file come before all; then whatever has most at stake (`at_stake`) of what is worth an
    action (`worth_an_action`): links to win back, to keep, and sites to stay in contact with; at the end, in one
    action, the links to review that are undecided.
    A link with a risk signal is none to keep: whoever signs the report would have to explain it. Nothing of what is
    disavowed, or of what its owner was asked to remove, is among them, and no lost link that nobody can win back.
    """
    wanted = _wanted(audit.scored, sent, review)
    links = audit.scored[wanted.to_numpy() & audit.scored["verdict"].isin([label.word for label, _ in VERBS])]
    links = links[worth_an_action(links, audit.scored)]
    first = [] if sent is None else _disavowed(sent)
    check = _check(audit, wanted, review)
    asks = dict(zip(audit.outreach["referring_domain"], audit.outreach["asks"], strict=True))
    asked = [asks.get(site, "") for site in links["referring_domain"]]
    links = links.assign(asks=pd.Series(asked, links.index, dtype="str"))
    found = [
        *_lost(comparison, sent, review),
        *(one for label, verb in VERBS for one in _of_verdict(links, label, verb)),
    ]
    chosen = _first(sorted(found, key=lambda one: one[0], reverse=True), first, ACTIONS - len(first) - len(check))
    return [*(action for _, action in first), *chosen, *check][:ACTIONS]


def _wanted(links: pd.DataFrame, sent: SentFile | None, review: Review) -> pd.Series:
    states = review.states_of_links(links)
    in_file = covering_entries(links, sent.file) != "" if sent else pd.Series(False, links.index)
    return ~in_file & ~states.isin([label.word for label in labels.GIVEN_UP])


def _first(found: Sequence[Found], taken: Sequence[tuple[str, Action]], number: int) -> list[Action]:
    """Return so many actions, most at stake first; a verb too frequent fills up at the end.

    Each is of another domain, and of a page with another title.
    """
    seen, verbs = {site for site, _ in taken}, dict[str, int]()
    best: list[tuple[int, Action]] = []
    rest: list[tuple[int, Action]] = []
    for place, (_, names, action) in enumerate(found):
        if seen.isdisjoint(names):
            seen.update(filter(None, names))
            verbs[action.verb] = verbs.get(action.verb, 0) + 1
            (best if verbs[action.verb] <= MOST_OF_A_KIND else rest).append((place, action))
    chosen = [*best, *rest][: max(0, number)]
    return [action for _, action in sorted(chosen, key=lambda one: one[0])]


def _disavowed(sent: SentFile) -> list[tuple[str, Action]]:
    good = sent.good.drop_duplicates("referring_domain").head(MOST_OF_A_KIND)
    return [
        (
            str(row["referring_domain"]),
            Action(
                "Remove from the disavow file",
                _with_anchor(row),
                f"The line “{row['entry']}” disavows this link, but its verdict is {row['verdict']}.",
                labels.PROTECT.colour,
                row["referring_url"],
            ),
        )
        for row in good.to_dict("records")
    ]


def _of_verdict(links: pd.DataFrame, label: labels.Label, verb: str) -> list[Found]:
    rows = links[links["verdict"] == label.word]
    if label is labels.RECLAIM:
        rows = rows.assign(why=advice(losses(rows)) + " " + for_clients(rows))
    else:
        rows = rows[rows["risk_signals"] == 0]
    if label is not labels.RECLAIM:
        rows = rows.assign(why=(rows["asks"] + " ").where(rows["asks"] != "", "") + for_clients(rows))
    rows = rows.assign(stake=at_stake(rows)).sort_values("stake", ascending=False, kind="stable")
    best = rows.drop_duplicates("referring_domain").head(2 * ACTIONS)
    return [
        (
            float(row["stake"]),
            (row["referring_domain"], title),
            Action(verb, _with_anchor(row), row["why"], label.colour, row["referring_url"]),
        )
        for row, title in zip(best.to_dict("records"), titles_of_their_own(best), strict=True)
    ]


def for_clients(links: pd.DataFrame) -> pd.Series:
    """Say why each link is worth having in words that need no explanation: subject, strength of the site, visits."""
    authority, words = site_authority(links), site_rating_names(links)
    said = []
    for row, rating, name in zip(links.to_dict("records"), authority, words, strict=True):
        strength = f" of a site with {name} {rating:g}" if rating > 0 else ""
        visits = f", with {count(round(row['page_traffic']), 'visit')} a month" if row["page_traffic"] >= 1 else ""
        said.append(f"A page about your subject{strength}{visits}.")
    return pd.Series(said, links.index, dtype="str")


def _lost(comparison: Comparison | None, sent: SentFile | None, review: Review) -> list[Found]:
    """Return an action for each link that was to be protected and is in the newer file no more."""
    if comparison is None:
        return []
    gone = comparison.lost_to_protect
    gone = gone[gone["newer_row"].isna() & known_enough(gone)]
    gone = gone.assign(referring_key=[key_of("URL", url) for url in gone["referring_url"]])
    gone = gone[_wanted(gone, sent, review).to_numpy()].assign(relevance=100.0, page_traffic=float("nan"))
    why = (
        f"One of the most valuable links on {comparison.older.day}, not in the file of {comparison.newer.day}. Check "
        "the page first. If the link is missing, ask to add it again."
    )
    return [
        (
            float(stake),
            (row["referring_domain"], ""),
            Action("Reclaim", _with_anchor(row), why, labels.RECLAIM.colour, row["referring_url"]),
        )
        for stake, row in zip(at_stake(gone), gone.to_dict("records"), strict=True)
    ]


def _check(audit: Scored, wanted: pd.Series, review: Review) -> list[Action]:
    """Return the action on the links to review that are undecided, the worst named first; none without any."""
    links = audit.links
    rows = links[(links["verdict"] == labels.REVIEW.word) & wanted.loc[links.index]]
    rows = rows[(review.states_of_links(rows) == labels.UNDECIDED.word).to_numpy()]
    if rows.empty:
        return []
    rows = rows.sort_values(["followed", "risk_signals"], ascending=False, kind="stable")
    most = rows["referring_domain"].drop_duplicates()
    every = int((links["verdict"] == labels.REVIEW.word).sum())
    decided = f" {every - len(rows):,} of {every:,} are decided already." if every > len(rows) else ""
    what = (
        f"{count(len(rows), 'link')} from {count(len(most), 'domain')} that look bought or generated: begin with "
        f"{first_of(most.tolist(), SITES_NAMED)}"
    )
    why = f"Keep each link, ask for its removal, or disavow it. The most doubtful come first.{decided}"
    return [Action("Review", what, why, labels.REVIEW.colour)]


def _with_anchor(row: Mapping[Hashable, Any]) -> str:
    anchor = f" with the text “{row['anchor']}”" if row["anchor"] else ""
    return f"{link_in_words(row)}{anchor}"


def steps(audit: Scored) -> list[Step]:
    """Return the five actions of the cover, those that win most with least work first; each with rows behind it."""
    causes, found = audit.causes, list[Step]()
    own = causes["loss"].isin(OURS)
    for row in causes[own].head(2).to_dict("records"):
        worth = f"{count(row['links'], 'link')} from {count(row['domains'], 'site')}"
        found.append(Step(f"Redirect {row['about']}", _time(MINUTES_OF_A_REDIRECT), "Web developer", worth))
    theirs = causes[~own]
    if len(theirs):
        sites, lost = count(len(theirs), "site"), count(int(theirs["links"].sum()), "link")
        sure = ~theirs["loss"].isin((*CHECK_FIRST, NOT_SAID.name)).any()
        ask = f"Write to {sites} that dropped your links" if sure else f"Look whether {sites} dropped your links"
        what = f"{ask}: {first_of(theirs['about'].tolist(), SITES_NAMED)}"
        found.append(Step(what, _time(MINUTES_OF_A_LETTER * len(theirs)), "Outreach", f"up to {lost} back"))
    live = chosen_links(audit.scored, LinkChoice())
    doubtful = audit.scored[live & (audit.scored["verdict"] == labels.REVIEW.word)]
    if len(doubtful):
        keys = audit.campaign_keys.loc[doubtful.index]
        groups, single = int(keys[keys != ""].nunique()), int((keys == "").sum())
        later = single if groups and single > MOST_SINGLE else 0
        links, decisions = count(len(doubtful) - later, "doubtful link"), groups + single - later
        what = f"Keep or disavow {links} ({count(decisions, 'decision')})" + f"; {later:,} more can wait" * (later > 0)
        worth = "no more of them from the same sources"
        found.append(Step(what, _time(MINUTES_OF_A_DECISION * decisions), "SEO", worth))
    asked = audit.outreach[~audit.outreach["outreach_reason"].isin([labels.LOST_LINK.word])]
    if len(asked):
        links = by_number(len(asked), "links", "link")
        what = f"Ask {count(len(asked), 'site')} that already {links} to you for a better link"
        what += f" or another one: {first_of(asked['referring_domain'].tolist(), SITES_NAMED)}"
        worth = f"up to {count(len(asked), 'link')}, no new contact needed"
        found.append(Step(what, _time(MINUTES_OF_A_LETTER * len(asked)), "Outreach", worth))
    best = audit.scored[live & (audit.scored["verdict"] == labels.PROTECT.word)]
    if len(best):
        what = f"Check every month that the {count(len(best), 'most valuable link')} are still there"
        found.append(
            Step(what, _time(MINUTES_OF_A_REDIRECT, " a month"), "SEO", "the links that carry most of the value")
        )
    return found[:STEPS]


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
    moved = [one.text for one in audit.story if one.kind == "moved"]
    found += [(HIGH_SHARE, "Many links hang on another domain.", text) for text in moved]
    reclaims = audit.reclaims
    if len(reclaims) >= FEW_LOST:
        share = len(reclaims) / max(1, len(reclaims) + len(best))
        why = f"{count(len(reclaims), 'link')} from {count(reclaims['referring_domain'].nunique(), 'site')}"
        why += " can still be won back; after some months nobody remembers them."
        found.append((share, "Good links are being lost.", why))
    doubtful = live[live["verdict"] == labels.REVIEW.word]
    share = len(doubtful) / max(1, len(live))
    if share >= SOME:
        why = f"{count(len(doubtful), 'link')}, {percent(share)} of all, look bought or generated."
        why += " Search engines ignore most such links, unless the site seems to have bought them."
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
    title = shorten(str(row.get("referring_title") or ""), MOST_OF_A_TITLE, placeholder=" …")
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
