"""The disavow file that follows from a review: merge into the existing one -> what changes -> the bytes to upload."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from backlink_audit.analysis.disavow import DisavowFile, Line, merge, write
from backlink_audit.analysis.review import Review

HEADING = "Added by Backlink Audit"
"""The comment above the lines that are added to a disavow file."""

NO_FILE = DisavowFile()
"""What there is before the first disavow file."""


@dataclass(frozen=True, eq=False)
class NewDisavowFile:
    """A disavow file to upload in place of the existing one; `dropped` are the lines that did not get into it."""

    existing: DisavowFile
    file: DisavowFile
    dropped: tuple[Line, ...]

    @property
    def data(self) -> bytes:
        """The file's bytes. Raises FileProblem beyond Google's limits."""
        return write(self.file)

    @cached_property
    def added(self) -> tuple[Line, ...]:
        """The entries that the existing file has not."""
        known = {"domain": self.existing.domains, "url": self.existing.urls}
        return tuple(line for line in self.file.lines if line.is_entry and line.value not in known[line.kind])

    @cached_property
    def changes(self) -> pd.DataFrame:
        """What the new file changes: Change (added or left out), Line (of the existing file), Text, Why."""
        rows: list[tuple[str, int | None, str, str]] = [("added", None, line.text, "") for line in self.added]
        rows += [("left out", line.number or None, line.text, line.why) for line in self.dropped]
        return pd.DataFrame(rows, columns=["Change", "Line", "Text", "Why"]).astype({"Line": "Int64"})


def new_disavow_file(review: Review, existing: DisavowFile = NO_FILE) -> NewDisavowFile:
    """Return the existing file with what was decided: what is disavowed joins it, what is kept leaves it.

    Raises FileProblem beyond Google's limits.
    """
    merged = merge(
        existing,
        review.disavowed_domains,
        review.disavowed_urls,
        withdrawn=frozenset(review.kept_domains),
        withdrawn_urls=review.kept_urls,
        heading=HEADING,
    )
    return NewDisavowFile(existing, merged.file, merged.dropped)
