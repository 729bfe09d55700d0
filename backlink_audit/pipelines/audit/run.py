"""The backlink audit: clean -> texts -> embed -> compare -> score -> judge, and the result that answers for itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd

from backlink_audit.analysis.cas import blank_reasons, contextual_authority, percentiles
from backlink_audit.analysis.census import Census
from backlink_audit.analysis.domains import roll_up
from backlink_audit.analysis.relevance import Chance, bands, compare
from backlink_audit.analysis.risk import name_signals, risk_signals
from backlink_audit.analysis.scales import rating_labels
from backlink_audit.analysis.topics import load_site_names, load_topics
from backlink_audit.analysis.verdicts import verdicts
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports.clean import Cleaned, clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import BAND_RELEVANT, PROTECT, RECLAIM, REVIEW
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings
from backlink_audit.text.texts import LinkTexts, read_link_texts
from backlink_audit.text.urls import normalise_urls
from backlink_audit.wording import by_number, part_of

TopBy = Literal["similarity", "cas"]
LowestBy = Literal["url_rating", "similarity", "cas"]

HTTP_OK = 200


@dataclass(frozen=True, eq=False)
class Audit:
    """A finished audit.

    `links` holds one row per cleaned backlink, in the order of the file, indexed as `cleaned.export.raw`: the cleaned
    columns and similarity, evidence, relevance, band, topic, topic_field, target_status, cas, cas_percentile,
    risk_signals (how many), verdict, why. Missing numbers are NaN, missing texts "".
    """

    cleaned: Cleaned
    settings: AuditSettings
    model: str
    device: str
    links: pd.DataFrame
    blank_cas: Mapping[str, int]
    """How many links have no CAS, by reason."""
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @cached_property
    def referring_domains(self) -> pd.DataFrame:
        """One row per referring domain, the one with the best CAS first (`analysis.domains.roll_up`)."""
        return roll_up(self.links)

    @property
    def backlinks(self) -> int:
        """How many links were scored."""
        return len(self.links)

    @property
    def domains(self) -> int:
        """How many referring domains they come from."""
        return int(self.links["referring_domain"].nunique())

    @property
    def mean_similarity(self) -> float:
        """Mean similarity, NaN where no link has one."""
        return float(self.links["similarity"].mean())

    @property
    def median_similarity(self) -> float:
        """Median similarity, NaN where no link has one."""
        return float(self.links["similarity"].median())

    @property
    def mean_cas(self) -> float:
        """Mean CAS, NaN where no link has one."""
        return float(self.links["cas"].mean())

    @property
    def median_cas(self) -> float:
        """Median CAS, NaN where no link has one."""
        return float(self.links["cas"].median())

    @property
    def relevant(self) -> int:
        """How many links are in the band relevant."""
        return int((self.links["band"] == BAND_RELEVANT.word).sum())

    @property
    def share_relevant(self) -> float:
        """Share of the links that are relevant, 0-1."""
        return self.relevant / self.backlinks

    @property
    def verdict_counts(self) -> pd.Series:
        """How many links each verdict has; verdicts that none has are left out."""
        return self.links["verdict"].value_counts()

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        return headline(self.verdict_counts, self.relevant, self.backlinks)

    @property
    def authority_label(self) -> str:
        """What the export calls the authority that CAS is made of."""
        return self.authority_labels["url_rating" if self.settings.authority == "UR" else "domain_rating"]

    @property
    def authority_labels(self) -> dict[str, str]:
        """What the export calls url_rating and domain_rating."""
        return rating_labels(self.links["scale"])

    def top(self, by: TopBy, n: int = 10) -> pd.DataFrame:
        """Return the n links with the highest similarity or CAS, best first; those without one are left out."""
        best = self.links[by].dropna().sort_values(ascending=False, kind="stable").head(n)
        return self.links.loc[best.index]

    def lowest(self, by: LowestBy, n: int = 10) -> pd.DataFrame:
        """Return the n links with the lowest page rating, similarity or CAS, lowest first.

        Only pages known to answer with HTTP 200, where the export has the status of any.
        """
        status = self.links["http_status"]
        alive = status == HTTP_OK if status.notna().any() else slice(None)
        worst = self.links.loc[alive, by].dropna().sort_values(kind="stable").head(n)
        return self.links.loc[worst.index]


def headline(verdict_counts: pd.Series, relevant: int, backlinks: int) -> str:
    """Return the answer in one sentence: how many links are relevant, and how many verdicts ask for something."""
    protect, review, reclaim = (verdict_counts.get(label.word, 0) for label in (PROTECT, REVIEW, RECLAIM))
    parts = [f"{part_of(relevant, backlinks, 'link')} {by_number(relevant, 'is', 'are')} on topic"]
    parts += [f"{protect:,} worth protecting"]
    parts += [f"{review:,} worth a look"] if review else []
    parts += [f"{reclaim:,} to reclaim"] if reclaim else []
    return f"{', '.join(parts[:-1])} and {parts[-1]}."


def audit_backlinks(
    export: Export,
    settings: AuditSettings,
    encoder: Encoder,
    pages: Export | None = None,
    on_progress: Progress = silent,
) -> Audit:
    """Clean and score a backlink export. `pages`: a crawl of the target site, for its titles and dead pages.

    Raises NoRowsLeft when the filters leave nothing, Cancelled when `on_progress` stops the run.
    """
    on_progress("Cleaning", 0, 1)
    cleaned = clean_backlinks(export, settings.filters)
    crawl = None if pages is None else pages.table
    links = compare_links(cleaned.table, settings, encoder, crawl, on_progress=on_progress)
    links["cas_percentile"] = percentiles(links["cas"])
    on_progress("Judging", 0, 1)
    links = judge_links(links, settings)
    return Audit(
        cleaned=cleaned,
        settings=settings,
        model=encoder.name,
        device=getattr(encoder, "device", ""),
        links=links,
        blank_cas=blank_reasons(links, settings),
    )


def texts_of_links(
    table: pd.DataFrame,
    settings: AuditSettings,
    pages: pd.DataFrame | None = None,
    targets: pd.DataFrame | None = None,
) -> LinkTexts:
    """Return the texts that `compare_links` compares, and in its vocabulary those that it has embedded."""
    return read_link_texts(table, settings.link_text, pages, load_topics().phrases, load_site_names(), targets)


def compare_links(
    table: pd.DataFrame,
    settings: AuditSettings,
    encoder: Encoder,
    pages: pd.DataFrame | None = None,
    targets: pd.DataFrame | None = None,
    on_progress: Progress = silent,
) -> pd.DataFrame:
    """Return cleaned links with what is told from their own words and numbers: similarity … topic_field, cas.

    `pages`: the mapped crawl of the target site. `targets`: the target pages of the whole export
    (`text.texts.count_targets`), where `table` is only a part of it.
    """
    topics = load_topics()
    texts = texts_of_links(table, settings, pages, targets)
    vectors = encoder.encode(texts.vocabulary.texts, on_progress)
    chance = texts.chance.embedded(vectors)
    found = compare(
        [bags.embedded(vectors) for bags in texts.referring.values()],
        [bags.embedded(vectors) for bags in texts.target.values()],
        texts.subject.embedded(vectors),
        Chance(chance.unit_vectors(0, len(chance)), topics.fields),
        on_progress,
    )
    links = table.assign(
        similarity=found.similarity.astype("float64"),
        evidence=_named(found.evidence, list(texts.referring)),
        relevance=found.relevance.astype("float64"),
        band=bands(found.relevance, settings.bands),
        topic=_named(found.topic, topics.phrases),
        topic_field=_named(found.topic, topics.fields),
        target_status=_target_status(table, pages),
    )
    return links.assign(cas=contextual_authority(links, settings))


def judge_links(links: pd.DataFrame, settings: AuditSettings, census: Census | None = None) -> pd.DataFrame:
    """Return compared links with risk_signals (how many), verdict and why; they need their cas_percentile.

    `census`: that of the whole export, where `links` are only a part of it.
    """
    topics = load_topics()
    signals = risk_signals(links, settings.risk, frozenset(topics.fields[topics.risky]), census)
    found = signals != ""
    links = links.assign(risk_signals=found.sum(axis=1))
    return links.join(verdicts(links.assign(risk_names=name_signals(found)), settings.verdicts))


def _named(places: np.ndarray, names: Iterable[str]) -> np.ndarray:
    """Return the name at each place, "" for the place -1."""
    return np.array([*names, ""], dtype=object)[places]


def _target_status(table: pd.DataFrame, pages: pd.DataFrame | None) -> pd.Series:
    """Return the HTTP status of each link's target page, NaN where no crawl holds it."""
    if pages is None:
        return pd.Series(np.nan, table.index)
    status = pages["http_status"].set_axis(normalise_urls(pages["url"]))
    return table["target_key"].map(status[~status.index.duplicated()]).astype("float64")
