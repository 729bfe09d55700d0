"""The words and colours of the results: verdicts, bands, states, classes of anchors, changes and gaps.

One colour per meaning, everywhere: charts, tables and sheets all look it up here (`data/labels.csv`).
Colour-blind eyes can distinguish the colours (after Okabe and Ito); they are readable on light and dark ground.
"""

import csv
from dataclasses import dataclass
from importlib.resources import files

ACCENT = "#0B5394"
"""The colour of headings and lines in a client's report, where none is given."""


@dataclass(frozen=True)
class Label:
    """A result's word, its colour (hex) and what it means; of a kind of page also how a sentence calls it."""

    word: str
    colour: str
    meaning: str
    in_words: str = ""


def readable_on(colour: str) -> str:
    """Return black or white, whichever reads better on a colour (hex): its contrast is 4.58 or more on any colour.

    >>> readable_on("#0B5394"), readable_on("#E69F00"), readable_on("#CC79A7")
    ('#FFFFFF', '#000000', '#000000')
    """
    return max("#000000", "#FFFFFF", key=lambda words: contrast(words, colour))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (hex), 1 to 21, as WCAG 2.1 defines it; small words need 4.5.

    >>> contrast("#000000", "#FFFFFF"), contrast("#8A8D91", "#8A8D91")
    (21.0, 1.0)
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (hex), 0 (black) to 1 (white), as WCAG 2.1 defines it.

    >>> luminance("#000000"), luminance("#FFFFFF")
    (0.0, 1.0)
    """
    shares = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


with (files("backlink_audit") / "data" / "labels.csv").open(encoding="utf-8") as _lines:
    _ROWS = tuple(csv.DictReader(_lines))


def _labels(group: str) -> tuple[Label, ...]:
    return tuple(
        Label(row["word"], row["colour"], row["meaning"], row["in_words"]) for row in _ROWS if row["group"] == group
    )


VERDICTS = _labels("verdict")
"""Every verdict, in the order of lists and charts; `judgement.verdicts` says which is tried first."""
RECLAIM, REVIEW, PROTECT, IGNORE, UNDERVALUED, OFF_TOPIC_AUTHORITY, FINE, WEAK, OFF_TOPIC, NOT_ENOUGH_DATA = VERDICTS
[PITCH] = _labels("task")  # what to do about a site, where a verdict is about a link; no link has this verdict
PRAISE = (PROTECT, RECLAIM, UNDERVALUED, FINE)  # the verdicts of links worth keeping, the best first

LINK_STATES = _labels("link state")  # whether a link is there; every link is one of these
LINK_LIVE, LINK_LOST, LINK_DEAD_PAGE = LINK_STATES
CHECK_STATES = _labels("check state")  # what a check found of a link; every checked link is one of these
THERE, THERE_NOFOLLOW, THERE_UGC, THERE_SPONSORED, THERE_NOT_INDEXED, *_others = CHECK_STATES
MOVED, LINK_GONE, PAGE_GONE, NOT_READABLE, NOT_ASKED = _others
IN_CONTENT, OUTSIDE_CONTENT, PLACEMENT_UNKNOWN = _labels("placement")

BANDS = _labels("band")  # the three bands of relevance, best first
BAND_RELEVANT, BAND_WEAK, BAND_OFF_TOPIC = BANDS
PAGE_KINDS = _labels("page kind")  # what kind of page a link is on; every link has one of these
KIND_PAGE, KIND_LIST, KIND_SPAM, KIND_VISITORS, KIND_UNCLEAR = PAGE_KINDS

STATES = _labels("state")  # of a reviewed link or domain; everything starts undecided
KEEP, WHITELIST, REMOVE, DISAVOW, UNDECIDED = STATES
GIVEN_UP = (REMOVE, DISAVOW)  # the states of what nobody wants to keep
SURE_OF_VERDICT, ASK_ME = _labels("certainty")

OUTREACH_REASONS = _labels("outreach reason")  # why a site is asked: what its email is about
NEW_LINK, LOST_LINK, DEAD_PAGE, NOT_FOLLOWED, ANOTHER_LINK = OUTREACH_REASONS
OUTREACH_STATES = _labels("outreach state")  # of a prospect on the outreach desk, in the order of the work
TO_CONTACT, CONTACTED, FOLLOW_UP, ANSWERED, WON, LOST_AGAIN, DECLINED = OUTREACH_STATES

ANCHOR_CLASSES = _labels("anchor class")  # what an anchor is made of; every anchor is one of these
BRANDED, EXACT_MATCH, PARTIAL_MATCH, GENERIC, NAKED_URL, NO_ANCHOR, OTHER_ANCHOR = ANCHOR_CLASSES
CHANGE_LABELS = _labels("change")  # what happened to a link or a domain between two exports
NEW, LOST, CHANGED, KEPT = CHANGE_LABELS
GAP_CLASSES = _labels("gap class")  # of referring domains in a gap, the most promising first
MISSING, SEVERAL, UNIQUE, WEAKER, SHARED, OURS_ALONE = GAP_CLASSES

AUTHORITY_VERDICTS = _labels("authority verdict")
"""What to do about a page's authority, in the order in which they are tried; the first that fits wins."""
BROKEN_PAGE, UNDERLINKED, DESERVES_MORE, ORPHAN, DEAD_END, PASSES_ON = AUTHORITY_VERDICTS
INLINK_VERDICTS = _labels("inlink verdict")
"""What to do about a link between two pages of a site, in the order in which they are tried; the first that fits."""
MEND, REWORD, FAR_OFF, GOOD_LINK = INLINK_VERDICTS
CONFIDENCES = _labels("confidence")  # how sure a redirect is, the surest first
SURE, LIKELY, CHOOSE, NO_GOOD_TARGET = CONFIDENCES
