"""JSON lines, one object a line, as crawlers write them -> a table of text."""

import json
from typing import Any

import pandas as pd

from backlink_audit.errors import UnreadableFile

BETWEEN = "@@"
"""Between several values of a cell, as advertools writes them in its csv."""


def is_json_lines(beginning: bytes) -> bool:
    """Whether a file that begins so has a whole JSON object on its first line."""
    line, end, _ = beginning.lstrip(b"\xef\xbb\xbf \r\n\t").partition(b"\n")
    return line.startswith(b"{") and (bool(end) or line.rstrip().endswith(b"}")) and len(line.strip()) > 1


def read_json_lines(data: bytes, name: str) -> pd.DataFrame:
    """Return the objects as rows of text, "" where one lacks a key. Raises UnreadableFile, which names the line."""
    rows: list[dict[str, str]] = []
    for number, line in enumerate(data.decode("utf-8-sig", "replace").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise UnreadableFile(
                name, f"line {number:,} is not a JSON object; export the file again with one page per line."
            )
        rows.append({str(key): _as_text(value) for key, value in found.items()})
    return pd.DataFrame(rows).fillna("").astype("str")


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return BETWEEN.join(map(_as_text, value))
    return value if isinstance(value, str) else json.dumps(value)
