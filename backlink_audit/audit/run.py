"""The backlink audit: clean -> texts -> embed -> compare -> score -> judge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from backlink_audit.audit.redirected_links import redirect_columns, target_error
from backlink_audit.audit.result import Audit
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports import ranks
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.actions import words_around
from backlink_audit.judgement.cas import contextual_authority, rank_links
from backlink_audit.judgement.export_summary import ExportSummary, join_summaries, summarise_part
from backlink_audit.judgement.features import MEANING_NAMES, link_features
from backlink_audit.judgement.fields import field_names, load_kind_phrases, load_topics, site_fields, with_site_fields
from backlink_audit.judgement.inserted_links import place_meanings
from backlink_audit.judgement.judge import bands, judge, kind_reasons, reasons
from backlink_audit.judgement.losses import still_reaching
from backlink_audit.judgement.meaning import Chance, Site, best_cosine, different_subjects, meanings, vote_weights
from backlink_audit.judgement.referring_page_crawl import around_links, checked_links, corrected, gives_nothing
from backlink_audit.judgement.referring_sites import mentions_in_words, own_sites, site_mentions
from backlink_audit.judgement.risk_signals import independent, name_signals, risk_signals
from backlink_audit.judgement.trees import load_fitted
from backlink_audit.judgement.verdicts import verdicts
from backlink_audit.labels import LINK_LIVE
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings, SubjectFrom
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.field_words import fields_of_pages
from backlink_audit.text.link_texts import LinkedSites, LinkTexts, OfSites, is_homepage, linked_sites, read_link_texts
from backlink_audit.text.text_vectors import Embedded, distinct_rows
from backlink_audit.text.urls import normalise_urls

RANKS = ("cas_percentile", "is_best_copy", "site_field", "own_site")
"""What `rank` says of each link."""


def audit_backlinks(
    export: Export,
    settings: AuditSettings,
    encoder: Encoder,
    sources: Sources = NO_SOURCES,
    on_progress: Progress = silent,
) -> Audit:
    """Clean and score a backlink export.

    `sources`: a crawl of the target site, for its titles and dead pages; one of the referring pages, which corrects the
    export's states and rel.

    Raises NoRowsLeft when the filters leave nothing, Cancelled when `on_progress` stops the run.
    """
    on_progress("Cleaning", 0, 1)
    cleaned = clean_backlinks(export, settings.filters)
    tables = sources.tables
    links, around = links_on_pages(cleaned.table, tables)
    if links["scale"].eq(ranks.SCALE_NAME).all():  # nobody rates their pages
        settings = replace(settings, authority="DR")
    links = compare_links(links, settings, encoder, tables.get("pages"), around=around, on_progress=on_progress)
    on_progress("Setting verdicts", 0, 1)
    summary = summarise_part(links)
    whole = join_summaries([summary])
    links = links.join(rank(links, summary.prints, whole))
    links = judge_links(links, settings, whole)
    return Audit(links, settings, cleaned, encoder.name, encoder.device)


def links_on_pages(
    links: pd.DataFrame, sources: Mapping[str, pd.DataFrame]
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return cleaned links as their pages have them, and the words around them (None where no page is known).

    A link that only lost a redirect and reaches the site without it is live.
    """
    links = ranks.ranked(links, sources.get("ranks"))
    reaching = still_reaching(links, sources.get("pages"))
    if reaching.any():
        links = links.assign(
            is_lost=links["is_lost"] & ~reaching, link_state=links["link_state"].mask(reaching, LINK_LIVE.word)
        )
    checked = checked_links(links, sources)
    return (links, None) if checked is None else (corrected(links, checked), around_links(checked, links, sources))


def texts_of_links(
    table: pd.DataFrame,
    settings: AuditSettings,
    pages: pd.DataFrame | None = None,
    sites: LinkedSites | None = None,
    around: pd.DataFrame | None = None,
) -> LinkTexts:
    """Return the texts that `compare_links` compares, and in its vocabulary those that it has embedded."""
    phrases = [phrase for kind in load_kind_phrases().values() for phrase in kind]
    return read_link_texts(table, settings.link_text, pages, (*load_topics().phrases, *phrases), sites, around)


def compare_links(
    table: pd.DataFrame,
    settings: AuditSettings,
    encoder: Encoder,
    pages: pd.DataFrame | None = None,
    sites: LinkedSites | None = None,
    around: pd.DataFrame | None = None,
    on_progress: Progress = silent,
) -> pd.DataFrame:
    """Return cleaned links with what their words mean: similarity, anchor_fit, MEANING_NAMES, topic_field, topic, cas.

    `pages`: the mapped crawl of the target site. `sites`: the sites that the whole export links to, where `table` is
    only a part of it. `around`: the words around the links on their pages, of which come `inserted_links.COLUMNS`.
    """
    sites = sites or linked_sites(table)
    texts = texts_of_links(table, settings, pages, sites, around)
    vectors = encoder.encode(texts.vocabulary.texts, on_progress)
    chance = _chance(texts.topics.embedded(vectors))
    known = known_sites(texts, sites, vectors, chance, settings.subject_from)
    site_of = pd.Index(known.names).get_indexer(pd.Index(table["target_domain"]))
    fields = fields_of_pages(texts.words, table["referring_url"], field_names(chance.topics).tolist())
    # The same pages link to the same ones again and again: each such pair is compared once.
    voter_of = known.voter_of(table)
    first, which = distinct_rows([texts.own.codes, *(bags.codes for bags in texts.targets), site_of, voter_of, fields])
    meaning = meanings(
        texts.own.take(first).embedded(vectors),
        [bags.take(first).embedded(vectors) for bags in texts.targets],
        site_of[first],
        voter_of[first],
        known.sites,
        chance,
        fields[first],
        on_progress,
    )
    columns = pd.DataFrame(meaning).take(which).set_axis(table.index)
    by_subject = columns.pop("to_subject") if settings.link_text == "subject" else np.nan
    pairs = compared_pairs(texts, vectors)
    links = table.assign(
        similarity=pd.Series(np.fmax(pairs["similarity"], by_subject), table.index).astype("float64"),
        anchor_fit=pairs["anchor_fit"].astype("float64"),
        linked_pages=np.log1p(known.linked_pages[site_of]).astype(np.float32),
        rated_sites=known.rated[site_of],
        subjects=pd.array(known.subjects[site_of], dtype="str"),
        **columns.astype({"topic_field": "str", "topic": "str"}),
        **redirect_columns(table),
    )
    links = links.assign(target_status=_target_status(links, pages))
    if texts.around is not None:
        targets = [bags.embedded(vectors) for bags in texts.targets]
        links = links.join(place_meanings(texts.around, targets, vectors, chance))
    cas = contextual_authority(links, settings)
    return links.assign(cas=cas.mask(gives_nothing(links) & cas.notna(), 0.0))


def _chance(vectors: Embedded) -> Chance:
    """Return what links are judged against, from the vectors of the topics and the kinds' phrases behind them."""
    topics, every = load_topics(), vectors.unit_vectors_at(np.arange(len(vectors)))
    phrases, start = {}, len(topics)
    for kind, texts in load_kind_phrases().items():
        phrases[kind] = every[start : start + len(texts)]
        start += len(texts)
    return Chance(every[: len(topics)], topics, phrases)


def rank(compared: pd.DataFrame, prints: pd.DataFrame, whole: ExportSummary) -> pd.DataFrame:
    """Return what the other links say of each compared link of the whole export: RANKS.

    `compared` has cas, referring_domain, target_domain, referring_title and topic_field; `prints` the footprints
    same_link, referring_page and target_page.
    """
    fields = site_fields(compared["referring_domain"], compared["referring_title"], compared["topic_field"])
    own = own_sites(compared, whole.names, prints)
    return rank_links(compared["cas"], prints["same_link"], own != "").assign(site_field=fields, own_site=own)


def judge_subjects(links: pd.DataFrame, settings: AuditSettings, whole: ExportSummary) -> pd.DataFrame:
    """Return compared links with names_site, relevance, band, worth, suspicion, page_kind and the grounds in words.

    kind_why says what shows the kind of page, relevance_why the relevance, and suspicion_why a suspicion.
    """
    fitted = load_fitted(settings.model)
    domains = links["target_domain"].map(whole.domains).astype("float64")
    features = link_features(links, whole.shared.loc[links.index], domains).join(links[list(MEANING_NAMES)])
    has_words = features["about_link_selling"].notna()
    judged = judge(features, has_words.to_numpy(), fitted)
    known = np.where(has_words & (links["target_url"] != ""), judged.relevance, np.nan)
    return links.assign(
        names_site=mentions_in_words(site_mentions(links, whole.names)),
        page_kind=pd.array(judged.kind, dtype="str"),
        kind_why=kind_reasons(features, judged.kind, fitted),
        relevance=known.astype("float64"),
        relevance_why=reasons(features, fitted.relevance, "relevance", known >= settings.bands.relevant),
        band=bands(known, settings.bands),
        worth=judged.worth.astype("float64"),
        suspicion=judged.suspicion.astype("float64"),
        suspicion_why=reasons(features, fitted.suspicion, "suspicion", judged.suspicion >= settings.verdicts.suspicion),
    )


def judge_links(links: pd.DataFrame, settings: AuditSettings, whole: ExportSummary) -> pd.DataFrame:
    """Return compared links with what `judge_subjects` adds, and copies, words_around, risk_signals, verdict and why.

    They need their ranks (`cas.rank_links`) and the field of their site, site_field (`site_fields`).
    `whole`: the summary of the whole export.
    """
    topics = load_topics()
    links = judge_subjects(with_site_fields(links), settings, whole).assign(
        copies=whole.shared.loc[links.index, "same_link"], words_around=words_around(links)
    )
    signals = risk_signals(links, settings.risk, frozenset(topics.fields[topics.risky]), whole)
    found = independent(signals != "", links)
    links = links.assign(risk_signals=found.sum(axis=1))
    reasons = {"risk_names": name_signals(found), "keyword": signals["risk_keyword"]}
    return links.join(verdicts(links.assign(**reasons), settings.verdicts))


def _target_status(table: pd.DataFrame, pages: pd.DataFrame | None) -> pd.Series:
    """Return the HTTP status of each link's target page: the crawl's, the export's, or the error its redirects end in.

    NaN where none has it. An export's 0 means that the page was not asked.
    """
    by_tool = target_error(table)
    if "target_http_status" in table:
        by_tool = table["target_http_status"].where(table["target_http_status"] > 0).fillna(by_tool)
    if pages is None:
        return by_tool
    status = pages["http_status"].set_axis(normalise_urls(pages["url"]))
    return table["target_key"].map(status[~status.index.duplicated()]).astype("float64").fillna(by_tool)


ROWS_AT_ONCE = 8_192
"""Pairs of texts compared in one go."""


@dataclass(frozen=True)
class KnownSites:
    """The sites of an export, in the order of `names`.

    `linked_pages`: how many of a site's pages have links, homepages apart; `rated`: the share of its voters whose page
    has an authority, NaN where none is known. `voters`: target_domain and referring_domain of those that were asked.
    """

    names: list[str]
    sites: Sequence[Site]
    linked_pages: np.ndarray
    rated: np.ndarray
    voters: pd.DataFrame
    subjects: np.ndarray
    """In words what a site's own pages and the linking pages are about, where that differs; "" elsewhere, object."""

    def voter_of(self, links: pd.DataFrame) -> np.ndarray:
        """Return the place of each link's referring domain among its site's voters, -1 where it is none, int64."""
        keys = ["target_domain", "referring_domain"]
        place = self.voters.groupby("target_domain").cumcount().set_axis(pd.MultiIndex.from_frame(self.voters[keys]))
        found = place.reindex(pd.MultiIndex.from_frame(links[keys]))
        return found.fillna(-1).to_numpy(dtype=np.int64)


def known_sites(
    texts: LinkTexts, linked: LinkedSites, vectors: np.ndarray, chance: Chance, subject_from: SubjectFrom
) -> KnownSites:
    """Return what is known of each site that links go to, seen from one side or from both."""
    names = linked.targets["target_domain"].unique().tolist()
    voters = linked.voters.reset_index(drop=True)
    asked = _of_sites(texts.voters, vectors)
    weights = vote_weights(asked, voters["external_links"].to_numpy(dtype=np.float64, na_value=np.nan), chance)
    pages, called = _of_sites(texts.site_pages, vectors), _of_sites(texts.site_names, vectors)
    rows = [_rows_by_site(texts.site_pages), _rows_by_site(texts.site_names), _rows_by_site(texts.voters)]
    sites: list[Site] = []
    differ: list[str] = []
    for name in names:
        of_pages, of_name, of_voters = (by_site.get(name, np.empty(0, np.int64)) for by_site in rows)
        site = Site(pages[of_pages], called[of_name].sum(axis=0), asked[of_voters], weights[of_voters])
        differ.append(different_subjects(site, chance))
        # A bought or expired domain: what linked to the old site says nothing of the new one, unless the user says so.
        sites.append(site.seen_from("pages" if differ[-1] and subject_from == "both" else subject_from))
    inner = linked.targets[~linked.targets["target_key"].map(is_homepage).astype(bool)]
    rating = voters["url_rating"].astype("float64")
    rated = (rating >= 1).astype("float64").where(rating.notna()).groupby(voters["target_domain"]).mean()
    return KnownSites(
        names,
        sites,
        inner["target_domain"].value_counts().reindex(names, fill_value=0).to_numpy(),
        rated.reindex(names).to_numpy(dtype=np.float32),
        voters[["target_domain", "referring_domain"]],
        np.array(differ, dtype=object),
    )


def compared_pairs(texts: LinkTexts, vectors: np.ndarray) -> dict[str, np.ndarray]:
    """Return the cosine of the two ends of each link, and of its anchor with its target page, NaN where blank."""
    sides = [texts.referring, *([texts.anchor] if texts.anchor is not None else [])]
    first, which = distinct_rows([bags.codes for bags in (*sides, *texts.pages)])
    found = [np.full(len(first), np.nan, np.float32) for _ in range(2)]
    pages = [bags.embedded(vectors) for bags in texts.pages]
    for start in range(0, len(first), ROWS_AT_ONCE):
        rows = first[start : start + ROWS_AT_ONCE]
        targets = [page.unit_vectors_at(rows) for page in pages]
        for place, side in enumerate(sides):
            one = side.embedded(vectors).unit_vectors_at(rows)
            found[place][start : start + len(rows)] = np.where(one.any(axis=1), best_cosine(one, targets), np.nan)
    return {name: cosines[which] for name, cosines in zip(("similarity", "anchor_fit"), found, strict=True)}


def _of_sites(texts: OfSites, vectors: np.ndarray) -> np.ndarray:
    return texts.texts.embedded(vectors).unit_vectors_at(np.arange(len(texts.sites)))


def _rows_by_site(texts: OfSites) -> dict[str, np.ndarray]:
    grouped = pd.Series(np.arange(len(texts.sites))).groupby(texts.sites.to_numpy())
    return {str(site): rows.to_numpy() for site, rows in grouped}
