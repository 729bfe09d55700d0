"""The risk review: clean -> signals of every link -> what they add up to."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from backlink_audit.audit.result import Audit
from backlink_audit.audit.run import links_on_pages
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.load import seen_by_tools
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.fields import load_topics
from backlink_audit.judgement.personal_model import USUAL, Learned, certainty, learn, most_telling
from backlink_audit.judgement.risk_signals import SIGNALS, risk_signals
from backlink_audit.judgement.scales import chosen_links
from backlink_audit.labels import ASK_ME, GIVEN_UP, KEEP, PRAISE, SURE_OF_VERDICT, UNDECIDED, WHITELIST
from backlink_audit.progress import Progress, silent
from backlink_audit.report.rows import missing_parts
from backlink_audit.risk.result import RiskReview, Risks, summed_up, to_review
from backlink_audit.settings import BacklinkFilters, LinkChoice, RiskLimits, VerdictLimits
from backlink_audit.wording import by_number, count, percent

ERRORS = 0.1  # of the links called sure, so many may be wrong
TO_READ = 20
SCORES = ["relevance", "worth", "suspicion"]


def review_risks(
    source: Export | Audit,
    filters: BacklinkFilters = BacklinkFilters(),  # noqa: B008 (frozen)
    limits: RiskLimits | None = None,
    on_progress: Progress = silent,
) -> Risks:
    """Find the risk signals of every live link, wherever it is on its page, of an export or of an audit.

    An audit brings its own filters and limits; other limits may be given. Only an audit knows topics and kinds of
    pages, so only there the signals that need them are found. Raises NoRowsLeft.
    """
    on_progress("Cleaning", 0, 2)
    audit = source if isinstance(source, Audit) else None
    cleaned = source.cleaned if isinstance(source, Audit) else clean_backlinks(source, filters)
    every = audit.scored if audit else links_on_pages(cleaned.table, {})[0]
    export, removed = cleaned.export, cleaned.removed
    limits = limits or (audit.settings.risk if audit else RiskLimits())
    verdicts = audit.settings.verdicts if audit else VerdictLimits()
    on_progress("Finding risk signals", 1, 2)
    topics = load_topics()
    # What many sites share shows in the whole file, lost links too, as in the audit: so both have the same signals.
    signals = risk_signals(every, limits, frozenset(topics.fields[topics.risky]))
    found = summed_up(every.drop(columns="risk_signals", errors="ignore").join(signals))
    found = found.assign(to_review=to_review(found, verdicts.review_signals))
    links = found[chosen_links(found, LinkChoice())].join(seen_by_tools(export))
    return Risks(export, links, limits, verdicts, removed, _missing(export, links, audit))


def _missing(export: Export, links: pd.DataFrame, audit: Audit | None) -> dict[str, str]:
    missing = missing_parts(export, links, {signal.name: signal.needs for signal in SIGNALS if signal.needs})
    return missing if audit else missing | {signal.name: signal.why_not for signal in SIGNALS if signal.why_not}


@dataclass(frozen=True, eq=False)
class Lesson:
    """What the decisions of a review teach.

    `links` are those of the review with keep (0-100) and certainty ("sure", "ask me"); `to_read` the undecided ones
    whose reading would teach most.
    """

    learned: Learned
    links: pd.DataFrame
    to_read: pd.DataFrame
    won: int  # How many of the decisions are sites won by outreach, on which the review decides nothing

    @property
    def headline(self) -> str:
        """What was learned, in a sentence or two."""
        won = f" {count(self.won, 'site')} won on the outreach desk {by_number(self.won, 'is', 'are')} among them."
        return self._learned + (won if self.won else "")

    @property
    def _learned(self) -> str:
        learned, decided = self.learned, count(self.learned.decisions, "decision")
        if learned.why_not:
            return f"Nothing was learned from your decisions yet: {learned.why_not}"
        rates = (
            f"{percent(learned.own)} of your {decided} (in a test), the general judgement {percent(learned.general)}"
        )
        if learned.is_used:
            return f"Learned from your decisions: this judgement agrees with {rates}."
        return f"Your decisions are not used: what was learned from them agrees with {rates}."

    @property
    def promise(self) -> str:
        """How many links are sure, and what that promises, in a sentence."""
        sure = int((self.links["certainty"] == SURE_OF_VERDICT.word).sum())
        return (
            f"The verdicts of {sure:,} of {count(len(self.links), 'link')} are sure: of such links about "
            f"{percent(ERRORS)} were wrong in tests on other sites, on some sites more. Check the others yourself."
        )


def lesson(result: RiskReview) -> Lesson | None:
    """Return what the decisions of a review teach; None where no audit has judged its links.

    A site that was won by outreach is a decision to keep, unless the review decides on it.
    """
    links = result.links
    if not result.risks.is_judged or links.empty:
        return None
    undecided = links["state"] == UNDECIDED.word
    won = undecided & links["referring_domain"].isin(list(result.won))
    known = links["state"].isin([label.word for label in (KEEP, WHITELIST, *GIVEN_UP)])
    decided = links[known | won].drop_duplicates(["referring_domain", "state"])  # a decision on a domain is one
    learned = learn(
        decided[SCORES].to_numpy(dtype="float64"),
        (~decided["state"].isin([label.word for label in GIVEN_UP])).to_numpy(),
        decided["referring_domain"].to_numpy(dtype=object),
        ERRORS,
        USUAL[ERRORS],
    )
    keep = learned.layer.keep(links[SCORES].to_numpy(dtype="float64"))
    agrees = (keep >= 0.5) == links["verdict"].isin([label.word for label in PRAISE]).to_numpy()
    sure = agrees & (certainty(keep) >= learned.sure_from)
    judged = links.assign(
        keep=100 * keep, certainty=pd.array(np.where(sure, SURE_OF_VERDICT.word, ASK_ME.word), dtype="str")
    )
    unread = np.flatnonzero((undecided & ~won).to_numpy())
    open_ones = links.iloc[unread]
    telling = most_telling(
        open_ones[SCORES].to_numpy(dtype="float64"),
        keep[unread],
        open_ones["referring_domain"].to_numpy(dtype=object),
        TO_READ,
    )
    sites_won = int(links.loc[won, "referring_domain"].nunique())
    return Lesson(learned, judged, judged.iloc[unread[telling]], sites_won)
