"""A finished gap: the sites that link to competitors and not to us, who of them is worth asking, and the pitch."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

import numpy as np
import pandas as pd

from backlink_audit.gap.domains import find_prospects, overlaps, prospect_limits
from backlink_audit.glossary import TERMS
from backlink_audit.labels import BAND_RELEVANT, GAP_CLASSES, MISSING
from backlink_audit.report.rows import WholeTables, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.settings import GapSettings
from backlink_audit.wording import by_number, count


@dataclass(frozen=True, eq=False)
class Gap:
    """A finished gap.

    `domains` has one row per referring domain of any of the sites (`sites.compare_sites`), with linked_before
    (it once linked to us), topic, topic_field, similarity, relevance, band, our_page, our_page_title. What needs text
    is blank for domains that already link to us as often as to anyone. `links_by_site` shows how often each domain
    links to each site. `notes` are sentences about what could not be computed.
    """

    ours: str
    competitors: tuple[str, ...]
    files: Mapping[str, str]  # Each export's name -> the name of its site
    domains: pd.DataFrame
    links_by_site: pd.DataFrame
    settings: GapSettings
    model: str
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    def with_settings(self, settings: GapSettings) -> "Gap":
        return replace(self, settings=settings)

    @cached_property
    def prospects(self) -> pd.DataFrame:
        """The domains worth asking, closest to our pages first: they link to competitors, not to us, and pass."""
        found = self.domains[self.is_prospect]
        by_class = found["gap_class"].map({label.word: place for place, label in enumerate(GAP_CLASSES)})
        order = np.lexsort([-found["authority"].fillna(-1), by_class, -found["relevance"].fillna(-1)])
        return found.iloc[order].reset_index(drop=True)

    @property
    def is_prospect(self) -> pd.Series:
        return self._found[0]

    @property
    def set_aside(self) -> dict[str, int]:
        return self._found[1]

    @property
    def limits(self) -> dict[str, float]:
        return prospect_limits(self.domains, self.settings.min_authority)

    @cached_property
    def overlaps(self) -> pd.DataFrame:
        return overlaps(self.links_by_site)

    @property
    def class_counts(self) -> dict[str, int]:
        """How many referring domains each class has, in the order of the classes."""
        counts = self.domains["gap_class"].value_counts()
        return {label.word: int(counts.get(label.word, 0)) for label in GAP_CLASSES}

    @property
    def not_linking_to_us(self) -> int:
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
        relevant = int((self.prospects["band"] == BAND_RELEVANT.word).sum())
        if number:
            sentence += f": {relevant or 'none'} of them {by_number(relevant, 'is', 'are')} relevant"
        if len(self.competitors) > 1:
            everywhere = int((self.prospects["gap_class"] == MISSING.word).sum())
            all_of_them = "both" if len(self.competitors) == 2 else f"all {len(self.competitors)}"
            sentence += f"; {everywhere or 'none'} to {all_of_them} competitors"
        return sentence + "."

    @cached_property
    def _found(self) -> tuple[pd.Series, dict[str, int]]:
        return find_prospects(self.domains, self.settings)


def _whole_counts(domains: pd.DataFrame) -> pd.DataFrame:
    return domains.astype({"links": "Int64", "our_links": "Int64"})


def _to_fill_in(gap: Gap) -> pd.DataFrame:
    return _whole_counts(gap.prospects).assign(outreach_state="", Notes="")


PROSPECTS = sheet("gap.prospects", lambda gap: gap.prospects)
DOMAINS = sheet("gap.domains", lambda gap: _whole_counts(gap.domains).assign(Prospect=gap.is_prospect))
TO_FILL_IN = replace(PROSPECTS, rows=_to_fill_in)
OVERLAP = sheet(
    "gap.overlap", lambda gap: gap.overlaps, lambda gap: {site: site for site in (gap.ours, *gap.competitors)}
)


def tables(gap: Gap) -> WholeTables:
    return tables_of(gap, DOMAINS, (TO_FILL_IN, DOMAINS, OVERLAP), lambda: summary(gap))


def summary(gap: Gap) -> pd.DataFrame:
    """Return what was compared, with what, and what came out, as rows of Part, What and Value."""
    settings = gap.settings
    return summary_table(
        [
            ("Gap", "In a sentence", gap.headline),
            ("Gap", "Created", gap.made_at),
            ("Gap", "Model", gap.model),
            ("Sites", "Your site", gap.ours),
            *(("Sites", "Competitor", name) for name in gap.competitors),
            *(("Files", name, site) for name, site in gap.files.items()),
            *(("Prospects", f"Minimum {rating}", f"{limit:g}") for rating, limit in gap.limits.items()),
            ("Prospects", "Domains of unknown authority", "kept" if settings.keep_unknown_authority else "excluded"),
            ("Prospects", "Only with a followed link", "yes" if settings.followed_only else "no"),
            ("Prospects", "Only with a link in the content", "yes" if settings.in_content_only else "no"),
            ("Prospects", "User-generated links", "kept" if settings.by_visitors else "excluded"),
            ("Prospects", "Not linking to you", gap.not_linking_to_us),
            *(("Prospects", f"Excluded: {name}", count) for name, count in gap.set_aside.items()),
            ("Prospects", "Remaining prospects", len(gap.prospects)),
            *(("Classes", f"{label.word}: {label.meaning}", gap.class_counts[label.word]) for label in GAP_CLASSES),
            ("Formulas", "Relevance", TERMS["relevance"].help),
            *rows_of_notes(gap.notes),
        ]
    )
