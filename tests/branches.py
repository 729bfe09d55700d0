"""State the share of branches that the tests reach, and fail below the least: `coverage json -o - | this`."""

import json
import sys

LEAST = 0.95
"""Of all branches outside backlink_audit/ui."""


def main() -> int:
    """Print the share; return 1 if it is too small."""
    totals = json.load(sys.stdin)["totals"]
    reached, all_of_them = totals["covered_branches"], totals["num_branches"]
    share = reached / all_of_them
    sys.stdout.write(f"{reached:,} of {all_of_them:,} branches outside ui are reached: {share:.1%}\n")
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main())
