"""Run a step in a process of its own, and put what it measured into a table."""

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

RESULTS = Path(__file__).parent / "results.md"
BEGINNING = "# Benchmarks\n\n`make bench` writes this file.\n"
MIB_PER_KIB = 1 / 1024


def run_step(module: str, step: str, *arguments: str, environment: Mapping[str, str] | None = None) -> dict[str, float]:
    """Run `python -m module --step step …` and return the figures it reports, with its peak memory in MiB."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [sys.executable, "-m", module, "--step", step, *arguments]
        subprocess.run(command, check=True, env={**os.environ, **(environment or {}), "STEP_REPORT": report.name})
        return json.loads(Path(report.name).read_text())


def report(figures: Mapping[str, float]) -> None:
    """Hand a step's figures to the process that started it."""
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    Path(os.environ["STEP_REPORT"]).write_text(json.dumps({**figures, "peak": peak * MIB_PER_KIB}))


@contextmanager
def timed(figures: dict[str, float], name: str = "seconds") -> Iterator[None]:
    """Put the seconds that the block takes into `figures`."""
    start = time.perf_counter()
    yield
    figures[name] = time.perf_counter() - start


def step_asked_for(steps: Mapping[str, Callable[..., dict[str, float]]]) -> bool:
    """Run the step named on the command line, if one is; return whether there was one."""
    if "--step" not in sys.argv:
        return False
    name, *arguments = sys.argv[sys.argv.index("--step") + 1 :]
    report(steps[name](*arguments))
    return True


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def machine() -> str:
    """Describe the machine in one line, with how busy it was."""
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        lines = information.read_text().splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{model}, {os.cpu_count()} cores, {system}; load average before the run {load}"


def write_section(title: str, text: str, file: Path = RESULTS, beginning: str = BEGINNING) -> None:
    """Print a section and put it into a file in place of the former one of that title.

    Args:
        title: Of the section.
        text: What is under it.
        file: The file.
        beginning: How a new file begins.
    """
    section = f"## {title}\n\n{text}\n"
    print(section)
    former = file.read_text() if file.exists() else beginning
    start, *sections = former.split("\n## ")
    kept = [part for part in sections if not part.startswith(f"{title}\n")]
    file.write_text("\n## ".join([start.rstrip() + "\n", *(part.rstrip() + "\n" for part in kept), section[3:]]))
