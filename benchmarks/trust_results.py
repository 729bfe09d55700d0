"""Where the long checks of trust write what they saw: benchmarks/trust.md."""

from pathlib import Path

from benchmarks.measure import write_section

FILE = Path(__file__).parent / "trust.md"
BEGINNING = """# A server that one can leave running

Each section is written by the command that it names; the table of hostile files is in [hostile.md](hostile.md).
"""


def write(title: str, text: str) -> None:
    """Print a section and put it into the file in place of the former one of that title."""
    write_section(title, text, FILE, BEGINNING)
