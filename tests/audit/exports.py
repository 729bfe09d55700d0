"""Small exports in the tools' own formats, read as an upload is."""

from collections.abc import Mapping

from backlink_audit.exports.load import recognise_file
from backlink_audit.exports.recognise import Export

SEMRUSH = {
    "Page ascore": "40",
    "Source title": "",
    "Source url": "",
    "Target url": "https://shop.example/",
    "Anchor": "",
    "External links": "10",
    "Internal links": "5",
    "Nofollow": "false",
    "Sponsored": "false",
    "Ugc": "false",
    "Text": "true",
    "Frame": "false",
    "Form": "false",
    "Image": "false",
    "Sitewide": "false",
    "First seen": "2025-01-01",
    "Last seen": "2025-03-01",
    "New link": "false",
    "Lost link": "false",
}
SEMRUSH_DOMAINS = {
    "Domain ascore": "40",
    "Domain": "",
    "Backlinks": "3",
    "IP Address": "",
    "Country": "",
    "First seen": "2025-01-01",
    "Last seen": "2025-03-01",
}
CRAWL = {"Address": "", "Content Type": "text/html", "Status Code": "200", "Title 1": "", "H1-1": ""}


def semrush(name: str, *rows: Mapping[str, str], without: tuple[str, ...] = ()) -> Export:
    return _export(name, SEMRUSH, rows, without)


def semrush_domains(name: str, *rows: Mapping[str, str], without: tuple[str, ...] = ()) -> Export:
    return _export(name, SEMRUSH_DOMAINS, rows, without)


def crawl(*rows: Mapping[str, str]) -> Export:
    return _export("crawl.csv", CRAWL, rows, ())


def _export(
    name: str, defaults: Mapping[str, str], rows: tuple[Mapping[str, str], ...], without: tuple[str, ...]
) -> Export:
    headers = [header for header in defaults if header not in without]
    lines = [headers] + [[(dict(defaults) | dict(row))[header] for header in headers] for row in rows]
    text = "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines)
    return recognise_file(name, text.encode())
