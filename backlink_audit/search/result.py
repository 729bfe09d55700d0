"""What a search found, as a result that answers for itself."""

from dataclasses import dataclass, replace

import pandas as pd

from backlink_audit.wording import count


@dataclass(frozen=True, eq=False)
class Found:
    """The rows that fit a query, best first.

    `table` has the searched table's columns and index, and match (`EXACT`, `WORDS` or `MEANING`) and query_similarity
    (the cosine of the query and the row, 0 where the row has no text).
    """

    query: str
    table: pd.DataFrame
    noun: str
    searched: int
    """How many rows were searched."""

    def first(self, most: int) -> "Found":
        return replace(self, table=self.table.head(most))

    @property
    def exact(self) -> int:
        return int((self.table["match"] == EXACT).sum())

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        if self.table.empty:
            return f"Nothing matches “{self.query}” among {count(self.searched, self.noun)}."
        return (
            f"{len(self.table):,} of {count(self.searched, self.noun)} for “{self.query}”, best match first; "
            f"{self.exact:,} with exactly these words."
        )


EXACT, WORDS, MEANING = "exact words", "words", "meaning"  # why a row was found, the strongest first
