"""Files made at run time: a table in every wrapping that tools and people give it."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pandas as pd

from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export

SAMPLES = Path(__file__).parent / "samples"

HEADER = ["Referring page URL", "Target URL", "Anchor", "UR", "External links"]
ROWS = [
    ["https://a.example/1", "https://shop.example/", "shop", "12.5", "3"],
    ["https://b.example/2", "https://shop.example/chairs", "café chairs", "0", "814"],
]


def sample(name: str) -> bytes:
    """Return a sample file's bytes."""
    return (SAMPLES / name).read_bytes()


def csv_bytes(
    rows: Sequence[Sequence[str]] = (HEADER, *ROWS), delimiter: str = ",", encoding: str = "utf-8", before: str = ""
) -> bytes:
    """Return rows as a csv file."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return (before + text.getvalue()).encode(encoding)


def xlsx_bytes(*sheets: Sequence[Sequence[object]]) -> bytes:
    """Return sheets, each a list of rows, as a workbook."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for rows in sheets:
        sheet = workbook.create_sheet()
        for row in rows:
            sheet.append(list(row))
    target = io.BytesIO()
    workbook.save(target)
    return target.getvalue()


def backlinks(**columns: Sequence[object]) -> Export:
    """Return an Ahrefs export with these columns (header words joined by _) and as many rows; URLs are made up."""
    count = len(next(iter(columns.values()))) if columns else 1
    raw = {
        "Referring page URL": [f"https://site{row}.example/page" for row in range(count)],
        "Target URL": ["https://shop.example/"] * count,
        **{header.replace("_", " "): list(values) for header, values in columns.items()},
    }
    return load([("made.csv", pd.DataFrame(raw).to_csv(index=False).encode())])


def pages(**columns: Sequence[object]) -> Export:
    """Return a crawl with these columns (header words joined by _) and as many rows; addresses are made up."""
    count = len(next(iter(columns.values())))
    raw = {
        "Address": [f"https://shop.example/{row}" for row in range(count)],
        "Title 1": ["Title"] * count,
        **{header.replace("_", " "): list(values) for header, values in columns.items()},
    }
    return load([("crawl.csv", pd.DataFrame(raw).to_csv(index=False).encode())], "pages")
