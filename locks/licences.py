"""Write docs/licences.md: the packages that the app brings, with the licence that each tells: `make licences`."""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "licences.md"
HEADING = (
    "# Licences\n\nWritten by `make licences` from locks/app.txt and torch.txt, and from what each package says "
    "of itself.\nPackages for other systems than the one it was written on are left out.\n"
)


def packages() -> list[str]:
    """Return the names that the app's locks pin, in order."""
    locked = (ROOT / "locks" / "torch.txt").read_text() + (ROOT / "locks" / "app.txt").read_text()
    return sorted(set(re.findall(r"^([A-Za-z][\w.-]*)(?:\[[\w,]*\])?==", locked, re.MULTILINE)), key=str.lower)


def licence(name: str) -> str | None:
    """Return an installed package's licence; None where it is not installed."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return None
    classes = [line.rsplit(" :: ", 1)[1] for line in told.get_all("Classifier") or () if line.startswith("License ::")]
    expression = told.json.get("license_expression") or "; ".join(classes)
    first = str(told.json.get("license") or "not said").strip().splitlines()[0][:80]
    return str(expression or first)


def table() -> str:
    """Return the whole document."""
    named: dict[str, list[str]] = {}
    for name in packages():
        if found := licence(name):
            named.setdefault(found, []).append(name)
    return HEADING + "".join(f"\n**{found}**: {', '.join(names)}\n" for found, names in sorted(named.items()))


if __name__ == "__main__":
    TARGET.write_text(table(), encoding="utf-8")
