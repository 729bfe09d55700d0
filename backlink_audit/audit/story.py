"""What an audit says in words: its counts, and the story of three to five sentences, each with the rows it is about."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.embedding.models import page_languages
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.footprints import WAYS, Attack
from backlink_audit.judgement.losses import CHECK_FIRST, NOT_SAID, OURS, newest_day
from backlink_audit.judgement.scales import chosen_links, site_authority
from backlink_audit.schema import MARKS_OF_LOSS
from backlink_audit.settings import LinkChoice
from backlink_audit.text.urls import main_domain, registrable_domains
from backlink_audit.wording import by_number, count, first_of, part_of, percent

LOST_TOO = " (lost links included)"
SITES_NAMED = 3  # how many sites a note names
LACKS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("referring_title",), "page titles (relevance is then read from the URLs alone)"),
    (("domain_rating", "url_rating"), "authority (nothing can be called strong)"),
    (("nofollow",), "nofollow (every link counts as followed)"),
    (MARKS_OF_LOSS, "lost links (nothing to reclaim): export all links, not only live ones"),
    (("first_seen", "last_seen"), "dates (no new and lost links by month)"),
    (("page_traffic",), "page traffic (no visits)"),
)
"""Columns, any one of which shows something, and what is missing without them."""
LANGUAGES_NAMED = 2
COLUMNS = (
    *("referring_domain", "outreach_reason", "asks", "relevance", "authority"),
    *("example_url", "example_title", "example_anchor", "our_page", "example_target"),
)
MOST_SENTENCES = 5
FIELDS_NAMED, CLEAR = 2, 0.8  # and the share of the relevant links whose field is clear, from which some are named
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
MOVED_SHARE = 0.2  # share of the live links that are redirected from another domain from which that is told
FEWEST_RESTORED = 2  # links that one redirect restores from which that is told as what happened
MOST_ATTACKS = 2  # attacks that are told, the most urgent: the others are in their list
MOST_SINGLE = 50  # single links from which a week is for groups alone
CAMPAIGN_SITES, CAMPAIGN_SHARE = 5, 0.03  # sites of a campaign, and share of the live links, from which it is told
GOOD, MANY = [label.word for label in labels.PRAISE], 10  # links from which it is said how many are worth keeping
Step = tuple[str, pd.Index]


def state_counts(links: pd.DataFrame) -> dict[str, int]:
    """Return how many links have which state; states that none has are left out."""
    counts = links["link_state"].value_counts()
    return {label.word: int(counts[label.word]) for label in labels.LINK_STATES if label.word in counts}


def choice_sentence(choice: LinkChoice, shown: int, states: Mapping[str, int]) -> str:
    """Say how many of the scored links the figures are about, by state; "" where it is all of them.

    >>> choice_sentence(LinkChoice(), 240, {"live": 240, "lost": 61, "dead page": 2})
    'Scored: 303 links (live 240, lost 61, dead page 2). Shown: live, each page once, 240.'
    """
    scored = sum(states.values())
    if shown == scored:
        return ""
    parts = ", ".join(f"{state} {number:,}" for state, number in states.items())
    one = ", one per referring domain" if choice.one_per_domain else ", each page once"
    others = ", without spam attacks" if choice.without_attacks else ""
    return f"Scored: {count(scored, 'link')} ({parts}). Shown: {choice.links}{one}{others}, {shown:,}."


def subject_note(sites: pd.Series, subjects: pd.Series) -> str:
    """Say of which sites the own pages and the linking pages have different subjects; "" where there is none.

    `subjects`: both in words for each link, "" where they agree.
    """
    differ = subjects[subjects != ""].groupby(sites).first()
    if differ.empty:
        return ""
    most = sites[subjects != ""].value_counts().head(SITES_NAMED).index
    named = "; ".join(f"{site}: {differ[site]}" for site in most)
    more = f"; and {count(len(differ) - SITES_NAMED, 'more site')}" if len(differ) > SITES_NAMED else ""
    return (
        f"The pages that link here have another subject than the site's own pages ({named}{more}). This happens with "
        "expired or bought domains and with bought links. In the settings you can choose which of the two counts."
    )


def redirects_sentence(over: int, links: int, old_urls: int) -> str:
    """Say how many of the links arrive over a redirect, and over how many old URLs."""
    if not over:
        return "No redirected links found. Only Ahrefs exports from 2025 or later have this information."
    return (
        f"{part_of(over, links, 'link')} {by_number(over, 'arrives', 'arrive')} through a redirect, "
        f"from {count(old_urls, 'old URL')}. The links with the highest CAS come first."
    )


def relevant_entries(links: pd.DataFrame) -> int:
    """Return how many relevant links are in lists or on pages that visitors wrote; `links` has band and page_kind."""
    entry = links["page_kind"].isin([labels.KIND_LIST.word, labels.KIND_VISITORS.word])
    return int((entry & (links["band"] == labels.BAND_RELEVANT.word)).sum())


def relevant_words(relevant: int, entries: int) -> str:
    """Say on what kind of page the relevant links are.

    >>> relevant_words(1175, 888)
    '888 on list or user-generated pages, 287 on other pages'
    """
    return f"{entries:,} on list or user-generated pages, {relevant - entries:,} on other pages"


def headline(
    verdict_counts: pd.Series, relevant: int, entries: int, backlinks: int, to_reclaim: int | None = None
) -> str:
    """Return the answer in one sentence: how many links are relevant, and how many verdicts need an action.

    `entries`: how many of the relevant ones are `relevant_entries`. `to_reclaim`: how many of all scored links are to
    be won back; None: the counts are of all of them.

    >>> headline(pd.Series({"Protect": 92, "Review": 30}), 104, 81, 269)
    '104 of 269 links are relevant (81 on list or user-generated pages, 23 on other pages); protect 92 and review 30.'
    """
    protect, review, shown = (
        verdict_counts.get(label.word, 0) for label in (labels.PROTECT, labels.REVIEW, labels.RECLAIM)
    )
    reclaim = shown if to_reclaim is None else to_reclaim
    steps = [f"protect {protect:,}"]
    steps += [f"review {review:,}"] if review else []
    steps += [f"reclaim {reclaim:,}{LOST_TOO if reclaim > shown else ''}"] if reclaim else []
    verdicts = f"{', '.join(steps[:-1])} and {steps[-1]}" if len(steps) > 1 else steps[0]
    on_what = f" ({relevant_words(relevant, entries)})" if entries else ""
    return f"{part_of(relevant, backlinks, 'link')} {by_number(relevant, 'is', 'are')} relevant{on_what}; {verdicts}."


@dataclass(frozen=True)
class Recognised:
    """What an export is: of which tool, how much, of which site and day, in which languages; and what it lacks."""

    name: str
    tool: str
    rows: int
    site: str  # The domain most of its links go to
    newest: date | None  # The newest date in it that is not in the future; None without dates
    languages: str  # The most frequent languages of the referring pages with their shares, "" where none is known
    lacks: tuple[str, ...]  # What more columns would show


def recognised(export: Export, today: date) -> Recognised:
    """Return what an export of backlinks was recognised as."""
    newest = newest_day(export.table, today)
    return Recognised(
        name=export.name,
        tool=" + ".join(export.merged.tools) if export.merged else export.format.name,
        rows=len(export.raw),
        site=main_domain(export.link_keys["target_domain"]),
        newest=None if newest is None else newest.date(),
        languages=_in_words(page_languages(export)),
        lacks=tuple(words for names, words in LACKS if not any(_shows(export, name) for name in names)),
    )


def _shows(export: Export, name: str) -> bool:
    return export.has(name) and (name in MARKS_OF_LOSS or bool(_known(export.table[name]).any()))


def _known(values: pd.Series) -> pd.Series:
    return values.notna() & (values != "")


def _in_words(codes: pd.Series) -> str:
    """Return the most frequent languages; of a page with several the first counts.

    >>> _in_words(pd.Series(["en", "en, es", "en", "fr", "und"]))
    'en 60%, fr 20%'
    """
    shares = codes[codes != ""].str.split(",").str[0].value_counts(normalize=True).drop("und", errors="ignore")
    return ", ".join(f"{code} {percent(share)}" for code, share in shares.head(LANGUAGES_NAMED).items())


def prospects_of(rows: pd.DataFrame, word: str) -> pd.DataFrame:
    """Return COLUMNS of the sites of a task (`Audit.to_do`), Reclaim or Pitch by its word; one row each, same order."""
    if word == labels.RECLAIM.word:
        lost = rows["link_state"] == labels.LINK_LOST.word
        rows = rows.assign(
            outreach_reason=lost.map({True: labels.LOST_LINK.word, False: labels.DEAD_PAGE.word}).astype("str"),
            asks=rows["advice"],
            authority=site_authority(rows),
            example_url=rows["referring_url"],
            example_title=rows["referring_title"],
            example_anchor=rows["anchor"],
        )
    names = {"target_url": "our_page", "linked_url": "example_target"}
    return rows.rename(columns=names).drop_duplicates("referring_domain")[list(COLUMNS)]


@dataclass(frozen=True, eq=False)
class Sentence:
    """One sentence of the story.

    `number` is how many links it is about, and stands in `text`; `rows` are their labels in the scored links.
    """

    kind: str
    text: str
    rows: pd.Index

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
    """Return what the links say: what the profile is, what happened, what is at stake, what to do next."""
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
    named = ", ".join(fields.value_counts().index[:FIELDS_NAMED] if len(fields) >= CLEAR * relevant.sum() else [])
    kinds = links["page_kind"].value_counts(normalize=True)
    usual = KINDS.get(str(kinds.idxmax())) if len(links) > 1 and kinds.max() > 0.5 else None
    praised, doubtful = links["verdict"].isin(GOOD), links["verdict"] == labels.REVIEW.word
    rest = links.loc[~praised & ~doubtful, "page_kind"]
    sizes = (f"{n:,}" if n else "none" for n in (praised.sum(), doubtful.sum(), len(rest)))
    worth = " {} are worth keeping, {} look bought or generated, and {} matter little".format(*sizes)
    idle = rest.isin([labels.KIND_LIST.word, labels.KIND_VISITORS.word]).mean() > 0.5
    worth += ", most of them in lists, forums and profiles." if idle and usual is None else "."
    if len(links) == 1:
        about = f"it is {'' if relevant.all() else 'not '}about its subject"
    text = f"{who} with {count(len(links), 'live link')}; {about}{f' ({named})' if named else ''}"
    text += f"{f', and {usual}' if usual else ''}.{worth if len(links) >= MANY else ''}"
    return [Sentence("profile", text, links.index)]


def _share(share: float) -> str:
    return {0.0: "none of them is", 1.0: "all of them are"}.get(share, f"{percent(share)} of them are")


def _happened(audit: Told) -> list[Sentence]:
    told = [(f"{one.sentence} {one.advice}", one.rows) for one in audit.attacks]
    attacks = [Sentence(f"attack{n or ''}", words, rows) for n, (words, rows) in enumerate(told[:MOST_ATTACKS])]
    return [*attacks[:1], *_moved(audit), *attacks[1:], *_restored(audit), *_waves(audit), *_campaign(audit)]


def _moved(audit: Told) -> list[Sentence]:
    links = audit.scored[_live(audit)]
    old, rows = moved_from(links)
    if not old:
        return []
    site, good = main_domain(links["target_domain"]), int(links.loc[rows, "verdict"].isin(GOOD).sum())
    reach = f"{part_of(len(rows), len(links), 'live link')} reach {site} through redirects from {old}"
    text = f"{reach}, {good:,} of them worth keeping: "
    return [Sentence("moved", f"{text}without that domain and its redirects they are lost.", rows)]


def moved_from(links: pd.DataFrame) -> tuple[str, pd.Index]:
    """Return from which other domain many of the links are redirected here, "" for none, and which of them."""
    linked = registrable_domains(links["linked_url"])
    over = linked[(linked != "") & (linked != links["target_domain"])]
    old = "" if over.empty or len(over) < MOVED_SHARE * len(links) else str(over.mode()[0])
    return old, over.index[over == old]


def _restored(audit: Told) -> list[Sentence]:
    """Say which page of the site lost most: gone, or its redirect is."""
    ours = audit.causes[audit.causes["loss"].isin(OURS) & (audit.causes["links"] >= FEWEST_RESTORED)]
    if ours.empty:
        return []
    one = ours.iloc[0]
    rows = audit.reclaims.index[audit.reclaims["cause"] == one["cause"]]
    text = f"{count(len(rows), 'good link')} from {count(one['domains'], 'site')} lead nowhere"
    return [Sentence("redirect", f"{text}: {one['about']} no longer works and is not redirected.", rows)]


def _waves(audit: Told) -> list[Sentence]:
    """Say in which of the last months far more sites than usual linked for the first time, or were lost."""
    links = audit.scored
    newest = links[["first_seen", "last_seen", "lost_date"]].max().max()
    found = []
    for kind, days, words in (
        ("wave", links.groupby("referring_domain")["first_seen"].transform("min"), "linked for the first time"),
        ("lost wave", _last_lost(links), "lost all their links"),
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


def _last_lost(links: pd.DataFrame) -> pd.Series:
    """Return when the last link of each link's domain was lost, NaT where one of them is left."""
    gone = links["is_lost"].astype(bool).groupby(links["referring_domain"]).transform("all")
    days = links["lost_date"].fillna(links["last_seen"].where(links["is_lost"]))
    return days.groupby(links["referring_domain"]).transform("max").where(gone)


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
    good = int(links["verdict"].isin(GOOD).sum())
    if 2 * bad > len(links):
        return f" {bad:,} of the new links look manipulative."
    return f" {good:,} of the new links are worth keeping." if 2 * good > len(links) else ""


def _campaign(audit: Told) -> list[Sentence]:
    shared = audit.campaigns[~audit.campaigns["made_by"].isin([WAYS["site"], WAYS["attack"]])]
    large = shared[shared["domains"] >= max(CAMPAIGN_SITES, CAMPAIGN_SHARE * _live(audit).sum())]
    if large.empty:
        return []
    rows = audit.scored.index[audit.campaign_keys.isin(large["campaign"].tolist())]
    first, more = large.iloc[0], len(large) - 1
    what = f"Pages of one template, such as “{first['template']}”, are on {count(int(first['domains']), 'site')}"
    others = f"; with {count(more, 'similar campaign')} they are " if more else ": "
    text = f"{what}{others}{count(len(rows), 'link')} to decide on together."
    return [Sentence("campaign", text, rows)]


def _stake(audit: Told) -> list[Sentence]:
    """Say what the site would be sorry to lose."""
    live = audit.scored[_live(audit)]
    best = live[live["verdict"] == labels.PROTECT.word]
    if best.empty:
        best = live[live["verdict"].isin(GOOD)]
        text = f"No link is strong; {count(len(best), 'link')} {by_number(len(best), 'is', 'are')} still worth keeping."
        return [Sentence("stake", text, best.index)]
    domains, top = best["referring_domain"].nunique(), strongest(best)
    rated = f" ({audit.site_word} {authority:g})" if (authority := site_authority(top).iloc[0]) > 0 else ""
    named = f"; the strongest is {top['referring_domain'].iloc[0]}{rated}"
    says = f"{by_number(len(best), 'is', 'are')} worth protecting first"
    text = f"{count(len(best), 'link')} from {count(domains, 'site')} {says}{named}."
    return [Sentence("stake", text, best.index)]


def strongest(links: pd.DataFrame) -> pd.DataFrame:
    """Return the link of the site with most authority, alone, among those with the fewest risk signals."""
    usual = links[links["risk_signals"] == links["risk_signals"].min()]
    return usual.iloc[np.argsort(-site_authority(usual).fillna(-1), kind="stable")[:1]]


def _to_do(audit: Told) -> list[Sentence]:
    """Say what to do next: at most two steps, the one that wins most with least work first."""
    steps = [step for step in (_mend(audit), _keep(audit), _ask(audit), _decide(audit)) if step is not None][:2]
    if not steps:
        return []
    rows = steps[0][1].append([one for _, one in steps[1:]]).unique()
    first, *then = (words for words, _ in steps)
    together = f", for {count(len(rows), 'link')}" if then else ""
    text = f"To do next{together}: {first}{''.join(f', then {words}' for words in then)}."
    return [Sentence("to do", text, rows)]


def _of_causes(audit: Told, causes: pd.DataFrame) -> pd.Index:
    return audit.reclaims.index[audit.reclaims["cause"].isin(causes["cause"].tolist())]


def _mend(audit: Told) -> Step | None:
    ours = audit.causes[audit.causes["loss"].isin(OURS)]
    rows = _of_causes(audit, ours)
    words = f"restore or redirect {count(len(ours), 'page')} ({count(len(rows), 'link')} back)"
    return (words, rows) if len(rows) else None


def _keep(audit: Told) -> Step | None:
    links = audit.scored[_live(audit)]
    old, rows = moved_from(links)
    good = rows[links.loc[rows, "verdict"].isin(GOOD)]
    return (f"keep {old} and its redirects ({count(len(good), 'good link')})", good) if len(good) else None


def _ask(audit: Told) -> Step | None:
    """Write to sites that removed links; where each page has to be looked at first, that is said."""
    theirs = audit.causes[~audit.causes["loss"].isin(OURS)]
    sure = theirs[~theirs["loss"].isin((*CHECK_FIRST, NOT_SAID.name))]
    rows = _of_causes(audit, theirs if sure.empty else sure)
    if rows.empty:
        return None
    sites = first_of((theirs if sure.empty else sure)["about"].tolist(), 2)
    if sure.empty:
        return f"check whether {count(len(rows), 'lost link')} {by_number(len(rows), 'is', 'are')} gone ({sites})", rows
    return f"write to {sites} about {count(len(rows), 'lost link')}", rows


def _decide(audit: Told) -> Step | None:
    rows = audit.scored.index[_live(audit) & (audit.scored["verdict"] == labels.REVIEW.word)]
    if rows.empty:
        return None
    keys = audit.campaign_keys.loc[rows]
    groups, single = int(keys[keys != ""].nunique()), int((keys == "").sum())
    first = keys.index[keys != ""] if groups and single > MOST_SINGLE else rows
    of_all = part_of(len(first), len(rows), "doubtful link") if len(first) < len(rows) else ""
    parts = [count(groups, "group")] if groups else []
    parts += [count(single, "single link")] if len(first) == len(rows) and single and groups else []
    how = f" ({' and '.join(parts)})" if parts else ""
    return f"keep or disavow {of_all or count(len(rows), 'doubtful link')}{how}, which is not urgent", first
