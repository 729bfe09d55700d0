"""The question before rows get a state: how many, the largest domains, and those that look worth keeping."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from backlink_audit.labels import GIVEN_UP
from backlink_audit.risk.result import Risks
from backlink_audit.risk.review import Scope, site_strengths
from backlink_audit.wording import count

ASK_ABOVE = 20  # rows that get a state at once without a question
LARGEST = 5  # how many of the largest domains are named
HARMFUL = tuple(label.word for label in GIVEN_UP)  # states that nobody wants for what is worth keeping
ITEMS: Mapping[Scope, str] = {"domain": "referring_domain", "URL": "referring_url"}  # the column of what is decided


@dataclass(frozen=True, eq=False)
class Question:
    """A decision about many rows: `rows` of the review, by domain or by URL, are to get a state."""

    risks: Risks
    scope: Scope
    rows: pd.DataFrame
    state: str
    note: str = ""

    @property
    def is_needed(self) -> bool:
        return len(self.rows) > ASK_ABOVE or len(self.worth_keeping) > 0

    @property
    def items(self) -> list[str]:
        return self._items(self.rows)

    @cached_property
    def domains(self) -> pd.DataFrame:
        """The domains of the rows with their authority, largest first (`worth_keeping.site_strengths`)."""
        links = self.risks.links
        return site_strengths(links[links["referring_domain"].isin(self.rows["referring_domain"])])

    @property
    def largest(self) -> str:
        """The largest domains in words, each with its authority where that is known."""
        rows = self.domains.head(LARGEST)
        return ", ".join(
            f"{domain} ({rating})" if rating else domain
            for domain, rating in zip(rows["referring_domain"], rows["rating"], strict=True)
        )

    @cached_property
    def worth_keeping(self) -> pd.DataFrame:
        """The domains of the rows that look worth keeping (`analysis.risk.worth_keeping`), the strongest first.

        Empty where the state harms none of them.
        """
        found = self.risks.worth_keeping
        return found[found["referring_domain"].isin(self.rows["referring_domain"]) & (self.state in HARMFUL)]

    def with_ticked(self, ticked: Collection[str] = ()) -> list[str]:
        """Return the items that get the state: of the domains that look worth keeping only the ticked ones'."""
        held_back = set(self.worth_keeping["referring_domain"]) - set(ticked)
        return self._items(self.rows[~self.rows["referring_domain"].isin(held_back)])

    @property
    def noun(self) -> str:
        return "domain" if self.scope == "domain" else "link"

    @property
    def sentence(self) -> str:
        """What happens, in one sentence."""
        what = count(len(self.rows), self.noun)
        if self.scope == "URL":
            what += f" from {count(len(self.domains), 'domain')}"
        return f"{what} will get the state “{self.state}”."

    def _items(self, rows: pd.DataFrame) -> list[str]:
        return rows[ITEMS[self.scope]].drop_duplicates().tolist()
