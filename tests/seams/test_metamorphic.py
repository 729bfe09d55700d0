"""The same rows in another form give the same results, in every feature: saved again, split, doubled, shuffled."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
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
ROLES = dict.fromkeys(("backlinks", "older", "theirs"), "backlinks") | dict.fromkeys(("pages", "old_pages"), "pages")
ROLES |= {"inlinks": "inlinks"}
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
OF_THE_FILE = ("Summary", "Settings", "Filters", "Excluded")
"""Sheets that say what the file is called, when it was read, and what of it was set aside."""
OF_THE_ROW = ("Source file",)


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
    step = -(-len(table) // form.pieces)
    parts = [table.iloc[start : start + step] for start in range(0, len(table), step)]
    how = {"index": False, "sep": form.delimiter, "lineterminator": form.line_end}
    name = f"longroad-{role}" if role != "theirs" else "farpedal"
    files = [(f"{name}-{n}.csv", part.to_csv(**how).encode(form.encoding)) for n, part in enumerate(parts)]  # type: ignore[call-overload]
    return load(files, ROLES[role])


def audit(form: Form) -> Any:
    return ba.audit(written("backlinks", form), pages=written("pages", form), encoder=TOY)


FEATURES: dict[str, Callable[[Form], Any]] = {
    "audit": audit,
    "profile": lambda form: ba.profile(audit(form)),
    "risk": lambda form: ba.risk(written("backlinks", form), encoder=TOY),
    "gap": lambda form: ba.gap(written("backlinks", form), [written("theirs", form)], encoder=TOY),
    "changes": lambda form: ba.changes(written("older", form), written("backlinks", form), encoder=TOY),
    "interlinks": lambda form: ba.interlinks(written("pages", form), inlinks=written("inlinks", form), encoder=TOY),
    "clusters": lambda form: ba.clusters(written("pages", form), encoder=TOY),
    "authority": lambda form: ba.authority(written("inlinks", form), pages=written("pages", form)),
    "inlinks": lambda form: ba.inlinks(written("inlinks", form), pages=written("pages", form), encoder=TOY),
    "redirects": lambda form: ba.redirects(written("old_pages", form), written("pages", form), encoder=TOY),
}
FORMS = st.builds(
    Form,
    columns=st.integers(0, 99),
    rows=st.integers(1, 999),
    line_end=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    delimiter=st.sampled_from([",", ";", "\t"]),
    pieces=st.integers(1, 3),
    doubled=st.booleans(),
)


def sheets(result: Any) -> dict[str, Any]:
    """What a result's workbook says, each sheet as its rows in an order of their own: their words, their numbers."""
    found = {}
    for name, table in ba.tables(result).items():
        if name not in OF_THE_FILE:
            cells = table[sorted(set(table.columns) - set(OF_THE_ROW))]
            words = cells.map(
                lambda cell: "" if isinstance(cell, float) and cell == cell else str(cell).casefold()
            ).to_numpy()
            numbers = cells.map(lambda cell: cell if isinstance(cell, float) and cell == cell else 0.0).to_numpy(float)
            rows = sorted(zip(words.tolist(), numbers.tolist(), strict=True))
            found[name] = [row for row, _ in rows], np.array([row for _, row in rows])
    return found


@cache
def as_it_is(feature: str) -> dict[str, Any]:
    """The same, its numbers as near as sums in another order come."""
    made = sheets(FEATURES[feature](Form()))
    return {name: (words, pytest.approx(numbers, rel=1e-4)) for name, (words, numbers) in made.items()}


@pytest.mark.parametrize("feature", FEATURES)
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None)
@given(FORMS)
def test_the_same_rows_in_another_form_and_order_give_the_same_result(feature: str, form: Form) -> None:
    assert sheets(FEATURES[feature](form)) == as_it_is(feature)
