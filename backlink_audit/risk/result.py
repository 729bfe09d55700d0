"""The risk signals of links and domains, what was decided about them, and the question before many are decided."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from backlink_audit.exports.load import best_listed
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.evidence import joined
from backlink_audit.judgement.risk_signals import SIGNAL_NAMES, SIGNALS, independent
from backlink_audit.judgement.scales import rating_labels
from backlink_audit.labels import DISAVOW, GIVEN_UP, REVIEW, STATES, UNDECIDED
from backlink_audit.profile.shares import referring_domains
from backlink_audit.risk.disavow import NO_FILE, NewDisavowFile, new_disavow_file
from backlink_audit.risk.disavow_file import DisavowFile
from backlink_audit.risk.review import (
    Review,
    Scope,
    certainly_bad,
    in_a_sentence,
    proposed,
    second_opinions,
    site_strengths,
    worth_keeping,
)
from backlink_audit.settings import RiskLimits, VerdictLimits
from backlink_audit.wording import by_number, count, part_of

ASK_ABOVE = 20  # rows that get a state at once without a question
LARGEST = 5  # how many of the largest domains are named
HARMFUL = tuple(label.word for label in GIVEN_UP)  # states that nobody wants for what is worth keeping
ITEMS: Mapping[Scope, str] = {"domain": "referring_domain", "URL": "referring_url"}  # the column of what is decided


@dataclass(frozen=True, eq=False)
class Risks:
    """The risk signals of every link that passes the filters, and of every referring domain.

    `links` has the cleaned links, what an audit judged of them, a text column of evidence per signal ("" where it is
    absent), signals (how many), risk_evidence (all evidence in words) and to_review (`to_review`); of several tools
    also seen_by, and google_lists where Search Console is among them.
    """

    export: Export
    links: pd.DataFrame
    limits: RiskLimits
    verdicts: VerdictLimits  # From how many signals a link is to be reviewed, and from where a site is strong
    removed: Mapping[str, int]
    missing: Mapping[str, str]  # Signals that cannot be found, each with the sentence that says why

    @cached_property
    def domains(self) -> pd.DataFrame:
        """One row per referring domain, in the order of `first_to_review`: figures, first evidence of each signal."""
        rows = referring_domains(self.links)
        for name in SIGNAL_NAMES:
            evidence = self.links.loc[self.links[name] != "", ["referring_domain", name]]
            first = evidence.drop_duplicates("referring_domain").set_index("referring_domain")[name]
            rows[name] = rows["referring_domain"].map(first).astype("str").fillna("")
        example = (
            self.links.sort_values("referring_url")
            .drop_duplicates("referring_domain")
            .set_index("referring_domain")["referring_url"]
        )
        counted = independent(self.links[list(SIGNAL_NAMES)] != "", self.links)
        of_domains = counted.groupby(self.links["referring_domain"]).any().reindex(rows["referring_domain"])
        rows = summed_up(rows, of_domains.set_axis(rows.index))
        rows = rows.assign(referring_url=rows["referring_domain"].map(example))
        if "google_lists" in self.links:
            listed = best_listed(self.links["google_lists"], self.links["referring_domain"])
            rows = rows.assign(google_lists=rows["referring_domain"].map(listed))
        rows = rows.assign(
            to_review=rows["referring_domain"].isin(self.links_to_review["referring_domain"]),
            proposed=rows["referring_domain"].isin(self.proposed),
        )
        urgent = urgency(self.links).groupby(self.links["referring_domain"]).max()
        return first_to_review(rows, rows["referring_domain"].map(urgent)).reset_index(drop=True)

    @cached_property
    def signal_counts(self) -> pd.DataFrame:
        """One row per signal: name, label, links, domains, share; numbers are missing where it cannot be found."""
        codes, _ = pd.factorize(self.links["referring_domain"])
        rows = []
        for signal in SIGNALS:
            found = (self.links[signal.name] != "").to_numpy()
            figures = (int(found.sum()), len(np.unique(codes[found])), float(found.mean()))
            why_not = self.missing.get(signal.name)
            meaning = why_not or signal.explain(self.limits)
            rows.append((signal.name, signal.label, *((None, None, None) if why_not else figures), meaning))
        table = pd.DataFrame(rows, columns=["name", "label", "links", "domains", "share", "meaning"])
        return table.astype({"links": "Int64", "domains": "Int64", "share": "float64"})

    @cached_property
    def worth_keeping(self) -> pd.DataFrame:
        return worth_keeping(self.links, self.verdicts)

    @cached_property
    def proposed(self) -> frozenset[str]:
        return proposed(self.links, self.worth_keeping) if certainly_bad(self.links).any() else frozenset()

    @cached_property
    def passed(self) -> pd.DataFrame:
        return self.links[self.links["to_review"] & (self.links["risk_flag"] == "")]

    @cached_property
    def second_opinions(self) -> pd.DataFrame:
        """The links that the tool flags and the audit finds fine, with why: second_opinion; none without an audit."""
        if not self.is_judged:
            return self.links.head(0).assign(second_opinion=pd.Series(dtype="str"))
        return second_opinions(self.links, self.links["risk_flag"], self.links["signals"])

    @property
    def tool_flags(self) -> int:
        return int((self.links["risk_flag"] != "").sum())

    @property
    def second_opinion(self) -> str:
        return in_a_sentence(len(self.second_opinions), self.tool_flags) if self.is_judged else ""

    @property
    def authority_labels(self) -> dict[str, str]:
        return rating_labels(self.links["scale"])

    @property
    def review_signals(self) -> int:
        return self.verdicts.review_signals

    @property
    def flagged_links(self) -> int:
        return int((self.links["signals"] > 0).sum())

    @property
    def flagged_domains(self) -> int:
        return len(flagged(self.domains))

    @property
    def links_to_review(self) -> pd.DataFrame:
        return self.links[self.links["to_review"]]

    @property
    def to_review(self) -> int:
        return len(self.links_to_review)

    @property
    def with_enough_signals(self) -> int:
        return int((self.links["signals"] >= self.review_signals).sum())

    @property
    def is_judged(self) -> bool:
        return "verdict" in self.links

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        number, enough = self.to_review, self.with_enough_signals
        verdict = f"{part_of(number, len(self.links), 'link')} {by_number(number, 'has', 'have')} the verdict Review; "
        proposals = f"; {count(len(self.proposed), 'domain')} proposed for disavowal" if self.proposed else ""
        signals = f"{enough:,}" if self.is_judged else part_of(enough, len(self.links), "link")
        return (
            f"{verdict if self.is_judged else ''}{signals} {by_number(enough, 'shows', 'show')} "
            f"{self.review_signals} or more risk signals; "
            f"{part_of(self.flagged_domains, len(self.domains), 'referring domain')} "
            f"{by_number(self.flagged_domains, 'shows', 'show')} at least one{proposals}."
        )


@dataclass(frozen=True, eq=False)
class RiskReview:
    """The risks with what was decided: the review's tables, its progress, and the disavow file."""

    risks: Risks
    review: Review
    won: frozenset[str] = frozenset()
    """Referring domains that were won by outreach: links to keep, unless the review decides otherwise."""

    @property
    def headline(self) -> str:
        return self.risks.headline

    @cached_property
    def domains(self) -> pd.DataFrame:
        """The risks by domain, with the state of each."""
        domains = self.risks.domains
        return domains.assign(state=self.review.states_of_domains(domains["referring_domain"]))

    @cached_property
    def links(self) -> pd.DataFrame:
        """The risks by link, with the state of each: its own, else its domain's."""
        links = self.risks.links
        bad = certainly_bad(links) & links["referring_domain"].isin(self.risks.proposed)
        return links.assign(state=self.review.states_of_links(links), proposed=bad)

    def rows(self, scope: Scope) -> pd.DataFrame:
        return self.domains if scope == "domain" else first_to_review(self.links, urgency(self.links))

    @property
    def decided(self) -> int:
        """How many of the flagged domains are decided: all of their flagged links have a state, their own or theirs."""
        links = flagged(self.risks.links)[["referring_domain", "referring_key"]]
        open_links = self.review.states_of_links(links) == UNDECIDED.word
        return self.risks.flagged_domains - int(links.loc[open_links, "referring_domain"].nunique())

    @property
    def to_disavow(self) -> int:
        return len(self.review.disavowed_domains) + len(self.review.disavowed_urls)

    @property
    def state_counts(self) -> dict[str, int]:
        """How many referring domains have each state, in the order of the states."""
        counts = self.domains["state"].value_counts()
        return {label.word: int(counts.get(label.word, 0)) for label in STATES}

    def to_decide(self) -> pd.DataFrame:
        """Return the review as `read_review` takes it, and beneath it every flagged domain that is undecided."""
        decided = self.review.to_table().assign(Proposal="", Evidence="")
        domains = flagged(self.domains)
        open_ones = domains[domains["state"] == UNDECIDED.word]
        to_come = pd.DataFrame(
            {
                "Scope": "domain",
                "Item": open_ones["referring_domain"],
                "State": UNDECIDED.word,
                "Note": "",
                "Proposal": open_ones["proposed"].map({True: DISAVOW.word, False: ""}),
                "Evidence": open_ones["risk_evidence"],
            }
        )
        return pd.concat([decided, to_come], ignore_index=True).drop_duplicates(["Scope", "Item"], ignore_index=True)

    def disavow(self, existing: DisavowFile = NO_FILE, ticked: Collection[str] = ()) -> NewDisavowFile:
        """Return the next disavow file; what looks worth keeping is in it only if `ticked`. Raises FileProblem."""
        worth = self.risks.worth_keeping
        guarded = dict(zip(worth["referring_domain"], worth["why"], strict=True))
        own = self.risks.export.link_keys["target_domain"].unique()  # whatever became of the links to it
        return new_disavow_file(self.review, self.risks.links, existing, guarded, frozenset(ticked), own)


def summed_up(rows: pd.DataFrame, counted: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return rows with a column per signal, and signals (how many) and risk_evidence (all of it in words).

    `counted`: which signals count for each row, bool; default those that count once each for a link
    (`judgement.risk_signals.independent`).
    """
    evidence = rows[list(SIGNAL_NAMES)]
    counted = independent(evidence != "", rows) if counted is None else counted
    signals = counted.sum(axis=1)
    return rows.assign(signals=signals, risk_evidence=_each_once(joined(evidence).where(signals > 0, "")))


def _each_once(evidence: pd.Series) -> pd.Series:
    texts = {text: "; ".join(dict.fromkeys(text.split("; "))) for text in evidence.unique()}
    return evidence.map(texts).astype("str")


def to_review(links: pd.DataFrame, review_signals: int) -> pd.Series:
    """Return which links are to review, bool: those with the verdict Review; without an audit by their signals."""
    if "verdict" in links:
        return links["verdict"] == REVIEW.word
    return links["signals"] >= review_signals


def flagged(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[(rows["signals"] > 0) | rows["to_review"]]


def urgency(links: pd.DataFrame) -> pd.Series:
    """Return how urgent each link is, 0-3: 2 where the verdict says Review, 1 more where it is followed.

    0 where it has no signal and no such verdict: what search engines do not follow does little, whatever it shows.
    """
    review = links["verdict"] == REVIEW.word if "verdict" in links else pd.Series(False, links.index)
    return 2 * review + (links["followed"].astype(bool) & (review | (links["signals"] > 0)))


def first_to_review(rows: pd.DataFrame, urgent: pd.Series) -> pd.DataFrame:
    """Return the rows, the most urgent first, among alike ones those with the most signals."""
    order = pd.DataFrame({"urgent": urgent, "signals": rows["signals"]})
    return rows.loc[order.sort_values(["urgent", "signals"], ascending=False, kind="stable").index]


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
        """The domains of the rows with their authority, largest first (`review.site_strengths`)."""
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
        """The domains of the rows that look worth keeping (`risk.review.worth_keeping`), the strongest first."""
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
