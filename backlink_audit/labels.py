"""The words and colours of the results: verdicts, bands, states, classes of anchors, changes and gaps.

One colour per meaning, everywhere: charts, tables and sheets all look it up here. The colours keep apart for
colour-blind eyes (after Okabe and Ito) and read on light and dark ground.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Label:
    """A result's word, its colour (hex) and what it means."""

    word: str
    colour: str
    meaning: str


RECLAIM = Label(
    "Reclaim", "#CC79A7", "Lost, or its target page is dead, though it was relevant or strong: win it back."
)
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

BRANDED = Label("branded", "#0B5394", "Holds a name of the target site.")
EXACT_MATCH = Label("exact match", "#D55E00", "The target page's own words: a phrase of its title, H1 or URL.")
PARTIAL_MATCH = Label("partial", "#E69F00", "Shares a word with the target page's title, H1 or URL.")
GENERIC = Label(
    "generic", "#C4B454", "Says nothing about the target: click here, website, read more, in any of several languages."
)
NAKED_URL = Label("naked URL", "#3B9AE1", "The bare address.")
NO_ANCHOR = Label("image or empty", "#C8CCD0", "No words at all: an image without a description, or nothing.")
OTHER_ANCHOR = Label("other", "#8A8D91", "Words that are neither the brand's nor the target page's.")
ANCHOR_CLASSES = (BRANDED, EXACT_MATCH, PARTIAL_MATCH, GENERIC, NAKED_URL, NO_ANCHOR, OTHER_ANCHOR)
"""What an anchor is made of; every anchor is one of these."""

NEW = Label("new", "#009E73", "Only in the newer file, or marked as lost in the older one alone.")
LOST = Label("lost", "#D55E00", "Only in the older file, or marked as lost in the newer one.")
CHANGED = Label("changed", "#E69F00", "In both files, but not the same: what differs is told.")
KEPT = Label("kept", "#8A8D91", "In both files, with nothing that differs.")
CHANGE_LABELS = (NEW, LOST, CHANGED, KEPT)
"""What happened to a link or a domain between two exports."""

MISSING = Label("missing", "#0B5394", "Links to all competitors, and not to you.")
SEVERAL = Label("several", "#3B9AE1", "Links to at least two competitors, but not to all of them, and not to you.")
UNIQUE = Label("unique", "#009E73", "Links to one of several competitors, and not to you.")
WEAKER = Label("weak", "#E69F00", "Links to you, but some competitor has more links from it.")
SHARED = Label("shared", "#8A8D91", "Links to you and to competitors, none of which has more links from it.")
OURS_ALONE = Label("ours alone", "#CC79A7", "Links to you and to no competitor.")
GAP_CLASSES = (MISSING, SEVERAL, UNIQUE, WEAKER, SHARED, OURS_ALONE)
"""The classes of referring domains in a gap, the most telling first."""
