"""The words and colours of the results: verdicts, bands, states, and the glossary behind every help text.

One colour per meaning, everywhere: charts, tables and sheets all look it up here. The colours keep apart for
colour-blind eyes (after Okabe and Ito) and read on light and dark ground.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Label:
    """A result's word, its colour (hex) and what it means."""

    word: str
    colour: str
    meaning: str


RECLAIM = Label("Reclaim", "#CC79A7", "Lost, or its target page is dead, though it was relevant or strong: win it back.")
REVIEW = Label("Review", "#D55E00", "At least two risk signals: look at it before you decide.")
PROTECT = Label("Protect", "#0B5394", "Live, followed, relevant and among the strongest: make sure it stays.")
UNDERVALUED = Label("Undervalued", "#009E73", "Relevant, on a site that is not strong yet: worth the relationship.")
OFF_TOPIC_AUTHORITY = Label("Off-topic authority", "#E69F00", "A strong site, but about another subject.")
RELEVANT = Label("Relevant", "#3B9AE1", "About the same subject as its target page.")
WEAK = Label("Weak", "#C4B454", "Only loosely about the subject of its target page.")
OFF_TOPIC = Label("Off-topic", "#8A8D91", "About another subject than its target page.")
NOT_ENOUGH_DATA = Label("Not enough data", "#C8CCD0", "No text on one of the two sides, so nothing to compare.")

VERDICTS = (
    RECLAIM,
    REVIEW,
    PROTECT,
    UNDERVALUED,
    OFF_TOPIC_AUTHORITY,
    RELEVANT,
    WEAK,
    OFF_TOPIC,
    NOT_ENOUGH_DATA,
)
"""Every verdict, in the order in which they are tried; the first that fits wins."""

BAND_RELEVANT = Label("relevant", RELEVANT.colour, "Closer to its target page than almost anything else on the web.")
BAND_WEAK = Label("weak", WEAK.colour, "Closer to its target page than chance, but not by much.")
BAND_OFF_TOPIC = Label("off-topic", OFF_TOPIC.colour, "No closer to its target page than unrelated subjects are.")
BANDS = (BAND_RELEVANT, BAND_WEAK, BAND_OFF_TOPIC)
"""The three bands of relevance, best first."""

KEEP = Label("keep", "#3B9AE1", "Looked at, and fine.")
WHITELIST = Label("whitelist", "#0B5394", "Never ask about this domain again.")
REMOVE = Label("remove (asked)", "#E69F00", "The site's owner was asked to take the link down.")
DISAVOW = Label("disavow", "#D55E00", "Goes into the disavow file.")
UNDECIDED = Label("undecided", "#C8CCD0", "Not looked at yet.")
STATES = (KEEP, WHITELIST, REMOVE, DISAVOW, UNDECIDED)
"""The states of a reviewed link or domain. Everything starts undecided."""


Style = Literal["text", "url", "count", "rating", "similarity", "score", "percent", "date", "flag"]
"""How a column's values are written: similarity and score with 3 decimals, rating with at most 1, count whole."""


@dataclass(frozen=True)
class Term:
    """A result column: its name in code, its label on screen and in files, its style, and its help text."""

    name: str
    label: str
    style: Style
    help: str


GLOSSARY = (
    Term("referring_domain", "Referring domain", "text", "The registrable domain the link comes from (example.co.uk)."),
    Term("target_domain", "Target domain", "text", "The registrable domain the link points to."),
    Term("similarity", "Similarity", "similarity", "How close the referring side's words are to the target page's: the cosine of two embeddings, -1 to 1."),
    Term("evidence", "Evidence", "text", "Which part of the referring side was closest to the target page: title, anchor or URL words."),
    Term("relevance", "Relevance", "score", "Share of several hundred unrelated topics that the target page beats, 0-100. Means the same for every model."),
    Term("band", "Band", "text", "Relevance in three steps: relevant, weak, off-topic."),
    Term("topic", "Topic", "text", "The topic nearest to the referring page's text."),
    Term("topic_field", "Field", "text", "The field the topic belongs to."),
    Term("cas", "CAS", "score", "Contextual Authority Score: authority of the referring page / its external links x similarity."),
    Term("cas_percentile", "CAS percentile", "rating", "Where this link's CAS stands among the links that have one, 0-100."),
    Term("verdict", "Verdict", "text", "What to do about the link, and the Why column says why."),
    Term("why", "Why", "text", "The reason for the verdict, in words and numbers."),
    Term("followed", "Followed", "flag", "Neither nofollow, UGC nor sponsored."),
    Term("is_lost", "Lost", "flag", "The link is gone: a lost date, a lost status or a drop reason."),
)
"""Result columns that more than one page, chart or sheet shows. Input columns have theirs in schema.py."""

TERMS = {term.name: term for term in GLOSSARY}
