"""Risk signals of a backlink: facts, each with its evidence in words, none summed into a score.

Each signal is one entry of SIGNALS; the widgets, the tables and the docs of the signals follow from it. From where a
fact counts: `settings.RiskLimits`. A fact that an export does not have gives no signal.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.referring_sites.footprints import repeated_anchors, shared_templates, sitewide
from backlink_audit.analysis.relevance.meaning import LINKS_FOR_SALE
from backlink_audit.analysis.risk.export_summary import ExportSummary, join_summaries, summarise_part
from backlink_audit.analysis.risk.facts import (
    many_external_links,
    own_flag,
    risky_topics,
    seller_words,
    spam_tlds,
    suspicious_kinds,
)
from backlink_audit.analysis.risk.foreign import foreign_links
from backlink_audit.analysis.risk.keyword_anchors import keyword_anchors
from backlink_audit.settings import RiskLimits
from backlink_audit.wording import uncapitalised


@dataclass(frozen=True)
class Facts:
    """What a signal is found in: cleaned links, the limits, the fields known for link spam, and the whole export."""

    links: pd.DataFrame
    limits: RiskLimits
    risky_fields: Collection[str]
    export: ExportSummary

    @cached_property
    def shared(self) -> pd.DataFrame:
        """How widely each link's footprints are shared (`footprints.shared`); the index of `links`."""
        return self.export.shared.loc[self.links.index]


@dataclass(frozen=True)
class Signal:
    """A risk signal.

    `help` says what it is, with the names of its limits in braces; `find` returns the evidence in words, "" where the
    signal is absent. `needs`: columns of which any one must have values; none: the links' URLs are enough. `limits`:
    fields of `RiskLimits`, and what their widgets are called. `why_not`: what an export without an audit lacks.
    """

    name: str
    label: str
    help: str
    find: Callable[[Facts], pd.Series]
    needs: tuple[str, ...] = ()
    limits: Mapping[str, str] = field(default_factory=dict)
    why_not: str = ""

    def explain(self, limits: RiskLimits) -> str:
        """Return what the signal is, with the limits that apply."""
        return self.help.format_map(asdict(limits))


SIGNALS = (
    Signal(
        "risk_flag",
        "Flagged in the export",
        "The spam flag of the export, or its toxic score: from {toxic_score:g} toxic, from {maybe_toxic_score:g} "
        "potentially toxic.",
        lambda facts: own_flag(facts.links, facts.limits),
        needs=("spam", "toxic_score"),
        limits={"toxic_score": "Minimum toxic score", "maybe_toxic_score": "Minimum score for potentially toxic"},
    ),
    Signal(
        "risk_topic",
        "Risky topic",
        "The referring page is off-topic and about gambling, adult content, pharmacy, loans or another field where "
        "links are often sold.",
        lambda facts: risky_topics(facts.links, facts.risky_fields),
        why_not="Run the audit to find topics.",
    ),
    Signal(
        "risk_kind",
        "Spam or list of sites",
        "The referring page looks like spam (a link seller, a hacked page, a doorway page), or it lists unrelated "
        "sites with followed links.",
        lambda facts: suspicious_kinds(facts.links),
        why_not="Run the audit to find page kinds.",
    ),
    Signal(
        "risk_tld",
        "Spam TLD",
        "The referring domain has a top-level domain with much more spam than usual. This signal only counts "
        "together with others.",
        lambda facts: spam_tlds(facts.links),
    ),
    Signal(
        "risk_external_links",
        "Many external links",
        "The referring page has more than {external_links:,} external links: a link list, not a recommendation.",
        lambda facts: many_external_links(facts.links, facts.limits.external_links),
        needs=("external_links",),
        limits={"external_links": "Maximum external links"},
    ),
    Signal(
        "risk_sitewide",
        "Sitewide",
        "The same link is on most pages of its site, or on at least {sitewide_pages:,} pages: footer, sidebar or "
        "blogroll.",
        lambda facts: sitewide(facts.links, facts.shared["same_link"], facts.limits.sitewide_pages),
        limits={"sitewide_pages": "Same link on pages of a domain"},
    ),
    Signal(
        "risk_anchor",
        "Repeated anchor",
        "{same_anchor_domains:,} or more sites use the same anchor, which is not the brand, a URL or a generic phrase.",
        lambda facts: repeated_anchors(
            facts.links, facts.shared["anchor"], facts.limits.same_anchor_domains, facts.export.brands
        ),
        needs=("anchor",),
        limits={"same_anchor_domains": "Same anchor on sites"},
    ),
    Signal(
        "risk_keyword",
        "Keyword anchor",
        "A followed link with a commercial keyword as anchor: {same_keyword_sites:,} or more sites use it for the "
        "same page, or it has a word such as “wholesale” or “cheap”. Such links are often paid.",
        lambda facts: keyword_anchors(
            facts.links, facts.shared["page_anchor"], facts.limits.same_keyword_sites, facts.export.brands
        ),
        needs=("anchor",),
        limits={"same_keyword_sites": "Same keyword on sites"},
    ),
    Signal(
        "risk_template",
        "Shared title or template",
        "{same_title_domains:,} or more sites have the same page title or URL pattern (without names and numbers). "
        "The same name with several domain endings counts as one site.",
        lambda facts: shared_templates(
            facts.links,
            facts.shared["title"],
            facts.shared["path"],
            facts.limits.same_title_domains,
            facts.export.brands,
        ),
        limits={"same_title_domains": "Same title on sites"},
    ),
    Signal(
        "risk_seller",
        "Link-seller words",
        "The title or anchor mentions SEO, backlinks or guest posts for sale, or contains a messenger contact.",
        lambda facts: seller_words(facts.links),
        needs=("referring_title", "anchor"),
    ),
    Signal(
        "risk_language",
        "Other language",
        "The referring page is in another language or script than most referring domains, and no other page "
        "of its site uses the language or script of the majority. This signal only counts together with others.",
        lambda facts: foreign_links(facts.links, facts.export.languages, facts.export.scripts, facts.export.home),
        needs=("language", "referring_title", "anchor"),
    ),
)
"""Every risk signal, in the order of the tables."""

SIGNAL_NAMES = tuple(signal.name for signal in SIGNALS)
NOTHING_ALONE = ("risk_tld", "risk_language")
"""Signals that honest sites show as often as spam does: they count beside another one only."""
LIMIT_LABELS = {name: words for signal in SIGNALS for name, words in signal.limits.items()}
"""What the widget of each field of `RiskLimits` is called."""


def risk_signals(
    links: pd.DataFrame,
    limits: RiskLimits,
    risky_fields: Collection[str] = frozenset(),
    whole: ExportSummary | None = None,
) -> pd.DataFrame:
    """Return one text column per signal (`SIGNAL_NAMES`): the evidence in words, "" where the signal is absent.

    `links` is a cleaned backlink table; topic_field and band are used where an audit has added them, with
    `risky_fields`, the fields of the topic list that are known for link spam. Same index as `links`. `whole`: the
    summary of the whole export, where `links` are only a part of it.
    """
    facts = Facts(links, limits, risky_fields, whole or join_summaries([summarise_part(links)]))
    return pd.DataFrame({signal.name: signal.find(facts) for signal in SIGNALS}, index=links.index)


def independent(found: pd.DataFrame, links: pd.DataFrame) -> pd.DataFrame:
    """Return which signals each link has, bool, every fact counted once; `found`: one bool column per signal.

    A list because of its many links or its shared title is left out beside those signals; so are the words of a link
    seller on a page whose topic is the selling of links. One of `NOTHING_ALONE` that has no other signal beside it is
    left out too. A keyword that is a repeated anchor counts as this.
    """
    found = found.assign(risk_keyword=found["risk_keyword"] & ~found["risk_anchor"])
    if "page_kind" in links:
        is_list = (links["page_kind"] == labels.KIND_LIST.word) & (
            found["risk_external_links"] | found["risk_template"]
        )
        for_sale = found["risk_topic"] & (links["topic_field"] == LINKS_FOR_SALE)
        found = found.assign(risk_kind=found["risk_kind"] & ~is_list, risk_seller=found["risk_seller"] & ~for_sale)
    alone = found.sum(axis=1) == 1
    return found.assign(**{name: found[name] & ~alone for name in NOTHING_ALONE})


def name_signals(found: pd.DataFrame) -> pd.Series:
    """Return in words which signals each link has, "" where it has none; `found`: one bool column per signal."""
    codes = found.to_numpy() @ (1 << np.arange(found.shape[1]))
    distinct, place = np.unique(codes, return_inverse=True)
    labels_of = {signal.name: uncapitalised(signal.label) for signal in SIGNALS}
    words = [
        ", ".join(labels_of[name] for bit, name in enumerate(found.columns) if code >> bit & 1)
        for code in distinct.tolist()
    ]
    return pd.Series(np.array([*words, ""], dtype=object)[place], found.index, dtype="str")
