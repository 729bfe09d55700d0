"""What to do now about the links of a site: tasks, each with how much of it there is and what is at stake."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from backlink_audit.judgement.scales import site_authority
from backlink_audit.labels import PROTECT, RECLAIM, REVIEW, UNDERVALUED, Label
from backlink_audit.wording import count

PITCH = Label(
    "Pitch",
    UNDERVALUED.colour,
    "A site worth an email: about a lost link, a dead page, a nofollow link in a text, or its only link to you.",
)
"""What to do about a site, where a verdict is about a link; no link has this verdict."""


@dataclass(frozen=True)
class Task:
    """One thing to do. `number`: how many links it is about, or sites where `noun` says so."""

    label: Label
    noun: str
    number: int
    domains: int
    """How many referring domains these links come from."""
    best_authority: float
    """The highest authority of their sites; NaN where none is known."""
    visits: float
    """Monthly visits to the pages with these links, each page once; NaN where none is known."""

    @property
    def of_what(self) -> str:
        return count(self.number, self.noun)

    def at_stake(self, authority: str) -> str:
        """Say what is at stake: the strongest site, and the visits; "" where neither is known.

        `authority`: what the export calls the authority of a site.
        """
        known = [f"{authority} up to {self.best_authority:g}"] if pd.notna(self.best_authority) else []
        known += [f"{count(round(self.visits), 'visit')} a month"] if self.visits > 0 else []
        return ", ".join(known)

    def sentence(self, authority: str) -> str:
        """Say the whole in one line, as the terminal does."""
        domains = f" from {count(self.domains, 'domain')}" if self.noun == "link" else ""
        stake = self.at_stake(authority)
        return f"{self.label.word} {self.of_what}{domains}{': ' if stake else ''}{stake}."


TASK_COLUMNS = (
    *("verdict", "referring_url", "referring_domain"),
    *("scale", "url_rating", "domain_rating", "page_traffic"),
)
"""Columns of the links that tasks are made of."""


def tasks_of(scored: pd.DataFrame, chosen: pd.DataFrame, to_write_to: pd.Series) -> tuple[Task, ...]:
    """Return what to do now, the most urgent first: Reclaim (of all scored links), Protect, Review and Pitch.

    `scored`, and `chosen` of them, have `TASK_COLUMNS`; links without a task may be left out. `to_write_to`: the pages
    that stand for a site of the outreach list.
    """
    return (
        task(RECLAIM, scored[scored["verdict"] == RECLAIM.word]),
        *(task(label, chosen[chosen["verdict"] == label.word]) for label in (PROTECT, REVIEW)),
        task(PITCH, scored[scored["referring_url"].isin(to_write_to)], "site"),
    )


def task(label: Label, links: pd.DataFrame, noun: str = "link") -> Task:
    """Return what there is to do with these links; where `noun` is site, one for each of their referring domains.

    `links` has `TASK_COLUMNS`.
    """
    domains = int(links["referring_domain"].nunique())
    return Task(
        label,
        noun,
        len(links) if noun == "link" else domains,
        domains,
        float(site_authority(links).max()),
        float(links.drop_duplicates("referring_url")["page_traffic"].sum(min_count=1)),
    )


def to_do(result: Any) -> list[str]:
    return [task.sentence(result.site_word) for task in result.tasks if task.number]
