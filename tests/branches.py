"""State the share of branches that the tests reach, and fail below the least: `coverage json -o - | this`."""

import json
import sys
from collections.abc import Iterable, Mapping

LEAST = 0.95
"""Of the branches outside backlink_audit/ui, which the coverage leaves out, and outside ON_NODES."""
ON_NODES = "backlink_audit/distributed/"
"""Runs on the nodes of a cluster, in processes that a test kills: `make test-cluster` runs it, unmeasured."""


def main() -> int:
    """Print the shares; return 1 if too few are reached."""
    files: Mapping[str, Mapping[str, Mapping[str, int]]] = json.load(sys.stdin)["files"]
    here = {name: file for name, file in files.items() if not name.replace("\\", "/").startswith(ON_NODES)}
    groups = {"outside ui": files, "outside ui and the nodes of a cluster": here}
    for where, some in groups.items():
        reached, there = counted(file["summary"] for file in some.values())
        sys.stdout.write(f"{reached:,} of {there:,} branches {where} are reached: {reached / there:.1%}\n")
    reached, there = counted(file["summary"] for file in here.values())
    return int(reached < LEAST * there)


def counted(summaries: Iterable[Mapping[str, int]]) -> tuple[int, int]:
    """Return how many branches are reached, and how many there are."""
    pairs = [(summary["covered_branches"], summary["num_branches"]) for summary in summaries]
    return sum(reached for reached, _ in pairs), sum(there for _, there in pairs)


if __name__ == "__main__":
    sys.exit(main())
