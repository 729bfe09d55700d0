"""The question before many rows get a state at once: how many, the largest domains, and those with good links."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.review import Scope
from backlink_audit.analysis.scales import limits_of, site_authority, site_rating_names
from backlink_audit.pipelines.risk.result import Risks
from backlink_audit.settings import VerdictLimits
from backlink_audit.wording import count

ASK_ABOVE = 20
"""Rows that get a state at once without a question."""
LARGEST = 5
"""How many of the largest domains are named."""
ITEMS: Mapping[Scope, str] = {"domain": "referring_domain", "URL": "referring_url"}
"""The column of what is decided."""


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
        """Whether so many rows are decided that the question is needed."""
        return len(self.rows) > ASK_ABOVE

    @property
    def items(self) -> list[str]:
        """The domains or URLs that get the state."""
        return self._items(self.rows)

    @cached_property
    def domains(self) -> pd.DataFrame:
        """The domains of the rows, largest first: referring_domain, rating (its authority in words), good (see there).

        `good` says why a domain has links that are worth keeping, "" where it has none.
        """
        links = self.risks.links
        links = links[links["referring_domain"].isin(self.rows["referring_domain"])]
        authority = site_authority(links)
        table = pd.DataFrame(
            {
                "referring_domain": links["referring_domain"],
                "authority": authority,
                "rating": _rated(site_rating_names(links), authority),
            }
        )
        largest = table.sort_values("authority", ascending=False, kind="stable").drop_duplicates("referring_domain")
        good = good_domains(links, self.risks.verdicts)
        why = [good.get(domain, "") for domain in largest["referring_domain"]]
        return largest.assign(good=pd.Series(why, largest.index, dtype="str")).reset_index(drop=True)

    @property
    def largest(self) -> str:
        """The largest domains in words, each with its authority where that is known."""
        rows = self.domains.head(LARGEST)
        return ", ".join(
            f"{domain} ({rating})" if rating else domain
            for domain, rating in zip(rows["referring_domain"], rows["rating"], strict=True)
        )

    @property
    def good(self) -> pd.DataFrame:
        """The domains with good links, largest first: referring_domain and good."""
        return self.domains.loc[self.domains["good"] != "", ["referring_domain", "good"]].reset_index(drop=True)

    @property
    def others(self) -> list[str]:
        """The items without those of domains with good links."""
        return self._items(self.rows[~self.rows["referring_domain"].isin(self.good["referring_domain"])])

    @property
    def noun(self) -> str:
        """What a row is."""
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


def good_domains(links: pd.DataFrame, limits: VerdictLimits) -> dict[str, str]:
    """Return the domains with a good link, and why it is one.

    Good is a link that is to be protected, or a relevant one of a site that is strong on its own scale
    (`analysis.scales`). Where no audit has judged the links, each of a strong site may be relevant, so all are named.
    """
    authority, ratings = site_authority(links), site_rating_names(links)
    strong = authority >= limits_of(ratings, "strong_from", limits.strong_from)
    if "verdict" in links:
        protected, relevant = links["verdict"] == labels.PROTECT.word, links["band"] == labels.BAND_RELEVANT.word
        is_good, subject = protected | (relevant & strong), "relevant"
    else:
        protected, is_good, subject = pd.Series(False, links.index), strong, "relevance not known yet"
    judged = links[["referring_domain"]].assign(protected=protected, rating=_rated(ratings, authority))[is_good]
    # What is to be protected weighs more than what is only relevant and strong.
    first = judged.sort_values("protected", ascending=False, kind="stable").drop_duplicates("referring_domain")
    counts = judged["referring_domain"].value_counts()
    words = first["protected"].map({True: f"verdict {labels.PROTECT.word}", False: subject})
    return {
        domain: ", ".join(filter(None, (why, rating, count(int(counts[domain]), "link"))))
        for domain, why, rating in zip(first["referring_domain"], words, first["rating"], strict=True)
    }


def _rated(names: pd.Series, authority: pd.Series) -> pd.Series:
    """Return each authority in words, "DR 71"; "" where it is not known."""
    words = names + " " + authority.fillna(0).round(1).map("{:g}".format).astype("str")
    return words.where(authority.notna(), "")
