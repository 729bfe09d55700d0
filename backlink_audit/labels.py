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


RECLAIM = Label(
    "Reclaim",
    "#CC79A7",
    "A valuable link that is lost, or whose target page is dead (returns an error): try to get it back.",
)
REVIEW = Label("Review", "#D55E00", "Likely manipulative: check it before you decide.")
PROTECT = Label(
    "Protect", "#0B5394", "Live, followed, relevant and strong, on a normal page: make sure that you keep it."
)
IGNORE = Label(
    "Ignore",
    "#B8A9C9",
    "In a list, user-generated, spam that does no harm, or lost and of little value: nothing to do.",
)
UNDERVALUED = Label(
    "Undervalued", "#009E73", "Relevant, but the site or page is not strong yet: stay in contact with the site."
)
OFF_TOPIC_AUTHORITY = Label("Off-topic authority", "#E69F00", "A strong site, but about another subject.")
FINE = Label("Fine", "#3B9AE1", "Worth keeping: nothing to do.")
WEAK = Label("Weak", "#C4B454", "Possibly about the target's subject, but not clear.")
OFF_TOPIC = Label("Off-topic", "#8A8D91", "Not about the target's subject.")
NOT_ENOUGH_DATA = Label("Not enough data", "#C8CCD0", "There is no text to compare for one of the two pages.")

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
"""Every verdict, in the order of lists and charts; `judgement.verdicts` says which is tried first."""
PRAISE = (PROTECT, RECLAIM, UNDERVALUED, FINE)  # the verdicts of links worth keeping, the best first

LINK_LIVE = Label("live", "#009E73", "The link exists and its page works.")
LINK_LOST = Label("lost", "#D55E00", "The export marks the link as lost.")
LINK_DEAD_PAGE = Label("dead page", "#8A8D91", "The referring page is dead: it returns an error.")
LINK_STATES = (LINK_LIVE, LINK_LOST, LINK_DEAD_PAGE)  # whether a link is there; every link is one of these

THERE = Label("there", "#009E73", "The link is on the page.")
THERE_NOFOLLOW = Label("there, now nofollow", "#E69F00", "The link is on the page, but nofollow now.")
THERE_UGC = Label("there, now ugc", "#E69F00", "The link is on the page, but marked as user-generated now.")
THERE_SPONSORED = Label("there, now sponsored", "#E69F00", "The link is on the page, but marked as sponsored now.")
THERE_NOT_INDEXED = Label(
    "there, page noindex or canonical elsewhere",
    "#C4B454",
    "The link is on the page, but the page asks search engines to leave it out: noindex, or another page as canonical.",
)
MOVED = Label("moved", "#3B9AE1", "The page has a new address, and the link is there.")
LINK_GONE = Label("link gone", "#D55E00", "The page can be read, and has no such link.")
PAGE_GONE = Label("page gone", "#8A8D91", "The page does not exist any more: 404 or 410, seen twice.")
NOT_READABLE = Label(
    "not readable", "#C8CCD0", "The page gave no answer that shows its links (403, login, error): no conclusion."
)
NOT_ASKED = Label("not asked", "#B8A9C9", "robots.txt or the address did not allow a request: no conclusion.")
CHECK_STATES = (
    *(THERE, THERE_NOFOLLOW, THERE_UGC, THERE_SPONSORED, THERE_NOT_INDEXED, MOVED),
    *(LINK_GONE, PAGE_GONE, NOT_READABLE, NOT_ASKED),
)
"""What a check found of a link; every checked link is one of these."""

IN_CONTENT = Label("in content", "#0B5394", "The link is in the main content of its page.")
OUTSIDE_CONTENT = Label(
    "outside content", "#E69F00", "The link is in a menu, sidebar or footer, or on most pages of its site (sitewide)."
)
PLACEMENT_UNKNOWN = Label("unknown", "#C8CCD0", "The export does not show where the link is on its page.")

BAND_RELEVANT = Label("relevant", FINE.colour, "Very likely about the target's subject.")
BAND_WEAK = Label("weak", WEAK.colour, "Possibly about the target's subject.")
BAND_OFF_TOPIC = Label("off-topic", OFF_TOPIC.colour, "Very likely about something else.")
BANDS = (BAND_RELEVANT, BAND_WEAK, BAND_OFF_TOPIC)  # the three bands of relevance, best first


@dataclass(frozen=True)
class PageKind(Label):
    """A kind of page, and how a sentence calls it."""

    in_words: str


KIND_PAGE = PageKind("page", "#0B5394", "An article, a resource, a shop or a similar page.", "A normal page")
KIND_LIST = PageKind(
    "list",
    "#E69F00",
    "A directory, a list of sites or search results, domain statistics, or a copied or generated page.",
    "A list of sites or a copy",
)
KIND_SPAM = PageKind("spam", "#D55E00", "A link seller, a hacked page or a doorway page.", "Looks like spam")
KIND_VISITORS = PageKind(
    "visitors", "#CC79A7", "User-generated: a forum, comment, profile or guest book.", "User-generated"
)
KIND_UNCLEAR = PageKind(
    "unclear", "#C8CCD0", "The title and the URL do not show what kind of page it is.", "The kind of page is unclear"
)
PAGE_KINDS = (KIND_PAGE, KIND_LIST, KIND_SPAM, KIND_VISITORS, KIND_UNCLEAR)
"""What kind of page a link is on; every link has one of these."""

KEEP = Label("keep", "#3B9AE1", "Checked: the link is fine.")
WHITELIST = Label("whitelist", "#0B5394", "Trusted: do not ask about this domain again.")
REMOVE = Label("remove (asked)", "#E69F00", "You asked the site owner to remove the link.")
DISAVOW = Label("disavow", "#D55E00", "Will be written to the disavow file.")
UNDECIDED = Label("undecided", "#C8CCD0", "Not checked yet.")
STATES = (KEEP, WHITELIST, REMOVE, DISAVOW, UNDECIDED)
"""The states of a reviewed link or domain. Everything starts undecided."""
GIVEN_UP = (REMOVE, DISAVOW)  # the states of what nobody wants to keep

NEW_LINK = Label("new link", "#3B9AE1", "The site does not link to you.")
LOST_LINK = Label("lost link", "#D55E00", "Its link to you is gone.")
DEAD_PAGE = Label("dead page", "#E69F00", "It links to a page of yours that does not work.")
NOT_FOLLOWED = Label("nofollow", "#8A8D91", "Its link to you is nofollow.")
ANOTHER_LINK = Label("another link", "#009E73", "A strong site with only one link to you.")
OUTREACH_REASONS = (NEW_LINK, LOST_LINK, DEAD_PAGE, NOT_FOLLOWED, ANOTHER_LINK)
"""Why a site is asked: what its email is about."""

SURE_OF_VERDICT = Label("sure", "#0B5394", "No check needed: of links like this one, few were wrong in tests.")
ASK_ME = Label("ask me", "#E69F00", "Check the link yourself: verdicts like this one are wrong more often.")

TO_CONTACT = Label("to contact", "#8A8D91", "Added, but not contacted yet.")
CONTACTED = Label("contacted", "#3B9AE1", "Email sent, no answer yet.")
FOLLOW_UP = Label("follow up", "#E69F00", "Send another email.")
ANSWERED = Label("answered", "#0B5394", "They answered, but nothing is agreed yet.")
WON = Label("won", "#009E73", "The site links to you.")
LOST_AGAIN = Label("lost again", "#D55E00", "The site linked to you, but the link is gone.")
DECLINED = Label("declined", "#CC79A7", "They said no, or you gave up.")
OUTREACH_STATES = (TO_CONTACT, CONTACTED, FOLLOW_UP, ANSWERED, WON, LOST_AGAIN, DECLINED)
"""The states of a prospect on the outreach desk, in the order of the work."""

BRANDED = Label("branded", "#0B5394", "Contains a name of the target site.")
EXACT_MATCH = Label("exact match", "#D55E00", "A phrase from the target page's title, H1 or URL.")
PARTIAL_MATCH = Label("partial", "#E69F00", "Contains a word from the target page's title, H1 or URL.")
GENERIC = Label(
    "generic",
    "#C4B454",
    "Does not describe the target, such as “click here”, “website” or “read more” (in several languages).",
)
NAKED_URL = Label("naked URL", "#3B9AE1", "Only the URL.")
NO_ANCHOR = Label("image or empty", "#C8CCD0", "No text: an image without alt text, or an empty link.")
OTHER_ANCHOR = Label("other", "#8A8D91", "Other words, not from the brand or the target page.")
ANCHOR_CLASSES = (BRANDED, EXACT_MATCH, PARTIAL_MATCH, GENERIC, NAKED_URL, NO_ANCHOR, OTHER_ANCHOR)
"""What an anchor is made of; every anchor is one of these."""

NEW = Label("new", "#009E73", "Only in the newer file, or marked as lost only in the older file.")
LOST = Label("lost", "#D55E00", "Only in the older file, or marked as lost in the newer file.")
CHANGED = Label("changed", "#E69F00", "In both files, but different.")
KEPT = Label("kept", "#8A8D91", "In both files and unchanged.")
CHANGE_LABELS = (NEW, LOST, CHANGED, KEPT)  # what happened to a link or a domain between two exports

MISSING = Label("missing", "#0B5394", "Links to all competitors, but not to you.")
SEVERAL = Label("several", "#3B9AE1", "Links to at least two (but not all) competitors and not to you.")
UNIQUE = Label("unique", "#009E73", "Links to only one of the competitors, and not to you.")
WEAKER = Label("weak", "#E69F00", "Links to you, but a competitor has more links from it.")
SHARED = Label("shared", "#8A8D91", "Links to you and to competitors, and you have at least as many links from it.")
OURS_ALONE = Label("ours alone", "#CC79A7", "Links to you and to no competitor.")
GAP_CLASSES = (MISSING, SEVERAL, UNIQUE, WEAKER, SHARED, OURS_ALONE)
"""The classes of referring domains in a gap, the most promising first."""

BROKEN_PAGE = Label(
    "Broken", "#D55E00", "Other pages link to it, but it returns an error: the authority of these links is lost."
)
UNDERLINKED = Label("Underlinked", "#CC79A7", "Strong backlinks, but few or weak internal links.")
DESERVES_MORE = Label(
    "Deserves more", "#009E73", "On your list of pages that need more authority, and not among the strongest."
)
ORPHAN = Label("Orphan", "#E69F00", "No other page of the site links to it.")
DEAD_END = Label(
    "Dead end", "#C4B454", "Strong, but without followed links to other pages, so it passes no authority on."
)
PASSES_ON = Label("Fine", FINE.colour, "It has inlinks and outlinks: nothing to do.")
AUTHORITY_VERDICTS = (BROKEN_PAGE, UNDERLINKED, DESERVES_MORE, ORPHAN, DEAD_END, PASSES_ON)
"""What to do about a page's authority, in the order in which they are tried; the first that fits wins."""

MEND = Label("Mend", "#D55E00", "Fix the link: it is broken, redirected, or nofollow to your own page.")
REWORD = Label("Reword", "#E69F00", "Change the anchor: it is generic, or the name of another page.")
FAR_OFF = Label("Off-topic", OFF_TOPIC.colour, "The two pages are about different subjects.")
GOOD_LINK = Label("Fine", FINE.colour, "The link is fine: nothing to do.")
INLINK_VERDICTS = (MEND, REWORD, FAR_OFF, GOOD_LINK)
"""What to do about a link between two pages of a site, in the order in which they are tried; the first that fits."""
SURE = Label("sure", "#0B5394", "No check needed: in tests, 99 of 100 were right.")
LIKELY = Label("likely", "#3B9AE1", "Most of these are right: check each one quickly.")
CHOOSE = Label(
    "choose", "#E69F00", "This is the best match, but compare the alternatives: there may be no matching new page."
)
NO_GOOD_TARGET = Label("no good target", "#8A8D91", "The new site has no similar page.")
CONFIDENCES = (SURE, LIKELY, CHOOSE, NO_GOOD_TARGET)  # how sure a redirect is, the surest first
