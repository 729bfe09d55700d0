"""The story of an audit: three to five sentences without jargon, each with its number and the rows that it is about."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.judgement.attacks import Attack
from backlink_audit.judgement.campaigns import WAYS
from backlink_audit.judgement.cas import chosen_links
from backlink_audit.judgement.losses import CHECK_FIRST, NOT_SAID, OURS
from backlink_audit.judgement.scales import site_authority
from backlink_audit.settings import LinkChoice
from backlink_audit.text.urls import main_domain
from backlink_audit.wording import by_number, count, first_of, percent

MOST_SENTENCES = 5
FIELDS_NAMED = 2
KINDS = {
    labels.KIND_PAGE.word: "most are on articles, shops and other normal pages",
    labels.KIND_LIST.word: "most are on lists, directories and copied pages",
    labels.KIND_VISITORS.word: "most are in forums, comments and profiles that anyone can write",
    labels.KIND_SPAM.word: "most are on spam pages",
}
"""What is said of the kind of page that more than half of the links are on."""
WAVE_FROM, WAVE_TIMES, WAVE_MONTHS, WAVE_HISTORY = 10, 3, 12, 6
"""A wave is so many domains in a month, so many times the usual month before, in the last months, after some months."""
WAVE_SHARE = 0.5  # share of all domains from which a month is the beginning of the tool's records, and no wave
FEWEST_RESTORED = 2  # links that one redirect restores from which that is told as what happened
MOST_ATTACKS = 1  # attacks that are told, the largest: the others are in their list
CAMPAIGN_SITES = 5  # sites of the largest campaign from which it is told
PRAISED = (labels.FINE.word, labels.UNDERVALUED.word)


@dataclass(frozen=True, eq=False)
class Sentence:
    """One sentence of the story.

    `number` is how many links it is about, and stands in `text`; `rows` are their labels in the scored links; `opens`
    is the word of the task whose list has them, "" where no task has.
    """

    kind: str
    text: str
    rows: pd.Index
    opens: str = ""

    @property
    def number(self) -> int:
        return len(self.rows)


class Told(Protocol):
    """What a story is made of: an audit's scored links and what was found out about them."""

    @property
    def scored(self) -> pd.DataFrame: ...
    @property
    def reclaims(self) -> pd.DataFrame: ...
    @property
    def causes(self) -> pd.DataFrame: ...
    @property
    def campaign_keys(self) -> pd.Series: ...
    @property
    def campaigns(self) -> pd.DataFrame: ...
    @property
    def attacks(self) -> Sequence[Attack]: ...
    @property
    def site_word(self) -> str: ...


def story_of(audit: Told) -> tuple[Sentence, ...]:
    """Return what the links say: what the profile is, what happened, what is at stake, what to do this week.

    A sentence without rows is left out; at most `MOST_SENTENCES`, of what happened the most serious.
    """
    parts: tuple[Callable[[Told], list[Sentence]], ...] = (_profile, _happened, _stake, _to_do)
    first, happened, stake, to_do = ([one for one in part(audit) if len(one.rows)] for part in parts)
    room = MOST_SENTENCES - len(first) - len(stake) - len(to_do)
    return (*first, *happened[:room], *stake, *to_do)


def _live(audit: Told) -> pd.Series:
    return chosen_links(audit.scored, LinkChoice())


def _profile(audit: Told) -> list[Sentence]:
    links = audit.scored[_live(audit)]
    if links.empty:
        return []
    domains, relevant = links["referring_domain"].nunique(), links["band"] == labels.BAND_RELEVANT.word
    who = f"{count(domains, 'site')} {by_number(domains, 'links', 'link')} to {main_domain(links['target_domain'])}"
    about = f"{_share(float(relevant.mean()))} about its subject"
    fields = links.loc[relevant, "topic_field"].pipe(lambda names: names[(names != "") & (names != "unclear")])
    named = ", ".join(fields.value_counts().index[:FIELDS_NAMED])
    mostly = next((KINDS[kind] for kind in KINDS if (links["page_kind"] == kind).mean() > 0.5), "")
    if len(links) == 1:
        about = f"it is {'' if relevant.all() else 'not '}about its subject"
    text = f"{who} with {count(len(links), 'live link')}; {about}{f' ({named})' if named else ''}"
    return [Sentence("profile", f"{text}{f', and {mostly}' if mostly and len(links) > 1 else ''}.", links.index)]


def _share(share: float) -> str:
    return {0.0: "none of them is", 1.0: "all of them are"}.get(share, f"{percent(share)} of them are")


def _happened(audit: Told) -> list[Sentence]:
    told = [(f"{one.sentence} {one.advice}", one.rows) for one in audit.attacks]
    attacks = [Sentence("attack", words, rows, labels.REVIEW.word) for words, rows in told[:MOST_ATTACKS]]
    return [*attacks, *_restored(audit), *_waves(audit), *_campaign(audit)]


def _restored(audit: Told) -> list[Sentence]:
    """Say which page of the site lost most: gone, or its redirect is."""
    ours = audit.causes[audit.causes["loss"].isin(OURS) & (audit.causes["links"] >= FEWEST_RESTORED)]
    if ours.empty:
        return []
    one = ours.iloc[0]
    rows = audit.reclaims.index[audit.reclaims["cause"] == one["cause"]]
    text = f"{count(len(rows), 'good link')} from {count(one['domains'], 'site')} lead nowhere: "
    why = f"{one['about']} no longer works and is not redirected."
    return [Sentence("redirect", text + why, rows, labels.RECLAIM.word)]


def _waves(audit: Told) -> list[Sentence]:
    """Say in which of the last months far more sites than usual linked for the first time, or were lost."""
    links = audit.scored
    newest = links[["first_seen", "last_seen", "lost_date"]].max().max()
    found = []
    for kind, days, words in (
        ("wave", links.groupby("referring_domain")["first_seen"].transform("min"), "linked for the first time"),
        ("lost wave", links["lost_date"].where(links["is_lost"]), "lost their links"),
    ):
        months = days.dt.to_period("M")
        peak = _peak(months, links["referring_domain"], newest)
        if peak is None:
            continue
        month, sites, usual = peak
        rows = links.index[(months == month).to_numpy()]
        text = f"In {month.strftime('%B %Y')}, {count(sites, 'site')} {words} ({count(len(rows), 'link')}); "
        usually = f"{usual:g} a month were" if usual > 1 else "no more than one a month was"
        quality = _quality(links.loc[rows]) if kind == "wave" else ""
        found.append(Sentence(kind, f"{text}{usually} usual before.{quality}", rows))
    return found


def _peak(months: pd.Series, domains: pd.Series, newest: pd.Timestamp) -> tuple[pd.Period, int, float] | None:
    """Return the month of a wave, how many domains are of it, and how many were usual before; None without a wave."""
    numbers = domains.groupby(months).nunique()
    if numbers.empty:
        return None
    every = pd.period_range(numbers.index.min(), newest.to_period("M"), freq="M")
    sites = numbers.reindex(every, fill_value=0).to_numpy()
    first = max(WAVE_HISTORY, len(sites) - WAVE_MONTHS)
    if first >= len(sites):
        return None
    place = first + int(sites[first:].argmax())
    usual = float(np.median(sites[max(0, place - WAVE_MONTHS) : place]))
    too_few = sites[place] < max(WAVE_FROM, WAVE_TIMES * usual)
    return None if too_few or sites[place] > WAVE_SHARE * sites.sum() else (every[place], int(sites[place]), usual)


def _quality(links: pd.DataFrame) -> str:
    bad = int((links["verdict"] == labels.REVIEW.word).sum())
    good = int(links["verdict"].isin([label.word for label in labels.PRAISE]).sum())
    if 2 * bad > len(links):
        return f" {bad:,} of the new links look manipulative."
    return f" {good:,} of the new links are worth keeping." if 2 * good > len(links) else ""


def _campaign(audit: Told) -> list[Sentence]:
    shared = audit.campaigns[audit.campaigns["made_by"] != WAYS["site"]]
    large = shared[shared["domains"] >= CAMPAIGN_SITES]
    if large.empty:
        return []
    rows = audit.scored.index[audit.campaign_keys.isin(large["campaign"].tolist())]
    first, more = large.iloc[0], len(large) - 1
    what = f"One template, “{first['template']}”, is on {count(int(first['domains']), 'site')}"
    others = f"; with {count(more, 'similar campaign')}, " if more else ": "
    text = f"{what}{others}{count(len(rows), 'link')} that can be decided at once."
    return [Sentence("campaign", text, rows, labels.REVIEW.word)]


def _stake(audit: Told) -> list[Sentence]:
    """Say what the site would be sorry to lose."""
    live = audit.scored[_live(audit)]
    best = live[live["verdict"] == labels.PROTECT.word]
    if best.empty:
        best = live[live["verdict"].isin(PRAISED)]
        text = f"No link is strong; {count(len(best), 'link')} {by_number(len(best), 'is', 'are')} still worth keeping."
        return [Sentence("stake", text, best.index)]
    domains, authority = best["referring_domain"].nunique(), site_authority(best)
    known = authority.notna().any()
    top = best["referring_domain"].iloc[int(authority.argmax()) if known else 0]
    strongest = f"; the strongest is {top}" + (f" ({audit.site_word} {authority.max():g})" if known else "")
    carries = by_number(len(best), "carries", "carry")
    text = f"{count(len(best), 'link')} from {count(domains, 'site')} {carries} most of the value{strongest}."
    return [Sentence("stake", text, best.index, labels.PROTECT.word)]


def _to_do(audit: Told) -> list[Sentence]:
    """Say what to do this week: at most two steps, the one that wins most with least work first."""
    steps = [step for step in (_mend(audit), _ask(audit), _decide(audit)) if step is not None][:2]
    if not steps:
        return []
    rows = steps[0][1].append([one for _, one in steps[1:]]).unique()
    first, *then = (words for words, _ in steps)
    together = f", for {count(len(rows), 'link')}" if then else ""
    text = f"To do this week{together}: {first}{''.join(f', then {words}' for words in then)}."
    opens = labels.REVIEW.word if first.startswith("decide") else labels.RECLAIM.word
    return [Sentence("to do", text, rows, opens)]


Step = tuple[str, pd.Index]


def _of_causes(audit: Told, causes: pd.DataFrame) -> pd.Index:
    return audit.reclaims.index[audit.reclaims["cause"].isin(causes["cause"].tolist())]


def _mend(audit: Told) -> Step | None:
    ours = audit.causes[audit.causes["loss"].isin(OURS)]
    rows = _of_causes(audit, ours)
    words = f"restore or redirect {count(len(ours), 'page')} ({count(len(rows), 'link')} back)"
    return (words, rows) if len(rows) else None


def _ask(audit: Told) -> Step | None:
    """Write to sites that removed links; where a page has to be looked at first, that is said."""
    theirs = audit.causes[~audit.causes["loss"].isin(OURS)]
    rows = _of_causes(audit, theirs)
    if rows.empty:
        return None
    sites = first_of(theirs["about"].tolist(), 2)
    if theirs["loss"].isin((*CHECK_FIRST, NOT_SAID.name)).all():
        return f"check whether {count(len(rows), 'lost link')} {by_number(len(rows), 'is', 'are')} gone ({sites})", rows
    return f"write to {sites} about {count(len(rows), 'lost link')}", rows


def _decide(audit: Told) -> Step | None:
    rows = audit.scored.index[_live(audit) & (audit.scored["verdict"] == labels.REVIEW.word)]
    if rows.empty:
        return None
    keys = audit.campaign_keys.loc[rows]
    groups, single = int(keys[keys != ""].nunique()), int((keys == "").sum())
    parts = [count(groups, "group")] if groups else []
    parts += [count(single, "single link")] if single or not groups else []
    return f"decide on {count(len(rows), 'doubtful link')}{' (' + ' and '.join(parts) + ')' if groups else ''}", rows
