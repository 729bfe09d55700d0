"""Risk signals of a backlink: facts, each with its evidence in words, none summed into a score.

Each signal is one row of risk_signals.csv and one of FINDERS; the tables and their help follow from it. From where a
fact counts: `settings.RiskLimits`. A fact that an export does not have gives no signal.
"""

import csv
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib.resources import files
from urllib.parse import unquote

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.judgement.anchor_classes import FUNCTION_WORDS, brand_of, classify_anchors, content_words, fold
from backlink_audit.judgement.evidence import matched, of_distinct, replaced, words_where
from backlink_audit.judgement.footprints import CHOSEN_ANCHORS, repeated_anchors, shared_templates, sitewide
from backlink_audit.judgement.meaning import LINKS_FOR_SALE
from backlink_audit.judgement.referring_sites import ExportSummary, join_summaries, summarise_part
from backlink_audit.settings import RiskLimits
from backlink_audit.text import read_list
from backlink_audit.text.urls import map_distinct
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
FEWEST_WORDS = 2  # content words of a keyword: a single one is the name of a thing
FEWEST_WITH_TRADE = 3  # the same where a word of trade is all that shows it: “buy tickets” is a service to readers
MOST_WORDS = 6  # content words from which an anchor is a sentence or a title
LONGEST_NAME = 3
"""Content words of the target page's name up to which it is a keyword (/asia-cruises): longer ones are titles."""
SHORTEST_PART = 4
"""Letters of a word that says what a site offers where the site's name holds it (“cruise” in cruiseguru)."""
LONGEST_QUOTE = 60  # characters of an anchor that the evidence quotes

_WORD = re.compile(r"[^\W\d_]{3,}")
_OF_TITLES = re.compile("[:?!|…–—]")


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
    return {row["tld"]: row["source"] for row in read_list("spam_tlds")}


def keyword_anchors(links: pd.DataFrame, sites: pd.Series, at_least: int, brands: Collection[str]) -> pd.Series:
    """Report followed links whose anchor is a keyword: one that several sites use for the page, or a word of trade.

    `sites`: how many sites, each with an article of its own, lead to each link's target page with its anchor;
    `at_least`: from how many on it is a keyword. `brands`: names of the target site. A keyword is written in small
    letters, as in a sentence; names are not, and titles are longer.
    """
    with_trade = matched(links["anchor"], _with_trade())
    chosen = (links["followed"] & ((sites >= at_least) | with_trade)).to_numpy(dtype=bool)
    rows = links[chosen]
    counts = sites[chosen].where(sites[chosen] >= at_least, 0)
    columns = (rows["anchor"], rows["target_key"], classify_anchors(rows, brands), counts, with_trade[chosen])
    return words_where(
        pd.Series(chosen, links.index),
        lambda _: pd.Series([_evidence(*row, brands) for row in zip(*columns, strict=True)], dtype="str"),
    )


def _evidence(anchor: str, key: str, of_class: str, sites: int, with_trade: bool, brands: Collection[str]) -> str:
    """Say what shows that an anchor is a keyword, "" where nothing does; `sites`: 0 for too few."""
    content = content_words(fold(anchor))
    is_title = len(content) > LONGEST_NAME and content in _names(key)
    in_length = FEWEST_WORDS <= len(content) <= MOST_WORDS
    if of_class not in CHOSEN_ANCHORS or is_title or not in_length or not is_in_small_letters(anchor):
        return ""
    quoted = f"“{anchor.strip()[:LONGEST_QUOTE]}”"
    if sites and (of_class != labels.OTHER_ANCHOR.word or _is_in_names(content, brands)):
        return f"{sites:,} sites link to the same page with the anchor {quoted}"
    if with_trade and len(content) >= FEWEST_WITH_TRADE:
        return f"the anchor {quoted} is a commercial keyword"
    return ""


def is_in_small_letters(anchor: str) -> bool:
    """Return whether an anchor is written as in a sentence: a word of it in small letters, and no sign of a title."""
    words = [word for word in _WORD.findall(anchor) if word.casefold() not in FUNCTION_WORDS]
    return any(not word[0].isupper() for word in words) and not _OF_TITLES.search(anchor)


def _names(key: str) -> list[list[str]]:
    path = unquote(key.partition("/")[2].partition("?")[0])
    return [content_words(fold(part)) for part in path.split("/")]


def _is_in_names(words: list[str], brands: Collection[str]) -> bool:
    return any(word in brand for word in words if len(word) >= SHORTEST_PART for brand in brands)


@cache
def _with_trade() -> str:
    words = {word for row in read_list("trade_words") for word in row["words"].split("|")}
    return rf"(?i)(?:^|[^\p{{L}}])(?:{'|'.join(map(re.escape, sorted(words)))})(?:$|[^\p{{L}}])"


@dataclass(frozen=True)
class Facts:
    """What a signal is found in: cleaned links, the limits, the fields known for link spam, and the whole export."""

    links: pd.DataFrame
    limits: RiskLimits
    risky_fields: Collection[str]
    export: ExportSummary

    @cached_property
    def shared(self) -> pd.DataFrame:
        return self.export.shared.loc[self.links.index]


@dataclass(frozen=True)
class Signal:
    """A risk signal.

    `help` says what it is, with the names of its limits in braces (`RiskLimits`). `needs`: columns of which any one
    must have values; none: the links' URLs are enough. `why_not`: what an export without an audit lacks.
    """

    name: str
    label: str
    help: str
    needs: tuple[str, ...] = ()
    why_not: str = ""

    def find(self, facts: Facts) -> pd.Series:
        """Return the evidence in words, "" where the signal is absent."""
        return FINDERS[self.name](facts)

    def explain(self, limits: RiskLimits) -> str:
        return self.help.format_map(asdict(limits))


FINDERS: Mapping[str, Callable[[Facts], pd.Series]] = {
    "risk_flag": lambda facts: own_flag(facts.links, facts.limits),
    "risk_topic": lambda facts: risky_topics(facts.links, facts.risky_fields),
    "risk_kind": lambda facts: suspicious_kinds(facts.links),
    "risk_tld": lambda facts: spam_tlds(facts.links),
    "risk_external_links": lambda facts: many_external_links(facts.links, facts.limits.external_links),
    "risk_sitewide": lambda facts: sitewide(facts.links, facts.shared["same_link"], facts.limits.sitewide_pages),
    "risk_anchor": lambda facts: repeated_anchors(
        facts.links, facts.shared["anchor"], facts.limits.same_anchor_domains, facts.export.brands
    ),
    "risk_keyword": lambda facts: keyword_anchors(
        facts.links, facts.shared["page_anchor"], facts.limits.same_keyword_sites, facts.export.brands
    ),
    "risk_template": lambda facts: shared_templates(
        facts.links,
        facts.shared["title"],
        facts.shared["path"],
        facts.limits.same_title_domains,
        facts.export.brands,
    ),
    "risk_seller": lambda facts: seller_words(facts.links),
}
with (files("backlink_audit.judgement") / "risk_signals.csv").open(encoding="utf-8") as _lines:
    SIGNALS = tuple(
        Signal(row["name"], row["label"], row["help"], tuple(row["needs"].split()), row["why_not"])
        for row in csv.DictReader(_lines)
    )
"""Every risk signal, in the order of the tables."""

SIGNAL_NAMES = tuple(signal.name for signal in SIGNALS)
NOTHING_ALONE = ("risk_tld",)  # signals that honest sites show as often as spam does: only beside another one


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
    left out too, and a shared title without a seller, a list or an unrelated subject: so honest articles are copied. A
    keyword that is a repeated anchor counts as this.
    """
    company = found[["risk_seller", "risk_topic", "risk_kind"]].any(axis=1)
    found = found.assign(
        risk_keyword=found["risk_keyword"] & ~found["risk_anchor"], risk_template=found["risk_template"] & company
    )
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
