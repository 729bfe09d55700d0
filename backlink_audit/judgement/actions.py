"""Which sites that already link are worth approaching, for what; and what sort of page a prospect has."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.judgement.anchor_classes import brand_names, classify_anchors, content_words, fold, poor_anchors
from backlink_audit.judgement.evidence import matched, of_distinct
from backlink_audit.judgement.losses import CHANGING, CHECK_FIRST, LOSSES, TARGET_DEAD, losses
from backlink_audit.judgement.risk_signals import MOST_WORDS, is_in_small_letters
from backlink_audit.judgement.scales import limits_of, site_authority, site_rating_names
from backlink_audit.schema import DEAD_FROM
from backlink_audit.settings import RatingLimits
from backlink_audit.text import read_list
from backlink_audit.text.page_texts import split_title
from backlink_audit.text.urls import SERVICES, institution_of, map_distinct, shape_pattern

PROSPECT_KINDS = {row["kind"]: (row["title"], row["url"]) for row in read_list("prospect_kinds")}
"""Sorts of pages, the first that fits counts: patterns (RE2) of which one in the title or one in the URL is enough."""
LEAST_KNOWN = 2  # authority from which a site is worth a mail: below it, nobody but spammers knows it
UNKNOWN_RANK = 0.25  # stands for the place of a site without a rating among the others, 0-1: below the middle, not last
PROSE_WORDS = 6
"""Words on one side of a link from which it stands in a text: a label in a list has fewer ("More on this:")."""
ENTERED = ("coupon", "profile", "forum", "directory")
"""Sorts of pages (`prospect_kinds`) where whoever comes enters links by rules of the site: nobody there is asked."""
ENTERED_AT = (
    r"(?i)/@|/(members?|compan(y|ies)(-profile)?|business|manufacturers?|ads?|classifieds|bookmarks?|"
    r"search|tags?|categor(y|ies)|archives?|episodes?|podcasts?|server|reels|brand|reports?)(/|\.|\?|$)|"
    r"//[^/]*(?:news|business|press|access)wire\.|"
) + shape_pattern(SERVICES)
"""Parts of the addresses of such pages (RE2)."""
FOOTNOTE = r"^[\W_]*\d*[\W_]*$"  # anchors without words: the numbers that answers of machines and lists of sources have

ASKS = {loss.name: loss.ask for loss in LOSSES}  # What is asked of a site, by what happened to its link
NOFOLLOW = "The link is nofollow: ask for a followed link."
REASONS = {"lost": labels.LOST_LINK.word, "dead": labels.DEAD_PAGE.word, "nofollow": labels.NOT_FOLLOWED.word}
"""What each fault is as a reason to write."""
ONE_LINK = "A strong site that knows you: suggest another page or an article."
ASKED = ("", "a newspaper, magazine or broadcaster", "a charity or foundation")
"""What a site may be (`institution_of`) that an article is offered to: no authority, school or search engine."""

COLUMNS = (
    *("referring_domain", "outreach_reason", "asks", "authority", "relevance", "links"),
    *("example_url", "example_title", "example_anchor", "target_url", "linked_url"),
)

OF_LINKS = (
    *("referring_domain", "referring_url", "referring_title", "anchor", "words_around"),
    *("target_domain", "target_url", "linked_url"),
    *("band", "page_kind", "verdict", "risk_signals", "relevance", "link_state", "names_site", "own_site"),
    *("nofollow", "ugc", "sponsored", "scale", "url_rating", "domain_rating"),
    *("target_status", "http_status", "is_lost", "lost_status", "drop_reason"),
)
"""Columns of the links that come into question."""
OF_ALL_LINKS = ("referring_domain", "target_domain", "anchor", "words_around", "link_state")
"""Columns that are asked for of every link."""
LEAST_CAS = 0.005  # CAS that is written as 0.00: the page passes next to nothing on
LEAST_WORTH = 70
"""Probability in percent that a link is worth keeping from which a client is asked to keep it: more than the 52
that is enough for the verdict Protect where the page is relevant."""
MOST_EXTERNAL_LINKS = 100  # external links of a page up to which one of them is somebody's choice
PICTURE = r"(?i)\.(jpe?g|png|gif|webp|svg)([?#]|$)"
"""Ends of addresses that are pictures (RE2): other sites show them, and nobody reads the link."""
WORDS_OF_A_TITLE = 3  # fewer words are the title of many pages: Home, Contact us


def prospect_kinds(titles: pd.Series, urls: pd.Series) -> pd.Series:
    """Return the sort of each page, same index; "" where neither its title nor its URL says one.

    >>> prospect_kinds(pd.Series(["The 10 best tents", "About us"]), pd.Series(["https://a.example/x"] * 2)).tolist()
    ['list', '']
    """
    found = pd.Series("", titles.index, dtype="str")
    for kind, (title, url) in reversed(PROSPECT_KINDS.items()):
        found = found.mask(matched(titles, f"(?i){title}") | matched(urls, f"(?i){url}"), kind)
    return found


def in_question(links: pd.DataFrame) -> pd.Series:
    """Return which links a mail may be about, bool; `links` has `OF_LINKS`."""
    fitting = (
        (links["band"] == labels.BAND_RELEVANT.word)
        & (links["page_kind"] == labels.KIND_PAGE.word)
        & ~links["verdict"].isin([labels.REVIEW.word, labels.IGNORE.word])
        & (links["link_state"] != labels.LINK_DEAD_PAGE.word)
        & (links["own_site"] == "")
    )
    return fitting.astype(bool) & ~_tiny(links)


def outreach(
    links: pd.DataFrame, strong_from: RatingLimits = (), all_links: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return one row per site worth approaching: `COLUMNS`, the most worth first.

    `links` are those of an audit, with `OF_LINKS`; where they are only those `in_question`, `all_links` are all of them
    with `OF_ALL_LINKS`. Only relevant real pages of other sites count, without the verdicts Review and Ignore. A site
    is left out where one of its links is good (live, followed, to a working page), but for links to dead pages, and for
    strong sites whose only link that is, with the verdict Protect and without a risk signal.

    First what is lost, then links to dead pages, then by worth: relevance, times the place of the site's authority
    among the sites of the same rating (0-1).
    """
    every = links if all_links is None else all_links
    rows = links[in_question(links)]
    rows = rows.assign(loss=losses(rows), poor_anchor=poor_anchors(rows, brand_names(every)))
    authority, ratings = site_authority(rows), site_rating_names(rows)
    strong = authority >= limits_of(ratings, "strong_from", strong_from)
    asked = _worth_asking(rows, strong, knows_texts=bool(every["words_around"].any()))
    place = authority.groupby(ratings).rank(pct=True).fillna(UNKNOWN_RANK)
    urgent = 2 * (asked["lost"] & ~rows["loss"].isin(CHECK_FIRST)) + asked["dead"]
    worth = pd.DataFrame({"urgent": urgent, "worth": rows["relevance"] * place})
    number = every.loc[every["link_state"] == labels.LINK_LIVE.word, "referring_domain"].value_counts()
    sites = rows["referring_domain"]
    good = ~_faults(rows).any(axis=1)
    praised = (rows["verdict"] == labels.PROTECT.word) & (rows["risk_signals"] == 0)
    offered = map_distinct(sites, institution_of).isin(ASKED)
    alone = good & praised & (sites.map(number) == 1) & strong & _edited(rows) & offered
    has_good = good.groupby(sites).transform("any")
    wanted = worth[asked.any(axis=1) & ~has_good | asked["dead"] | alone]
    first = wanted.sort_values(["urgent", "worth"], ascending=False, kind="stable").index
    best = rows.loc[first[~sites[first].duplicated().to_numpy()]]
    reasons = first_of_each(asked.loc[best.index], REASONS)
    found = best.assign(
        outreach_reason=reasons.where(~alone[best.index], labels.ANOTHER_LINK.word),
        asks=_asks(best, asked.loc[best.index]).where(~alone[best.index], ONE_LINK),
        authority=authority[best.index],
        urgent=urgent[best.index],
        worth=worth.loc[best.index, "worth"],
        links=best["referring_domain"].map(every["referring_domain"].value_counts()),
        example_url=best["referring_url"],
        example_title=best["referring_title"],
        example_anchor=best["anchor"],
    )
    return found.sort_values(["urgent", "worth"], ascending=False, kind="stable", ignore_index=True)[list(COLUMNS)]


def _tiny(links: pd.DataFrame) -> np.ndarray:
    institution = map_distinct(links["referring_domain"], institution_of) != ""
    return ((site_authority(links) < LEAST_KNOWN) & ~institution).to_numpy(dtype=bool)


def entered_by_visitors(rows: pd.DataFrame) -> pd.Series:
    """Return which links stand on pages where whoever comes enters links, bool."""
    kinds = prospect_kinds(rows["referring_title"], rows["referring_url"])
    return kinds.isin(ENTERED) | matched(rows["referring_url"], ENTERED_AT)


def _edited(rows: pd.DataFrame) -> pd.Series:
    about_us = rows["names_site"].str.contains("title", regex=False)
    return ~(entered_by_visitors(rows) | about_us | rows["poor_anchor"] | matched(rows["anchor"], FOOTNOTE))


def words_around(links: pd.DataFrame) -> pd.Series:
    """Return how many words stand before or after each link, on the side with more: left_context, right_context."""
    sides = [
        of_distinct(links[side], lambda texts: texts.str.count(r"\S+")) for side in ("left_context", "right_context")
    ]
    return pd.Series(np.maximum(*sides), links.index, dtype="int64")


def in_prose(rows: pd.DataFrame) -> pd.Series:
    return rows["words_around"] >= PROSE_WORDS


def _worth_asking(rows: pd.DataFrame, strong: pd.Series, knows_texts: bool) -> pd.DataFrame:
    """Return the faults that a mail may mend, bool.

    What is lost or leads nowhere is worth one wherever an editor may act. A followed link is asked for only where
    somebody chose the link in a text, on a strong site. For other words, another place on the page, or
    the last URL of a redirect nobody is asked: editors decide on the first two, and a redirect passes the link on.
    """
    faults = _faults(rows)
    in_text = in_prose(rows) if knows_texts else pd.Series(True, rows.index)
    entered = entered_by_visitors(rows)
    return faults.assign(
        lost=faults["lost"] & ~entered & rows["loss"].isin([name for name, ask in ASKS.items() if ask]),
        dead=faults["dead"] & ~entered,
        nofollow=faults["nofollow"] & _edited(rows) & in_text & strong.to_numpy(dtype=bool, na_value=False),
    )


def _faults(rows: pd.DataFrame) -> pd.DataFrame:
    known = {name: rows[name].fillna(False).astype(bool) for name in ("nofollow", "ugc", "sponsored")}
    faults = {
        "lost": (rows["link_state"] == labels.LINK_LOST.word) & ~rows["loss"].eq(TARGET_DEAD.name),
        "dead": rows["target_status"] >= DEAD_FROM,
        # What visitors wrote or somebody paid for has to be nofollow.
        "nofollow": known["nofollow"] & ~known["ugc"] & ~known["sponsored"],
    }
    return pd.DataFrame({name: values.to_numpy(dtype=bool) for name, values in faults.items()}, index=rows.index)


def first_of_each(faults: pd.DataFrame, words: Mapping[str, pd.Series | str]) -> pd.Series:
    """Return the words of the first fault that each link has, "" where it has none; `words`: by fault, in order."""
    chosen = pd.Series("", index=faults.index, dtype="str")
    for name in reversed(list(words)):
        chosen = chosen.mask(faults[name], words[name])
    return chosen.astype("str")


def _asks(rows: pd.DataFrame, faults: pd.DataFrame) -> pd.Series:
    status = rows["target_status"].astype("Int64").astype("str")
    facts = list(zip(rows["loss"], rows["target_url"], status, strict=True))
    words: dict[str, pd.Series | str] = {
        "lost": pd.Series(
            [ASKS.get(loss, "").format(target=url, status=code) for loss, url, code in facts], rows.index
        ),
        "dead": pd.Series([TARGET_DEAD.ask.format(target=url, status=code) for _, url, code in facts], rows.index),
        "nofollow": NOFOLLOW,
    }
    return first_of_each(faults, words)


def worth_protecting(links: pd.DataFrame, every: pd.DataFrame) -> pd.Series:
    """Return which live links a client's report may name as worth keeping, bool; same index as `links`.

    Their site is `known_enough`, their page has at most `MOST_EXTERNAL_LINKS` and is no list of search results, and
    they lead to no picture. They are left out where their worth is below `LEAST_WORTH` or their CAS nearly 0, where
    they have a risk signal that would have to be explained, and where nobody of the site chose them: footnotes,
    keywords that lead to the home page, and, outside of a sentence, bare addresses, single words, links without words
    and profiles of the target.

    `links` are some of `every`, the scored links of an audit.
    """
    crowded = links["external_links"] > MOST_EXTERNAL_LINKS
    unread = matched(links["target_url"], PICTURE) | matched(links["referring_url"], CHANGING)
    weak = (links["cas"] < LEAST_CAS) | (links["worth"] < LEAST_WORTH)
    doubtful = crowded | unread | weak | (links["risk_signals"] > 0) | _not_chosen(links, every)
    return known_enough(links) & ~doubtful


def known_enough(links: pd.DataFrame) -> pd.Series:
    """Return which links are of a site that is worth an email, or that is not rated, bool."""
    return ~(site_authority(links) < limits_of(site_rating_names(links), "prospect_from"))


def titles_of_their_own(links: pd.DataFrame) -> pd.Series:
    """Return what each page is called, without the names of its site; its address where that is too short."""
    titles = [max(split_title(title), key=len, default="").casefold() for title in links["referring_title"]]
    named = pd.Series(titles, links.index, dtype="str")
    return named.where(named.str.count(" ") >= WORDS_OF_A_TITLE - 1, links["referring_url"])


def _not_chosen(links: pd.DataFrame, every: pd.DataFrame) -> pd.Series:
    classes = classify_anchors(links, brand_names(every))
    words = links["anchor"].map(fold)
    plain = classes.isin([labels.EXACT_MATCH.word, labels.PARTIAL_MATCH.word, labels.OTHER_ANCHOR.word])
    bare = classes.isin([labels.NAKED_URL.word, labels.NO_ANCHOR.word]) | plain & (words.str.len() == 1)
    about_us = links["names_site"].str.contains("title", regex=False)
    aside = ~in_prose(links) if every["words_around"].any() else pd.Series(False, links.index)
    footnote = (links["anchor"] != "") & matched(links["anchor"], FOOTNOTE)
    return footnote | (bare | about_us) & aside | plain & _keyword_to_home(links, words)


def _keyword_to_home(links: pd.DataFrame, words: pd.Series) -> pd.Series:
    """Return which anchors are keywords, bool: a home page is linked by its name, or by what an article was made for.

    `words`: those of each anchor. A keyword is in small letters, and in the title of its page.
    """
    home = ~links["target_key"].str.contains("/", regex=False)
    pairs = zip(links["anchor"], words, links["referring_title"], strict=True)
    keyword = [
        0 < len(content := _stems(content_words(own))) <= MOST_WORDS
        and is_in_small_letters(anchor)
        and content <= _stems(fold(title))
        for anchor, own, title in pairs
    ]
    return home & pd.Series(keyword, links.index, dtype=bool)


def _stems(words: list[str]) -> set[str]:
    return {word.rstrip("s") for word in words}
