"""What to do about each backlink, with the reason in words and numbers (docs/definitions.md, verdicts)."""

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.analysis.evidence import joined_texts, words_where
from backlink_audit.analysis.reclaim import DEAD_FROM
from backlink_audit.analysis.scales import limits_of, site_authority, site_rating_names
from backlink_audit.analysis.topics import IN_GENERAL, UNCLEAR
from backlink_audit.settings import VerdictLimits

LEAST_STRONG = 2
"""Rating of a site below which no CAS makes a link strong: a page with one link on a site that nobody knows."""

SPAM = "spam is never relevant"
NO_SUBJECT = "relevance 0: the page is a list of unrelated sites"
TOO_MANY = "relevance 0: the page has too many links to be about one subject"
HIGHEST = 100
"""The CAS percentile of the highest CAS."""
FOREIGN = (
    "the model does not support the language of the page{named}, so its relevance is unclear: choose another model"
)


def verdicts(links: pd.DataFrame, limits: VerdictLimits) -> pd.DataFrame:
    """Return columns verdict and why for each link; the first verdict that fits wins.

    `links` has band, relevance, standing, known_language, cas, cas_percentile, domain_rating, url_rating, scale,
    page_traffic, link_state, followed, target_status (NaN where no crawl knows it), page_kind, kind_why, kind_fact,
    has_subject, self_made, for_links, names_site, shared_words, topic and topic_field, copies (on how many pages of its
    domain the same link stands), is_best_copy, risk_signals (how many), risk_names (which, in words) and keyword (what
    shows that the anchor is one, `analysis.keyword_anchors`, or "").
    """
    facts = verdict_facts(links, limits)
    fits = _fits(links, facts, limits)
    names = list(fits)
    choice = np.select(list(fits.values()), list(range(len(fits))), len(fits) - 1)
    facts = facts.set_axis(links.index)
    subject, strength = _subject(links), _strength(links, facts)  # once for all: most verdicts say both
    why = np.full(len(links), "", dtype=object)
    for place, name in enumerate(names):
        rows = choice == place
        if rows.any():
            why[rows] = _why(name, links[rows], facts[rows], subject[rows], strength[rows])
    return pd.DataFrame({"verdict": np.array(names, dtype=object)[choice], "why": why}, index=links.index).astype("str")


def verdict_facts(links: pd.DataFrame, limits: VerdictLimits) -> pd.DataFrame:
    """Return what the verdicts ask of each link, bool.

    relevant, off_topic; gone (lost, or its target page is dead); strong_cas, strong_site, busy_page (each of them
    makes a link strong); tiny_site (too weak for any of them to count); a_page, spam, unprofitable; unseen (a list that
    is not followed, or a page that only its author reads, without visits); subjectless (spam, or a list of unrelated
    sites), for_links (a list made to sell or swap links); copy (of the same link on the same domain, not the best one);
    worth_little (winning it back would bring little).
    """
    authority, ratings = site_authority(links), site_rating_names(links)
    tiny = authority < LEAST_STRONG
    facts = {
        "relevant": links["band"] == labels.BAND_RELEVANT.word,
        "off_topic": links["band"] == labels.BAND_OFF_TOPIC.word,
        "gone": (links["link_state"] == labels.LINK_LOST.word) | (links["target_status"] >= DEAD_FROM),
        "strong_cas": (links["cas_percentile"] >= limits.strong_percentile) & ~tiny,
        "strong_site": authority >= limits_of(ratings, "strong_from", limits.strong_from),
        "busy_page": links["page_traffic"] >= limits.page_traffic,
        "small_site": authority < limits_of(ratings, "undervalued_below", limits.undervalued_below),
        "a_page": links["page_kind"] == labels.KIND_PAGE.word,
        "spam": links["page_kind"] == labels.KIND_SPAM.word,
        "unprofitable": links["page_kind"].isin([labels.KIND_LIST.word, labels.KIND_VISITORS.word]),
        "unseen": (links["self_made"] | (links["page_kind"] == labels.KIND_LIST.word) & ~links["followed"])
        & ~(links["page_traffic"] >= limits.page_traffic),
        "subjectless": ~links["has_subject"] | (links["page_kind"] == labels.KIND_SPAM.word),
        "for_links": links["for_links"],
        "copy": (links["copies"] >= limits.copies) & ~links["is_best_copy"],
        "worth_little": pd.DataFrame(_worth_little(links)).any(axis=1),
    }
    table = pd.DataFrame({name: values.to_numpy(dtype=bool, na_value=False) for name, values in facts.items()})
    table["strong"] = table["strong_cas"] | table["strong_site"] | table["busy_page"]
    return table


def worth_winning_back(facts: pd.DataFrame) -> pd.Series:
    """Return which links, with these `verdict_facts`, are worth winning back if they are gone, bool."""
    worthless = facts["subjectless"] | facts["unseen"] | facts["copy"] | facts["worth_little"]
    return ~worthless & (facts["relevant"] | facts["strong"])


def _fits(links: pd.DataFrame, facts: pd.DataFrame, limits: VerdictLimits) -> dict[str, np.ndarray]:
    """Return which links each verdict fits, in the order in which they are tried."""
    relevant, strong, gone = facts["relevant"], facts["strong"], facts["gone"]
    followed = links["followed"].to_numpy(dtype=bool)
    live = (links["link_state"] == labels.LINK_LIVE.word).to_numpy(dtype=bool)
    # What search engines do not follow manipulates nothing.
    suspicious = (links["risk_signals"] >= limits.review_signals).to_numpy() & (followed | limits.review_nofollow)
    gone_for_good = gone & relevant & facts["worth_little"] & ~facts["copy"]
    # A link that was paid for is no loss, unless people visit its page.
    chosen = (links["keyword"] == "").to_numpy() | facts["busy_page"]
    fitting = followed & relevant & facts["a_page"] & ~facts["copy"] & chosen
    fits = {
        labels.RECLAIM: gone & worth_winning_back(facts),
        labels.REVIEW: suspicious | facts["spam"] | facts["for_links"],
        labels.PROTECT: live & fitting & strong,
        labels.IGNORE: facts["unprofitable"] & ~(relevant & strong) | facts["unseen"] | gone_for_good,
        labels.UNDERVALUED: fitting & ~strong & facts["small_site"],
        labels.OFF_TOPIC_AUTHORITY: facts["strong_site"] & facts["off_topic"],
        labels.FINE: relevant,
        labels.WEAK: links["band"] == labels.BAND_WEAK.word,
        labels.OFF_TOPIC: facts["off_topic"],
        labels.NOT_ENOUGH_DATA: links["band"] == "",
    }
    return {label.word: np.asarray(rows, dtype=bool) for label, rows in fits.items()}


def _why(name: str, links: pd.DataFrame, facts: pd.DataFrame, subject: pd.Series, strength: pd.Series) -> pd.Series:
    """Return the reason of each link, all of which have that verdict; `subject`, `strength`: what is said of those."""
    followed = links["followed"].map({True: "followed", False: "not followed"}).astype("str")
    if name == labels.RECLAIM.word:
        return _sentences(_how_gone(links), subject, followed, strength)
    if name == labels.REVIEW.word:
        return _sentences(_how_gone(links).where(facts["gone"], ""), _suspicion(links, facts), subject, followed)
    if name == labels.NOT_ENOUGH_DATA.word:
        return _sentences(_not_known(links))
    if name == labels.IGNORE.word:
        little = words_where(facts["gone"] & facts["worth_little"], lambda rows: _says_worth_little(links[rows]))
        kind, lost = _kind(links).where(little == "", ""), _how_gone(links).where(facts["gone"], "")
        return _sentences(lost, little, kind, subject, followed)
    if name == labels.UNDERVALUED.word:
        of_page = site_rating_names(links).str.startswith("Page")
        weak = (
            "the page is relevant, but "
            + of_page.map({True: "it", False: "its site"}).astype("str")
            + " is not strong yet"
        )
        return _sentences(subject, weak, followed, strength)
    if name == labels.FINE.word:
        kind, lost = _kind(links).where(~facts["a_page"], ""), _how_gone(links).where(facts["gone"], "")
        first = followed.where(~links["followed"], "")
        paid = (links["keyword"] + ", so the link may be a paid link").where(links["keyword"] != "", "")
        last = followed.where(first == "", "")
        return _sentences(first, paid, subject, kind, lost, _copy(links, facts), last, strength)
    return _sentences(subject, followed, strength)


def _subject(links: pd.DataFrame) -> pd.Series:
    """Say how relevant the page is, and what shows that."""
    relevance = "relevance " + _number(links["relevance"])
    grounds = joined_texts([_names_the_site(links), _shares_words(links)], "; ")
    relevant, off_topic = (links["band"] == label.word for label in (labels.BAND_RELEVANT, labels.BAND_OFF_TOPIC))
    close, far = ("its title is " + words + " the site's subject" for words in ("close to", "far from"))
    not_sure = "its title does not clearly show if it is about the site's subject"
    meaning = pd.Series(np.select([relevant, off_topic], [close, far], not_sure), links.index, dtype="str")
    grounds = grounds.where((grounds != "") & ~off_topic, meaning)
    sentence: pd.Series = relevance + ": " + joined_texts([grounds, _is_about(links)], "; ")
    guessed = ~links["known_language"] & (links["band"] != labels.BAND_RELEVANT.word)
    sentence = sentence.mask(guessed & links["relevance"].notna(), _foreign(links))
    spam = links["page_kind"] == labels.KIND_SPAM.word
    crowded = links["kind_fact"] == "risk_external_links"
    sentence = sentence.where(links["has_subject"], np.select([spam, crowded], [SPAM, TOO_MANY], NO_SUBJECT))
    return sentence.where(links["relevance"].notna(), _not_known(links))


def _not_known(links: pd.DataFrame) -> pd.Series:
    """Say why a link has no relevance."""
    no_words = pd.Series(
        "there is no text to compare for the referring page or the target page", links.index, dtype="str"
    )
    return no_words.mask(links["standing"].notna(), _foreign(links))


def _foreign(links: pd.DataFrame) -> pd.Series:
    """Say that the model does not know the page's language, which one it is where the export has it, and what helps."""
    named = (" (" + links["language"] + ")").where(links["language"] != "", "")
    return named.map(lambda language: FOREIGN.format(named=language)).astype("str")


def _names_the_site(links: pd.DataFrame) -> pd.Series:
    """Say whether the page's own title or URL names the site."""
    in_title = links["names_site"].str.contains("title", regex=False)
    in_url = links["names_site"].str.contains("URL", regex=False)
    words = np.select([in_title, in_url], ["its title names the site", "its URL names the site"], "")
    return pd.Series(words, links.index, dtype="str")


def _shares_words(links: pd.DataFrame) -> pd.Series:
    shared = links["shared_words"].where(links["band"] != labels.BAND_OFF_TOPIC.word, "")
    return ("shares “" + shared + "” with the site").where(shared != "", "")


def _is_about(links: pd.DataFrame) -> pd.Series:
    """Say what the page is about, where its text says it, or what its site is about; "" where neither is clear."""
    # A field "in general" is a guess: beside a page that is not off-topic it would contradict the rest.
    guess = links["topic"].str.endswith(IN_GENERAL.format("")) & (links["band"] != labels.BAND_OFF_TOPIC.word)
    clear = ~links["topic"].isin(["", UNCLEAR]) & ~guess
    of_site = ~clear & ~guess & ~links["topic_field"].isin(["", UNCLEAR])
    page = ("the page is about “" + links["topic"] + "”").where(clear, "")
    return page.where(~of_site, "its site is about “" + links["topic_field"].str.lower() + "”")


def _strength(links: pd.DataFrame, facts: pd.DataFrame) -> pd.Series:
    """Say in numbers how strong the link is: its site, its CAS, and the visits of its page where they count."""
    authority = site_authority(links)
    site = (site_rating_names(links) + " " + _number(authority)).where(authority.notna(), "")
    cas = "CAS " + links["cas"].map("{:z.3f}".format).astype("str")
    higher = ", higher than " + _whole(links["cas_percentile"]) + "% of the links"
    cas = cas + higher.mask(links["cas_percentile"] >= HIGHEST, ", the highest of the links")
    cas = cas.where(links["cas"] != 0, "CAS 0").where(links["cas"].notna(), "no CAS")
    cas = cas.where(links["cas"].isna() | links["cas_percentile"].notna(), "")
    visits = links["page_traffic"].fillna(0).map("{:,.0f} monthly visits to the page".format).astype("str")
    return joined_texts([site, cas, visits.where(facts["busy_page"], "")], "; ")


def _suspicion(links: pd.DataFrame, facts: pd.DataFrame) -> pd.Series:
    noun = links["risk_signals"].eq(1).map({True: " risk signal: ", False: " risk signals: "}).astype("str")
    signals = (_whole(links["risk_signals"]) + noun + links["risk_names"]).where(links["risk_signals"] > 0, "")
    return joined_texts([_kind(links).where(facts["spam"] | facts["for_links"], ""), signals], ". ")


def _kind(links: pd.DataFrame) -> pd.Series:
    """Say what kind of page it is and how that shows."""
    words = {label.word: label.in_words for label in labels.PAGE_KINDS}
    kind = links["page_kind"].map(words).fillna("").astype("str")
    return links["kind_why"].where(links["kind_why"] != "", kind)


def _copy(links: pd.DataFrame, facts: pd.DataFrame) -> pd.Series:
    copies = "The same link is on " + links["copies"].map("{:,}".format).astype("str") + " pages of its site"
    return copies.where(facts["copy"], "")


def _how_gone(links: pd.DataFrame) -> pd.Series:
    dead = "The target page returns " + _whole(links["target_status"])
    return dead.mask(links["link_state"] == labels.LINK_LOST.word, "The link is lost")


def _sentences(*parts: pd.Series) -> pd.Series:
    """Return the parts that are not blank as sentences."""
    capitalised = [part.str.slice(0, 1).str.upper() + part.str.slice(1) for part in parts]
    return joined_texts(capitalised, ". ") + "."


def _worth_little(links: pd.DataFrame) -> dict[str, pd.Series]:
    """Return why winning a link back would bring little, and for which links each reason holds, bool."""
    return {
        "not a followed link": ~links["followed"],
        "the page is user-generated": links["page_kind"] == labels.KIND_VISITORS.word,
        "the page is a list or a copy": links["page_kind"] == labels.KIND_LIST.word,
        "the page is about something else": links["band"] == labels.BAND_OFF_TOPIC.word,
    }


def _says_worth_little(links: pd.DataFrame) -> pd.Series:
    """Say why winning each of these links back would bring little."""
    reasons = [words_where(rows, reason) for reason, rows in _worth_little(links).items()]
    return "it has little value: " + joined_texts(reasons, ", ")


def _whole(numbers: pd.Series) -> pd.Series:
    """Return numbers as text without decimals, rounded down so that 99.8% never reads 100%."""
    return numbers.astype("float64").floordiv(1).astype("Int64").astype("str")


def _number(numbers: pd.Series) -> pd.Series:
    """Return numbers as text with at most one decimal."""
    return numbers.fillna(0).round(1).map("{:g}".format).astype("str")
