"""Risk signals of a backlink: nine facts, each told in words, none summed into a score.

Which facts, and from where they count: docs/definitions.md, risk; the limits are `settings.RiskLimits`. Names, labels
and help texts: `glossary.RISK_SIGNALS`. A fact that an export does not hold gives no signal.
"""

import csv
import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.census import Census, read_traces, take_census
from backlink_audit.analysis.evidence import tell
from backlink_audit.analysis.footprints import repeated_anchors, shared_templates, sitewide
from backlink_audit.analysis.foreign import foreign_links
from backlink_audit.glossary import RISK_SIGNALS
from backlink_audit.settings import RiskLimits
from backlink_audit.wording import uncapitalised

SIGNAL_NAMES = tuple(term.name for term in RISK_SIGNALS)

SELLER_WORDS = re.compile(
    r"\bseo\b|\bback-?links?\b|\blink[- ]?building\b|\bguest[- ]?post(?:s|ing)?\b"
    r"|\b(?:buy|sell|paid|cheap|dofollow) links?\b"
    r"|\bpbn\b|\b(?:aged|expired) domains?\b|\bdo-?follow\b|\blink insertions?\b|\blink juice\b|\bdomain authority\b"
    r"|\b(?:whatsapp|telegram|skype|wechat|icq|tg)\s*[:：@+]\s*@?[\w+.-]{4,}"
    r"|\bt\.me/\w+|\bwa\.me/\d+|\blive:\.?[\w.]{4,}",
    re.IGNORECASE,
)
"""What pages say that sell links, and how their sellers want to be reached."""


def risk_signals(
    links: pd.DataFrame,
    limits: RiskLimits,
    risky_fields: Collection[str] = frozenset(),
    census: Census | None = None,
) -> pd.DataFrame:
    """Return one text column per signal (`SIGNAL_NAMES`): the evidence in words, "" where the signal is absent.

    `links` is a cleaned backlink table; topic_field and band are used where an audit has added them, with
    `risky_fields`, the fields of the topic list that are known for link spam. Same index as `links`. `census`: that of
    the whole export, where `links` are only a part of it.
    """
    census = census or take_census([read_traces(links)])
    counts = census.shared.loc[links.index]
    signals = {
        "risk_flag": own_flag(links, limits),
        "risk_topic": risky_topics(links, risky_fields),
        "risk_tld": spam_tlds(links),
        "risk_external_links": many_external_links(links, limits.external_links),
        "risk_sitewide": sitewide(links, counts["same_link"], limits.sitewide_pages),
        "risk_anchor": repeated_anchors(links, counts["anchor"], limits.same_anchor_domains, census.brands),
        "risk_template": shared_templates(links, counts["title"], counts["path"], limits.same_title_domains),
        "risk_seller": seller_words(links),
        "risk_language": foreign_links(links, census.languages, census.scripts),
    }
    return pd.DataFrame(signals, index=links.index)


def name_signals(found: pd.DataFrame) -> pd.Series:
    """Return in words which signals each link has, "" where it has none; `found`: one bool column per signal."""
    codes = found.to_numpy() @ (1 << np.arange(found.shape[1]))
    distinct, place = np.unique(codes, return_inverse=True)
    labels_of = {term.name: uncapitalised(term.label) for term in RISK_SIGNALS}
    words = [
        ", ".join(labels_of[name] for bit, name in enumerate(found.columns) if code >> bit & 1)
        for code in distinct.tolist()
    ]
    return pd.Series(np.array([*words, ""], dtype=object)[place], found.index, dtype="str")


def own_flag(links: pd.DataFrame, limits: RiskLimits) -> pd.Series:
    """Tell of links that the export itself flags: as spam, or by a toxic score (Semrush: 60 toxic, 45 potentially)."""
    flagged = tell(links["spam"].fillna(False).astype(bool), "flagged as spam in the export")
    score = links["toxic_score"]
    toxic = score.ge(limits.toxic_score)
    scored = tell(
        score.ge(limits.maybe_toxic_score),
        lambda rows: (
            "toxic score "
            + score[rows].round().astype("int64").astype("str")
            + toxic[rows].map({True: "", False: ": potentially toxic"})
        ),
    )
    return flagged.mask(flagged == "", scored)


def risky_topics(links: pd.DataFrame, risky_fields: Collection[str]) -> pd.Series:
    """Tell of off-topic links from pages about a field known for link spam. Needs an audit's topic_field and band."""
    if "topic_field" not in links or "band" not in links:
        return tell(pd.Series(False, index=links.index), "")
    found = (links["band"] == labels.BAND_OFF_TOPIC.word) & links["topic_field"].isin(risky_fields)
    return tell(found, lambda rows: "off-topic, and about " + links["topic_field"][rows].str.lower())


def spam_tlds(links: pd.DataFrame) -> pd.Series:
    """Tell of referring domains under a top-level domain of spam_tlds.csv, where each has its source."""
    endings = links["referring_domain"].str.extract(r"\.([^.]+)$", expand=False).fillna("")
    found = endings.isin(_spam_tlds().keys())
    return tell(found, lambda rows: "domain under ." + endings[rows] + " (" + endings[rows].map(_spam_tlds()) + ")")


def many_external_links(links: pd.DataFrame, more_than: float) -> pd.Series:
    """Tell of referring pages with more external links than that."""
    counts = links["external_links"]
    return tell(counts.gt(more_than), lambda rows: counts[rows].map("{:,.0f} external links on the page".format))


def seller_words(links: pd.DataFrame) -> pd.Series:
    """Tell of titles and anchors that speak of links for sale or hold a messenger handle."""
    found = {side: _seller_word(links[side]) for side in ("referring_title", "anchor")}
    title, anchor = found["referring_title"], found["anchor"]
    in_title = tell(title != "", lambda rows: "the title holds “" + title[rows] + "”")
    in_anchor = tell(anchor != "", lambda rows: "the anchor holds “" + anchor[rows] + "”")
    return in_title.mask(in_title == "", in_anchor)


def _seller_word(texts: pd.Series) -> pd.Series:
    codes, distinct = pd.factorize(texts)
    found = [match[0] if (match := SELLER_WORDS.search(text)) else "" for text in distinct]
    return pd.Series(found, dtype="str").take(codes).set_axis(texts.index)


@cache
def _spam_tlds() -> dict[str, str]:
    """Return the source of each spam TLD."""
    with (files("backlink_audit.text") / "spam_tlds.csv").open(encoding="utf-8") as lines:
        return {row["tld"]: row["source"] for row in csv.DictReader(lines)}
