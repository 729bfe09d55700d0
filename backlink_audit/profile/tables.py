"""The profile for the reader: its sentence, its figures, and the sheets of its workbook."""

import pandas as pd

from backlink_audit.labels import EXACT_MATCH
from backlink_audit.profile.linking_texts import LinkingTexts
from backlink_audit.profile.result import Profile
from backlink_audit.report.rows import (
    Row,
    Tables,
    WholeTables,
    rows_of_file,
    rows_of_notes,
    shown,
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
}
"""The attributes of a profile, as a reader calls them."""
VISITORS = ("referring_url", "referring_title", "anchor", "target_url", "page_traffic", "relevance", "link_type")
"""Columns of links that may bring visitors, as far as they are there."""

LISTED_TEXTS = "Linking texts"
"""The sheet of the texts that a tool lists."""


def tables(profile: Profile) -> WholeTables:
    """Return the tables of a profile: its referring domains, and the workbook."""
    return Tables(lambda: domains(profile), lambda: sheets(profile))


def sheets(profile: Profile) -> dict[str, pd.DataFrame]:
    """Return the workbook's sheets by name; a part that cannot be computed has none, the summary says why."""
    named = {
        "Summary": summary(profile),
        "Referring domains": domains(profile),
        "Target pages": with_headers(profile.target_pages, {"authority": profile.authority_word}),
        "Best pages": with_headers(profile.best_pages),
        "Nofollow on pages with traffic": shown(profile.may_bring_visitors, VISITORS),
        "Attributes": attributes(profile),
        "New and lost": with_headers(profile.months),
        "Topics": with_headers(profile.topics),
        "Kinds of pages": with_headers(profile.page_kinds, {"value": "Page kind"}),
    }
    if "anchors" not in profile.missing:
        named |= {"Anchors": with_headers(profile.anchors), "Anchor classes": with_headers(profile.class_mix)}
    if profile.linking_texts is not None:
        named[LISTED_TEXTS] = with_headers(profile.linking_texts.table)
    if "authority" not in profile.missing:
        bands = with_headers(profile.authority_bands, {"value": "Band", "share": "Share of domains"})
        named["Authority"] = bands.rename(columns={"Band": f"{profile.authority_word} band"})
    return {name: table for name, table in named.items() if len(table)}


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
    sheets = {"Summary": summary_table(rows), LISTED_TEXTS: table, "Anchor classes": mix}
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


def domains(profile: Profile) -> pd.DataFrame:
    """Return the referring domains with the headers a reader sees."""
    word = profile.authority_word
    return with_headers(profile.referring_domains, {"authority": word, "authority_band": f"{word} band"})


def attributes(profile: Profile) -> pd.DataFrame:
    """Return every attribute's values beneath each other: Attribute, Value, Links, Referring domains, Share.

    Empty where the export has no attribute.
    """
    if not profile.attributes:
        return pd.DataFrame()
    tables_with_headers = [with_headers(table, {"value": "Value"}) for table in profile.attributes.values()]
    named = pd.concat(
        tables_with_headers, keys=[ATTRIBUTE_WORDS[name] for name in profile.attributes], names=["Attribute", None]
    )
    return named.reset_index(level="Attribute").reset_index(drop=True)
