"""A finished audit: its scored links, and the questions they answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Literal, Self

import pandas as pd

from backlink_audit.audit.story import (
    Sentence,
    choice_sentence,
    headline,
    redirects_sentence,
    relevant_entries,
    relevant_words,
    state_counts,
    story_of,
    subject_note,
)
from backlink_audit.audit.tasks import Task, redirected_targets, tasks_of
from backlink_audit.embedding.models import language_note
from backlink_audit.exports.clean import Cleaned
from backlink_audit.judgement.actions import outreach
from backlink_audit.judgement.footprints import Attack, attacks, campaign_of, campaigns
from backlink_audit.judgement.losses import causes, links_to_reclaim
from backlink_audit.judgement.referring_sites import roll_up
from backlink_audit.judgement.scales import blank_reasons, chosen_links, rating_labels, site_label
from backlink_audit.judgement.verdicts import at_stake
from backlink_audit.labels import BAND_RELEVANT, LINK_LOST, PITCH, RECLAIM, REVIEW, VERDICTS
from backlink_audit.schema import MARKS_OF_LOSS
from backlink_audit.settings import EVERYTHING, AuditSettings, LinkChoice

TopBy = Literal["similarity", "cas"]
LowestBy = Literal["url_rating", "similarity", "cas"]
Highest = Literal["at_stake", "domain_rating", "first_seen", "cas", "similarity"]
Order = Highest | Literal["lowest similarity", "lowest cas", "lowest url_rating"]

HTTP_OK = 200
NAMED_BY = ("referring_url", "target_url", "anchor")  # by which equal links are ordered


@dataclass(frozen=True)
class Origin:
    """Where scored links come from: the file and what was left of it, the model, the time."""

    file: str
    format: str
    rows: int  # How many the file has
    removed: Mapping[str, int]  # How many of them each filter set aside
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
    whole: Self | None = field(default=None, kw_only=True)
    """The audit of all that was scored, where `links` are chosen of it."""

    @property
    def scored(self) -> pd.DataFrame:
        return self.links if self.whole is None else self.whole.links

    def chosen(self, choice: LinkChoice) -> Self:
        """Return the same audit with figures of these links: nothing is scored again."""
        links = self.scored
        chosen = chosen_links(links, choice)
        part = links if chosen.all() else links[chosen]
        return replace(self, links=part, choice=choice, whole=self.whole or self)

    @cached_property
    def referring_domains(self) -> pd.DataFrame:
        return roll_up(self.links)

    @property
    def state_counts(self) -> dict[str, int]:
        return state_counts(self.scored)

    @property
    def choice_sentence(self) -> str:
        return choice_sentence(self.choice, len(self.links), self.state_counts)

    @cached_property
    def attacks(self) -> tuple[Attack, ...]:
        """Spam attacks among all scored links, the largest first."""
        if self.whole:
            return self.whole.attacks
        return attacks(self.links) if "attack" in self.links else ()  # an older snapshot's links have no such column

    @property
    def attack_notes(self) -> list[str]:
        return [f"{attack.sentence} {attack.advice}" for attack in self.attacks]

    @property
    def subject_note(self) -> str:
        return subject_note(self.scored["target_domain"], self.scored["subjects"])

    @property
    def language_note(self) -> str:
        return language_note(self.settings.model, self.scored)

    @property
    def backlinks(self) -> int:
        return len(self.links)

    @property
    def domains(self) -> int:
        return int(self.links["referring_domain"].nunique())

    @property
    def median_authority(self) -> float:
        return float(self.referring_domains["authority"].median())

    @property
    def share_followed(self) -> float:
        return float(self.links["followed"].mean()) if self.links["nofollow"].notna().any() else float("nan")

    @property
    def mean_similarity(self) -> float:
        return float(self.links["similarity"].mean())

    @property
    def median_similarity(self) -> float:
        return float(self.links["similarity"].median())

    @property
    def mean_cas(self) -> float:
        return float(self.links["cas"].mean())

    @property
    def relevant(self) -> int:
        return int((self.links["band"] == BAND_RELEVANT.word).sum())

    @property
    def relevant_entries(self) -> int:
        return relevant_entries(self.links)

    @property
    def relevant_words(self) -> str:
        return relevant_words(self.relevant, self.relevant_entries)

    @property
    def share_relevant(self) -> float:
        return self.relevant / self.backlinks if self.backlinks else float("nan")

    @property
    def verdict_counts(self) -> pd.Series:
        return self.links["verdict"].value_counts()

    @property
    def figures(self) -> dict[str, float | int | None]:
        """The figures of the chosen links by name, None for what cannot be known; shares are 0-1."""
        found: dict[str, float | int] = {
            "links": self.backlinks,
            "domains": self.domains,
            "authority": self.median_authority,
            "followed": self.share_followed,
            "relevant": self.relevant,
            "share_relevant": self.share_relevant,
            "mean_similarity": self.mean_similarity,
            "median_similarity": self.median_similarity,
            "mean_cas": self.mean_cas,
            "to_reclaim": self.to_reclaim,
            "scored": len(self.scored),
        }
        return {name: None if pd.isna(value) else value for name, value in found.items()}

    @property
    def verdict_numbers(self) -> dict[str, int]:
        """How many links have each verdict, those that none has included; Reclaim counts lost links too."""
        numbers = {label.word: int(self.verdict_counts.get(label.word, 0)) for label in VERDICTS}
        return numbers | {RECLAIM.word: self.to_reclaim}

    @property
    def to_reclaim(self) -> int:
        return int((self.scored["verdict"] == RECLAIM.word).sum())

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        return tasks_of(self.scored, self.links, self.outreach["example_url"])

    @cached_property
    def stakes(self) -> pd.Series:
        return self.whole.stakes if self.whole else 100 * at_stake(self.links)

    @cached_property
    def reclaims(self) -> pd.DataFrame:
        return self.whole.reclaims if self.whole else links_to_reclaim(self.links)

    @cached_property
    def causes(self) -> pd.DataFrame:
        return self.whole.causes if self.whole else causes(self.reclaims, self.stakes)

    @cached_property
    def campaign_keys(self) -> pd.Series:
        """The campaign of each of all scored live links, "" for none (`judgement.footprints.campaign_of`)."""
        if self.whole:
            return self.whole.campaign_keys
        live = self.links[chosen_links(self.links, LinkChoice())]
        return campaign_of(live).reindex(self.links.index, fill_value="")

    @cached_property
    def campaigns(self) -> pd.DataFrame:
        return self.whole.campaigns if self.whole else campaigns(self.links, self.campaign_keys)

    @cached_property
    def story(self) -> tuple[Sentence, ...]:
        return self.whole.story if self.whole else story_of(self)

    def to_do(self, word: str) -> pd.DataFrame:
        """Return the rows of a task by its word: most at stake first, those to review by their suspicion."""
        if word == PITCH.word:
            return self.outreach
        rows = self.reclaims if word == RECLAIM.word else self.links[self.links["verdict"] == word]
        rows = rows.assign(at_stake=self.stakes.loc[rows.index])
        return rows.sort_values("suspicion" if word == REVIEW.word else "at_stake", ascending=False, kind="stable")

    @property
    def headline(self) -> str:
        return headline(self.verdict_counts, self.relevant, self.relevant_entries, self.backlinks, self.to_reclaim)

    @property
    def authority_label(self) -> str:
        return self.authority_labels["url_rating" if self.settings.authority == "UR" else "domain_rating"]

    @property
    def authority_labels(self) -> dict[str, str]:
        return rating_labels(self.links["scale"])

    @cached_property
    def site_word(self) -> str:
        return site_label(self.scored)

    @cached_property
    def blank_cas(self) -> Mapping[str, int]:
        return blank_reasons(self.links, self.settings)

    @cached_property
    def redirected(self) -> pd.DataFrame:
        return redirected_targets(self.links)

    @cached_property
    def outreach(self) -> pd.DataFrame:
        return self.whole.outreach if self.whole else outreach(self.links, self.settings.verdicts.strong_from)

    @property
    def redirects_sentence(self) -> str:
        return redirects_sentence(int(self.links["over_redirect"].sum()), self.backlinks, len(self.redirected))

    def ordered(self, order: Order) -> pd.Index:
        """Return the labels of the links in this order; by a score those without one are left out (`top`, `lowest`)."""
        most = self.backlinks
        match order:
            case "at_stake":
                return self.stakes.loc[self.links.index].sort_values(ascending=False, kind="stable").index
            case "domain_rating" | "first_seen":
                return self.links[order].sort_values(ascending=False, kind="stable").index
            case "cas" | "similarity":
                return self.top(order, most).index
            case "lowest similarity":
                return self.lowest("similarity", most).index
            case "lowest cas":
                return self.lowest("cas", most).index
            case "lowest url_rating":
                return self.lowest("url_rating", most).index

    def top(self, by: TopBy, n: int = 10) -> pd.DataFrame:
        """Return the n links with the highest similarity or CAS, best first; those without one are left out."""
        names = [by, *NAMED_BY]
        best = self.links[names].dropna(subset=[by]).sort_values(names, ascending=[False, True, True, True]).head(n)
        return self.links.loc[best.index]

    def lowest(self, by: LowestBy, n: int = 10) -> pd.DataFrame:
        """Return the n links with the lowest page rating, similarity or CAS; only pages known to answer with 200."""
        status = self.links["http_status"]
        alive = status == HTTP_OK if status.notna().any() else slice(None)
        names = [by, *(name for name in ("similarity", "cas", "url_rating") if name != by), *NAMED_BY]
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

    @property
    def lost(self) -> int | None:
        """How many of all scored links are lost; None where the export marks none as lost."""
        known = any(self.cleaned.export.has(name) for name in MARKS_OF_LOSS)
        return int((self.scored["link_state"] == LINK_LOST.word).sum()) if known else None
