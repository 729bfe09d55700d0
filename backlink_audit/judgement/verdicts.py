"""What to do about each backlink, with the reason in words and numbers (docs/pages/audit.md)."""

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.judgement.actions import ENTERED, entered_by_visitors, prospect_kinds
from backlink_audit.judgement.anchor_classes import content_words, fold, is_naked_url
from backlink_audit.judgement.evidence import joined_texts, matched, words_where
from backlink_audit.judgement.features import FAR, NO_AUTHORITY
from backlink_audit.judgement.fields import IN_GENERAL, UNCLEAR
from backlink_audit.judgement.footprints import BETWEEN, SERVER_ENDS_IT
from backlink_audit.judgement.losses import CHANGING, HOPELESS, LISTED, advice, losses
from backlink_audit.judgement.risk_signals import HANDLE
from backlink_audit.judgement.scales import limits_of, site_authority, site_rating_names
from backlink_audit.schema import DEAD_FROM
from backlink_audit.settings import VerdictLimits
from backlink_audit.text import read_list
from backlink_audit.text.field_words import last_parts, last_words
from backlink_audit.text.urls import MEMBERS, SERVICES, map_distinct, shape_pattern
from backlink_audit.wording import uncapitalised

LEAST_STRONG, LEAST_STRONG_PAGE, LEAST_STRONG_PERCENTILE = 15, 2, 90
"""Rating of a site, of a page that stands for it, and percentile below which no link is strong: nobody knows it."""
EVEN = 50  # worth in percent from which a link is rather worth keeping than not
RESULTS = r"(?i)/search[/?]|[?&](?:q|term|query)="  # in addresses of search results (RE2): nobody wrote them
ARCHIVES = (
    rf"{CHANGING}|/(19|20)[0-9]{{2}}(/[0-9]{{2}}|_[0-9_]*archive.*)?/?$"  # in addresses of lists of articles (RE2)
)
HIGHEST = 100  # the CAS percentile of the highest CAS
SHORT_TITLE, SHORT_ANCHOR = 80, 50  # characters of a title and an anchor that a reason begins with
NOTHING_SHARED = "its title has no word in common with the target page's address or the anchor"
MOST_SHARED = 3  # words that a title and a target share, of which a reason tells
MANY, SAME_TITLES = 100, 3  # external links of a list, and sites with the same title, from which their number is said
UNKNOWN_AUTHORITY = 10  # stands for the authority of a site of which none is known: a small one
NOT_FOLLOWED = 0.5
"""What a link that search engines do not follow is worth beside one that they do: its visitors, and its name."""
MANY_VISITS = 10_000
"""Monthly visits to the referring page that double what is at stake; fewer add less, by their logarithm."""


def verdicts(links: pd.DataFrame, limits: VerdictLimits) -> pd.DataFrame:
    """Return columns verdict and why for each link; the first verdict that fits wins.

    `links` has band, relevance, worth, suspicion and why each (worth_why …), cas, cas_percentile, domain_rating,
    url_rating, scale, page_traffic, link_state, followed, nofollow (NaN where not said), target_status (NaN where no
    crawl knows it), what `losses` asks, page_kind, kind_why, names_site, own_site, topic and topic_field, copies (on
    how many pages of its domain the same link stands), is_best_copy, risk_signals (how many), risk_names (which, in
    words) and keyword (what shows that the anchor is one, `judgement.anchor_classes`, or "").
    """
    facts = verdict_facts(links, limits)
    fits = _fits(links, facts)
    names = list(fits)
    choice = np.select(list(fits.values()), list(range(len(fits))), len(fits) - 1)
    facts = facts.set_axis(links.index)
    subject, strength = _subject(links), _strength(links, facts)  # once for all: most verdicts say both
    why = np.full(len(links), "", dtype=object)
    for place, name in enumerate(names):
        rows = choice == place
        if rows.any():
            why[rows] = _why(name, links[rows], facts[rows], subject[rows], strength[rows])
    several = links["addresses"].to_numpy() > 1
    counts = links["addresses"].astype("str").to_numpy(dtype=object)
    why[several] += " The file has this page under " + counts[several] + " addresses."
    return pd.DataFrame({"verdict": np.array(names, dtype=object)[choice], "why": why}, index=links.index).astype("str")


def verdict_facts(links: pd.DataFrame, limits: VerdictLimits) -> pd.DataFrame:
    """Return what the verdicts ask of each link, bool.

    relevant, off_topic; gone (lost, or its target page is dead), for_good (lost, and there is nothing to ask), listed
    (so, as its page lists what changes); strong_cas, strong_site, busy_page, strong_worth (each of them makes a link
    strong); small_site; a_page; by_visitors; unprofitable (a list, search results, or written by visitors); spam (by
    its kind); worthwhile (likely worth keeping, not likely manipulative, no search results); suspicious (likely
    manipulative, and something shows it), many_signals (of risk), advertised (the anchor is a seller's messenger
    contact), to_review (any of these, but no harmless list); passing (whoever comes enters the link, or its page lists
    articles); service (a profile, a login, a job, a legal notice, a bucket: its site's strength is not its own); own
    (of a site of the target's owner); not_asked (`losses.not_to_ask`, or on a page about
    the domain, or of no authority); attacking (of a spam
    attack), harmless_attack (of one that is ended on the site itself); copy (of the same link on the domain, not the
    best).
    """
    authority, ratings = site_authority(links), site_rating_names(links)
    scales = [ratings.str.startswith("Page"), ratings.str.endswith("percentile")]
    tiny = authority < np.select(scales, [LEAST_STRONG_PAGE, LEAST_STRONG_PERCENTILE], LEAST_STRONG)
    attack = links["attack"] if "attack" in links else pd.Series("", links.index, dtype="str")  # not in older audits
    results, lost = matched(links["referring_url"], RESULTS), losses(links)
    relevant, a_page = links["band"] == labels.BAND_RELEVANT.word, links["page_kind"] == labels.KIND_PAGE.word
    paths = links["referring_url"].str.split("/", n=3).str[3].fillna("")
    about = [bool(site) and site in path for site, path in zip(links["target_domain"], paths, strict=True)]
    facts = {
        "relevant": relevant,
        "off_topic": links["band"] == labels.BAND_OFF_TOPIC.word,
        "gone": (links["link_state"] == labels.LINK_LOST.word) | (links["target_status"] >= DEAD_FROM),
        "for_good": lost.isin(HOPELESS),
        "listed": lost == LISTED.name,
        "strong_cas": (links["cas_percentile"] >= limits.strong_percentile) & ~tiny,
        "strong_site": authority >= limits_of(ratings, "strong_from", limits.strong_from),
        "busy_page": links["page_traffic"] >= limits.page_traffic,
        "strong_worth": (links["worth"] >= limits.strong_worth) & ~tiny,
        "small_site": authority < limits_of(ratings, "undervalued_below", limits.undervalued_below),
        "a_page": a_page,
        "by_visitors": links["page_kind"] == labels.KIND_VISITORS.word,
        "unprofitable": links["page_kind"].isin([labels.KIND_LIST.word, labels.KIND_VISITORS.word]) | results,
        "spam": links["page_kind"] == labels.KIND_SPAM.word,
        "worthwhile": (links["worth"] >= np.where(relevant & a_page, limits.relevant_worth, limits.worth))
        & ~results
        & (links["suspicion"] < limits.suspicion),
        "suspicious": (links["suspicion"] >= limits.suspicion) & _shown(links),
        "many_signals": links["risk_signals"] >= limits.many_signals,
        "advertised": matched(links["anchor"], f"(?i){HANDLE}"),
        "service": matched(links["referring_url"], f"(?i){shape_pattern(SERVICES)}|{shape_pattern(MEMBERS)}"),
        "passing": entered_by_visitors(links) | matched(links["referring_url"], ARCHIVES),
        "own": links["own_site"] != "",
        "not_asked": (authority == 0)
        | np.array(about, dtype=bool)
        | (links["not_asked"] if "not_asked" in links else False),
        "attacking": attack != "",
        "harmless_attack": attack.str.split(BETWEEN).str[0].isin(SERVER_ENDS_IT),
        "copy": (links["copies"] >= limits.copies) & ~links["is_best_copy"],
    }
    table = pd.DataFrame({name: values.to_numpy(dtype=bool, na_value=False) for name, values in facts.items()})
    many = table["many_signals"] & ~table["unprofitable"]
    table["to_review"] = table[["suspicious", "advertised", "attacking"]].any(axis=1) | many
    table["strong"] = table[["strong_cas", "strong_site", "busy_page", "strong_worth"]].any(axis=1)
    return table


def _shown(links: pd.DataFrame) -> pd.Series:
    """Return where something shows that a link is manipulative, bool: that nobody knows its page accuses nobody."""
    grounds = ~links["suspicion_why"].isin(["", NO_AUTHORITY]) | (links["risk_signals"] > 0)
    return grounds | (links["kind_why"] != "") | (links["page_kind"] == labels.KIND_SPAM.word)


def worth_winning_back(facts: pd.DataFrame) -> pd.Series:
    return facts["worthwhile"] & ~facts[
        ["for_good", "to_review", "by_visitors", "copy", "own", "service", "not_asked"]
    ].any(axis=1)


def _fits(links: pd.DataFrame, facts: pd.DataFrame) -> dict[str, np.ndarray]:
    relevant, strong, gone, own = facts["relevant"], facts["strong"], facts["gone"], facts["own"]
    followed = links["followed"].to_numpy(dtype=bool)
    live = (links["link_state"] == labels.LINK_LIVE.word).to_numpy(dtype=bool)
    keyword = (links["keyword"] != "").to_numpy()
    worthwhile = facts["worthwhile"]
    # A link that was paid for is no loss, unless people visit its page.
    fitting = worthwhile & relevant & followed & facts["a_page"] & ~facts["copy"] & (~keyword | facts["busy_page"])
    fits = {
        labels.RECLAIM: gone & followed & worth_winning_back(facts),
        labels.REVIEW: facts["to_review"] & ~own & ~facts["harmless_attack"],
        labels.IGNORE: own
        | facts["harmless_attack"]
        | facts["for_good"] & ~facts["listed"]
        | ~worthwhile & (gone | facts["unprofitable"] | facts["spam"]),
        labels.PROTECT: live & fitting & strong & ~facts["service"] & ~facts["passing"],
        labels.UNDERVALUED: fitting & facts["small_site"] & ~facts["service"],
        labels.NOT_ENOUGH_DATA: links["band"] == "",
        labels.FINE: worthwhile,
        labels.OFF_TOPIC_AUTHORITY: facts["strong_site"] & facts["off_topic"] & ~facts["service"] & ~facts["passing"],
        labels.OFF_TOPIC: facts["off_topic"],
        labels.WEAK: ~worthwhile,
    }
    return {label.word: np.asarray(rows, dtype=bool) for label, rows in fits.items()}


def _why(name: str, links: pd.DataFrame, facts: pd.DataFrame, subject: pd.Series, strength: pd.Series) -> pd.Series:
    """Return the reason of each link, all of which have that verdict; `subject`, `strength`: what is said of those."""
    said = links["nofollow"].notna() | ~links["followed"]  # whoever does not say it may mean either
    followed = links["followed"].map({True: "followed", False: "not followed"}).where(said, "").astype("str")
    opening, lost = _opening(links, facts), _how_gone(links).where(facts["gone"], "")
    doubt = (links["worth"] >= EVEN).map({True: "not clearly", False: "probably not"}).astype("str")
    against = (": " + links["worth_why"]).where(links["worth_why"] != "", "")
    little = doubt + " worth keeping (" + _whole(links["worth"]) + " of 100)" + against
    if name == labels.RECLAIM.word:
        return _sentences(opening, lost, subject, followed, strength)
    if name == labels.REVIEW.word:
        return _sentences(opening, lost, _suspicion(links, facts), subject, followed)
    if name == labels.NOT_ENOUGH_DATA.word:
        return _sentences(opening, _not_known(links))
    if name == labels.IGNORE.word:
        own = ("a site of the target's owner: “" + links["own_site"] + "”").where(facts["own"], "")
        nothing = advice(losses(links)).where(facts["for_good"], "").str.removesuffix(".")
        attack = ("of a spam campaign: " + links["attack"].str.split(BETWEEN).str[0]).where(facts["attacking"], "")
        kind = _kind(links).where(own == "", "")
        little = little.where((own + nothing + attack == "") & (facts["gone"] | (kind == "")), "")
        return _sentences(opening, lost, nothing, own, attack, little, kind, subject, followed)
    if name == labels.UNDERVALUED.word:
        of_page = site_rating_names(links).str.startswith("Page").map({True: "it", False: "its site"}).astype("str")
        weak = "the page is relevant, but " + of_page + " is not strong yet"
        return _sentences(opening, subject, weak, followed, strength)
    if name == labels.FINE.word:
        kind = _kind(links).where(~facts["a_page"], "")
        first = followed.where(~links["followed"], "")
        paid = (links["keyword"] + ", so the link may be a paid link").where(links["keyword"] != "", "")
        last = followed.where(first == "", "")
        return _sentences(opening, first, paid, subject, kind, lost, _copy(links, facts), last, strength)
    if name == labels.WEAK.word:
        return _sentences(opening, subject, little, followed, strength)
    return _sentences(opening, subject, followed, strength)


def _opening(links: pd.DataFrame, facts: pd.DataFrame) -> pd.Series:
    """Say what tells a link from others: its site, the kind of page, its title, if that names you, the anchor."""
    title = links["referring_title"].str.strip()
    title = title.where(title.str.len() <= SHORT_TITLE, title.str.slice(0, SHORT_TITLE - 1).str.strip() + "…")
    about = _is_about(links)
    about = (" about “" + links["topic"] + "”").where(about.str.startswith("the page"), " without a title")
    same = words_where(
        links["same_title"] >= SAME_TITLES,
        lambda rows: ", the same on " + links["same_title"][rows].astype("str") + " sites",
    )
    named = links["names_site"].str.contains("title").map({True: ", with your site's name in it", False: ""})
    anchor = links["anchor"].str.strip().str.slice(0, SHORT_ANCHOR)
    anchored = (", with the anchor “" + anchor + "”").where((anchor != "") & (named == ""), "")
    titled = (": “" + title + "”").where(title != "", about)
    return links["referring_domain"] + ", " + _noun(links, facts) + titled + same + named.astype("str") + anchored


def _noun(links: pd.DataFrame, facts: pd.DataFrame) -> pd.Series:
    """Say what kind of page each is, no more than its address, its title and its external links show."""
    external, kinds = links["external_links"], links["page_kind"]
    entered = prospect_kinds(links["referring_title"], links["referring_url"])
    noun = links["dated_url"].gt(0).map({True: "an article", False: "a page"}).astype("str")
    noun = noun.mask(matched(links["referring_url"], ARCHIVES), "an archive page")
    noun = noun.mask(kinds == labels.KIND_VISITORS.word, "a user-generated page")
    noun = noun.mask(entered.isin(ENTERED), "a " + entered + " page")
    crowded = (kinds == labels.KIND_LIST.word) & (external >= MANY)
    noun = noun.mask(crowded, "a list of " + external.map("{:,.0f}".format).astype("str") + " links")
    service = facts["service"].set_axis(links.index)
    noun = noun.where(~service, words_where(service, lambda rows: _service(links["referring_url"][rows])))
    return noun.mask(kinds == labels.KIND_SPAM.word, "a spam page").astype("str")


def _service(urls: pd.Series) -> pd.Series:
    found = pd.Series("a profile or author page", urls.index, dtype="str")
    for shape in read_list("page_shapes"):
        if shape["kind"] == SERVICES:
            found = found.mask(matched(urls, f"(?i){shape['pattern']}"), shape["seen_in"])
    return found


def _subject(links: pd.DataFrame) -> pd.Series:
    relevance = "relevance " + _number(links["relevance"].round())
    relevant = links["band"] == labels.BAND_RELEVANT.word
    common = _shared_words(links)
    said = links["relevance_why"].str.contains(FAR, regex=False)  # nobody sees that of two with words in common
    relevance_why = links["relevance_why"].where(~said | (common == ""), "")
    shared = common.where(relevant, "")
    needed = ~relevant | (relevance_why == "") & (shared == "")
    of_site = _is_about(links).where(lambda words: needed & words.str.startswith("its site"), "")
    grounds = joined_texts([shared.where(shared != "", relevance_why), of_site], "; ")
    titled = links["referring_title"].str.strip() != ""
    grounds = grounds.mask(~relevant & titled & (grounds == "") & (common == ""), NOTHING_SHARED)
    sentence: pd.Series = relevance + (": " + grounds).where(grounds != "", "")
    return sentence.where(links["relevance"].notna(), _not_known(links))


def _shared_words(links: pd.DataFrame) -> pd.Series:
    """Say which words of each title are in the address of the target page, or in the anchor; "" where none is."""
    named = map_distinct(last_parts(links["target_url"]), last_words)
    asked = links["referring_title"] + "\n" + named + "\n" + links["anchor"]
    return map_distinct(asked, _shared)


def _shared(asked: str) -> str:
    title, *others = asked.rsplit("\n", 2)
    words = dict.fromkeys(map(_stem, content_words(fold(title))))
    for place, text in zip(("the target page's address", "the anchor"), others, strict=True):
        stems = set(map(_stem, content_words(fold(text))))
        both = [word for word in words if word in stems][:MOST_SHARED]
        if both and not (place == "the anchor" and is_naked_url(text)):
            return f"“{', '.join(both)}” in its title and in {place}"
    return ""


def _stem(word: str) -> str:
    return word.rstrip("s")


def _not_known(links: pd.DataFrame) -> pd.Series:
    return pd.Series("there is no text to compare for one of the two pages", links.index, dtype="str")


def _is_about(links: pd.DataFrame) -> pd.Series:
    # A field "in general" is a guess: beside a page that is not off-topic it would contradict the rest.
    guess = links["topic"].str.endswith(IN_GENERAL.format("")) & (links["band"] != labels.BAND_OFF_TOPIC.word)
    clear = ~links["topic"].isin(["", UNCLEAR]) & ~guess
    of_site = ~clear & ~guess & ~links["topic_field"].isin(["", UNCLEAR])
    page = ("the page is about “" + links["topic"] + "”").where(clear, "")
    return page.where(~of_site, "its site is about “" + links["topic_field"].str.lower() + "”")


def _strength(links: pd.DataFrame, facts: pd.DataFrame) -> pd.Series:
    """Say in numbers how strong the link is: its site, its CAS, and visits and worth where they count."""
    authority = site_authority(links)
    site = (site_rating_names(links) + " " + _number(authority)).where(authority.notna(), "")
    cas = "CAS " + links["cas"].map("{:z.3f}".format).astype("str")
    higher = ", higher than " + _whole(links["cas_percentile"]) + "% of the links"
    cas = cas + higher.mask(links["cas_percentile"] >= HIGHEST, ", the highest of the links")
    cas = cas.where(links["cas"] != 0, "CAS 0").where(links["cas"].notna(), "no CAS")
    cas = cas.where(links["cas"].isna() | links["cas_percentile"].notna(), "")
    visits = words_where(
        facts["busy_page"], lambda rows: links["page_traffic"][rows].map("{:,.0f} monthly visits to the page".format)
    )
    worth = words_where(
        facts["strong_worth"], lambda rows: "worth keeping (" + _whole(links["worth"][rows]) + " of 100)"
    )
    return joined_texts([site, cas, visits, worth], "; ")


def _suspicion(links: pd.DataFrame, facts: pd.DataFrame) -> pd.Series:
    """Say how likely a link is manipulative, or whose contact it is, what shows that, and its risk signals."""
    named = ~facts["a_page"].set_axis(links.index)
    kind = _kind(links).map(uncapitalised).astype("str").where(named, "")
    grounds = joined_texts([kind, links["suspicion_why"]], "; ").map(_once).astype("str")
    likely = (
        "likely manipulative ("
        + _number(links["suspicion"].round())
        + " of 100)"
        + (": " + grounds).where(grounds != "", "")
    )
    contact = words_where(facts["advertised"], "the anchor is a link seller's contact")
    likely = likely.where(facts["suspicious"], contact)
    noun = links["risk_signals"].eq(1).map({True: " risk signal: ", False: " risk signals: "}).astype("str")
    signals = (_whole(links["risk_signals"]) + noun + links["risk_names"]).where(links["risk_signals"] > 0, "")
    return joined_texts([likely, signals], ". ")


def _kind(links: pd.DataFrame) -> pd.Series:
    words = {label.word: label.in_words for label in labels.PAGE_KINDS}
    kind = links["page_kind"].map(words).fillna("").astype("str")
    said = kind + ": " + links["kind_why"]  # without a ground, the opening says all there is
    return said.where(links["kind_why"] != "", kind.where(links["page_kind"] == labels.KIND_SPAM.word, ""))


def _once(grounds: str) -> str:
    """Return grounds, each once: of two that are the same the first, which may say the kind of page before it."""
    found = {ground.split(": ")[-1]: ground for ground in reversed(grounds.split("; "))}
    return "; ".join(sorted(reversed(found.values()), key=NO_AUTHORITY.__eq__))


def _copy(links: pd.DataFrame, facts: pd.DataFrame) -> pd.Series:
    copies = "The same link is on " + links["copies"].map("{:,}".format).astype("str") + " pages of its site"
    return copies.where(facts["copy"], "")


def _how_gone(links: pd.DataFrame) -> pd.Series:
    dead = "The target page returns " + _whole(links["target_status"])
    return dead.mask(links["link_state"] == labels.LINK_LOST.word, "The link is lost")


def _sentences(*parts: pd.Series) -> pd.Series:
    opening, *others = parts
    return (
        joined_texts([opening, *(part.str.slice(0, 1).str.upper() + part.str.slice(1) for part in others)], ". ") + "."
    )


def _whole(numbers: pd.Series) -> pd.Series:
    return numbers.astype("float64").floordiv(1).astype("Int64").astype("str")


def _number(numbers: pd.Series) -> pd.Series:
    return numbers.fillna(0).round(1).map("{:g}".format).astype("str")


def at_stake(links: pd.DataFrame) -> pd.Series:
    """Return what is at stake with each link, 0-2: shares of authority and relevance multiplied, and boosts."""
    authority = site_authority(links).fillna(UNKNOWN_AUTHORITY) / 100
    followed = np.where(links["followed"].astype(bool), 1, NOT_FOLLOWED)
    visits = np.log1p(links["page_traffic"].fillna(0).clip(lower=0, upper=MANY_VISITS)) / np.log1p(MANY_VISITS)
    return authority * links["relevance"].fillna(0) / 100 * followed * (1 + visits)
