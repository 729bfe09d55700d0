"""Links rolled up to the domains they come from; and what an export as a whole says about each of its links.

Judging a link takes the whole export, which may be larger than the memory. So each part of it is summarised in a few
bytes for each link, and the summaries of all parts are joined. An export in one piece is one part.
"""

import gzip
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from urllib.parse import unquote, urlsplit

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import regex
from rapidfuzz import fuzz, process

from backlink_audit.judgement.anchor_classes import brand_of, fold, site_names, written_domains
from backlink_audit.judgement.footprints import PATH_WORDS, footprints, shared
from backlink_audit.judgement.scales import site_authority
from backlink_audit.labels import VERDICTS
from backlink_audit.text.urls import hops, is_domain, map_distinct, with_countries

SHORTEST_NAME = 4  # letters of a name that is hardly anybody else's
FEWEST_PAGES = 3
"""Pages of a domain that link, and pages that they link to, from which the beginning of a name is the owner's too."""
MOSTLY = 0.5  # share of a domain's links that must be on such pages

_NUMBERS_AROUND = re.compile(r"^[\d_]+|[\d_]+$|\.\w{2,5}$")
PLACES = {"title": "referring_title", "url": "referring_url", "anchor": "anchor"}
"""Where names are looked for, and in which columns."""
LONG_NAME = 8
"""A name of so many letters is found misspelt, and inside a longer word; a shorter one as it is, by itself."""
SHORTEST_MENTION = 2
WRITTEN_BY = 0.05  # share of a site's referring domains that write another domain, from which it is the site's too
ALIKE = 88
"""How alike a misspelt name must be, 0-100 (rapidfuzz's ratio): one letter of nine changed, or one of five left out."""
MOST_WORDS = 6  # A name is written as so many words at most

WORDS_REMEMBERED = 100_000  # what is remembered stays when its visitor is gone, so there is little of it
_plain: dict[str, bool] = {}  # what is known of words that were looked up
_WRITTEN = ["target_domain", "referring_domain", "written"]


def roll_up(links: pd.DataFrame) -> pd.DataFrame:
    """Return one row per referring domain, the one with the best CAS first.

    Columns: referring_domain, links, followed_share (0-1), authority (the best of its links),
    mean_similarity, mean_relevance, best_cas, topic (the most frequent), verdict, first_seen, last_seen, country and
    country_from (by the ending of the domain), and domain_traffic where it is known of any.
    A domain's verdict is the first in the order of `VERDICTS` that any of its links has: what needs action first.
    """
    order = {label.word: place for place, label in enumerate(VERDICTS)}
    columns = {
        "referring_domain": links["referring_domain"],
        "followed": links["followed"].astype("float64"),
        "authority": site_authority(links),
        "verdict": links["verdict"].map(order),
    }
    rows = links[["similarity", "relevance", "cas", "first_seen", "last_seen", "domain_traffic"]].assign(**columns)
    domains = rows.groupby("referring_domain", sort=True).agg(
        links=("verdict", "size"),
        followed_share=("followed", "mean"),
        authority=("authority", "max"),
        mean_similarity=("similarity", "mean"),
        mean_relevance=("relevance", "mean"),
        best_cas=("cas", "max"),
        verdict=("verdict", "min"),
        first_seen=("first_seen", "min"),
        last_seen=("last_seen", "max"),
        domain_traffic=("domain_traffic", "max"),
    )
    domains.insert(
        6, "topic", _most_frequent(links["topic"], links["referring_domain"]).reindex(domains.index, fill_value="")
    )
    domains["verdict"] = domains["verdict"].map({place: word for word, place in order.items()})
    if domains["domain_traffic"].isna().all():
        domains = domains.drop(columns="domain_traffic")
    else:
        domains["domain_traffic"] = domains["domain_traffic"].round()  # tools write 12803.000000000002
    ordered = domains.sort_values("best_cas", ascending=False, kind="stable", na_position="last").reset_index()
    return with_countries(ordered)


def _most_frequent(values: pd.Series, groups: pd.Series) -> pd.Series:
    named = values != ""
    counts = pd.DataFrame({"group": groups[named], "value": values[named]}).value_counts(sort=False).reset_index()
    ordered = counts.sort_values(["count", "value"], ascending=[False, True])
    return ordered.drop_duplicates("group").set_index("group")["value"]


def own_sites(links: pd.DataFrame, names: pd.DataFrame, prints: pd.DataFrame) -> pd.Series:
    """Return the name that shows that each link comes from a site of the target's owner, "" where none does.

    `links` has referring_domain and target_domain; `names` as `names_of_sites` gives them; `prints` the
    footprints referring_page and target_page (`footprints`) of the same links. A name that is a plain word,
    or shorter than `SHORTEST_NAME`, may be anybody's. So may one that only begins like the site's, with half of its
    letters at least, unless several pages there link to several of the site's pages.
    """
    distinctive = names[~names["is_plain_word"] & (names["word"].str.len() >= SHORTEST_NAME)]
    called = map_distinct(links["referring_domain"], brand_of)
    ours = links["target_domain"] + "\0" + called
    by_name = ours.isin(set(distinctive["site"] + "\0" + distinctive["word"]))
    pairs = set(names["site"] + "\0" + names["domain"])
    by_domain = (links["target_domain"] + "\0" + links["referring_domain"]).isin(pairs)
    by_beginning = ours.isin(_beginnings(ours, distinctive, prints))
    return links["referring_domain"].where(by_domain, called.where(by_name | by_beginning, "")).astype("str")


def _beginnings(ours: pd.Series, names: pd.DataFrame, prints: pd.DataFrame) -> set[str]:
    """Return which sites and names, as one text each, are the owner's, since a name of the site begins so."""
    words = names.groupby("site")["word"].agg(tuple).to_dict()
    short = {}
    for pair in ours.unique():
        site, _, called = pair.partition("\0")
        if _begins(called, words.get(site, ())):
            short[pair] = called
    plain = plain_words(set(short.values()))
    rows = ours.isin([pair for pair, called in short.items() if called not in plain])
    pages = prints.loc[rows.to_numpy(), ["referring_page", "target_page"]].groupby(ours[rows].to_numpy()).nunique()
    return set(pages.index[(pages >= FEWEST_PAGES).all(axis=1)])


def _begins(called: str, words: tuple[str, ...]) -> bool:
    long_enough = [word for word in words if len(called) < len(word) <= 2 * len(called)]
    return len(called) >= SHORTEST_NAME and any(word.startswith(called) for word in long_enough)


def related_sites(rows: pd.DataFrame, sites: Collection[str]) -> pd.Series:
    """Return to which site each referring domain is tied, in words ("has the name of …"); only those that are.

    `rows` is `gap.domains.join_sites`' table: referring_domain, site, example_url, example_target, example_anchor.
    `sites`: those that are compared, by their domains. Index referring_domain.
    """
    names = _names(rows, sites)
    domains = pd.Series(rows["referring_domain"].unique(), dtype="str")
    owner = map_distinct(domains, brand_of).map(names).set_axis(domains).dropna().astype("str")
    linking = rows[rows["example_url"] != ""]
    path = map_distinct(linking["example_url"], _path)
    same = path.map(_is_distinctive).astype(bool) & (path == map_distinct(linking["example_target"], _path))
    named = map_distinct(linking["example_url"], lambda url: _named(url, names)) == linking["site"]
    found = ("has the name of " + owner).combine_first(_mostly(linking, same, "has pages with the same URLs as "))
    return found.combine_first(_mostly(linking, named | same, "has pages made for "))


def _names(rows: pd.DataFrame, sites: Collection[str]) -> dict[str, str]:
    linked = rows[["site", "referring_domain", "example_anchor"]].rename(columns={"site": "target_domain"})
    naked = linked.assign(written=written_domains(linked["example_anchor"])).drop_duplicates()
    names = names_of_sites([site for site in sites if "." in site], other_domains(naked))
    own = names[~names["is_plain_word"] & (names["word"].str.len() >= SHORTEST_NAME)]
    return dict(zip(own["word"], own["site"], strict=True))


def _mostly(linking: pd.DataFrame, found: pd.Series, words: str) -> pd.Series:
    shares = found.astype("float64").groupby(linking["referring_domain"].to_numpy()).mean()
    site = linking[found].drop_duplicates("referring_domain").set_index("referring_domain")["site"]
    return words + site.reindex(shares.index[(shares >= MOSTLY).to_numpy()]).astype("str")


def _named(url: str, names: dict[str, str]) -> str:
    """Return the site whose name alone is a part of the URL, "" where there is none.

    >>> _named("https://jobs.example/company/garden-tools.12/about", {"gardentools": "gardentools.example"})
    'gardentools.example'
    >>> _named("https://blog.example/garden-tools-reviewed", {"gardentools": "gardentools.example"})
    ''
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = (parts.hostname or "").split(".")[:-2]
    for part in [*host, *parts.path.split("/"), *re.split("[=&]", parts.query)]:
        word = "".join(fold(_NUMBERS_AROUND.sub("", unquote(part).replace("_", " ")).strip()))
        if word in names:
            return names[word]
    return ""


def _is_distinctive(path: str) -> bool:
    """Return whether two sites hardly give an address to different pages.

    >>> _is_distinctive("/blog/oak-tables"), _is_distinctive("/about-us")
    (True, False)
    """
    return len(set(re.findall(r"[^\W\d_]{2,}", path))) >= PATH_WORDS


def _path(url: str) -> str:
    """Return a URL's path in lower case, without the slash at its end; "" where the URL is broken.

    >>> _path("https://a.example/Oak-Tables/?x=1")
    '/oak-tables'
    """
    try:
        return urlsplit(url).path.casefold().rstrip("/")
    except ValueError:
        return ""


@dataclass(frozen=True)
class SiteName:
    """A name of a site: as one word without accents, and the domain that it was read from."""

    word: str
    domain: str
    is_plain_word: bool = False  # Whether some language has this word


def names_of_sites(domains: Iterable[str], others: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the names of sites: site, word (without accents, as one), domain it was read from, is_plain_word.

    `domains` are the sites; `others` has more domains of theirs, old ones for instance: site, domain.
    """
    own = pd.DataFrame({"site": pd.Series(list(domains), dtype="str")})
    own = own.assign(domain=own["site"])
    named = own if others is None else pd.concat([own, others[["site", "domain"]]], ignore_index=True)
    named = named.assign(word=named["domain"].map(brand_of).astype("str"))
    named = named[named["word"].str.len() >= SHORTEST_MENTION].drop_duplicates(["site", "word"], ignore_index=True)
    return named.assign(is_plain_word=named["word"].isin(plain_words(set(named["word"]))))


def other_domains(naked: pd.DataFrame) -> pd.DataFrame:
    """Return the domains besides its own that links to a site write as their anchors: site, domain.

    `naked` has target_domain, referring_domain and written, the domain of a naked URL or of a redirect's step or "",
    each once. What at least `WRITTEN_BY` of a site's referring domains write, or link to, is an old domain of it that
    redirects.
    """
    linking = naked.groupby("target_domain")["referring_domain"].nunique()
    pairs = naked[(naked["written"] != "") & (naked["written"] != naked["target_domain"])]
    counts = pairs.groupby(["target_domain", "written"])["referring_domain"].nunique().reset_index(name="count")
    least = (WRITTEN_BY * counts["target_domain"].map(linking).astype("float64")).clip(lower=2)
    often = counts[(counts["count"] >= least) & counts["written"].map(is_domain).astype(bool)]
    return often.rename(columns={"target_domain": "site", "written": "domain"})[["site", "domain"]]


def plain_words(words: Collection[str]) -> frozenset[str]:
    """Return those that are words of some language: the twelve of the package pyspellchecker's lists."""
    known = {word: _plain.get(word) for word in words}
    asked = {word for word, plain in known.items() if plain is None}
    left = set(asked)
    lists = files("spellchecker.resources").iterdir() if asked else iter(())
    for path in sorted(lists, key=lambda path: path.name):
        if path.name.endswith(".json.gz"):  # read as it is: parsing all of them takes seconds
            listed = gzip.decompress(path.read_bytes()).decode()
            left = {word for word in left if f'"{word}":' not in listed}
    known |= {word: word not in left for word in asked}
    if len(_plain) + len(asked) > WORDS_REMEMBERED:
        _plain.clear()
    if len(asked) <= WORDS_REMEMBERED:
        _plain.update((word, word not in left) for word in asked)
    return frozenset(word for word, plain in known.items() if plain)


def site_mentions(links: pd.DataFrame, names: pd.DataFrame) -> pd.DataFrame:
    """Return where each link names its target's site: bool columns title, url, anchor; the index of `links`."""
    of_site = {
        str(site): [
            SiteName(*name) for name in zip(group["word"], group["domain"], group["is_plain_word"], strict=True)
        ]
        for site, group in names.groupby("site")
    }
    found = {place: np.zeros(len(links), dtype=bool) for place in PLACES}
    site_codes, sites = pd.factorize(links["target_domain"])
    for code, site in enumerate(sites):
        rows = np.flatnonzero(site_codes == code)
        for place, column in PLACES.items():
            codes, texts = pd.factorize(links[column].iloc[rows])
            found[place][rows] = named_in(texts.tolist(), of_site.get(str(site), ()))[codes]
    return pd.DataFrame(found, index=links.index)


def mentions_in_words(mentions: pd.DataFrame) -> pd.Series:
    """Return where the site is named, in words: "title", "URL, anchor", …, "" for nowhere."""
    codes = mentions["title"] * 1 + mentions["url"] * 2 + mentions["anchor"] * 4
    names = ("title", "URL", "anchor")
    words = [", ".join(name for bit, name in enumerate(names) if code >> bit & 1) for code in range(8)]
    return pd.Series(np.array(words, dtype=object)[codes], mentions.index, dtype="str")


def named_in(texts: Sequence[str], names: Sequence[SiteName]) -> np.ndarray:
    """Return which of the texts, titles, URLs or anchors, contain one of the names, bool (texts,).

    >>> shop = SiteName("gardentools", "gardentools.example")
    >>> named_in(["Garden Tools Ltd", "gardentols review", "tools for the garden"], [shop]).tolist()
    [True, True, False]
    """
    texts = [unquote(text) if "%" in text else text for text in texts]
    found = np.zeros(len(texts), dtype=bool)
    if not len(texts):
        return found
    joined = _joined(pa.array(texts, pa.large_string())).to_pylist()
    for name in names:
        if name.is_plain_word:
            candidates = np.array([name.domain in text.casefold() for text in texts], dtype=bool)
        elif len(name.word) >= LONG_NAME:
            scores = process.cdist([name.word], joined, scorer=fuzz.partial_ratio, score_cutoff=ALIKE, dtype=np.uint8)
            candidates = scores[0] > 0
        else:
            candidates = np.array([name.word in text for text in joined], dtype=bool)
        for place in np.flatnonzero(candidates & ~found):
            found[place] = _mentioned_names(texts[place], name)
    return found


def _mentioned_names(text: str, name: SiteName) -> bool:
    if name.is_plain_word:
        address = rf"(?<![\w.-])(?:https?://)?(?:[\w-]+\.)*{regex.escape(name.domain)}(?![\w-])"
        return bool(regex.search(address, text, regex.IGNORECASE))
    words = fold(text.replace("_", " "))
    is_long = len(name.word) >= LONG_NAME
    for start in range(len(words)):
        run = ""
        for word in words[start : start + MOST_WORDS]:
            run += word
            if (
                run == name.word
                or is_long
                and (name.word in word or run.startswith(name.word) or _alike(run, name.word))
            ):
                return True
            if len(run) > len(name.word):
                break
    return False


def _alike(run: str, name: str) -> bool:
    return bool(fuzz.ratio(run, name, score_cutoff=ALIKE))


def _joined(texts: pa.Array) -> pa.Array:
    plain = pc.utf8_normalize(pc.utf8_lower(texts), form="NFKD")
    return pc.replace_substring_regex(plain, r"[^\p{L}\p{N}]+", "")


@dataclass(frozen=True)
class PartSummary:
    """What a part of an export says for the summary of the whole.

    `prints`: one row per link (`judgement.footprints.footprints`); `targets`: the distinct target_domain;
    `written`: the distinct rows of target domain, referring domain and the domain that its anchors write, or that its
    links arrive over.
    """

    prints: pd.DataFrame
    targets: pd.DataFrame
    written: pd.DataFrame


@dataclass(frozen=True)
class ExportSummary:
    """What the whole export says.

    `shared`: one row per link, indexed as the links (`judgement.footprints.shared`); `brands`: names of the target
    site; `names`: the names of each target site (`names_of_sites`).
    """

    shared: pd.DataFrame
    brands: tuple[str, ...]
    names: pd.DataFrame


def summarise_part(links: pd.DataFrame) -> PartSummary:
    """Return the summary of cleaned backlinks, or of a part of them; trusted ones teach names."""
    teaches = links["trusted"] if "trusted" in links else pd.Series(True, links.index)
    domains, taught = links[["target_domain", "referring_domain"]], links[teaches]
    written = domains[teaches].assign(written=written_domains(taught["anchor"]))
    return PartSummary(
        prints=footprints(links),
        targets=domains[["target_domain"]].drop_duplicates(),
        written=pd.concat([written, hops(taught)], ignore_index=True).drop_duplicates(),
    )


def join_summaries(parts: Sequence[PartSummary]) -> ExportSummary:
    """Return what the parts say together; they are in the order of the file."""
    prints = pd.concat([part.prints for part in parts])
    naked = pd.concat([part.written for part in parts])[_WRITTEN].drop_duplicates()
    sites = pd.concat([part.targets for part in parts])["target_domain"].unique()
    return ExportSummary(
        shared=shared(prints),
        brands=site_names(sites, naked, naked["referring_domain"].nunique()),
        names=names_of_sites(sites, other_domains(naked)),
    )
