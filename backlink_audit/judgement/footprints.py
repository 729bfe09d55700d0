"""What the same hand leaves on many links: footprints, campaigns of one making, and attacks on a site.

A footprint is a hash: 64 bits for each link, whatever the length of the text, so that those of millions of links can
be counted at once (two in a million links are taken for one about once in forty million exports). What is said of
them is plain words where a footprint is shared, and "" elsewhere.

A link is of an attack for what it is (`spam_share`, who is trusted, its target's form) and for how many are like it;
none is accused by a number alone.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.judgement.anchor_classes import classify_anchors
from backlink_audit.judgement.evidence import counted, matched, replaced, words_where
from backlink_audit.labels import REVIEW
from backlink_audit.text.link_texts import is_homepage
from backlink_audit.text.page_texts import split_title
from backlink_audit.text.urls import map_distinct
from backlink_audit.wording import by_number, count

CHOSEN_ANCHORS = (labels.EXACT_MATCH.word, labels.PARTIAL_MATCH.word, labels.OTHER_ANCHOR.word)
"""Classes whose repetition means something: many sites use a brand, an address or “click here” of their own accord."""
TITLE_WORDS = 2
PATH_WORDS = 3  # A title or a URL path of fewer different words repeats by chance (“Home”, /forum/member.php)
NAME_WORDS = 3
PATH_NAME_WORDS = 5
"""The same without a masked domain or number: a person, a place or a brand has a page of its name on many sites
("Andorra la Vella", /wiki/Michael_Kremer)."""
WORD = r"[^\W\d_]{3,}"  # A word that counts for these limits: no article, no language code
EMPTY_TITLES = (
    "404 not found|page not found|not found|403 forbidden|access denied|just a moment|attention required cloudflare|"
    "log in|sign in|home page|my blog|untitled document|under construction|coming soon|verifying your browser|"
    "security check|error 404|internal server error|bad gateway|service unavailable|are you a robot|robot check|"
    "site not found|account suspended|index of|welcome to nginx|domain for sale"
).split("|")
"""Titles of error pages and doors: the same on many sites, though the sites have nothing in common."""

OF_SITE = ("anchor", "title", "path")  # footprints that are counted among the links to one target site

_DOMAIN = r"(^|[^\p{L}\p{N}_.-])\.*[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[a-z]{2,24}\b"
_WORD = re.compile(WORD)
_NUMBERS = r"[#\p{Nd}][#\p{Nd}.,:/-]*"
FEWEST_SITES = 3  # sites that share a title or an address pattern from which it is one making
FEWEST_PAGES = 5  # links of one site from which they are one making
CAMPAIGN_COLUMNS = (
    *("campaign", "template", "made_by", "links", "domains", "first_seen", "newest", "sample", "followed_share"),
)
"""What `campaigns` says of each: its key, the words that its links share, what kind of words these are; its first and
newest date, the title of one page, and the share of followed links."""
BEGINNING = 5  # words of a title that are compared: what follows often is the name of the site
LONGEST = 60  # letters of a campaign's name
WAYS = {"attack": "one attack", "title": "the same title", "address": "the same address pattern", "site": "one site"}


def footprints(links: pd.DataFrame) -> pd.DataFrame:
    """Return the footprints of each link, uint64, 0 where it has none; same index as `links`.

    Columns: anchor, title, path, same_link; and whom they may be shared by: referring_domain, referring_name (the
    domain without its ending: shop.it and shop.es are one publisher's), referring_page and target_page; page_link,
    alike for one link under several addresses of its page; and address, in whose order one of these stands for all.
    """
    same_link = links["referring_domain"] + "\0" + links["target_key"] + "\0" + links["anchor"]
    names = replaced(links["referring_domain"], r"(?s)\..*", "")
    texts = {
        "anchor": links["anchor"].str.strip().str.casefold(),
        "title": title_templates(links["referring_title"]),
        "path": path_templates(links["referring_key"]),
        "same_link": same_link,
        "referring_domain": links["referring_domain"],
        "referring_name": names,
        "referring_page": links["referring_key"],
        "target_page": links["target_key"],
    }
    sites = links["target_domain"]
    of_site = {name: texts[name].where(texts[name] == "", texts[name] + "\0" + sites) for name in OF_SITE}
    prints = {name: _hashes(text) for name, text in (texts | of_site).items()}
    prints["page_link"] = _hashes(links["referring_key"] + "\0" + same_link)
    insecure = ~links["referring_url"].str.startswith("https://").to_numpy(dtype=bool)
    prints["address"] = (_hashes(links["referring_url"]) >> np.uint64(1)) | (
        insecure.astype(np.uint64) << np.uint64(63)
    )
    return pd.DataFrame(prints, index=links.index)


def shared(prints: pd.DataFrame) -> pd.DataFrame:
    """Return how widely each footprint is shared, int; 0 where a link has none.

    `prints`: those of all links of the export. Columns anchor, title and path count the sites that link to one target
    site, those of one name under several endings once; same_link counts the pages of its domain. Column page_anchor
    counts the sites that lead to one page with one anchor, each article that several show once.
    """
    names, pages, targets = (prints[name].to_numpy() for name in ("referring_name", "referring_page", "target_page"))
    counted = {"anchor": names, "title": names, "path": names, "same_link": pages}
    counts = {name: sharing(prints[name].to_numpy(), holders) for name, holders in counted.items()}
    anchor, path = prints["anchor"].to_numpy(), prints["path"].to_numpy()
    page_anchor = np.where(anchor == 0, 0, pd.util.hash_array(anchor) ^ targets)
    articles = np.where(path == 0, names, path)
    counts["page_anchor"] = np.minimum(sharing(page_anchor, names), sharing(page_anchor, articles))
    return pd.DataFrame(counts, index=prints.index)


def sharing(keys: np.ndarray, holders: np.ndarray) -> np.ndarray:
    """Return for each row how many distinct holders its key has, int32; 0 where the key is 0.

    >>> sharing(np.array([7, 7, 7, 0]), np.array([1, 1, 2, 1])).tolist()
    [2, 2, 2, 0]
    """
    key_codes, distinct_keys = pd.factorize(keys)
    holder_codes, distinct_holders = pd.factorize(holders)
    width = len(distinct_holders) + 1
    pairs = np.unique(key_codes.astype(np.int64) * width + holder_codes)
    counts = np.bincount(pairs // width, minlength=len(distinct_keys)).astype(np.int32)
    return np.where(keys == 0, 0, counts[key_codes])


def repeated_anchors(links: pd.DataFrame, domains: pd.Series, at_least: int, brands: Collection[str]) -> pd.Series:
    """Report anchors that at least so many sites use, without brands, URLs and generic phrases."""
    candidates = links[domains >= at_least]
    chosen = classify_anchors(candidates, brands).isin(CHOSEN_ANCHORS)
    found = chosen.reindex(links.index, fill_value=False)
    return words_where(
        found, lambda rows: _quoted("the anchor “", links["anchor"][rows], "” is used by ", domains[rows])
    )


def shared_templates(
    links: pd.DataFrame, by_title: pd.Series, by_path: pd.Series, at_least: int, brands: Collection[str] = ()
) -> pd.Series:
    """Report titles, else URL patterns, that at least so many sites share, ignoring names and numbers.

    `by_title` and `by_path`: how many sites have each link's title and URL pattern. A title that is only a name, one
    of `brands` or a short one, is no template.
    """
    candidates = title_templates(links["referring_title"].where(by_title >= at_least, ""))
    titles = words_where(
        map_distinct(candidates, lambda template: "1" if _says_more(template, brands) else "") != "",
        lambda rows: _quoted("the title “", links["referring_title"][rows], "” or one like it is on ", by_title[rows]),
    )
    paths = words_where(
        by_path >= at_least,
        lambda rows: _quoted("the URL pattern of “", _paths(links["referring_key"][rows]), "” is on ", by_path[rows]),
    )
    return titles.mask(titles == "", paths)


def sitewide(links: pd.DataFrame, pages: pd.Series, at_least: int) -> pd.Series:
    """Report links marked sitewide by the export, or found on at least so many pages of one domain."""
    marked = words_where(links["sitewide"].fillna(False).astype(bool), "marked sitewide in the export")
    counted = words_where(
        pages >= at_least,
        lambda rows: pd.Series(
            [
                f"the same link is on {count:,} pages of {domain}"
                for count, domain in zip(pages[rows], links["referring_domain"][rows], strict=True)
            ],
            dtype="str",
        ),
    )
    return marked.mask(marked == "", counted)


def _says_more(template: str, brands: Collection[str]) -> bool:
    named = "".join(re.findall(r"\w+", template)) in brands
    masked = "@" in template or "#" in template
    return not named and (masked and bool(template) or len(set(re.findall(WORD, template))) >= NAME_WORDS)


def title_templates(titles: pd.Series) -> pd.Series:
    """Return titles with domain names and numbers masked; "" for too short ones and those of error pages.

    >>> title_templates(pd.Series(["Buy links from a.com | 17", "buy links from b.shop | 4-02", "Home"])).tolist()
    ['buy links from @ #', 'buy links from @ #', '']
    """
    codes, distinct = pd.factorize(titles)
    masked = pd.Series([title.casefold() for title in distinct], dtype="str")
    masked = replaced(replaced(masked, _DOMAIN, r"\1@"), _NUMBERS, "#")
    masked = replaced(masked, r"[^\p{L}\p{N}_@#]+", " ")
    words = replaced(replaced(masked, r"[^\p{L}\p{N}]+", " "), "^ | $", "")
    specific = (counted(words, " ") + 1 >= TITLE_WORDS) & ~words.isin(EMPTY_TITLES)
    return masked.where(specific, "").take(codes).set_axis(titles.index)


def path_templates(keys: pd.Series) -> pd.Series:
    """Return the paths of normalised URLs with numbers masked; "" where they have too few different words.

    >>> path_templates(pd.Series(["a.com/top-website-list-17/", "b.com/top-website-list-204", "c.com/"])).tolist()
    ['top-website-list-#', 'top-website-list-#', '']
    """
    codes, distinct = pd.factorize(_paths(keys))
    masked = replaced(replaced(pd.Series(distinct, dtype="str"), r"\p{Nd}+", "#"), "/+$", "")
    names = replaced(masked, r"\.[\p{L}\p{N}_]{2,5}$", "")
    several = matched(names, rf"(?s)(?:[\p{{L}}]{{3}}.*?[^\p{{L}}]){{{PATH_WORDS - 1}}}.*\p{{L}}{{3}}")
    specific = several.to_numpy(copy=True)
    for place in np.flatnonzero(specific):
        name = names[place]
        specific[place] = len(set(_WORD.findall(name))) >= (PATH_WORDS if "#" in name else PATH_NAME_WORDS)
    return masked.where(specific, "").take(codes).set_axis(keys.index)


def _paths(keys: pd.Series) -> pd.Series:
    return replaced(replaced(keys, "^[^/]*/?", ""), r"(?s)\?.*", "")


def _quoted(before: str, texts: pd.Series, between: str, counts: pd.Series, limit: int = 60) -> pd.Series:
    short = texts.str.strip().where(texts.str.len() <= limit, texts.str.slice(0, limit - 1) + "…")
    return before + short + between + counts.astype("str") + " sites"


def _hashes(texts: pd.Series) -> np.ndarray:
    codes, distinct = pd.factorize(texts)
    values = pd.util.hash_array(np.asarray(distinct, dtype=object), categorize=False)
    return np.where(np.asarray(distinct, dtype=object) == "", np.uint64(0), values)[codes]


def campaign_of(links: pd.DataFrame) -> pd.Series:
    """Return the key of each link's campaign, "" where it stands alone or is not to review.

    The widest sharing comes first: an attack, a title, numbers and domains in it masked, then an address pattern, on at
    least `FEWEST_SITES` sites; then one site with at least `FEWEST_PAGES` links. `links` is judged.
    """
    rows = links[links["verdict"] == REVIEW.word]
    left = rows
    keys = pd.Series("", index=links.index, dtype="str")
    templates = {
        "attack": (rows["attack"], FEWEST_SITES, "referring_domain"),
        "title": (_beginnings(title_templates(rows["referring_title"])), FEWEST_SITES, "referring_domain"),
        "address": (path_templates(rows["referring_key"]), FEWEST_SITES, "referring_domain"),
        "site": (rows["referring_domain"], FEWEST_PAGES, "referring_url"),
    }
    for way, (texts, fewest, by) in templates.items():
        own = texts.loc[left.index]
        own = own[own != ""]
        sharing = left.loc[own.index, by].groupby(own).nunique()
        found = own[own.isin(sharing.index[sharing >= fewest])]
        keys.loc[found.index] = way + ": " + found
        left = left.drop(found.index)
    return keys


def campaigns(links: pd.DataFrame, keys: pd.Series) -> pd.DataFrame:
    """Return one row per campaign, most links first: `CAMPAIGN_COLUMNS`; `keys` are `campaign_of` these links."""
    rows = links.assign(campaign=keys)[keys != ""]
    groups = rows.groupby("campaign", sort=False)
    found = groups.agg(
        links=("referring_url", "size"),
        domains=("referring_domain", "nunique"),
        first_seen=("first_seen", "min"),
        newest=("first_seen", "max"),
        sample=("referring_title", _common),
        followed_share=("followed", "mean"),
        about=("spam_about", _fields_of),
    ).reset_index()
    parts = found["campaign"].str.split(": ", n=1, expand=True).reindex(columns=[0, 1])
    found = found.assign(template=parts[1].astype("str"), made_by=parts[0].map(WAYS).astype("str"))
    by_site, attack = (found["made_by"] == WAYS[way] for way in ("site", "attack"))
    named = found["template"].where(by_site | (found["sample"] == ""), found["sample"])
    found["template"] = named.mask(attack, found["about"]).astype("str")
    return found.sort_values(["links", "domains"], ascending=False, kind="stable", ignore_index=True)[
        list(CAMPAIGN_COLUMNS)
    ]


def _fields_of(names: pd.Series) -> str:
    return " and ".join(names.value_counts(normalize=True).loc[lambda share: share >= OFTEN].index[:2]).capitalize()


def _beginnings(templates: pd.Series) -> pd.Series:
    return map_distinct(templates, lambda words: " ".join(words.split()[:BEGINNING]))


def _common(titles: pd.Series) -> str:
    words = [title.split() for title in titles.unique()]
    alike = 0
    for places in zip(*words, strict=False):
        if len({word.casefold() for word in places}) > 1:
            break
        alike += 1
    whole = next(iter(split_title(titles.iloc[0])), "")
    name = " ".join(words[0][:alike]).removesuffix(" from") if alike >= BEGINNING - 2 else whole
    return name if len(name) <= LONGEST else f"{name[:LONGEST].rsplit(' ', 1)[0]} …"


REDIRECT, HACKED, HOMEPAGE, PAGE, COMMENTS = "open redirect", "hacked pages", "homepage", "one page", "many pages"
"""Kinds of attacks: over an open redirect of the site; to pages put there by a break-in; to the homepage; to one page;
to many pages, as comments and forum posts do."""
ADVICE = {
    REDIRECT: "Close it: allow only the addresses that your site itself uses. Nothing needs to be disavowed.",
    HACKED: "Check the server: pages there are not yours. Remove them; links to pages that are gone need nothing.",
    HOMEPAGE: "Nothing is urgent: search engines ignore most such links. Review them as one campaign.",
    PAGE: "Nothing is urgent: search engines ignore most such links. Review them as one campaign.",
    COMMENTS: "Nothing is urgent: search engines ignore most such links. Review them as one campaign.",
}
SERVER_ENDS_IT = (REDIRECT, HACKED)  # attacks that end where the server is mended: nothing of them is to disavow
OF_EVERY_SITE = "Link and traffic selling"  # its pages list every site, so they are no attack on this one
OFTEN = 0.1  # share of an attack's links from which a field is named
IS_SPAM = 0.5  # the share of one field of spam in a link's title, anchor or target from which the link is about it
FEWEST_LINKS, FEWEST_DOMAINS, FEWEST_ATTACKING = 10, 4, 5
"""Links, referring domains, and pages of the site put there by a break-in, from which it is an attack."""
MOSTLY = 0.6
"""The share of an attack's links that go to its homepage or one page; of links over a redirect that are about spam."""
OF_ATTACKS = ["target_domain", "target_key", "referring_domain", "trusted", "redirecting", "risky_target"]
OF_ATTACKS += ["spam_about", "spam_share"]
"""Columns that links of attacks are found by."""
OF_RECORDS = ["attack", "target_domain", "referring_domain", "anchor", "first_seen", "spam_about", "spam_share"]
"""Columns that the records of attacks are made of."""
BETWEEN = "\t"  # between an attack's kind and its address


@dataclass(frozen=True)
class Attack:
    """Links of one making. `address`: where they go; `about`: the fields of spam, the most frequent first.

    `first` and `last`: between which most of them were first seen, NaT without dates; `of_links`: how many links there
    are in all; `rows`: the labels of its own.
    """

    kind: str
    address: str
    site: str
    about: tuple[str, ...]
    anchors: tuple[str, ...]
    first: pd.Timestamp
    last: pd.Timestamp
    domains: int
    of_links: int
    rows: pd.Index

    @property
    def advice(self) -> str:
        return ADVICE[self.kind]

    @property
    def sentence(self) -> str:
        """Say what it is."""
        dates = "" if pd.isna(self.first) else f"Since {self.first:%B %Y}, "
        number = (
            f"{len(self.rows):,} of all {count(self.of_links, 'link')}, live and lost, "
            f"{by_number(len(self.rows), 'comes', 'come')}"
        )
        about = " and ".join(name.lower() for name in self.about[:2])
        where = {
            REDIRECT: f"to {self.address}, an open redirect on {self.site}",
            HACKED: f"to addresses such as {self.address}, which seem to be put on {self.site} by a break-in",
            HOMEPAGE: f"to the homepage of {self.site}",
            PAGE: f"to {self.address}",
            COMMENTS: "to many pages",
        }[self.kind]
        said = f"{dates}{number} from a spam campaign: pages about {about} on {count(self.domains, 'site')}, {where}."
        return said[:1].upper() + said[1:]


def attack_of(links: pd.DataFrame) -> pd.Series:
    """Return to which attack each link belongs, as kind and address (BETWEEN them), "" for none."""
    found = pd.Series("", links.index, dtype="str")
    suspects = links.loc[~links["trusted"].to_numpy(dtype=bool), OF_ATTACKS]
    for site, rows in suspects.groupby("target_domain", sort=True):
        trusted = set(links["target_key"][links["trusted"] & (links["target_domain"] == site)])
        for kind, address, index in _attacks_on(rows, trusted):
            found[index] = kind + BETWEEN + address
    return found


def attacks(links: pd.DataFrame) -> tuple[Attack, ...]:
    """Return the attacks among judged links (column attack, `attack_of`), the most urgent first."""
    found, months = [], links["first_seen"].dt.to_period("M")
    for (site, name), rows in links[links["attack"] != ""].groupby(["target_domain", "attack"]):
        kind, _, address = str(name).partition(BETWEEN)
        days = rows["first_seen"].dropna().sort_values()
        edges: list[Any] = [days.iloc[int(part * (len(days) - 1))] if len(days) else pd.NaT for part in (0.05, 0.95)]
        if len(days) and (months.drop(rows.index) == edges[0].to_period("M")).mean() > 0.5:
            edges[0] = pd.NaT  # most others are as old: the tool began to list them then
        about = rows["spam_about"][rows["spam_share"] >= IS_SPAM].value_counts()
        anchors = rows["anchor"][rows["anchor"] != ""].value_counts().head(3)
        found.append(
            Attack(
                kind,
                address,
                str(site),
                tuple(about.index[about >= OFTEN * about.sum()].astype(str)),
                tuple(anchors.index.astype(str)),
                edges[0],
                edges[1],
                rows["referring_domain"].nunique(),
                len(links),
                rows.index,
            )
        )
    return tuple(sorted(found, key=lambda one: (one.kind not in SERVER_ENDS_IT, -len(one.rows), one.site, one.address)))


def attack_table(attacks: Sequence[Attack]) -> pd.DataFrame:
    """Return one row for each attack: what_happened, advice, links, domains, first_seen, newest."""
    rows = [(one.sentence, one.advice, len(one.rows), one.domains, one.first, one.last) for one in attacks]
    return pd.DataFrame(rows, columns=["what_happened", "advice", "links", "domains", "first_seen", "newest"])


def _attacks_on(rows: pd.DataFrame, trusted: set[str]) -> Iterable[tuple[str, str, pd.Index]]:
    """Yield kind, address and links of each attack among the links to a site that are not trusted."""
    spam = rows["spam_share"] >= IS_SPAM
    over = rows["redirecting"] > 0
    scripts = rows["target_key"].str.replace(r"\?.*|/+https?:.*", "", regex=True)
    for script, of_script in rows[over].groupby(scripts[over]):
        if _is_large(of_script) and spam[of_script.index].mean() >= MOSTLY / 2:
            yield REDIRECT, str(script), of_script.index
    left = rows[spam & ~over]
    put = left[(left["risky_target"] >= IS_SPAM) & ~left["target_key"].isin(trusted)]
    patterns = put["target_key"].str.replace(r"\d+", "#", regex=True)
    if _is_large(put) and put["target_key"].nunique() >= FEWEST_ATTACKING:
        yield HACKED, str(patterns.value_counts().sort_index().idxmax()), put.index
    of_links = left[~(left["risky_target"] >= IS_SPAM)]  # a page of the site's own about the field is no spammer's word
    for field, of_field in of_links.groupby("spam_about"):
        if field == OF_EVERY_SITE or not _is_large(of_field):
            continue
        home = of_field["target_key"].map(is_homepage).astype(bool)
        most = of_field["target_key"].value_counts().sort_index()
        if home.mean() >= MOSTLY:
            yield HOMEPAGE, str(of_field["target_key"][home].min()), of_field.index
        elif most.max() >= MOSTLY * len(of_field):
            yield PAGE, str(most.idxmax()), of_field.index
        else:
            yield COMMENTS, "", of_field.index


def _is_large(rows: pd.DataFrame) -> bool:
    return len(rows) >= FEWEST_LINKS and rows["referring_domain"].nunique() >= FEWEST_DOMAINS


def spam_subjects(shares: Sequence[np.ndarray], names: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the field of spam that each link is most about, object, "" for none, and its share, float32; (rows,).

    `shares` of the fields of spam (`meaning.risky_shares`) in title, anchor and target, each (rows, fields), 0 where
    there is no text; the largest of the three counts. `names` of the fields.
    """
    most = np.max(shares, axis=0)
    best = most.argmax(axis=1)
    share = most[np.arange(len(most)), best].astype(np.float32)
    return np.where(share > 0, names.astype(object)[best], ""), share
