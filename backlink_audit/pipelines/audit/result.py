"""A finished audit: its scored links, and the questions they answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Literal, Self

import pandas as pd

from backlink_audit.analysis.cas import blank_reasons
from backlink_audit.analysis.domains import roll_up
from backlink_audit.analysis.link_choice import chosen_links
from backlink_audit.analysis.outreach import outreach
from backlink_audit.analysis.redirected_links import redirected_targets
from backlink_audit.analysis.scales import rating_labels, site_label
from backlink_audit.exports.clean import Cleaned
from backlink_audit.labels import BAND_RELEVANT, KIND_LIST, KIND_VISITORS, LINK_STATES, PROTECT, RECLAIM, REVIEW
from backlink_audit.pipelines.languages import language_note
from backlink_audit.settings import EVERYTHING, AuditSettings, LinkChoice
from backlink_audit.wording import by_number, count, part_of

TopBy = Literal["similarity", "cas"]
LowestBy = Literal["url_rating", "similarity", "cas"]

HTTP_OK = 200
LOST_TOO = " (lost links included)"
SITES_NAMED = 3
"""How many sites a note names."""


@dataclass(frozen=True)
class Origin:
    """Where scored links come from: the file and what was left of it, the model, the time."""

    file: str
    format: str
    rows: int
    """How many the file has."""
    removed: Mapping[str, int]
    """How many of them each filter set aside."""
    model: str
    device: str
    made_at: datetime


@dataclass(frozen=True, eq=False)
class Scored:
    """The scored links of an export, whether it was audited in one piece or in parts.

    `links` are those that the figures are about: all that were scored, or the ones chosen of them (`chosen`).
    """

    links: pd.DataFrame
    settings: AuditSettings
    choice: LinkChoice = field(default=EVERYTHING, kw_only=True)
    all_links: pd.DataFrame | None = field(default=None, kw_only=True)
    """All that were scored, where `links` are chosen of them."""

    @property
    def scored(self) -> pd.DataFrame:
        """All scored links, whatever is chosen of them."""
        return self.links if self.all_links is None else self.all_links

    def chosen(self, choice: LinkChoice) -> Self:
        """Return the same audit with figures of these links: nothing is scored again."""
        links = self.scored
        chosen = chosen_links(links, choice)
        part = links if chosen.all() else links[chosen]
        return replace(self, links=part, choice=choice, all_links=links)

    @cached_property
    def referring_domains(self) -> pd.DataFrame:
        """One row per referring domain, the one with the best CAS first (`analysis.domains.roll_up`)."""
        return roll_up(self.links)

    @property
    def state_counts(self) -> dict[str, int]:
        """How many of all scored links have which state; states that none has are left out."""
        return state_counts(self.scored)

    @property
    def choice_sentence(self) -> str:
        """How many of the scored links the figures are about, in words; "" where it is all of them."""
        return choice_sentence(self.choice, len(self.links), self.state_counts)

    @property
    def subject_note(self) -> str:
        """Which sites are about something else than what links to them, in a sentence; "" where there is none."""
        return subject_note(self.scored["target_domain"], self.scored["subjects"])

    @property
    def language_note(self) -> str:
        """Which languages of the pages the model does not know, in a sentence; "" where there is none."""
        return language_note(self.settings.model, self.scored)

    @property
    def backlinks(self) -> int:
        """How many links the figures are about."""
        return len(self.links)

    @property
    def domains(self) -> int:
        """How many referring domains they come from."""
        return int(self.links["referring_domain"].nunique())

    @property
    def mean_similarity(self) -> float:
        """Mean similarity, NaN where no link has one."""
        return float(self.links["similarity"].mean())

    @property
    def median_similarity(self) -> float:
        """Median similarity, NaN where no link has one."""
        return float(self.links["similarity"].median())

    @property
    def mean_cas(self) -> float:
        """Mean CAS, NaN where no link has one."""
        return float(self.links["cas"].mean())

    @property
    def relevant(self) -> int:
        """How many links are in the band relevant."""
        return int((self.links["band"] == BAND_RELEVANT.word).sum())

    @property
    def relevant_entries(self) -> int:
        """How many of the relevant links are in lists or on pages that visitors wrote: the others are on pages."""
        return relevant_entries(self.links)

    @property
    def relevant_words(self) -> str:
        """On what kind of page the relevant links are, in words."""
        return relevant_words(self.relevant, self.relevant_entries)

    @property
    def share_relevant(self) -> float:
        """Share of the links that are relevant, 0-1; NaN without links."""
        return self.relevant / self.backlinks if self.backlinks else float("nan")

    @property
    def verdict_counts(self) -> pd.Series:
        """How many links each verdict has; verdicts that none has are left out."""
        return self.links["verdict"].value_counts()

    @property
    def to_reclaim(self) -> int:
        """How many of all scored links are to be won back: most are lost, so the choice of links does not matter."""
        return int((self.scored["verdict"] == RECLAIM.word).sum())

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        return headline(self.verdict_counts, self.relevant, self.relevant_entries, self.backlinks, self.to_reclaim)

    @property
    def authority_label(self) -> str:
        """What the export calls the authority that CAS is made of."""
        return self.authority_labels["url_rating" if self.settings.authority == "UR" else "domain_rating"]

    @property
    def authority_labels(self) -> dict[str, str]:
        """What the export calls url_rating and domain_rating."""
        return rating_labels(self.links["scale"])

    @property
    def site_word(self) -> str:
        """What the export calls the authority of a site."""
        return site_label(self.scored)

    @cached_property
    def blank_cas(self) -> Mapping[str, int]:
        """How many links have no CAS, by reason."""
        return blank_reasons(self.links, self.settings)

    @cached_property
    def redirected(self) -> pd.DataFrame:
        """One row per old target that links arrive over (`analysis.redirected_links.redirected_targets`)."""
        return redirected_targets(self.links)

    @cached_property
    def outreach(self) -> pd.DataFrame:
        """One row per site that links and is worth approaching (`analysis.outreach.outreach`); of every scored link.

        Lost links are among them, whatever links are chosen.
        """
        return outreach(self.scored, self.settings.verdicts.strong_from)

    @property
    def redirects_sentence(self) -> str:
        """How many links arrive over a redirect, and over how many old URLs."""
        over = int(self.links["over_redirect"].sum())
        if not over:
            return "No redirected links found. Only Ahrefs exports from 2025 or later have this information."
        return (
            f"{part_of(over, self.backlinks, 'link')} {by_number(over, 'arrives', 'arrive')} through a redirect, "
            f"from {count(len(self.redirected), 'old URL')}. The links with the highest CAS come first."
        )

    def top(self, by: TopBy, n: int = 10) -> pd.DataFrame:
        """Return the n links with the highest similarity or CAS, best first; those without one are left out."""
        best = self.links[by].dropna().sort_values(ascending=False, kind="stable").head(n)
        return self.links.loc[best.index]

    def lowest(self, by: LowestBy, n: int = 10) -> pd.DataFrame:
        """Return the n links with the lowest page rating, similarity or CAS, lowest first; equal ones by the others.

        Only pages known to answer with HTTP 200, where the export has the status of any.
        """
        status = self.links["http_status"]
        alive = status == HTTP_OK if status.notna().any() else slice(None)
        names = [by, *(name for name in ("similarity", "cas", "url_rating") if name != by)]
        known = self.links.loc[alive, names].dropna(subset=[by])
        return self.links.loc[known.sort_values(names, kind="stable").head(n).index]


@dataclass(frozen=True, eq=False)
class Audit(Scored):
    """A finished audit of an export in one piece.

    `links` has one row per cleaned backlink, in the order of the file, indexed as `cleaned.export.raw`: the cleaned
    columns and similarity, evidence, relevance, band, topic, topic_field, target_status, cas, cas_percentile,
    risk_signals (how many), verdict, why. Missing numbers are NaN, missing texts "".
    """

    cleaned: Cleaned
    model: str
    device: str
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def origin(self) -> Origin:
        """Where the links come from."""
        export, removed = self.cleaned.export, self.cleaned.removed
        return Origin(export.name, export.format.name, len(export.raw), removed, self.model, self.device, self.made_at)


def state_counts(links: pd.DataFrame) -> dict[str, int]:
    """Return how many links have which state; states that none has are left out."""
    counts = links["link_state"].value_counts()
    return {label.word: int(counts[label.word]) for label in LINK_STATES if label.word in counts}


def choice_sentence(choice: LinkChoice, shown: int, states: Mapping[str, int]) -> str:
    """Say how many of the scored links the figures are about, by state; "" where it is all of them.

    >>> choice_sentence(LinkChoice(), 240, {"live": 240, "lost": 61, "dead page": 2})
    'Scored: 303 links (live 240, lost 61, dead page 2). Shown: live, 240.'
    """
    scored = sum(states.values())
    if shown == scored:
        return ""
    parts = ", ".join(f"{state} {number:,}" for state, number in states.items())
    one = ", one per referring domain" if choice.one_per_domain else ""
    return f"Scored: {count(scored, 'link')} ({parts}). Shown: {choice.links}{one}, {shown:,}."


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


def relevant_entries(links: pd.DataFrame) -> int:
    """Return how many relevant links are in lists or on pages that visitors wrote; `links` has band and page_kind."""
    entry = links["page_kind"].isin([KIND_LIST.word, KIND_VISITORS.word])
    return int((entry & (links["band"] == BAND_RELEVANT.word)).sum())


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
    protect, review, shown = (verdict_counts.get(label.word, 0) for label in (PROTECT, REVIEW, RECLAIM))
    reclaim = shown if to_reclaim is None else to_reclaim
    steps = [f"protect {protect:,}"]
    steps += [f"review {review:,}"] if review else []
    steps += [f"reclaim {reclaim:,}{LOST_TOO if reclaim > shown else ''}"] if reclaim else []
    verdicts = f"{', '.join(steps[:-1])} and {steps[-1]}" if len(steps) > 1 else steps[0]
    on_what = f" ({relevant_words(relevant, entries)})" if entries else ""
    return f"{part_of(relevant, backlinks, 'link')} {by_number(relevant, 'is', 'are')} relevant{on_what}; {verdicts}."
