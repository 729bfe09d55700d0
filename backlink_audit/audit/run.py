"""The backlink audit: clean -> texts -> embed -> compare -> score -> judge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from backlink_audit.audit.result import Audit
from backlink_audit.audit.tasks import redirect_columns, target_error
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.exports import lists
from backlink_audit.exports.clean import clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement import referring_sites
from backlink_audit.judgement.actions import words_around
from backlink_audit.judgement.features import COUNTED_ANEW, ROW_FEATURES, features_of, link_features, shared_features
from backlink_audit.judgement.fields import (
    field_names,
    field_shares,
    load_kind_phrases,
    load_topics,
    site_fields,
    with_site_fields,
)
from backlink_audit.judgement.footprints import OF_ATTACKS, attack_of, spam_subjects
from backlink_audit.judgement.inserted_links import place_meanings
from backlink_audit.judgement.judge import Forest, bands, judge, kind_reasons, load_fitted, probability, reasons
from backlink_audit.judgement.losses import OF_LOSSES, not_to_ask, still_reaching
from backlink_audit.judgement.meaning import (
    DECIMALS,
    LEAST_TRUST,
    LEAST_TRUST_OF_FEW,
    SPAM_SHARE,
    VOTERS,
    Chance,
    Site,
    best_cosine,
    by_itself,
    different_subjects,
    meanings,
    risky_beside,
    risky_shares,
    variety,
    vote_weights,
)
from backlink_audit.judgement.referring_page_crawl import around_links, checked_links, corrected, gives_nothing
from backlink_audit.judgement.risk_signals import independent, name_signals, risk_signals
from backlink_audit.judgement.scales import contextual_authority, rank_links
from backlink_audit.judgement.verdicts import verdicts
from backlink_audit.labels import LINK_LIVE
from backlink_audit.progress import Progress, silent
from backlink_audit.settings import AuditSettings, SubjectFrom
from backlink_audit.sources import NO_SOURCES, Sources
from backlink_audit.text.field_words import fields_of_pages
from backlink_audit.text.link_texts import (
    PAGES_OF_A_SITE,
    LinkedSites,
    LinkTexts,
    OfSites,
    linked_sites,
    read_link_texts,
)
from backlink_audit.text.text_vectors import Bags, Embedded, distinct_rows
from backlink_audit.text.urls import normalise_urls

RANKS = (
    "cas_percentile",
    "is_best_copy",
    "addresses",
    "is_other_address",
    "site_field",
    "own_site",
    "attack",
    "not_asked",
)
"""What `rank` says of each link."""
OF_RANKS = [*dict.fromkeys(["cas", "referring_domain", "referring_title", "topic_field", *OF_LOSSES, *OF_ATTACKS])]
"""What it asks of each, …"""
OF_PRINTS = ["same_link", "page_link", "address", "referring_page", "target_page"]  # … and of its footprints
OF_AN_ATTACK = 5  # most relevance of a link of an attack: its page is about whatever sells
ROWS_AT_ONCE = 8_192  # pairs of texts compared in one go


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
    if links["scale"].eq(lists.SCALE_NAME).all():  # nobody rates their pages
        settings = replace(settings, authority="DR")
    links = compare_links(links, settings, encoder, tables.get("pages"), around=around, on_progress=on_progress)
    on_progress("Setting verdicts", 0, 1)
    summary = referring_sites.summarise_part(links)
    whole = referring_sites.join_summaries([summary])
    links = links.join(rank(links, summary.prints, whole))
    links = judge_links(links, settings, whole)
    return Audit(links, settings, cleaned, encoder.name, encoder.device)


def links_on_pages(
    links: pd.DataFrame, sources: Mapping[str, pd.DataFrame]
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Return cleaned links as their pages have them, and the words around them (None where no page is known).

    A link that only lost a redirect and reaches the site without it is live.
    """
    links = lists.ranked(links, sources.get("ranks"))
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
    trust: Forest | None = None,
) -> pd.DataFrame:
    """Return cleaned links with what their words mean.

    These columns: similarity, anchor_fit, COMPARED_FEATURES, trusted, spam_about, spam_share, topic_field, topic, cas.

    `pages`: the mapped crawl of the target site. `sites`: the sites that the whole export links to, where `table` is
    only a part of it. `around`: the words around the links on their pages, those of `inserted_links`.
    `trust`: who may teach what a site is about; by default what was fitted for the model.
    """
    sites = sites or linked_sites(table)
    trust = trust or load_fitted(settings.model).trust
    texts = texts_of_links(table, settings, pages, sites, around)
    vectors = encoder.encode(texts.vocabulary.texts, on_progress)
    chance = _chance(texts.topics.embedded(vectors))
    known = known_sites(texts, sites, vectors, chance, settings.subject_from, trust)
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
    features = link_features(table)
    spoken = _risky_of(texts.target_words, np.ones(len(table), dtype=bool), site_of, known.sites, vectors, chance)
    risky_target = spoken.sum(axis=1)
    columns = columns.join(features).assign(risky_target=risky_target)
    columns["to_target"] = columns["to_target"].mask((features["redirecting"] > 0) | (risky_target >= SPAM_SHARE))
    trusted = _trust(columns, trust) >= known.least_trust[site_of]
    anchors = texts.anchor or texts.target_words
    sides = [_risky_of(bags, ~trusted, site_of, known.sites, vectors, chance) for bags in (texts.own, anchors)]
    about, share = spam_subjects([np.nan_to_num(side) for side in (*sides, spoken)], field_names(chance.topics))
    links = table.assign(
        similarity=pd.Series(np.fmax(pairs["similarity"], by_subject), table.index).astype("float64").round(DECIMALS),
        anchor_fit=pairs["anchor_fit"].astype("float64"),
        linked_variety=known.variety[site_of],
        linking_rating=known.rating[site_of],
        trusted=trusted,
        spam_about=pd.array(np.where(trusted, "", about), dtype="str"),
        spam_share=np.where(trusted, 0, share).astype(np.float32),
        subjects=pd.array(known.subjects[site_of], dtype="str"),
        **columns.drop(columns=list(COUNTED_ANEW)).astype({"topic_field": "str", "topic": "str"}),
        **redirect_columns(table),
    )
    links = links.assign(target_status=_target_status(links, pages))
    if texts.around is not None:
        targets = [bags.embedded(vectors) for bags in texts.targets]
        links = links.join(place_meanings(texts.around, targets, vectors, chance))
    cas = contextual_authority(links, settings)
    return links.assign(cas=cas.mask(gives_nothing(links) & cas.notna(), 0.0))


def _risky_of(
    bags: Bags, asked: np.ndarray, site_of: np.ndarray, sites: Sequence[Site], vectors: np.ndarray, chance: Chance
) -> np.ndarray:
    first, which = distinct_rows([bags.codes[asked], site_of[asked]])
    places = np.flatnonzero(asked)[first]
    read = risky_shares(bags.take(places).embedded(vectors), site_of[places], sites, chance)
    found = np.full((len(asked), read.shape[1]), np.nan, np.float32)
    found[asked] = read[which]
    return found


def _trust(features: pd.DataFrame, trust: Forest) -> np.ndarray:
    row = features[[feature.name for feature in ROW_FEATURES]].to_numpy(dtype=np.float32)
    beside = np.full((len(row), len(trust.features) - row.shape[1]), np.nan, np.float32)
    return probability(trust.log_odds(np.hstack([row, beside])))


def _chance(vectors: Embedded) -> Chance:
    topics, every = load_topics(), vectors.unit_vectors_at(np.arange(len(vectors)))
    phrases, start = {}, len(topics)
    for kind, texts in load_kind_phrases().items():
        phrases[kind] = every[start : start + len(texts)]
        start += len(texts)
    return Chance(every[: len(topics)], topics, phrases)


def rank(compared: pd.DataFrame, prints: pd.DataFrame, whole: referring_sites.ExportSummary) -> pd.DataFrame:
    """Return what the other links say of each compared link (OF_RANKS, OF_PRINTS) of the whole export: RANKS."""
    fields = site_fields(compared["referring_domain"], compared["referring_title"], compared["topic_field"])
    own = referring_sites.own_sites(compared, whole.names, prints)
    ranks = rank_links(compared["cas"], prints, own != "", compared["trusted"])
    pages = ~ranks["is_other_address"].to_numpy(dtype=bool)  # a page is one, under however many addresses
    attack = prints["page_link"].map(dict(zip(prints["page_link"][pages], attack_of(compared[pages]), strict=True)))
    asked = not_to_ask(compared, prints)
    return ranks.assign(site_field=fields, own_site=own, attack=attack.astype("str"), not_asked=asked)


def judge_subjects(links: pd.DataFrame, settings: AuditSettings, whole: referring_sites.ExportSummary) -> pd.DataFrame:
    """Return compared links with names_site, relevance, band, worth, suspicion, page_kind and the grounds in words."""
    fitted = load_fitted(settings.model)
    features = shared_features(whole.shared.loc[links.index]).join(features_of(links))
    has_words = features["about_link_selling"].notna()
    judged = judge(features, has_words.to_numpy(), fitted)
    attacking = links["attack"] != "" if "attack" in links else False
    relevance = np.where(attacking, np.minimum(judged.relevance, OF_AN_ATTACK), judged.relevance)
    unworthy = judged.worth < settings.verdicts.worth
    known = np.where(has_words & (links["target_url"] != ""), relevance, np.nan)
    return links.assign(
        names_site=referring_sites.mentions_in_words(referring_sites.site_mentions(links, whole.names)),
        page_kind=pd.array(judged.kind, dtype="str"),
        kind_why=kind_reasons(features, judged.kind, fitted),
        relevance=known.astype("float64"),
        relevance_why=reasons(features, fitted.relevance, "relevance", known >= settings.bands.relevant),
        band=bands(known, settings.bands),
        worth=judged.worth.astype("float64"),
        worth_why=reasons(features[unworthy], fitted.worth, "worth", np.zeros(unworthy.sum(), dtype=bool))
        .reindex(links.index, fill_value="")
        .astype("str"),
        suspicion=judged.suspicion.astype("float64"),
        suspicion_why=reasons(features, fitted.suspicion, "suspicion", judged.suspicion >= settings.verdicts.suspicion),
    )


def judge_links(links: pd.DataFrame, settings: AuditSettings, whole: referring_sites.ExportSummary) -> pd.DataFrame:
    """Return compared links with what `judge_subjects` adds, and copies, words_around, risk_signals, verdict and why.

    They need their ranks (`judgement.scales.rank_links`) and the field of their site, site_field (`site_fields`).
    `whole`: the summary of the whole export.
    """
    topics = load_topics()
    links = judge_subjects(with_site_fields(links), settings, whole).assign(
        copies=whole.shared.loc[links.index, "same_link"],
        same_title=whole.shared.loc[links.index, "title"],
        words_around=words_around(links),
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


@dataclass(frozen=True)
class KnownSites:
    """The sites of an export, in the order of `names`.

    `variety` of the pages that trusted links go to; `rating`: the mean logarithm of the ratings of those, NaN where
    none is known; `least_trust` of a link that teaches. `voters`: target_domain and referring_domain of those that
    have a vote.
    """

    names: list[str]
    sites: Sequence[Site]
    variety: np.ndarray
    rating: np.ndarray
    least_trust: np.ndarray
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
    texts: LinkTexts, linked: LinkedSites, vectors: np.ndarray, chance: Chance, subject_from: SubjectFrom, trust: Forest
) -> KnownSites:
    """Return what is known of each site that links go to, seen from one side or from both.

    Only links that are trusted for what they are by themselves teach it.
    """
    asked = linked.asked
    names, places = asked["target_domain"].unique().tolist(), np.arange(len(asked))
    titles, targets = (
        bags.embedded(vectors).unit_vectors_at(places) for bags in (texts.asked.texts, texts.asked_targets)
    )
    crawled, called = _of_sites(texts.site_pages, vectors), _of_sites(texts.site_names, vectors)
    by_site = [_rows_by_site(of.sites) for of in (texts.site_pages, texts.site_names, texts.asked)]
    features, rating = link_features(asked), asked["url_rating"].to_numpy(dtype=np.float64, na_value=np.nan)
    external = asked["external_links"].to_numpy(dtype=np.float64, na_value=np.nan)
    found: list[tuple[Site, str, float, float, float]] = []
    voters: list[np.ndarray] = []
    for name in names:
        of_crawl, of_name, rows = (places_of.get(name, np.empty(0, np.int64)) for places_of in by_site)
        called_so = called[of_name].sum(axis=0)
        risky = risky_beside(np.vstack([called[of_name], targets[rows]]), titles[rows], rating[rows], chance)
        trusts = _trust(features.iloc[rows].assign(**_meaning(titles[rows], targets[rows], risky, chance)), trust)
        least = LEAST_TRUST if (trusts >= LEAST_TRUST).any() else LEAST_TRUST_OF_FEW
        teaches = rows[trusts >= least]
        own = np.unique(teaches[targets[teaches].any(axis=1)]) if not len(of_crawl) else of_crawl
        pages = crawled[own] if len(of_crawl) else _most_linked(asked, own, targets)
        best = rows[np.lexsort((rows, -trusts))]
        best = best[np.isin(best, teaches) & ~asked["referring_domain"].iloc[best].duplicated().to_numpy()]
        of_voters = np.sort(best)[:VOTERS]
        weights = vote_weights(titles[of_voters], external[of_voters], chance)
        weights = (weights * trusts[np.searchsorted(rows, of_voters)]).astype(np.float32)
        site = Site(pages, called_so, titles[of_voters], weights, risky)
        differ = different_subjects(site, chance)
        # A bought or expired domain: what linked to the old site says nothing of the new one, unless the user says so.
        site = site.seen_from("pages" if differ and subject_from == "both" else subject_from)
        ratings = np.log1p(rating[teaches][~np.isnan(rating[teaches])])
        targeted = pd.factorize(asked["target_key"].iloc[teaches])[0]
        found.append((site, differ, variety(targeted), ratings.mean() if len(ratings) else np.nan, least))
        voters.append(of_voters)
    sites, differ_, varieties, mean_ratings, leasts = zip(*found, strict=True) if found else ([], [], [], [], [])
    return KnownSites(
        names,
        sites,
        np.array(varieties, np.float32),
        np.array(mean_ratings, np.float32),
        np.array(leasts, np.float32),
        asked[["target_domain", "referring_domain"]].iloc[np.concatenate([*voters, []]).astype(int)],
        np.array(differ_, dtype=object),
    )


def _meaning(titles: np.ndarray, targets: np.ndarray, risky: np.ndarray, chance: Chance) -> dict[str, np.ndarray]:
    to_topics = titles @ chance.vectors.T
    shares = field_shares(to_topics, chance.spread, chance.topics)
    has_text = titles.any(axis=1)
    found = by_itself(titles, to_topics, shares, risky, chance)
    found = {name: np.where(has_text, values, np.nan).round(DECIMALS) for name, values in found.items()}
    of_targets = field_shares(targets @ chance.vectors.T, chance.spread, chance.topics) @ risky
    return found | {"risky_target": np.where(targets.any(axis=1), of_targets, np.nan).round(DECIMALS)}


def _most_linked(asked: pd.DataFrame, rows: np.ndarray, targets: np.ndarray) -> np.ndarray:
    pages = pd.DataFrame({"key": asked["target_key"].iloc[rows].to_numpy(), "row": rows})
    counts = pages.groupby("key")["row"].agg(["size", "first"]).reset_index()
    most = counts.sort_values(["size", "key"], ascending=[False, True])["first"].head(PAGES_OF_A_SITE)
    return targets[most.to_numpy(dtype=int)]


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


def _rows_by_site(sites: pd.Series) -> dict[str, np.ndarray]:
    grouped = pd.Series(np.arange(len(sites))).groupby(sites.to_numpy())
    return {str(site): rows.to_numpy() for site, rows in grouped}
