"""JSON lines, one object a line, as crawlers write them -> a table of text."""

import json
import re
from typing import Any

import pandas as pd

from backlink_audit.errors import UnreadableFile

BETWEEN = "@@"
"""Between several values of a cell, as advertools writes them in its csv."""


_AGAIN = "export the file again with one page per line."
_HALVES = re.compile("[\ud800-\udfff]")
_NOTHING = re.compile("[\x00\ufffe\uffff]")


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
            row = {_sound(key): _as_text(value) for key, value in found.items()} if isinstance(found, dict) else None
        except ValueError:
            row = None
        except RecursionError:
            raise UnreadableFile(
                name, f"line {number:,} has arrays or objects inside each other, too many to be read; {_AGAIN}"
            ) from None
        if row is None:
            raise UnreadableFile(name, f"line {number:,} is not a JSON object; {_AGAIN}")
        rows.append(row)
    return pd.DataFrame(rows).fillna("").astype("str")


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return BETWEEN.join(map(_as_text, value))
    return _sound(value) if isinstance(value, str) else json.dumps(value)


def _sound(text: str) -> str:
    r"""Return text without halves of characters, which JSON can name and no text can have, and what Excel refuses.

    >>> _sound("a\ud800b\x00")
    'a�b'
    """
    return text if text.isprintable() else _NOTHING.sub("", _HALVES.sub("\ufffd", text))
