"""What was decided about risky links and domains: a state each, undecided until the user says otherwise.

Decisions are kept by referring domain or by URL, never by row number, so that they apply to the next export too.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import Literal

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.errors import FileProblem, InvalidSetting, MissingColumns, UnreadableFile
from backlink_audit.judgement.anchor_classes import brand_of
from backlink_audit.judgement.evidence import matched
from backlink_audit.judgement.footprints import SERVER_ENDS_IT
from backlink_audit.judgement.meaning import LINKS_FOR_SALE
from backlink_audit.judgement.scales import limits_of, site_authority, site_rating_names
from backlink_audit.labels import DISAVOW, KEEP, PRAISE, STATES, UNDECIDED, WHITELIST
from backlink_audit.risk.disavow_file import never_whole, read_text_file
from backlink_audit.settings import VerdictLimits
from backlink_audit.text import read_list
from backlink_audit.text.urls import idna_host, institution_of, map_distinct, normalise_url, owners_share
from backlink_audit.wording import by_number, count, part_of

Scope = Literal["domain", "URL"]
SCOPES: tuple[Scope, ...] = ("domain", "URL")
WORDS = tuple(label.word for label in STATES)
COLUMNS = ("Scope", "Item", "State", "Note")
NO_REVIEW = "use a review file downloaded from this page"
GUARD = re.compile(
    r"(?:\A|(?<=[;\t\n]))'(?=[ \"\u00a0\u00ad\u200b-\u200f\u2060-\u2064\u3000\ufeff]*[=+\-@\t\r＝＋－＠])"
)
"""The apostrophe that keeps a spreadsheet from running a cell; our csv files put it there."""
SHORTEST_NAME = 4  # letters of a site's name from which an address that holds it names that site
RELATION = "named as customer or partner"
OWN = "a site of the target's owner"
CERTAIN_SUSPICION, LEAST_WORTH, LITTLE_WORTH = 85, 20, 50
"""Suspicion from which, and worth up to which, a link is certainly manipulative: of the labelled links of sites that
the trees did not see, all 239 were. No link of a domain that is proposed for disavowal is worth more than the last."""
NOT_JUDGED = "relevance not known yet"
QUESTION_COLUMNS = ("referring_domain", "authority", "rating", "why")


@dataclass(frozen=True)
class Decision:
    """The state of one item and the user's note; `item` is the domain or the URL as it was written."""

    item: str
    state: str
    note: str = ""


@dataclass(frozen=True)
class Review:
    """All decisions, by scope and key; whatever is not in it is undecided."""

    decisions: Mapping[tuple[str, str], Decision] = field(default_factory=dict)

    def decide(self, scope: Scope, items: Iterable[str], state: str, note: str | None = None) -> "Review":
        """Return a review in which these items have that state; undecided removes them. `note` None: the note stays.

        Raises InvalidSetting for a state that is none of `labels.STATES`.
        """
        if state not in WORDS:
            raise InvalidSetting(f"{state!r} is not a state; it must be one of {', '.join(WORDS)}.")
        decisions = dict(self.decisions)
        for item in items:
            key = scope, key_of(scope, item)
            former = decisions.get(key)
            kept = former.note if note is None and former else note or ""
            decisions[key] = Decision(item, state, kept)
        return Review(_without_empty(decisions))

    def states_of_domains(self, domains: pd.Series) -> pd.Series:
        return domains.map(self._states("domain")).astype("str").fillna(UNDECIDED.word)

    def states_of_links(self, links: pd.DataFrame) -> pd.Series:
        """Return the state of each link: that of its referring URL, else that of its domain."""
        own = links["referring_key"].map(self._states("URL")).astype("str")
        return own.fillna(self.states_of_domains(links["referring_domain"]))

    def with_state(self, scope: Scope, *states: str) -> list[str]:
        return [one.item for (kind, _), one in self.decisions.items() if kind == scope and one.state in states]

    @property
    def disavowed_domains(self) -> list[str]:
        return self.with_state("domain", DISAVOW.word)

    @property
    def disavowed_urls(self) -> list[str]:
        return self.with_state("URL", DISAVOW.word)

    @property
    def kept_domains(self) -> list[str]:
        return self.with_state("domain", KEEP.word, WHITELIST.word)

    @property
    def kept_urls(self) -> list[str]:
        return self.with_state("URL", KEEP.word, WHITELIST.word)

    def joined(self, other: "Review") -> "Review":
        return Review({**self.decisions, **other.decisions})

    def to_table(self) -> pd.DataFrame:
        """Return one row per decision: Scope, Item, State, Note; `read_review` reads it again."""
        rows = [(scope, one.item, one.state, one.note) for (scope, _), one in self.decisions.items()]
        return pd.DataFrame(rows, columns=list(COLUMNS), dtype="str")

    def _states(self, scope: Scope) -> dict[str, str]:
        return {key: one.state for (kind, key), one in self.decisions.items() if kind == scope}


def key_of(scope: Scope, item: str) -> str:
    """Return what an item is found by: the domain in lower case and IDNA, or the normalised URL.

    >>> key_of("domain", "Example.com "), key_of("URL", "https://www.example.com/a/")
    ('example.com', 'example.com/a')
    """
    return idna_host(item.strip()) if scope == "domain" else normalise_url(item)


def read_review(data: bytes, name: str) -> Review:
    """Read a review that was downloaded as csv, also after a spreadsheet has saved it.

    Raises UnreadableFile (the bytes are no csv), MissingColumns (it has not the columns of a review), FileProblem (a
    row has no known state or scope; the sentence names its line).
    """
    text, _ = read_text_file(data, name, NO_REVIEW)
    try:
        separator = max(",;\t", key=text.partition("\n")[0].count)
        table = pd.read_csv(BytesIO(text.encode()), sep=separator, dtype=str, keep_default_na=False)
    except ValueError as problem:
        raise UnreadableFile(name, f"this is not a CSV file; {NO_REVIEW}.") from problem
    lacking = [column for column in COLUMNS[:3] if column not in table.columns]
    if lacking:
        raise MissingColumns(name, f"this is not a review: it has no column {' and no column '.join(lacking)}.")
    return _read_rows(table, name)


def _read_rows(table: pd.DataFrame, name: str) -> Review:
    review: dict[tuple[str, str], Decision] = {}
    notes = table["Note"] if "Note" in table else pd.Series("", index=table.index)
    for line, (scope, item, state, note) in enumerate(
        zip(table["Scope"], table["Item"], table["State"], notes, strict=True), 2
    ):
        known = {word.lower(): word for word in SCOPES}.get(scope.strip().lower())
        if known is None or state.strip().lower() not in WORDS:
            wrong = f"“{scope}” is not a domain or URL" if known is None else f"“{state}” is not a state"
            raise FileProblem(name, f"line {line}: {wrong}.")
        if not item.strip():
            raise FileProblem(name, f"line {line}: the domain or URL is missing.")
        review[known, key_of(known, item)] = Decision(item.strip(), state.strip().lower(), GUARD.sub("", note))
    return Review(_without_empty(review))


def _without_empty(decisions: Mapping[tuple[str, str], Decision]) -> dict[tuple[str, str], Decision]:
    return {key: one for key, one in decisions.items() if one.state != UNDECIDED.word or one.note}


def worth_keeping(links: pd.DataFrame, limits: VerdictLimits) -> pd.DataFrame:
    """Return the referring domains that look worth keeping, the strongest first: COLUMNS.

    `rating` is the authority in words ("DR 71", "" where it is not known), `why` the reasons. A domain looks worth
    keeping by any of: it is one of the target's owner; a link of `labels.PRAISE`; a relevant link that is not to
    review; the host of a public authority, a university or the like; a site that is strong on its own scale
    (`judgement.scales`); a page or one of our pages that names it as customer or partner. No risk signal is asked: they
    may be wrong.

    `links`: referring_url, referring_domain, target_url, scale and the ratings; verdict and band where an audit has
    judged them.
    """
    sites = site_strengths(links)
    strong = sites["authority"] >= limits_of(sites["rating_name"], "strong_from", limits.strong_from)
    shared = _shared(sites["referring_domain"])
    strong &= ~shared  # the rating of a host of many owners is nobody's own
    unknown = "" if "verdict" in links else f", {NOT_JUDGED}"
    judged, named = _judged(links), set(links.loc[_names_a_relation(links), "referring_domain"])
    own = set(links.loc[links["own_site"] != "", "referring_domain"]) if "own_site" in links else set()
    reasons = (
        (
            OWN * (site in own),
            judged.get(site, ""),
            "" if many else institution_of(site),
            RELATION * (site in named),
            rated * is_strong,
        )
        for site, rated, is_strong, many in zip(
            sites["referring_domain"], sites["rating"] + unknown, strong, shared, strict=True
        )
    )
    found = sites.assign(why=pd.Series(["; ".join(filter(None, each)) for each in reasons], sites.index, dtype="str"))
    return found.loc[found["why"] != "", list(QUESTION_COLUMNS)].reset_index(drop=True)


def certainly_bad(links: pd.DataFrame) -> pd.Series:
    """Return which links are certainly manipulative, bool: by the trees, and by a risk signal beside them.

    So none is for its lack of authority alone. Nor is a link of an attack that ends on the server (`SERVER_ENDS_IT`).
    `links` has suspicion, worth, followed, signals and attack; without an audit none.
    """
    if "suspicion" not in links:
        return pd.Series(False, links.index)
    sure = (links["suspicion"] >= CERTAIN_SUSPICION) & (links["worth"] <= LEAST_WORTH)
    if "attack" in links:
        sure &= ~links["attack"].str.startswith(SERVER_ENDS_IT)
    return sure & (links["signals"] > 0) & links["followed"].astype("bool")


def proposed(links: pd.DataFrame, worth: pd.DataFrame) -> frozenset[str]:
    """Return the referring domains that are proposed for disavowal: a link is certainly bad, and none is worth keeping.

    `worth`: those that look worth keeping, as `worth_keeping` gives them. A rating keeps no seller of links: they buy
    it too. Nothing that belongs to many is proposed as a whole (`never_whole`).
    """
    sure = certainly_bad(links)
    sells = sure & ((links["risk_seller"] != "") | (links["topic_field"] == LINKS_FOR_SALE))
    sellers, good = links.loc[sells, "referring_domain"], links.loc[links["worth"] > LITTLE_WORTH, "referring_domain"]
    rated_only = worth["why"] == worth["rating"]
    kept = worth.loc[~(rated_only & worth["referring_domain"].isin(sellers)), "referring_domain"]
    found = set(links.loc[sure, "referring_domain"]) - set(good) - set(kept)
    return frozenset(site for site in found if not never_whole(site))


def site_strengths(links: pd.DataFrame) -> pd.DataFrame:
    """Return each referring domain with the best authority of its links, the strongest first.

    Columns: referring_domain, authority, rating_name, rating (both in words, "DR 71"; "" where it is not known).
    """
    authority, names = site_authority(links), site_rating_names(links)
    words = names + " " + authority.fillna(0).round(1).map("{:g}".format).astype("str")
    rows = pd.DataFrame(
        {
            "referring_domain": links["referring_domain"],
            "authority": authority,
            "rating_name": names,
            "rating": words.where(authority.notna(), ""),
        }
    )
    best = rows.sort_values("authority", ascending=False, kind="stable").drop_duplicates("referring_domain")
    return best.reset_index(drop=True)


def _shared(sites: pd.Series) -> np.ndarray:
    return np.fromiter(map(owners_share, sites), bool, len(sites))


def _judged(links: pd.DataFrame) -> Mapping[str, str]:
    """Return what the audit's judgement shows of each domain: how many links have a good verdict, else are relevant."""
    if "verdict" not in links:
        return {}
    good = links["verdict"].isin([label.word for label in labels.PRAISE])
    relevant = (links["band"] == labels.BAND_RELEVANT.word) & ~good & (links["verdict"] != labels.REVIEW.word)
    found: dict[str, str] = {}
    for site, rows in links[good | relevant].groupby("referring_domain", sort=False):
        verdicts = rows["verdict"].value_counts()
        first = next((label.word for label in labels.PRAISE if label.word in verdicts), "")
        found[str(site)] = (
            f"{count(int(verdicts[first]), 'link')} with the verdict {first}"
            if first
            else count(len(rows), "relevant link")
        )
    return found


def _names_a_relation(links: pd.DataFrame) -> pd.Series:
    """Return which links show a customer or partner by the address of either page, bool."""
    own_words = matched(links["target_url"], _relation())
    names = map_distinct(links["referring_domain"], brand_of)
    paths = map_distinct(links["target_url"], _path_in_one_word)
    by_us = [
        said and len(name) >= SHORTEST_NAME and name in path
        for said, name, path in zip(own_words, names, paths, strict=True)
    ]
    return matched(links["referring_url"], _relation()) | pd.Series(by_us, links.index, dtype="bool")


def _path_in_one_word(url: str) -> str:
    return re.sub(r"[\W_]+", "", url.partition("://")[2].partition("/")[2]).casefold()


@cache
def _relation() -> str:
    words = "|".join(sorted({word for row in read_list("relation_words") for word in row["words"].split("|")}))
    return rf"(?i)^https?://[^/]+/(?:[^?#]*/)?(?:our-)?(?:{words})(?:[/?#.]|$)"


def second_opinions(links: pd.DataFrame, flags: pd.Series, signals: pd.Series) -> pd.DataFrame:
    """Return the links that the tool flags and the audit finds fine, with second_opinion: why, in words.

    Fine are links with a verdict of links worth keeping, and no other signal that counts. `flags`: what the tool says
    against each, "" for nothing (`own_flag`); `signals`: how many risk signals each has, the flag included; same
    index.
    """
    praised = links["verdict"].isin([label.word for label in PRAISE])
    fine = (flags != "") & praised & (signals <= 1)
    words = "Flagged by the tool (" + flags[fine] + "); fine here: " + links.loc[fine, "why"]
    return links[fine].assign(second_opinion=words.astype("str"))


def in_a_sentence(fine: int, flags: int) -> str:
    """Return how many of the tool's flags the audit finds fine, in a sentence; "" where the tool flags nothing.

    >>> in_a_sentence(1, 2)
    '1 of 2 links that the tool flags is fine by this audit.'
    """
    if not flags:
        return ""
    return f"{part_of(fine, flags, 'link')} that the tool flags {by_number(fine, 'is', 'are')} fine by this audit."
