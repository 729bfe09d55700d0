"""What links are judged against, and what a page is about: the subjects of the whole web, each with its field.

The subjects are several hundred short phrases. Those of the field `unclear` are what pages without a subject of their
own are like: profiles, lists of sites, search results.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pandas as pd

from backlink_audit.text import FIRM, read_list

UNCLEAR = "unclear"  # said of a page's field or topic where nothing wins
IN_GENERAL = "{} in general"  # the topic of a page whose text names a field, but no topic in it

SHARPNESS = 2.0  # how fast a topic's weight falls with its cosine: by e for each 1/2 of the spread (`cosine_spread`)
LEAST_CLARITY = 0.4  # the share of all weight that a field must have to be named: docs/decisions/topics.md
LEAST_CLARITY_TO_DOUBT = 0.25  # the share from which another field is believed than a risky one that words name
LEAST_CLARITY_TO_ACCUSE = 0.5  # the same for a risky field, which accuses
MOST_AGAINST_WORDS = 0.5
"""The share of all weight from which another field than the one that field words name is believed instead."""
MOST_AGAINST_FIRM_WORDS = 0.8  # the same where several words, or a phrase, name it: docs/decisions/topics.md
LEAST_TOPIC_SHARE = 0.6  # the share of its field's weight that a topic must have to be named
FEWEST_TITLES = 10  # different titles with a field that a site must have in the export, …
LEAST_SHARE = 0.75  # … and the share of them that must be of the same field


@dataclass(frozen=True)
class Topics:
    """The taxonomy, one entry per topic: its phrase, its field, and whether the field is a risky one."""

    phrases: tuple[str, ...]
    fields: np.ndarray
    risky: np.ndarray

    def __len__(self) -> int:
        return len(self.phrases)

    @cached_property
    def field_of(self) -> np.ndarray:
        return np.searchsorted(field_names(self), self.fields.astype(str))

    @cached_property
    def members(self) -> np.ndarray:
        return np.eye(self.field_of.max() + 1, dtype=np.float32)[self.field_of]


@dataclass(frozen=True)
class NamedTopics:
    """What pages are about, one entry per row; "" where nothing was to be judged, `UNCLEAR` where nothing wins."""

    field: np.ndarray  # Object array of str
    topic: np.ndarray
    """A phrase of that field, object array of str; where no topic in it is clear, the field `IN_GENERAL`."""
    clarity: np.ndarray
    """Share of the weight that the likeliest field has, named or not, 0-1, float32; NaN where nothing was judged."""
    shares: np.ndarray  # Share of the weight that each field has by the text alone (`field_shares`), (rows, fields)


@cache
def load_topics() -> Topics:
    """Return the taxonomy that the package carries."""
    rows = read_list("topics")
    return Topics(
        phrases=tuple(row["topic"] for row in rows),
        fields=np.array([row["field"] for row in rows], dtype=object),
        risky=np.array([row["risky"] == "1" for row in rows]),
    )


@cache
def load_kind_phrases() -> dict[str, tuple[str, ...]]:
    """Return what pages of some kinds are called, by kind, as names of columns."""
    kinds: dict[str, list[str]] = {}
    for row in read_list("kind_phrases"):
        kinds.setdefault(row["kind"].replace(" ", "_"), []).append(row["phrase"])
    return {kind: tuple(phrases) for kind, phrases in kinds.items()}


def cosine_spread(topic_vectors: np.ndarray, topics: Topics) -> float:
    """Return the standard deviation of the cosines of topics of different fields: the model's own unit of nearness."""
    cosines = topic_vectors @ topic_vectors.T
    return float(cosines[topics.fields[:, None] != topics.fields[None, :]].std())


def field_names(topics: Topics) -> np.ndarray:
    return np.unique(topics.fields.astype(str))


def field_shares(cosines: np.ndarray, spread: float, topics: Topics) -> np.ndarray:
    """Return the share of all weight that each field has, (rows, fields) in the order of `field_names`.

    `cosines` (rows, topics). Each topic weighs exp(SHARPNESS x cosine / spread); a field what its topics do together.
    """
    return _shares(np.exp(_nearness(cosines, spread)) @ topics.members)


def name_topics(
    cosines: np.ndarray,
    has_text: np.ndarray,
    named_fields: np.ndarray,
    spread: float,
    topics: Topics,
    expected: np.ndarray | float = 1,
) -> NamedTopics:
    """Return what the pages are about from their cosines with every topic, (rows, topics).

    `expected`: how likely each field is before the page is read, (rows, fields) in the order of `field_names`.

    The field with the largest share (`field_shares`) is named if that share is large enough, and its largest topic if
    it has enough of the field. Where field words name a field, it is that one, however small its share; of several the
    likeliest; unless another field has a very large share.
    """
    names = field_names(topics)
    nearness = _nearness(cosines, spread)
    unexpected = np.exp(nearness) @ topics.members
    weights = unexpected * expected
    best = weights.argmax(axis=1)
    clarity = (weights.max(axis=1) / weights.sum(axis=1)).astype(np.float32)
    accusing = np.isin(names, topics.fields[topics.risky].astype(str))
    named = clarity >= np.where(accusing[best], LEAST_CLARITY_TO_ACCUSE, LEAST_CLARITY)

    firm, named_fields = named_fields >= FIRM, named_fields & ~FIRM
    by_words = named_fields[:, None] >> np.arange(len(names)) & 1
    likeliest = np.where(by_words, weights, -1).argmax(axis=1)
    against = np.where(accusing[likeliest], LEAST_CLARITY_TO_DOUBT, MOST_AGAINST_WORDS)
    against = np.where(firm, MOST_AGAINST_FIRM_WORDS, against)
    outweighed = (clarity >= against) & (likeliest != best) & (names[best] != UNCLEAR)
    believed = (named_fields > 0) & ~outweighed
    best, named = np.where(believed, likeliest, best), (named | believed)
    named &= names[best] != UNCLEAR
    largest = unexpected[np.arange(len(weights)), best]
    topic = _nearest_within(nearness, best, topics.field_of)
    has_topic = named & (np.exp(nearness[np.arange(len(topic)), topic]) >= LEAST_TOPIC_SHARE * largest)
    fields, phrases = names.astype(object), np.array(topics.phrases, dtype=object)
    general = np.array([IN_GENERAL.format(name) for name in names], dtype=object)[best]
    return NamedTopics(
        np.where(has_text, np.where(named, fields[best], UNCLEAR), ""),
        np.where(has_text, np.where(has_topic, phrases[topic], np.where(named, general, UNCLEAR)), ""),
        np.where(has_text, clarity, np.float32(np.nan)),
        _shares(unexpected),
    )


def _shares(weights: np.ndarray) -> np.ndarray:
    shares: np.ndarray = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _nearness(cosines: np.ndarray, spread: float) -> np.ndarray:
    scaled: np.ndarray = np.asarray(SHARPNESS / spread, cosines.dtype) * (cosines - cosines.max(axis=1, keepdims=True))
    return scaled


def _nearest_within(nearness: np.ndarray, fields: np.ndarray, field_of_topic: np.ndarray) -> np.ndarray:
    nearest = np.zeros(len(nearness), dtype=int)
    for field in np.unique(fields):
        rows, topics = np.flatnonzero(fields == field), np.flatnonzero(field_of_topic == field)
        nearest[rows] = topics[nearness[np.ix_(rows, topics)].argmax(axis=1)]
    return nearest


def site_fields(domains: pd.Series, titles: pd.Series, fields: pd.Series) -> pd.Series:
    """Return the field of each link's referring site, "" where it has none; the index of `fields`.

    `domains`, `titles` and `fields` have for each link of the whole export its referring domain, the title of its
    page and its field (`judgement.fields`). A field that accuses is never a site's.
    """
    pages = pd.DataFrame({"domain": domains, "title": titles, "field": fields})
    named = pages[~pages["field"].isin(["", UNCLEAR])].drop_duplicates(["domain", "title"])
    counts = named.groupby(["domain", "field"]).size().rename("titles").reset_index()
    counts["all"] = counts.groupby("domain")["titles"].transform("sum")
    topics = load_topics()
    enough = (counts["all"] >= FEWEST_TITLES) & (counts["titles"] >= LEAST_SHARE * counts["all"])
    chosen = counts[enough & ~counts["field"].isin(topics.fields[topics.risky])]
    found = dict(zip(chosen["domain"], chosen["field"], strict=True))
    return pd.Series([found.get(domain, "") for domain in domains], domains.index, dtype="str")


def with_site_fields(links: pd.DataFrame) -> pd.DataFrame:
    """Return links with the field of their site (site_field) as topic_field where that is unclear."""
    unclear = (links["topic_field"] == UNCLEAR) & (links["site_field"] != "")
    return links.assign(topic_field=links["topic_field"].mask(unclear, links["site_field"]))
