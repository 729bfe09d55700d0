"""Facts about a single link that are risk signals: each found on its own, and given in words."""

import re
from collections.abc import Collection
from functools import cache

import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.anchor_classes import brand_of
from backlink_audit.analysis.evidence import words_where
from backlink_audit.analysis.patterns import matched, of_distinct, replaced
from backlink_audit.settings import RiskLimits
from backlink_audit.text.urls.parts import map_distinct
from backlink_audit.text.word_lists import read_list
from backlink_audit.wording import uncapitalised

HANDLE = (
    r"\bt\.me/\w+|\bwa\.me/\d+|\blive:\.?(?:cid\.)?[a-z]\w*[\d_]\w*"
    r"|\b(?:whatsapp|telegram|skype|wechat|icq|tg)\s*"
    r"(?:[@+]\s*[\w.-]{4,}|[:：]\s*(?:@\s*[\w.-]{4,}|\+?\d[\d ()-]{6,}"
    r"|[a-z][a-z.-]{3,}\d[\w.-]*|[a-z][a-z.-]*_[\w.-]+))"
)
"""How to reach a seller: an address or a number, not any word after “Telegram:”, which begins many a headline."""

SELLER_WORDS = re.compile(
    r"\bseo\b|\bback-?links?\b|\blink[- ]?building\b|\bguest[- ]?post(?:s|ing)?\b(?!\s+(?:by|from)\b)"
    r"|\b(?:buy|sell|paid|cheap|dofollow) links?\b"
    r"|\bpbn\b|\b(?:aged|expired) domains?\b|\bdo-?follow\b|\blink insertions?\b|\blink juice\b|\bdomain authority\b"
    rf"|{HANDLE}",
    re.IGNORECASE,
)
"""What pages say that sell links, and how their sellers can be reached."""
SELLER_HINTS = (
    r"(?i)seo|back-?link|link[- ]?building|guest[- ]?post|(?:buy|sell|paid|cheap) link|pbn|(?:aged|expired) domain"
    r"|do-?follow|link insertion|link juice|domain authority|[tw]a?\.me/|live:|whatsapp|telegram|skype|wechat|icq|tg"
)
"""A text without any of these has none of `SELLER_WORDS`: a quick first test for a whole column."""
_SEO = r"(?i)\bseo\b"


def own_flag(links: pd.DataFrame, limits: RiskLimits) -> pd.Series:
    """Report links that the export itself flags: as spam, or by a toxic score (Semrush: 60 toxic, 45 potentially)."""
    flagged = words_where(links["spam"].fillna(False).astype(bool), "flagged as spam in the export")
    score = links["toxic_score"]
    toxic = score.ge(limits.toxic_score)
    scored = words_where(
        score.ge(limits.maybe_toxic_score),
        lambda rows: (
            "toxic score "
            + score[rows].round().astype("int64").astype("str")
            + toxic[rows].map({True: "", False: ": potentially toxic"})
        ),
    )
    return flagged.mask(flagged == "", scored)


def risky_topics(links: pd.DataFrame, risky_fields: Collection[str]) -> pd.Series:
    """Report off-topic links from pages about a field known for link spam. Needs an audit's topic_field and band."""
    if "topic_field" not in links or "band" not in links:
        return words_where(pd.Series(False, index=links.index), "")
    found = (links["band"] == labels.BAND_OFF_TOPIC.word) & links["topic_field"].isin(risky_fields)
    return words_where(found, lambda rows: "off-topic, and about " + links["topic_field"][rows].str.lower())


def suspicious_kinds(links: pd.DataFrame) -> pd.Series:
    """Report spam, and followed links from lists of unrelated sites, with what shows it. Needs an audit's page_kind.

    The kind is named: another signal can say in the same words what shows it, and evidence is said once.
    """
    if "page_kind" not in links:
        return words_where(pd.Series(False, index=links.index), "")
    spam = links["page_kind"] == labels.KIND_SPAM.word
    listed = (links["page_kind"] == labels.KIND_LIST.word) & (links["suspicion"] >= 50) & links["followed"]
    words = {kind.word: uncapitalised(kind.in_words) for kind in (labels.KIND_SPAM, labels.KIND_LIST)}
    shown = (spam | listed) & (links["kind_why"] != "")
    return words_where(shown, lambda rows: links["page_kind"][rows].map(words) + "; " + links["kind_why"][rows])


def spam_tlds(links: pd.DataFrame) -> pd.Series:
    """Report referring domains under a top-level domain of spam_tlds.csv, where each has its source."""
    endings = links["referring_domain"].str.extract(r"\.([^.]+)$", expand=False).fillna("")
    found = endings.isin(_spam_tlds().keys())
    return words_where(
        found, lambda rows: "domain under ." + endings[rows] + " (" + endings[rows].map(_spam_tlds()) + ")"
    )


def many_external_links(links: pd.DataFrame, more_than: float) -> pd.Series:
    """Report referring pages with more external links than that."""
    counts = links["external_links"]
    return words_where(counts.gt(more_than), lambda rows: counts[rows].map("{:,.0f} external links".format))


def seller_words(links: pd.DataFrame) -> pd.Series:
    """Report titles and anchors that offer links for sale or contain a messenger handle.

    A site that has "SEO" in its name says so in every title; that alone is no offer.
    """
    titles, hosts = links["referring_title"], map_distinct(links["referring_domain"], brand_of)
    named = hosts.str.contains("seo", regex=False)
    titles = titles.mask(named, replaced(titles.where(named, ""), _SEO, ""))
    title, anchor = _seller_word(titles), _seller_word(links["anchor"])
    in_title = words_where(title != "", lambda rows: "title contains “" + title[rows] + "”")
    in_anchor = words_where(anchor != "", lambda rows: "anchor contains “" + anchor[rows] + "”")
    return in_title.mask(in_title == "", in_anchor)


def _seller_word(texts: pd.Series) -> pd.Series:
    hinted = texts.where(of_distinct(texts, lambda distinct: matched(distinct, SELLER_HINTS)), "")
    return map_distinct(hinted, lambda text: match[0] if (match := SELLER_WORDS.search(text)) else "")


@cache
def _spam_tlds() -> dict[str, str]:
    """Return the source of each spam TLD."""
    return {row["tld"]: row["source"] for row in read_list("spam_tlds")}
