"""The same rows in another form give the same results, in every feature: files saved again, split, doubled, shuffled."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import backlink_audit as ba
from backlink_audit import sample
from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export
from tests.toy import ToyEncoder

TOY = ToyEncoder()
ROLES = {"backlinks": "backlinks", "older": "backlinks", "theirs": "backlinks", "pages": "pages", "inlinks": "inlinks"}
OF_THE_FILE = ("Summary", "Settings", "Filters")
"""Sheets that say what the file is called, and when it was read."""


@dataclass(frozen=True)
class Form:
    """How a table is written: everything that a spreadsheet, another tool or a colleague may do to it."""

    columns: int = 0
    """What the columns are shuffled by; 0: as they are."""
    rows: int = 0
    line_end: str = "\n"
    encoding: str = "utf-8"
    delimiter: str = ","
    pieces: int = 1
    doubled: bool = False
    scheme: str = ""
    """What every URL begins with; "": as it is."""


@cache
def raw(role: str) -> pd.DataFrame:
    files, table = sample.files(), ROLES[role]
    [name, data] = files["competitors"][1] if role == "theirs" else files[role][0]
    return load([(name, data)], table).raw.drop(columns=["Source file"], errors="ignore")


def written(role: str, form: Form) -> Export:
    """A table of the sample, read again from files of this form."""
    table = raw(role)
    if form.columns:
        table = table[random.Random(form.columns).sample(list(table.columns), len(table.columns))]
    if form.doubled:
        table = pd.concat([table, table], ignore_index=True)
    if form.rows:
        table = table.sample(frac=1, random_state=form.rows)
    if form.scheme:
        table = table.replace({r"^https?://(?:www\.)?": form.scheme}, regex=True)
    step = -(-len(table) // form.pieces)
    parts = [table.iloc[start : start + step] for start in range(0, len(table), step)]
    files = [
        (f"longroad-{number}.csv", part.to_csv(index=False, sep=form.delimiter, lineterminator=form.line_end).encode(form.encoding))
        for number, part in enumerate(parts)
    ]
    return load(files, ROLES[role])


def audit(form: Form) -> Any:
    return ba.audit(written("backlinks", form), pages=written("pages", form), encoder=TOY)


FEATURES: dict[str, Callable[[Form], Any]] = {
    "audit": audit,
    "profile": lambda form: ba.profile(audit(form)),
    "risk": lambda form: ba.risk(written("backlinks", form)),
    "gap": lambda form: ba.gap(written("backlinks", form), [written("theirs", form)], encoder=TOY),
    "changes": lambda form: ba.changes(written("older", form), written("backlinks", form), encoder=TOY),
    "interlinks": lambda form: ba.interlinks(written("pages", form), inlinks=written("inlinks", form), encoder=TOY),
    "clusters": lambda form: ba.clusters(written("pages", form), encoder=TOY),
    "authority": lambda form: ba.authority(written("inlinks", form), pages=written("pages", form)),
    "inlinks": lambda form: ba.inlinks(written("inlinks", form), pages=written("pages", form), encoder=TOY),
    "redirects": lambda form: ba.redirects(written("pages", Form()), written("pages", form), encoder=TOY),
}
