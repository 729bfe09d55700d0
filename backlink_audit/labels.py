"""The words and colours of the results: verdicts, bands, states, classes of anchors, changes and gaps.

One colour per meaning, everywhere: charts, tables and sheets all look it up here. Colour-blind eyes can distinguish
the colours (after Okabe and Ito); they are readable on light and dark ground.
"""

from dataclasses import dataclass

ACCENT = "#0B5394"
"""The colour of headings and lines in a client's report, where none is given."""


@dataclass(frozen=True)
class Label:
    """A result's word, its colour (hex) and what it means."""

    word: str
    colour: str
    meaning: str


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


RECLAIM = Label("Reclaim", "#CC79A7", "Lost, or its target page is dead, though it was worth something: win it back.")
REVIEW = Label("Review", "#D55E00", "Spam, or at least two risk signals: check it before you decide.")
PROTECT = Label("Protect", "#0B5394", "Live, followed, relevant and strong, on a real page: make sure it stays.")
IGNORE = Label("Ignore", "#B8A9C9", "On a list, written by visitors, or gone and worth little: nothing to do.")
UNDERVALUED = Label("Undervalued", "#009E73", "Relevant, on a site or page not strong yet: stay in contact with it.")
OFF_TOPIC_AUTHORITY = Label("Off-topic authority", "#E69F00", "A strong site, but about another subject.")
FINE = Label("Fine", "#3B9AE1", "Relevant, and nothing to do.")
WEAK = Label("Weak", "#C4B454", "Perhaps about the target's subject: not sure enough.")
OFF_TOPIC = Label("Off-topic", "#8A8D91", "About another subject than its target.")
NOT_ENOUGH_DATA = Label("Not enough data", "#C8CCD0", "The page or its target has no words to compare.")

VERDICTS = (
    RECLAIM,
    REVIEW,
    PROTECT,
    IGNORE,
    UNDERVALUED,
    OFF_TOPIC_AUTHORITY,
    FINE,
    WEAK,
    OFF_TOPIC,
    NOT_ENOUGH_DATA,
)
"""Every verdict, in the order in which they are tried; the first that fits wins."""

LINK_LIVE = Label("live", "#009E73", "The link is there, on a page that answers.")
LINK_LOST = Label("lost", "#D55E00", "The export says that the link is gone.")
LINK_DEAD_PAGE = Label("dead page", "#8A8D91", "The page that the link stands on answers with an error.")
LINK_STATES = (LINK_LIVE, LINK_LOST, LINK_DEAD_PAGE)
"""Whether a link is there; every link is one of these."""

IN_CONTENT = Label("in content", "#0B5394", "In the main content of its page.")
OUTSIDE_CONTENT = Label("outside content", "#E69F00", "In a menu, a sidebar or a footer, or on every page of its site.")
PLACEMENT_UNKNOWN = Label("unknown", "#C8CCD0", "The export does not say where on its page the link stands.")
PLACEMENTS = (IN_CONTENT, OUTSIDE_CONTENT, PLACEMENT_UNKNOWN)
"""Where on its page a link is; every link is one of these."""

BAND_RELEVANT = Label("relevant", FINE.colour, "Very likely about the target's subject.")
BAND_WEAK = Label("weak", WEAK.colour, "Perhaps about the target's subject.")
BAND_OFF_TOPIC = Label("off-topic", OFF_TOPIC.colour, "Very likely about something else.")
BANDS = (BAND_RELEVANT, BAND_WEAK, BAND_OFF_TOPIC)
"""The three bands of relevance, best first."""


@dataclass(frozen=True)
class PageKind(Label):
    """A kind of page, and how a sentence calls it."""

    in_words: str


KIND_PAGE = PageKind("page", "#0B5394", "An article, a resource or a shop: a page of its own.", "A normal page")
KIND_LIST = PageKind(
    "list",
    "#E69F00",
    "A directory, a list of domains or their statistics, scraped or generated.",
    "A list of sites or a copy",
)
KIND_SPAM = PageKind("spam", "#D55E00", "A link seller, a hacked page or a doorway.", "Looks like spam")
KIND_VISITORS = PageKind("visitors", "#CC79A7", "A forum, a comment, a profile or a guest book.", "User-generated")
KIND_UNCLEAR = PageKind(
    "unclear", "#C8CCD0", "Neither title nor address says what it is.", "The kind of page is unclear"
)
PAGE_KINDS = (KIND_PAGE, KIND_LIST, KIND_SPAM, KIND_VISITORS, KIND_UNCLEAR)
"""What kind of page a link is on; every link has one of these."""

KEEP = Label("keep", "#3B9AE1", "Checked, and fine.")
WHITELIST = Label("whitelist", "#0B5394", "Never ask about this domain again.")
REMOVE = Label("remove (asked)", "#E69F00", "The site's owner was asked to take the link down.")
DISAVOW = Label("disavow", "#D55E00", "Is written to the disavow file.")
UNDECIDED = Label("undecided", "#C8CCD0", "Not checked yet.")
STATES = (KEEP, WHITELIST, REMOVE, DISAVOW, UNDECIDED)
"""The states of a reviewed link or domain. Everything starts undecided."""

TO_CONTACT = Label("to contact", "#8A8D91", "Chosen; not contacted yet.")
CONTACTED = Label("contacted", "#3B9AE1", "Email sent, no answer yet.")
FOLLOW_UP = Label("follow up", "#E69F00", "Needs another email.")
ANSWERED = Label("answered", "#0B5394", "They answered; nothing is agreed yet.")
WON = Label("won", "#009E73", "The site links to you.")
LOST_AGAIN = Label("lost again", "#D55E00", "The site linked to you, and no longer does.")
DECLINED = Label("declined", "#CC79A7", "They said no, or you stopped asking.")
OUTREACH_STATES = (TO_CONTACT, CONTACTED, FOLLOW_UP, ANSWERED, WON, LOST_AGAIN, DECLINED)
"""The states of a prospect on the outreach desk, in the order of the work."""

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
CHANGED = Label("changed", "#E69F00", "In both files, but not the same.")
KEPT = Label("kept", "#8A8D91", "In both files, with nothing that differs.")
CHANGE_LABELS = (NEW, LOST, CHANGED, KEPT)
"""What happened to a link or a domain between two exports."""

MISSING = Label("missing", "#0B5394", "Links to all competitors, and not to you.")
SEVERAL = Label("several", "#3B9AE1", "Links to at least two competitors, but not to all of them, and not to you.")
UNIQUE = Label("unique", "#009E73", "Links to one of several competitors, and not to you.")
WEAKER = Label("weak", "#E69F00", "Links to you, but a competitor has more links from it.")
SHARED = Label("shared", "#8A8D91", "Links to you and to competitors, none of which has more links from it.")
OURS_ALONE = Label("ours alone", "#CC79A7", "Links to you and to no competitor.")
GAP_CLASSES = (MISSING, SEVERAL, UNIQUE, WEAKER, SHARED, OURS_ALONE)
"""The classes of referring domains in a gap, the most promising first."""

BROKEN_PAGE = Label("Broken", "#D55E00", "Pages link to it, but it answers with an error: what reaches it is lost.")
UNDERLINKED = Label("Underlinked", "#CC79A7", "Strong backlinks, but few or weak internal links.")
DESERVES_MORE = Label("Deserves more", "#009E73", "On your list of pages to strengthen, and not among the strongest.")
ORPHAN = Label("Orphan", "#E69F00", "No page of the site links to it.")
DEAD_END = Label("Dead end", "#C4B454", "Strong, but it passes nothing on: no followed link to another page.")
PASSES_ON = Label("Fine", FINE.colour, "It has links in and links out: nothing to do.")
AUTHORITY_VERDICTS = (BROKEN_PAGE, UNDERLINKED, DESERVES_MORE, ORPHAN, DEAD_END, PASSES_ON)
"""What to do about a page's authority, in the order in which they are tried; the first that fits wins."""

MEND = Label("Mend", "#D55E00", "The link is broken, redirected, or nofollow to a page of your own.")
REWORD = Label("Reword", "#E69F00", "Its anchor says too little, or the same as the anchors of other pages.")
FAR_OFF = Label("Off-topic", OFF_TOPIC.colour, "The two pages have little to do with each other.")
GOOD_LINK = Label("Fine", FINE.colour, "Nothing to do.")
INLINK_VERDICTS = (MEND, REWORD, FAR_OFF, GOOD_LINK)
"""What to do about a link between two pages of a site, in the order in which they are tried; the first that fits."""
SURE = Label("sure", "#0B5394", "Needs no check: right in 99 of 100 cases where it was measured.")
LIKELY = Label("likely", "#3B9AE1", "Most are right: check each quickly.")
CHOOSE = Label("choose", "#E69F00", "The best page is named, but look at the alternatives: the old page may be gone.")
NO_GOOD_TARGET = Label("no good target", "#8A8D91", "No page of the new site is like it.")
CONFIDENCES = (SURE, LIKELY, CHOOSE, NO_GOOD_TARGET)
"""How sure a redirect is, the surest first."""
