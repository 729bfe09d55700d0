"""Ten files of five tools at once: no row is lost, none is counted twice, and each tool's rows can be added up."""

import pandas as pd
import pytest

from backlink_audit.exports.load import load
from backlink_audit.profile.run import profile_backlinks
from backlink_audit.text.urls import normalise_urls
from tests.crawls import as_csv

SHOP = "https://shop.example/chairs"
TOOLS = {
    "Ahrefs": ("Referring page URL", "Target URL", "Anchor", "UR"),
    "Semrush": ("Source url", "Target url", "Anchor", "Page ascore"),
    "Majestic": ("SourceURL", "TargetURL", "AnchorText", "SourceCitationFlow"),
    "Moz": ("URL", "Target URL", "Anchor text", "PA", "Spam Score"),
    "Semrush Backlink Audit": ("Source URL", "Target URL", "Anchor", "Page Authority Score", "Toxic Score"),
}
SAME_TOOL = {"Semrush Backlink Audit": "Semrush"}
FILES_EACH = 2
ROWS = 40


def row(tool: str, number: int) -> tuple[str, ...]:
    """One row as a tool writes it: every tool knows some of the links of the others, in a spelling of its own."""
    https = "http://www." if number % 3 else "https://"
    anchor = f" Oak CHAIR {number} " if number % 2 else f"oak chair {number}"
    more = ("5",) if len(TOOLS[tool]) > 4 else ()
    return (f"{https}site{number}.example/post/", SHOP, anchor, "30", *more)


@pytest.fixture(scope="module")
def files() -> dict[str, list[list[tuple[str, ...]]]]:
    """The rows of the files of each tool; the second file of a tool has half of the first one's rows again."""
    found = {}
    for place, tool in enumerate(TOOLS):
        numbers = range(10 * place, 10 * place + ROWS)
        first = [row(tool, number) for number in numbers]
        found[tool] = [first, first[ROWS // 2 :] + [row(tool, 1000 + 10 * place + n) for n in range(5)]]
    return found


def test_rows_in_are_links_out_and_repeats_tool_by_tool(files):
    given = [
        (f"{tool}-{n}.csv", as_csv(TOOLS[tool], rows)) for tool, its in files.items() for n, rows in enumerate(its)
    ]
    assert len(given) == FILES_EACH * len(TOOLS) == 10
    merged = load(given)
    seen = merged.raw["Seen by"].str.split(", ")
    everything = pd.DataFrame(
        [(SAME_TOOL.get(tool, tool), *one[:3]) for tool, its in files.items() for rows in its for one in rows],
        columns=["tool", "page", "target", "anchor"],
    )
    everything["page"] = normalise_urls(everything["page"])
    everything["anchor"] = everything["anchor"].str.strip().str.casefold()
    for tool, its in everything.groupby("tool"):
        links = int(seen.map(lambda names, tool=tool: tool in names).sum())
        repeats = int(its.duplicated().sum())
        assert len(its) == links + repeats, tool
    assert len(merged.table) == len(everything[["page", "target", "anchor"]].drop_duplicates())
    assert merged.notes[-1] == f"{len(everything):,} rows of 4 tools are {len(merged.table):,} links."
    assert profile_backlinks(merged).backlinks == len(merged.table)
