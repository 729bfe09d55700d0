"""The gap: exports of several sites -> domains side by side -> what they are about -> prospects and pages to pitch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

import numpy as np
import pandas as pd

from backlink_audit.analysis.gap import (
    compare_sites,
    find_prospects,
    join_sites,
    links_by_site,
    overlaps,
    prospect_limits,
)
from backlink_audit.analysis.pitch import DEFAULT_TEMPLATE, PLACEHOLDERS, check_template, write_pitch
from backlink_audit.analysis.scales import read_limits
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import GAP_CLASSES, MISSING
from backlink_audit.pipelines.gap.pages import describe, our_pages
from backlink_audit.pipelines.gap.sites import Site, check_sites, linked_before, missing_columns, read_site
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import GapSettings
from backlink_audit.wording import by_number, count

__all__ = ["DEFAULT_TEMPLATE", "PLACEHOLDERS", "Gap", "find_gap", "read_limits"]

MOST_COMPETITORS = 5
NO_PAGES = (
    "Relevance and the page to pitch are blank: they need your pages, from a crawl of your site or from an export that "
    "lists your links one by one."
)


@dataclass(frozen=True, eq=False)
class Gap:
    """A finished gap.

    `domains` holds one row per referring domain of any of the sites (`analysis.gap.compare_sites`), with linked_before
    (it once linked to us), topic, topic_field, similarity, relevance, band, our_page, our_page_title. What needs text
    is blank for domains that already link to us as often as to anyone. `links_by_site` tells how often each domain
    links to each site. `notes` are sentences about what could not be computed.
    """

    ours: str
    competitors: tuple[str, ...]
    files: Mapping[str, str]
    """Each export's name -> the name of its site."""
    domains: pd.DataFrame
    links_by_site: pd.DataFrame
    settings: GapSettings
    model: str
    notes: tuple[str, ...] = ()
    template: str = DEFAULT_TEMPLATE
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    def with_settings(self, settings: GapSettings) -> "Gap":
        """Return the same gap with another threshold and other filters of prospects: nothing is computed again."""
        return replace(self, settings=settings)

    def with_template(self, template: str) -> "Gap":
        """Return the same gap with another pitch. Raises InvalidSetting where the template names what is not known."""
        check_template(template)
        return replace(self, template=template)

    @cached_property
    def prospects(self) -> pd.DataFrame:
        """The domains worth asking, closest to our pages first: they link to competitors, not to us, and pass."""
        found = self.domains[self.is_prospect]
        by_class = found["gap_class"].map({label.word: place for place, label in enumerate(GAP_CLASSES)})
        order = np.lexsort([-found["authority"].fillna(-1), by_class, -found["relevance"].fillna(-1)])
        return found.iloc[order].reset_index(drop=True)

    @property
    def is_prospect(self) -> pd.Series:
        """Which rows of `domains` are prospects."""
        return self._found[0]

    @property
    def set_aside(self) -> dict[str, int]:
        """How many domains that link to competitors only each filter set aside, in order."""
        return self._found[1]

    @property
    def limits(self) -> dict[str, float]:
        """The lowest authority of a prospect, for each rating of the sites that do not link to us."""
        return prospect_limits(self.domains, self.settings.min_authority)

    @cached_property
    def overlaps(self) -> pd.DataFrame:
        """How many domains each combination of sites shares, the largest first (`analysis.gap.overlaps`)."""
        return overlaps(self.links_by_site)

    @property
    def class_counts(self) -> dict[str, int]:
        """How many referring domains each class has, in the order of the classes."""
        counts = self.domains["gap_class"].value_counts()
        return {label.word: int(counts.get(label.word, 0)) for label in GAP_CLASSES}

    @property
    def not_linking_to_us(self) -> int:
        """How many domains link to a competitor and not to us."""
        return int((self.domains["our_links"] == 0).sum())

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        number = len(self.prospects)
        least = " or ".join(f"{rating} {limit:g}" for rating, limit in self.limits.items() if limit)
        least = f" of {least} or more" if least else ""
        least += ", or unknown," if least and self.prospects["authority"].isna().any() else ""
        who = "a competitor" if len(self.competitors) > 1 else self.competitors[0]
        sites = count(number, f"site{least}", f"sites{least}")
        sentence = f"{sites} {by_number(number, 'links', 'link')} to {who} and not to you"
        if len(self.competitors) > 1:
            everywhere = int((self.prospects["gap_class"] == MISSING.word).sum())
            all_of_them = "both" if len(self.competitors) == 2 else f"all {len(self.competitors)}"
            sentence += f"; {everywhere or 'none'} to {all_of_them} competitors"
        return sentence + "."

    def pitch(self, referring_domain: str) -> str:
        """Return the pitch to one prospect. Raises KeyError for a domain that is none."""
        row = self.prospects.set_index("referring_domain", drop=False).loc[referring_domain]
        return write_pitch(self.template, {name: str(row[name]) for name in PLACEHOLDERS})

    @cached_property
    def _found(self) -> tuple[pd.Series, dict[str, int]]:
        return find_prospects(self.domains, self.settings)


def find_gap(
    ours: Export,
    theirs: Sequence[Export],
    settings: GapSettings,
    encoder: Encoder,
    pages: Export | None = None,
    on_progress: Progress = silent,
) -> Gap:
    """Compare who links to us with who links to competitors. `pages`: a crawl of our site, for the pages to pitch.

    Exports list links or referring domains, of any tool. Several of one competitor count as one competitor.

    Raises:
        InvalidSetting: no competitor, or more than MOST_COMPETITORS.
        WrongExport: a competitor's file is our own, or the same as another.
        NoRowsLeft: a filter removed every row of a file.
    """
    on_progress("Comparing sites", 0, 1)
    own = read_site(ours, settings.filters)
    others = [read_site(export, settings.filters) for export in theirs]
    check_sites(own, others)
    names = list(dict.fromkeys(site.name for site in others))
    if not 1 <= len(names) <= MOST_COMPETITORS:
        raise InvalidSetting(f"A gap needs one to {MOST_COMPETITORS} competitors, but has {len(names)}.")
    rows = join_sites(_rows_by_site([own, *others]))
    links = links_by_site(rows, [own.name, *names])
    domains = compare_sites(rows, links, own.name)
    domains["linked_before"] = domains["referring_domain"].isin(linked_before(own)) & (domains["our_links"] == 0)
    to_pitch = our_pages(own, pages)
    return Gap(
        ours=own.name,
        competitors=tuple(names),
        files={site.export.name: site.name for site in (own, *others)},
        domains=describe(domains, to_pitch, encoder, on_progress),
        links_by_site=links,
        settings=settings,
        model=encoder.name,
        notes=tuple(missing_columns([own, *others]) + ([] if len(to_pitch) else [NO_PAGES])),
    )


def _rows_by_site(sites: Sequence[Site]) -> dict[str, list[pd.DataFrame]]:
    tables: dict[str, list[pd.DataFrame]] = {}
    for site in sites:
        tables.setdefault(site.name, []).append(site.rows)
    return tables
