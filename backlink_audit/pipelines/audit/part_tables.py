"""The tables of an audit in parts: those of an audit in one piece, one part at a time."""

from collections.abc import Iterator
from itertools import count

import numpy as np
import pandas as pd

from backlink_audit.exports.part_files import read_part, write_sorted
from backlink_audit.exports.parts import ROWS_PER_PART
from backlink_audit.pipelines.audit.parts import PartedAudit
from backlink_audit.pipelines.audit.tables import aside_table, by_cas, decided_first, main_table, sheets
from backlink_audit.pipelines.tables import Sheet, Tables
from backlink_audit.progress import Progress, silent

SORTED = "sorted"
SORTED_PARTS = 50
"""At most: sorting writes a file for each part and each of these."""


def tables(audit: PartedAudit, on_progress: Progress = silent) -> Tables[Sheet]:
    """Return the tables of an audit in parts; those of rows of the file yield one part after the other."""
    parts = len(audit.export)

    def rows(what: str) -> Iterator[pd.DataFrame]:
        for number in range(parts):
            on_progress(what, number, parts)
            yield main_table(audit.export.raw(number), audit.links(number), audit.settings)

    def made() -> dict[str, Sheet]:
        best_first = by_cas(audit.column("cas"))
        places = pd.Series(np.arange(len(best_first)), best_first.index)
        rows_each = max(ROWS_PER_PART, -(-len(places) // SORTED_PARTS))
        files = write_sorted(rows("Sorting"), places, audit.folder, SORTED, rows_each)
        steps = count()
        total = 2 * (files + parts)  # each is read twice: for what is in the columns, then for the cells

        def scored() -> Iterator[pd.DataFrame]:
            for number in range(files):
                on_progress("Writing", next(steps), total)
                yield decided_first(read_part(audit.folder, SORTED, number), audit.settings)

        def asides() -> Iterator[pd.DataFrame]:
            for number in range(parts):
                on_progress("Writing", next(steps), total)
                yield aside_table(audit.export.raw(number), audit.set_aside(number))

        return sheets(audit.scored(), audit.origin, scored, asides)

    return Tables(lambda: lambda: rows("Writing"), made, audit.folder)
