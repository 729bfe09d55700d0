"""The profile for the reader: its sentence, its figures, and the sheets of its workbook."""

from dataclasses import replace

import pandas as pd

from backlink_audit.labels import EXACT_MATCH
from backlink_audit.profile.linking_texts import LinkingTexts
from backlink_audit.profile.result import Profile
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
from backlink_audit.wording import percent

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


def tables(profile: Profile | LinkingTexts) -> WholeTables:
    """Return a profile's tables, or those of linking texts alone."""
    if isinstance(profile, LinkingTexts):
        return tables_of_texts(profile)
    return Tables(lambda: DOMAINS.written(profile.referring_domains, profile), lambda: sheets(profile))


def sheets(profile: Profile) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name; a part that cannot be computed has none, the summary says why."""
    made = {one.name: one.table(profile) for one in SHEETS}
    return {"Summary": summary(profile)} | {name: one for name, one in made.items() if one is not None and len(one)}


def tables_of_texts(texts: LinkingTexts) -> WholeTables:
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
