"""A finished profile: what the backlinks are made of, the answer in a sentence and figures, and its tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import pandas as pd

from backlink_audit.audit.story import state_counts
from backlink_audit.exports.load import merging_sentence
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.scales import rating_labels, site_label
from backlink_audit.labels import EXACT_MATCH, IN_CONTENT, OUTSIDE_CONTENT, PLACEMENT_UNKNOWN
from backlink_audit.profile import shares
from backlink_audit.profile import shares as parts
from backlink_audit.report.rows import (
    Row,
    Sheet,
    Tables,
    WholeTables,
    rows_of_file,
    rows_of_notes,
    sheet,
    summary_table,
    with_headers,
)
from backlink_audit.settings import LinkChoice, RiskLimits, VerdictLimits
from backlink_audit.site.pages import PageFigures
from backlink_audit.text.urls import NO_COUNTRIES, endings, with_countries
from backlink_audit.wording import Figure, by_number, count, percent

PLACED = {IN_CONTENT.word: "in the content", OUTSIDE_CONTENT.word: "outside the content", PLACEMENT_UNKNOWN.word: ""}
"""Where on its page a link is, as a profile calls it; "" is not counted."""
LIMITS = RiskLimits()  # whose limits the bands of toxic scores have
CONTENT_SHARE = (
    "Share of the links chosen above that are in the main content of their page, of those whose place is known."
)
FOLLOWED_DOMAINS = "share of the referring domains with followed links that use it."
SAMPLED = 20  # links in a sample to read
ATTRIBUTE_WORDS = {
    "follow": "Follow",
    "link_type": "Link type",
    "placement": "Placement",
    "http_status": "HTTP status",
    "language": "Language",
    "platform": "Platform",
    "ending": "Top-level domain",
    "country": "Country (ccTLD if unknown)",
    "toxic": "Toxic score",
}  # The attributes of a profile, as a reader calls them


@dataclass(frozen=True, eq=False)
class Profile:
    """A finished profile.

    `links` are the chosen links: they make the figures, domains, anchors, target pages and topics. `every_link` has
    all others too: they make `attributes` and `months`. `missing` says for each part that cannot be computed why not.
    """

    export: Export
    links: pd.DataFrame
    every_link: pd.DataFrame
    choice: LinkChoice
    removed: Mapping[str, int]
    anchor_classes: pd.Series  # The class of each link's anchor; the index of `links`
    brands: tuple[str, ...]  # The names that make an anchor branded
    missing: Mapping[str, str]
    until: pd.Timestamp | None
    """The newest date of the export that is not in the future: the months end with it. None without dates."""
    earned: PageFigures | None = None  # What the site's pages earn, where a file of clicks or visits is loaded
    export_countries: pd.Series = field(default_factory=lambda: NO_COUNTRIES)
    """The country of referring domains (the index), as a list of them says."""
    listed_texts: Export | None = None
    """Google's list of linking texts, where one is loaded: it changes no count of links."""

    @property
    def backlinks(self) -> int:
        return len(self.links)

    @property
    def state_counts(self) -> dict[str, int]:
        return state_counts(self.every_link)

    @property
    def is_judged(self) -> bool:
        return parts.is_judged(self.links)

    @cached_property
    def referring_domains(self) -> pd.DataFrame:
        """One row per referring domain, strongest first, with its band (`shares.referring_domains`)."""
        domains = parts.referring_domains(self.links)
        domains.insert(4, "authority_band", parts.authority_band(domains["authority"]))
        return with_countries(self._without_unknown_follow(domains), self.export_countries)

    def _without_unknown_follow(self, table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(followed_share=float("nan")) if "follow" in self.missing else table

    @cached_property
    def authority_bands(self) -> pd.DataFrame:
        return parts.authority_bands(self.referring_domains)

    @cached_property
    def anchors(self) -> pd.DataFrame:
        return shares.top_anchors(self.links, self.anchor_classes)

    @cached_property
    def class_mix(self) -> pd.DataFrame:
        return shares.class_mix(self.links, self.anchor_classes)

    @cached_property
    def linking_texts(self) -> shares.LinkingTexts | None:
        """Google's linking texts beside the anchors of the chosen links; None without such a list."""
        anchors = None if "anchors" in self.missing else self.anchors
        return None if self.listed_texts is None else shares.read_texts(self.listed_texts, self.brands, anchors)

    @property
    def dominant_anchors(self) -> pd.DataFrame:
        return shares.dominant_anchors(self.anchors)

    @cached_property
    def target_pages(self) -> pd.DataFrame:
        """One row per target page, the most linked first, with what it earns where that is known."""
        pages = self._without_unknown_follow(parts.target_pages(self.links))
        return pages if self.earned is None else pages.join(self.earned.of(pages["target_url"]))

    @cached_property
    def best_pages(self) -> pd.DataFrame:
        """One row per page with clicks or visits, the best first, with its links; empty without such a file."""
        if self.earned is None:
            return pd.DataFrame(columns=["page", "links", "domains", "followed_share"])
        return parts.best_pages(self.earned.table, self.earned.at_stake, self.target_pages)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know: how many rows became how many links, how many pages earn clicks."""
        said = [merging_sentence(self.export)]
        if self.earned is not None:
            said += [self.earned.note(self.links["target_url"], "linked pages"), self.earned.own_note]
        if self.linking_texts is not None:
            targets = set(self.every_link["target_domain"])
            said += [self.linking_texts.note, self.linking_texts.of_another_site(targets)]
        return tuple(filter(None, said))

    @cached_property
    def topics(self) -> pd.DataFrame:
        """The mix of topics; empty without an audit."""
        if not self.is_judged:
            return pd.DataFrame(columns=["topic_field", "topic", "links", "domains", "share"])
        return parts.topic_mix(self.links)

    @cached_property
    def page_kinds(self) -> pd.DataFrame:
        """How many links are on which kind of page: value, links, domains, share; empty without an audit."""
        if not self.is_judged:
            return pd.DataFrame(columns=["value", "links", "domains", "share"])
        return parts.breakdown(self.links["page_kind"], self.links["referring_domain"])

    @cached_property
    def attributes(self) -> dict[str, pd.DataFrame]:
        """Of every link: how many have which value, by attribute; only attributes that the export has."""
        links, domains = self.every_link, self.every_link["referring_domain"]
        values = {
            "link_type": links["link_type"].str.lower(),
            "placement": links["placement"].map(PLACED).astype("str"),
            "http_status": parts.http_statuses(links["http_status"]),
            "language": links["language"],
            "platform": links["platform"],
            "ending": endings(domains),
            "country": with_countries(links[["referring_domain"]], self.export_countries)["country"],
            "toxic": parts.toxic_bands(links["toxic_score"], LIMITS.toxic_score, LIMITS.maybe_toxic_score),
        }
        tables = {} if "follow" in self.missing else {"follow": parts.link_attributes(links)}
        return tables | {
            name: parts.breakdown(column, domains) for name, column in values.items() if name not in self.missing
        }

    @cached_property
    def may_bring_visitors(self) -> pd.DataFrame:
        """The relevant links that are not followed on pages with many visits; empty without an audit."""
        if not self.is_judged:
            return self.links.iloc[:0]
        return parts.may_bring_visitors(self.links, VerdictLimits().page_traffic)

    def sample(self, number: int) -> pd.DataFrame:
        return self.links.sample(min(SAMPLED, len(self.links)), random_state=number)

    @cached_property
    def months(self) -> pd.DataFrame:
        """New and lost referring domains per month, net per day, and spikes; empty where no dates are known.

        Columns that cannot be computed are left out, and `missing` says why. Beside them the clicks of each month,
        where a file has them: blank for months that it does not cover.
        """
        links = self._months_of_links
        if self.earned is None or self.earned.by_month["clicks"].isna().all():
            return links
        clicks = self.earned.by_month.dropna(axis=1, how="all")
        return clicks if links.empty else shares.with_clicks(links, clicks)

    @property
    def _months_of_links(self) -> pd.DataFrame:
        if "months" in self.missing or self.until is None:
            return pd.DataFrame()
        months = shares.by_month(shares.lifetimes(self.every_link), self.until)
        unknown = [
            name
            for part, name in (("new_domains", "new_domains"), ("lost_domains", "lost_domains"))
            if part in self.missing
        ]
        return months.drop(columns=[*unknown, "net_domains", "net_per_day"] if unknown else [])

    @property
    def median_authority(self) -> float | None:
        """Median authority of the referring domains; None where the export has none."""
        known = self.referring_domains["authority"].dropna()
        return float(known.median()) if len(known) else None

    @property
    def follow_share(self) -> float | None:
        return None if "follow" in self.missing or self.links.empty else float(self.links["followed"].mean())

    @property
    def content_share(self) -> float | None:
        """Share of the chosen links that are in the content, 0-1; None where the export does not have it."""
        known = self.links[self.links["in_content"].notna()]
        if "in_content" in self.missing or known.empty:
            return None
        return float((known["placement"] == IN_CONTENT.word).mean())

    @property
    def most_frequent_anchor(self) -> tuple[str, float | None]:
        return ("", None) if "anchors" in self.missing else shares.most_frequent(self.anchors)

    @property
    def most_frequent_exact_match(self) -> tuple[str, float | None]:
        return ("", None) if "anchors" in self.missing else shares.most_frequent(self.anchors, EXACT_MATCH.word)

    @property
    def net_per_day(self) -> float | None:
        """New minus lost referring domains per day, over all months; None where it cannot be computed."""
        if "net_per_day" not in self.months or self.until is None:
            return None
        first = self.every_link[["first_seen", "lost_date"]].min().min()
        return float(self.months["net_domains"].sum() / max(1, (self.until - first).days + 1))

    @cached_property
    def authority_word(self) -> str:
        return site_label(self.links)

    @property
    def authority_labels(self) -> dict[str, str]:
        return rating_labels(self.links["scale"])

    @property
    def figures(self) -> list[Figure]:
        missing = self.missing
        return [
            ("Backlinks", self.backlinks, "The links chosen above."),
            ("Referring domains", len(self.referring_domains), "Registrable domains with at least one link to you."),
            (
                f"Median {self.authority_word}",
                None if self.median_authority is None else f"{self.median_authority:g}",
                missing.get("authority", "Half of the referring domains have a higher rating."),
            ),
            (
                "Follow share",
                _percent(self.follow_share),
                missing.get("follow", "Share of the links that are not nofollow, UGC or sponsored."),
            ),
            ("In content", _percent(self.content_share), missing.get("in_content", CONTENT_SHARE)),
            self._figure_of_anchor("Most frequent anchor", *self.most_frequent_anchor),
            self._figure_of_anchor("Most frequent exact match", *self.most_frequent_exact_match),
            (
                "Net domains per day",
                None if self.net_per_day is None else f"{self.net_per_day:+.2f}",
                missing.get("new_domains")
                or missing.get("lost_domains")
                or "New minus lost referring domains, per day.",
            ),
        ]

    def _figure_of_anchor(self, label: str, words: str, share: float | None) -> Figure:
        why_not = self.missing.get("anchors", "No anchor is of this kind.")
        return label, _percent(share), f"“{words}”: {FOLLOWED_DOMAINS}" if words else why_not

    @property
    def headline(self) -> str:
        domains = len(self.referring_domains)
        sentence = f"{count(self.backlinks, 'backlink')} from {count(domains, 'referring domain')}"
        if self.median_authority is not None:
            sentence += f" with a median {self.authority_word} of {self.median_authority:.0f}"
        if self.follow_share is not None:
            sentence += f"; {percent(self.follow_share)} of the links are followed"
        dominant = len(self.dominant_anchors)
        if dominant:
            sentence += f"; {count(dominant, 'exact-match anchor')} {by_number(dominant, 'dominates', 'dominate')}"
        return sentence + "."


def _percent(share: float | None) -> str | None:
    return None if share is None else percent(share)


def _words(profile: Profile) -> dict[str, str]:
    word = profile.authority_word
    return {"authority": word, "authority_band": f"{word} band"}


def _bands(profile: Profile) -> dict[str, str]:
    return {"value": f"{profile.authority_word} band", "share": "Share of domains"}


def _attributes(profile: Profile) -> pd.DataFrame | None:
    if not profile.attributes:
        return None
    names = [ATTRIBUTE_WORDS[name] for name in profile.attributes]
    named = pd.concat(list(profile.attributes.values()), keys=names, names=["Attribute", None])
    return named.reset_index(level="Attribute").reset_index(drop=True)


DOMAINS = sheet("profile.domains", lambda profile: profile.referring_domains, _words)
TARGETS = sheet("profile.targets", lambda profile: profile.target_pages, _words)
BEST = sheet("profile.best", lambda profile: profile.best_pages)
VISITORS = sheet("profile.visitors", lambda one: one.may_bring_visitors, lambda one: one.authority_labels)
SAMPLE = sheet("profile.sample", lambda profile: None, lambda profile: profile.authority_labels)  # rows are given
MONTHS = sheet("profile.months", lambda profile: profile.months)
TOPICS = sheet("profile.topics", lambda profile: profile.topics)
ANCHORS = sheet("profile.anchors", lambda one: None if "anchors" in one.missing else one.anchors)
CLASSES = sheet("profile.classes", lambda one: None if "anchors" in one.missing else one.class_mix)
TEXTS = sheet("profile.texts", lambda texts: texts.table)
SHEETS = (
    *(DOMAINS, TARGETS, BEST, VISITORS),
    Sheet(_attributes, "attributes", "Attributes", headers={"value": "Value"}),
    *(MONTHS, TOPICS),
    Sheet(lambda one: one.page_kinds, "kinds", "Kinds of pages", headers={"value": "Page kind"}),
    *(ANCHORS, CLASSES),
    replace(TEXTS, rows=lambda one: one.linking_texts and one.linking_texts.table),
    Sheet(lambda one: None if "authority" in one.missing else one.authority_bands, "bands", "Authority", words=_bands),
)


def tables(profile: Profile | shares.LinkingTexts) -> WholeTables:
    """Return a profile's tables, or those of linking texts alone."""
    if isinstance(profile, shares.LinkingTexts):
        return tables_of_texts(profile)
    return Tables(lambda: DOMAINS.written(profile.referring_domains, profile), lambda: sheets(profile))


def sheets(profile: Profile) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name; a part that cannot be computed has none, the summary says why."""
    made = {one.name: one.table(profile) for one in SHEETS}
    return {"Summary": summary(profile)} | {name: one for name, one in made.items() if one is not None and len(one)}


def tables_of_texts(texts: shares.LinkingTexts) -> WholeTables:
    """Return the tables of Google's linking texts alone: the texts, and the workbook."""
    table = with_headers(texts.table)
    rows: list[Row] = [
        ("Linking texts", "File", texts.export.name),
        ("Rows", "In the file", len(texts.export.raw)),
        ("Result", "In a sentence", texts.headline),
        *(("Result", label, why if value is None else value) for label, value, why in texts.figures),
        *rows_of_notes([texts.about]),
    ]
    mix = with_headers(texts.class_mix)
    sheets = {"Summary": summary_table(rows), TEXTS.name: table, CLASSES.name: mix}
    return Tables(lambda: table, lambda: sheets)


def summary(profile: Profile) -> pd.DataFrame:
    """Return what was counted, what was set aside, and what could not be computed: Part, What, Value."""
    dominant = profile.dominant_anchors[["anchor", "domain_share"]].itertuples(index=False)
    return summary_table(
        [
            ("Profile", "File", profile.export.name),
            ("Profile", "Format", profile.export.format.name),
            *rows_of_file(len(profile.export.raw), profile.removed),
            ("Rows", "All links (attributes, new and lost)", len(profile.every_link)),
            ("Result", "In a sentence", profile.headline),
            *(("Result", label, why if value is None else value) for label, value, why in profile.figures),
            ("Result", "Brand names", ", ".join(profile.brands)),
            *(
                (
                    "Result",
                    f"Dominant {EXACT_MATCH.word} anchor",
                    f"“{anchor}” on {percent(share)} of the referring domains with followed links",
                )
                for anchor, share in dominant
            ),
            *rows_of_notes(profile.notes),
            *(("Not computed", part.replace("_", " "), why) for part, why in profile.missing.items()),
        ]
    )
