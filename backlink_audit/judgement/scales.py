"""Authority scales of the tools, and the Contextual Authority Score that a link has on its scale.

Every rating runs from 0 to 100, but 30 of one tool is not 30 of another, so each has limits of its own. To add a
scale, write one entry here and name it in the tool's rows of `exports/data/formats.csv`.

The score's formula is that of the original app. Variants: DR in place of UR; a logarithm that softens the dilution; and
0 for links that search engines are asked not to follow.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from backlink_audit.errors import InvalidSetting
from backlink_audit.labels import LINK_LIVE, OUTSIDE_CONTENT
from backlink_audit.settings import AuditSettings, LinkChoice, RatingLimits, require_between

Column = Literal["url_rating", "domain_rating"]
Limit = Literal["undervalued_below", "strong_from", "prospect_from"]
NO_SIMILARITY = "no text on one of the two pages"
NO_EXTERNAL_LINKS = "external links not known"
ZERO_EXTERNAL_LINKS = "0 external links"

LEAST_MOVEMENT = 1e-6  # CAS that the same link may differ by between two runs of a model: rounding, not a movement


@dataclass(frozen=True)
class Rating:
    """A tool's rating of pages or of sites, 0-100.

    A relevant link of a site below `undervalued_below` is undervalued, an off-topic one from `strong_from` is
    off-topic authority (docs/pages/audit.md); a gap's prospects begin at `prospect_from`.
    """

    name: str
    undervalued_below: float
    strong_from: float
    prospect_from: float


@dataclass(frozen=True)
class Scale:
    """What a tool rates. `page_for_site`: its lists of links rate pages alone, so a page's rating judges its site."""

    name: str
    page: Rating
    domain: Rating
    page_for_site: bool = False

    def rating(self, column: Column) -> Rating:
        return self.page if column == "url_rating" else self.domain


OTHER = Scale("", Rating("Page rating", 30, 50, 10), Rating("Domain rating", 30, 50, 30))
"""Ratings under headers that no tool is known for, or of two tools in one row."""

SCALES = (
    Scale("Ahrefs", Rating("UR", 30, 50, 3), Rating("DR", 30, 50, 30)),
    Scale("Semrush", Rating("Page ascore", 20, 40, 5), Rating("Domain ascore", 20, 40, 20), page_for_site=True),
    Scale(
        "Semrush Backlink Audit",
        Rating("Page Authority Score", 20, 40, 5),
        Rating("Domain Authority Score", 20, 40, 20),
        page_for_site=True,
    ),
    Scale("Moz", Rating("PA", 30, 50, 20), Rating("DA", 30, 50, 30)),
    Scale("Majestic", Rating("Citation Flow", 30, 50, 15), Rating("Trust Flow", 30, 50, 15)),
    Scale(
        "Semrush until 2020", Rating("Page score", 20, 40, 5), Rating("Domain score", 20, 40, 20), page_for_site=True
    ),
    Scale("DataForSEO", Rating("Page rank", 20, 40, 5), Rating("Domain rank", 20, 40, 20)),
    Scale("SE Ranking", Rating("InLink Rank", 30, 50, 5), Rating("Domain InLink Rank", 30, 50, 30)),
    Scale("LinkResearchTools", Rating("Power*Trust", 10, 25, 5), Rating("Domain Power*Trust", 10, 25, 10), True),
    Scale("Common Crawl", Rating("Common Crawl page", 95, 99.5, 95), Rating("Common Crawl percentile", 95, 99.5, 95)),
    OTHER,
)
"""Every scale. How the limits were chosen: docs/decisions/scales.md.

Majestic rates pages by both of its flows; a list of links gives those of the page, a list of domains those of the site.
"""

CHECK_FROM, MIDDLE_FROM, STRONG_FROM = 1, 20, 50
"""Where the bands of a profile begin on any scale: to check, middle, strong."""

BY_NAME = {scale.name: scale for scale in SCALES}
RATINGS = {rating.name: rating for scale in SCALES for rating in (scale.page, scale.domain)}  # every rating by its name


def find_scale(name: str) -> Scale:
    return BY_NAME.get(name, OTHER)


def rating_names(scales: pd.Series, column: Column) -> pd.Series:
    """Return what each row's value in the column is called; `scales` has names of scales.

    >>> rating_names(pd.Series(["Ahrefs", "Moz", ""]), "url_rating").tolist()
    ['UR', 'PA', 'Page rating']
    """
    return _of_each(scales, lambda name: find_scale(name).rating(column).name)


def rating_labels(scales: pd.Series) -> dict[str, str]:
    """Return what to call url_rating and domain_rating in rows of these scales; the names of several are joined.

    >>> rating_labels(pd.Series(["Ahrefs", "Ahrefs", "Semrush"]))
    {'url_rating': 'UR / Page ascore', 'domain_rating': 'DR / Domain ascore'}
    """
    names = list(scales.unique()) or [OTHER.name]
    columns: tuple[Column, ...] = ("url_rating", "domain_rating")
    return {column: _joined(find_scale(name).rating(column).name for name in names) for column in columns}


def site_authority(links: pd.DataFrame) -> pd.Series:
    """Return the rating of each link's site: the domain's, else the page's where its scale allows that, else NaN."""
    return links["domain_rating"].where(~_page_rates_site(links), links["url_rating"])


def site_rating_names(links: pd.DataFrame) -> pd.Series:
    """Return what `site_authority` of each link is called."""
    pages, domains = (rating_names(links["scale"], column) for column in ("url_rating", "domain_rating"))
    return domains.where(~(_page_rates_site(links) & links["url_rating"].notna()), pages)


def site_label(links: pd.DataFrame) -> str:
    """Return what to call the authority of the links' sites: of those that are known, where any is."""
    known = site_authority(links).notna()
    return _joined(site_rating_names(links[known] if known.any() else links).unique()) or OTHER.domain.name


def limits_of(names: pd.Series, kind: Limit, chosen: RatingLimits = ()) -> np.ndarray:
    """Return the limit that applies to each rating (its name), float64; 0 for the name ""."""
    own = {name: float(getattr(rating, kind)) for name, rating in RATINGS.items()} | {"": 0.0}
    return _of_each(names, (own | dict(chosen)).__getitem__).to_numpy("float64")


def read_limits(texts: Sequence[str], present: Collection[str]) -> RatingLimits:
    """Return limits as typed: "DR=30", or a bare number where only one rating is present or the number is 0.

    `present`: names of the ratings in the files. Raises InvalidSetting.

    >>> read_limits(["page ascore = 5"], ["Page ascore", "DR"]), read_limits(["40"], ["DR"])
    ((('Page ascore', 5.0),), (('DR', 40.0),))
    """
    found: dict[str, float] = {}
    for text in texts:
        name, sign, number = text.rpartition("=")
        limit = _number(number, text)
        names = [_known_rating(name)] if sign else list(present)
        if len(names) > 1 and limit:
            example = " ".join(f'--min-authority "{rating}={limit:g}"' for rating in names)
            raise InvalidSetting(
                f"The files use several rating scales ({', '.join(names)}), and {limit:g} does not mean the same on "
                f"each; set a limit for each, for instance {example}."
            )
        found |= dict.fromkeys(names, limit)
    return tuple(found.items())


def _known_rating(text: str) -> str:
    names = {name.casefold(): name for name in RATINGS}
    try:
        return names[" ".join(text.split()).casefold()]
    except KeyError:
        raise InvalidSetting(f"There is no rating “{text.strip()}”; use one of {', '.join(RATINGS)}.") from None


def _number(text: str, whole: str) -> float:
    try:
        limit = float(text)
    except ValueError:
        raise InvalidSetting(
            f"“{whole}” is not a valid limit; write a number, or a rating and a number such as DR=30."
        ) from None
    require_between("The minimum authority", limit, 0, 100)
    return limit


def _page_rates_site(links: pd.DataFrame) -> pd.Series:
    allowed = [scale.name for scale in SCALES if scale.page_for_site]
    return links["domain_rating"].isna() & links["scale"].isin(allowed)


def _of_each(names: pd.Series, what: Callable[[str], object]) -> pd.Series:
    return names.map({name: what(name) for name in names.unique()})


def _joined(names: Iterable[str]) -> str:
    return " / ".join(dict.fromkeys(names))


def contextual_authority(links: pd.DataFrame, settings: AuditSettings) -> pd.Series:
    """Return the CAS of each link, float64, NaN where one of its parts is missing or external_links is 0."""
    external = links["external_links"].where(links["external_links"] > 0)
    diluted = 1 + np.log(external) if settings.log_dilution else external
    score = _authority(links, settings) / diluted * links["similarity"]
    if settings.followed_only:
        score = score.where(links["followed"] | score.isna(), 0.0)
    return (score.rename("cas") + 0.0).astype("float64")  # never -0


def cas_formula(settings: AuditSettings, authority: str) -> str:
    """Return how the CAS is made, in words.

    >>> cas_formula(AuditSettings(), "UR")
    'UR / external links x similarity'
    """
    divisor = "(1 + ln(external links))" if settings.log_dilution else "external links"
    followed = "; 0 for links that are not followed" if settings.followed_only else ""
    return f"{authority} / {divisor} x similarity{followed}"


def cas_of_new_link(url_rating: pd.Series, external_links: pd.Series, similarity: pd.Series) -> pd.Series:
    """Return the CAS that one more link on a page would have, float64: it is one more that the page's authority feeds.

    NaN where a part is missing.

    >>> cas_of_new_link(pd.Series([30.0]), pd.Series([9.0]), pd.Series([0.5])).tolist()
    [1.5]
    """
    return (url_rating / (external_links + 1) * similarity).astype("float64")


def blank_reasons(links: pd.DataFrame, settings: AuditSettings) -> dict[str, int]:
    """Return how many links have no CAS, by the first reason that applies; reasons that apply to none are left out."""
    external = links["external_links"]
    reasons = {
        NO_SIMILARITY: links["similarity"].isna(),
        f"{rating_labels(links['scale'])[_column(settings)]} not known": _authority(links, settings).isna(),
        NO_EXTERNAL_LINKS: external.isna(),
        ZERO_EXTERNAL_LINKS: external <= 0,
    }
    named = pd.Series(np.select(list(reasons.values()), list(reasons), ""), links.index)
    counts = named[named != ""].value_counts()
    return {reason: int(counts[reason]) for reason in reasons if reason in counts}


def percentiles(scores: pd.Series, among: pd.Series | None = None) -> pd.Series:
    """Return the place of each score among those that are not blank, 0 (lowest) to 100 (highest).

    Equal scores share the middle of their places, so that a file full of zeros puts them in the middle of the
    bottom, never at the top; a lone score has 50. `among`: whose scores the places are among, bool; all by default,
    and where those have fewer than two.
    """
    known = scores.notna() if among is None else among & scores.notna()
    if among is not None and known.sum() < 2:
        return percentiles(scores)
    others = np.sort(scores[known].to_numpy(dtype=float))
    below, up_to = (np.searchsorted(others, scores.to_numpy(dtype=float), side) for side in ("left", "right"))
    of_others = len(others) - known.to_numpy()
    middle = (below + up_to - known.to_numpy()) / 2  # a score is not above itself
    places = np.where(of_others > 0, 100 * middle / np.maximum(of_others, 1), 50.0)
    return pd.Series(places, scores.index).where(scores.notna())


def rank_links(
    cas: pd.Series, prints: pd.DataFrame, own: pd.Series | None = None, trusted: pd.Series | None = None
) -> pd.DataFrame:
    """Return the place of the CAS of each link (`percentiles`), and whether it is the best copy of its link.

    `prints` has same_link, a number for each link, alike for the same link on several pages of a domain, 0 for none;
    page_link, alike for one link under several addresses of its page (scheme, www, tracking); and address, a number for
    each page's URL, by which one of equals is chosen. Columns cas_percentile, is_best_copy, addresses (how many the
    page has) and is_other_address (another one stands for it); all are about the whole export. `own`: links from the
    target's own sites, bool, which have no place among the others'. `trusted`: among whom the others have theirs.
    """
    same_link = prints["same_link"].to_numpy()
    address = prints["address"].to_numpy()
    order = np.lexsort((address, -cas.fillna(-np.inf).to_numpy(dtype=float)))
    others = pd.Series(same_link[order], cas.index[order])
    best = ~(others.duplicated() & (others != 0)).reindex(cas.index)
    others_cas = cas if own is None else cas.mask(own)
    by_address = pd.Series(prints["page_link"].to_numpy()[np.argsort(address)], cas.index[np.argsort(address)])
    return pd.DataFrame(
        {
            "cas_percentile": percentiles(others_cas, trusted),
            "is_best_copy": best,
            "addresses": by_address.groupby(by_address).transform("size").reindex(cas.index),
            "is_other_address": by_address.duplicated().reindex(cas.index),
        }
    )


def original_columns(links: pd.DataFrame) -> pd.DataFrame:
    """Return the original app's two columns as it rounded them, whole numbers (Int64), blank where undefined.

    Cosine Similarity = round(round(cos, 3) x 100); Contextual Authority Score =
    round(round(UR / external links x round(cos, 3), 3) x 100); halves go to the even neighbour. The app had its
    cosines in single precision, which decides some of the halves, so this does too.
    """
    cosine = links["similarity"].astype("float32").round(3)
    external = links["external_links"].where(links["external_links"] > 0)
    score = (links["url_rating"] / external * cosine.astype("float64")).round(3)
    whole = {"Cosine Similarity": cosine, "Contextual Authority Score": score}
    return pd.DataFrame({name: (value * 100).round().astype("Int64") for name, value in whole.items()})


def _authority(links: pd.DataFrame, settings: AuditSettings) -> pd.Series:
    return links[_column(settings)]


def _column(settings: AuditSettings) -> Column:
    return "url_rating" if settings.authority == "UR" else "domain_rating"


def chosen_links(links: pd.DataFrame, choice: LinkChoice) -> pd.Series:
    """Return which links are chosen, bool, with their index.

    `links` has link_state, placement, referring_domain, referring_url and url_rating; judged ones also attack and
    is_other_address. Of one page's addresses one is chosen, unless everything is. Live in content: a link whose
    placement the export does not know may be in the content, so it stays.
    """
    chosen = pd.Series(True, index=links.index)
    if choice.links != "everything":
        chosen &= links["link_state"] == LINK_LIVE.word
    if choice.links != "everything" and "is_other_address" in links:
        chosen &= ~links["is_other_address"]
    if choice.links == "live in content":
        chosen &= links["placement"] != OUTSIDE_CONTENT.word
    if choice.without_attacks and "attack" in links:
        chosen &= links["attack"] == ""
    if choice.one_per_domain:
        chosen &= chosen.index.isin(_best_of_domain(links[chosen]))
    return chosen


def _best_of_domain(links: pd.DataFrame) -> pd.Index:
    ordered = links.sort_values(["url_rating", "referring_url"], ascending=[False, True], kind="stable")
    return ordered["referring_domain"].drop_duplicates().index
