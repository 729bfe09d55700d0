"""Authority scales: what each tool calls its rating of a page and of a site, and from which value it counts as what.

Every rating runs from 0 to 100, but 30 of one tool is not 30 of another, so each has limits of its own. To add a
scale, write one entry here and name it in the tool's rows of `exports/data/formats.csv`.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from backlink_audit.errors import InvalidSetting
from backlink_audit.settings import RatingLimits, require_between

Column = Literal["url_rating", "domain_rating"]
Limit = Literal["undervalued_below", "strong_from", "prospect_from"]


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
    """Return the authority of each link's site: the domain's rating, else the page's where its scale allows that.

    `links` has scale, url_rating and domain_rating. NaN where unknown.
    """
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
    """Return the limit that applies to each rating (its name), float64; 0 for the name "".

    `chosen` goes before a rating's own limit.
    """
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
    """Return the rating of that name, whatever its capitals. Raises InvalidSetting."""
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
