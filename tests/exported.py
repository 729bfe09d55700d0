"""Small exports as the tools write them, recognised from their headers."""

import pandas as pd

from backlink_audit.exports.recognise import Export, recognise

AHREFS = {
    "Referring page title": "",
    "Referring page URL": "",
    "Language": "en",
    "Platform": "wordpress",
    "Referring page HTTP code": "200",
    "Domain rating": "40",
    "UR": "10",
    "External links": "20",
    "Target URL": "https://our-site.com/",
    "Left context": "",
    "Anchor": "",
    "Right context": "",
    "Type": "text",
    "Content": "true",
    "Nofollow": "false",
    "UGC": "false",
    "Sponsored": "false",
    "Lost status": "",
    "Drop reason": "",
    "First seen": "2024-01-05 10:00:00",
    "Last seen": "2024-05-31 10:00:00",
    "Lost": "",
}
"""A row of an Ahrefs export; tests say what differs."""

SEMRUSH = {
    "Page ascore": "10",
    "Source title": "",
    "Source url": "",
    "Target url": "https://our-site.com/",
    "Anchor": "",
    "External links": "20",
    "Nofollow": "false",
    "Sponsored": "false",
    "Ugc": "false",
    "Sitewide": "false",
    "First seen": "2024-01-05",
    "Last seen": "2024-05-31",
    "Lost link": "false",
}
"""A row of a Semrush export."""


def exported(*rows: dict[str, str], base: dict[str, str] = AHREFS, without: tuple[str, ...] = ()) -> Export:
    """An export of these rows, each with what it says of its own; `without` leaves columns out."""
    full = pd.DataFrame([base | row for row in rows], dtype="str")
    return recognise(full.drop(columns=list(without)), "links.csv")


def ahrefs_row(page: str, **differences: str) -> dict[str, str]:
    """One row of an Ahrefs export: `lost_status` is “Lost status”, and so on."""
    names = {header.lower().replace(" ", "_"): header for header in AHREFS}
    return {"Referring page URL": page} | {names[name.lower()]: value for name, value in differences.items()}
