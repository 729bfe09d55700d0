"""Ten thousand, a hundred thousand and a million rows: where the seconds and the bytes go, stage by stage.

    python -m benchmarks.scale [EXPORT.csv [ROWS …]]

The rows are those of a Semrush export repeated, so that about half of the texts are new each time; without EXPORT, of
a made-up one. Each run is a process of its own, its cache empty, the model's loading (Instant: but not its distilling)
included. The whole takes a quarter of an hour. A million rows by the default model take three quarters of an hour more,
and a row costs no more there than at 100,000: they are run when asked for, by naming ROWS.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from backlink_audit.audit.feature import PARTS_FROM
from benchmarks.audit import row_by_row
from benchmarks.export import write_export, write_repeated
from benchmarks.measure import machine, run_step, step_asked_for, table, timed, write_section

MODULE = "benchmarks.scale"
DEFAULT = "all-MiniLM-L6-v2"
ROWS = (10_000, 100_000, 1_000_000)
DEFAULT_UP_TO = 100_000
"""The default model runs up to this number of rows; beyond, only where ROWS are named."""
WHOLE_FLOOR_UP_TO = 10_000
"""Encoding alone is run to its end up to this number of rows; beyond, on one text in ten."""
WORKBOOK_AT = 100_000
"""The default model reads and writes a workbook at this number of rows, csv and parquet at the others."""


class Stages:
    """A Progress that adds up the seconds of each stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._now, self._since = "Reading", time.perf_counter()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Count the time since the last call as spent on the stage that was announced then."""
        now = time.perf_counter()
        self.seconds[self._now] = self.seconds.get(self._now, 0.0) + now - self._since
        self._now, self._since = what, now


def audit(export: str, model: str) -> dict[str, float]:
    """Time an audit from file to file, as the terminal does it, stage by stage."""
    figures: dict[str, float] = {}
    path = Path(export)
    stages = Stages()
    run = _in_parts if path.stat().st_size >= PARTS_FROM else _in_one
    with timed(figures), tempfile.TemporaryDirectory() as folder:
        figures["rows"] = float(run(path, model, Path(folder), stages))
    return figures | {f"stage {name}": seconds for name, seconds in stages.seconds.items()}


def floor(export: str, one_in: str) -> dict[str, float]:
    """Time encoding the distinct texts of an audit with plain sentence-transformers, and nothing else."""
    from benchmarks.audit import floor as encode_alone

    return encode_alone(export, every_row=False, one_in=int(one_in))


def distil(model: str) -> dict[str, float]:
    """Time what has to be done once for a model."""
    from backlink_audit.embedding.models import load_encoder

    figures: dict[str, float] = {}
    with timed(figures):
        load_encoder(model)
    return figures


def _in_one(path: Path, model: str, folder: Path, stages: Stages) -> int:
    from backlink_audit.audit.run import audit_backlinks
    from backlink_audit.audit.tables import tables
    from backlink_audit.audit.tasks import to_do
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.exports.load import load
    from backlink_audit.report.files import save
    from backlink_audit.settings import AuditSettings

    export = load([(path.name, path.read_bytes())])
    result = audit_backlinks(export, AuditSettings(model=model), load_encoder(model), on_progress=stages)
    stages("Writing", 0, 1)
    save(tables(result), folder / ("out.xlsx" if path.suffix == ".xlsx" else "out.parquet"))
    stages("Closing sentences", 0, 1)
    to_do(result)
    stages("Done", 1, 1)
    return len(export.raw)


def _in_parts(path: Path, model: str, folder: Path, stages: Stages) -> int:
    from backlink_audit.audit.parts import begin, run_stages
    from backlink_audit.audit.tables import tables_of_parts as tables
    from backlink_audit.audit.tasks import to_do
    from backlink_audit.distributed.processes import machine_workers
    from backlink_audit.embedding.models import load_encoder
    from backlink_audit.exports.parts import split
    from backlink_audit.report.files import save
    from backlink_audit.settings import AuditSettings

    export = split([path], folder, stages)
    encoder = load_encoder(model)
    run = begin(export, AuditSettings(model=model), folder / "run")
    result = run_stages(run, machine_workers(encoder, len(export), stages))
    save(tables(result, stages), folder / "out.parquet")
    stages("Closing sentences", 0, 1)
    to_do(result)
    stages("Done", 1, 1)
    return export.rows


def main(source: Path, sizes: list[int], default_up_to: int, what: str) -> None:
    """Measure every size with every model it is for, and write the table."""
    before = machine()
    slow = run_step(MODULE, "row_by_row", str(source))
    lines, ratios = [], []
    with tempfile.TemporaryDirectory() as folder:
        made_here = Path(folder) / "cache"
        run_step(MODULE, "distil", "Instant", environment={"BACKLINK_AUDIT_CACHE": str(made_here)})
        for rows in sizes:
            export = Path(folder) / f"links-{rows}.csv"
            write_repeated(source, export, rows)
            lines.append(_line("Instant", export, made_here))
            if rows > default_up_to:
                continue
            one_in = 1 if rows <= WHOLE_FLOOR_UP_TO else 10
            alone = run_step(MODULE, "floor", str(export), str(one_in))
            if rows == WORKBOOK_AT:
                export = _as_workbook(export)
            default = _line(DEFAULT, export, Path(folder) / f"cache-{rows}")
            lines.append(default)
            embedding = default["seconds"] / default["stage Embedding texts"]
            ratios.append((f"{rows:,} rows, default : its own stage of embedding, seconds", embedding))
            named = "encoding alone" if one_in == 1 else f"encoding alone, from one text in {one_in}"
            ratios.append((f"{rows:,} rows, default : {named}, seconds", default["seconds"] / alone["seconds"]))
    for model in ("Instant", DEFAULT):
        its = [line for line in lines if line["model"] == model]
        ends = f"at {its[-1]['rows']:,.0f} : at {its[0]['rows']:,.0f}"
        ratios.append((f"{model}, cost of a row {ends}", _speed(its[0]) / _speed(its[-1])))
    ratios += [
        (f"{line['rows']:,.0f} rows, {line['model']} : row by row, rows per second", _speed(line) / _speed(slow))
        for line in lines
    ]
    stages = sorted({name for line in lines for name in line if name.startswith("stage ")})
    header = ("rows", "model", "files", "seconds", "rows per second", "peak MiB", *(name[6:] for name in stages))
    body = [
        [
            f"{line['rows']:,.0f}",
            line["model"],
            line["files"],
            f"{line['seconds']:.1f}",
            f"{_speed(line):,.0f}",
            f"{line['peak']:,.0f}",
            *(f"{line[name]:.1f}" if name in line else "" for name in stages),
        ]
        for line in lines
    ]
    write_section(
        "Scale",
        f"{before}. Rows of {what}, repeated.\n\n"
        + table(header, body)
        + "\n\n"
        + table(("ratio", "measured"), [(name, f"{value:.2f}") for name, value in ratios]),
    )


def _line(model: str, export: Path, cache: Path) -> dict[str, Any]:
    made = run_step(MODULE, "audit", str(export), model, environment={"BACKLINK_AUDIT_CACHE": str(cache)})
    print(f"{made['rows']:,.0f} rows, {model}: {made['seconds']:.1f} s", flush=True)
    return {**made, "model": model, "files": "xlsx to xlsx" if export.suffix == ".xlsx" else "csv to parquet"}


def _as_workbook(export: Path) -> Path:
    import pandas as pd

    from backlink_audit.report.workbook import write_workbook

    path = export.with_suffix(".xlsx")
    write_workbook({"Backlinks": pd.read_csv(export, dtype=str, keep_default_na=False)}, path)
    return path


def _speed(step: dict[str, Any]) -> float:
    return step["rows"] / step["seconds"]


STEPS = {step.__name__: step for step in (audit, floor, distil, row_by_row)}

if __name__ == "__main__" and not step_asked_for(STEPS):
    wanted = [int(rows) for rows in sys.argv[2:]]
    sizes, up_to = (wanted, max(wanted)) if wanted else (list(ROWS), DEFAULT_UP_TO)
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]), sizes, up_to, "a Semrush export")
    else:
        with tempfile.TemporaryDirectory() as place:
            write_export(Path(place) / "backlinks.csv")
            main(Path(place) / "backlinks.csv", sizes, up_to, "a made-up export")
