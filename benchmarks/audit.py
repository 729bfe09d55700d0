"""The audit beside the row-by-row way and beside encoding alone, from file to workbook.

    python -m benchmarks.audit [EXPORT.csv]

Each figure comes from a process of its own. The clock starts when the model is loaded and warm, for all of them alike;
the second run is also given from a cold start, imports and all, since it needs no model.
"""

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from benchmarks.export import write_export
from benchmarks.measure import machine, run_step, step_asked_for, table, timed, write_section

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from backlink_audit.exports.recognise import Export

MODULE = "benchmarks.audit"
ROWS_ONE_BY_ONE = 300
WARM_UP = "A first text, so that the clock sees no loading."


def row_by_row(export: str) -> dict[str, float]:
    """Time the original app's way on some rows of the file: both URLs' tokens encoded, averaged, compared."""
    from backlink_audit.text.urls import url_tokens

    every = _read(export)
    links = every[:: max(1, len(every) // ROWS_ONE_BY_ONE)][:ROWS_ONE_BY_ONE]
    model = _plain_model()
    figures = {"rows": float(len(links))}
    with timed(figures):
        for source, target in zip(links["referring_url"], links["target_url"], strict=True):
            a, b = (model.encode(url_tokens(url), show_progress_bar=False).mean(axis=0) for url in (source, target))
            float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))
    return figures


def floor(export: str, *, every_row: bool = True, one_in: int = 1) -> dict[str, float]:
    """Time encoding the default mode's distinct texts with plain sentence-transformers, and nothing else.

    With `one_in`, one text in so many is encoded, and the seconds are those of all by proportion.
    """
    from backlink_audit.audit.run import texts_of_links
    from backlink_audit.exports.clean import clean_backlinks
    from backlink_audit.settings import AuditSettings, BacklinkFilters

    filters = BacklinkFilters.none() if every_row else BacklinkFilters()
    links = clean_backlinks(_load(export), filters).table
    texts = texts_of_links(links, AuditSettings(filters=filters)).vocabulary.texts
    model = _plain_model()
    figures = {"rows": float(len(links)), "texts": float(len(texts))}
    with timed(figures):
        model.encode(texts[::one_in], show_progress_bar=False)
    figures["seconds"] *= len(texts) / len(texts[::one_in])
    return figures


def warm(export: str, link_text: str) -> dict[str, float]:
    """Time file in to workbook out, with the model loaded and nothing cached."""
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.settings import DEFAULT_MODEL

    load_encoder(DEFAULT_MODEL).encode([WARM_UP])
    return cold(export, link_text)


def cold(export: str, link_text: str) -> dict[str, float]:
    """Time file in to workbook out, whatever state this process and the cache are in."""
    figures: dict[str, float] = {}
    with timed(figures):
        from backlink_audit.audit.run import audit_backlinks
        from backlink_audit.audit.tables import tables
        from backlink_audit.embedding.models import load_encoder
        from backlink_audit.report.files import save
        from backlink_audit.settings import DEFAULT_MODEL, AuditSettings, BacklinkFilters

        settings = AuditSettings(link_text=link_text, filters=BacklinkFilters.none())  # type: ignore[arg-type]
        result = audit_backlinks(_load(export), settings, load_encoder(DEFAULT_MODEL))
        with tempfile.TemporaryDirectory() as folder:
            save(tables(result), Path(folder) / "audit.xlsx")
    return {**figures, "rows": float(result.backlinks)}


def main(export: Path) -> None:
    """Measure everything on one export and write the table."""
    before = machine()
    with tempfile.TemporaryDirectory() as tokens_cache, tempfile.TemporaryDirectory() as cache:
        steps = {
            "Row by row, as the original app": run_step(MODULE, "row_by_row", str(export)),
            "Encoding alone (floor)": run_step(MODULE, "floor", str(export)),
            "`url-tokens`, file to xlsx": _run("warm", export, "url-tokens", tokens_cache),
            "Default, file to xlsx": _run("warm", export, "subject", cache),
            "Default again, all cached": _run("warm", export, "subject", cache),
            "Default again, from a cold start": _run("cold", export, "subject", cache),
        }
    slow, alone, tokens, default, again, _ = steps.values()
    ratios = [
        ("`url-tokens` : row by row, rows per second", _speed(tokens) / _speed(slow), "at least 90"),
        ("default : row by row, rows per second", _speed(default) / _speed(slow), "at least 12"),
        ("default : encoding alone, seconds", default["seconds"] / alone["seconds"], "at most 1.3"),
        ("first : second run, seconds", default["seconds"] / again["seconds"], "at least 8"),
        ("peak memory, GiB", max(step["peak"] for step in steps.values()) / 1024, "at most 1.5"),
    ]
    measured = [
        [name, f"{step['rows']:,.0f}", f"{step['seconds']:.2f}", f"{_speed(step):,.0f}", f"{step['peak']:,.0f}"]
        for name, step in steps.items()
    ]
    write_section(
        "Audit",
        f"{before}. {alone['texts']:,.0f} distinct texts in the default mode.\n\n"
        + table(("way", "rows", "seconds", "rows per second", "peak MiB"), measured)
        + "\n\n"
        + table(("ratio", "measured", "target"), [(name, f"{value:.2f}", goal) for name, value, goal in ratios]),
    )


def _run(step: str, export: Path, link_text: str, cache: str) -> dict[str, float]:
    return run_step(MODULE, step, str(export), link_text, environment={"BACKLINK_AUDIT_CACHE": cache})


def _speed(step: dict[str, float]) -> float:
    return step["rows"] / step["seconds"]


def _load(export: str) -> "Export":
    from backlink_audit.exports.load import load

    return load([(Path(export).name, Path(export).read_bytes())])


def _read(export: str) -> pd.DataFrame:
    return _load(export).table


def _plain_model() -> "SentenceTransformer":
    """Return the default model in plain sentence-transformers, warm."""
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    from backlink_audit.embedding.catalogue import find_in_catalogue
    from backlink_audit.embedding.weights import find_folder
    from backlink_audit.settings import DEFAULT_MODEL

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    model = SentenceTransformer(str(find_folder(find_in_catalogue(DEFAULT_MODEL))), local_files_only=True)
    model.encode([WARM_UP], show_progress_bar=False)
    return model


if __name__ == "__main__" and not step_asked_for({step.__name__: step for step in (row_by_row, floor, warm, cold)}):
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            write_export(Path(folder) / "backlinks.csv")
            main(Path(folder) / "backlinks.csv")
