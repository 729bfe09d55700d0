"""The sample project: the exports of an invented shop for bicycle touring, to try everything at once.

The shop (`longroad.example`), its two competitors and every site that links to them are made up for this project. The
files are laid out as the tools write them, so they are read exactly like an upload.
"""

from importlib.resources import files as resources

NAMES: dict[str, tuple[str, ...]] = {
    "backlinks": ("longroad-backlinks-2025-11.csv",),
    "older": ("longroad-backlinks-2025-05.csv",),
    "competitors": ("saddlebagandco-backlinks.csv", "farpedal-backlinks.csv"),
    "pages": ("longroad-crawl.csv",),
    "old_pages": ("longroad-crawl-2023.csv",),
    "inlinks": ("longroad-all-inlinks.csv",),
    "citations": (
        "longroad-ai-pages-2025-11-01.csv",
        "longroad-ai-pages-2025-10-01.csv",
        "longroad-ai-queries-2025-11-01.csv",
    ),
}
"""The files of each role. Layouts: Ahrefs 2025 as exported (UTF-16), the same re-saved, Semrush, Screaming Frog."""


def files() -> dict[str, list[tuple[str, bytes]]]:
    """Return the sample's files by role, as (name, bytes): ready for `exports.load.load`."""
    folder = resources(__name__) / "data"
    return {role: [(name, (folder / name).read_bytes()) for name in names] for role, names in NAMES.items()}
