"""The disavow file that follows from a review: merge into the existing one -> what changes -> the bytes to upload."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from backlink_audit.analysis.disavow import Keeps, merge
from backlink_audit.analysis.disavow_file import DisavowFile, Line, parse_disavow_file, parse_line, write
from backlink_audit.analysis.review import Review
from backlink_audit.labels import DISAVOW
from backlink_audit.text.urls import idna_host, owners_share

__all__ = ["NO_FILE", "DisavowFile", "NewDisavowFile", "new_disavow_file", "parse_disavow_file"]

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
        """What the new file changes: Change (added or not included), Line (of the existing file), Text, Why."""
        rows: list[tuple[str, int | None, str, str]] = [("added", None, line.text, "") for line in self.added]
        rows += [("not included", line.number or None, line.text, line.why) for line in self.dropped]
        return pd.DataFrame(rows, columns=["Change", "Line", "Text", "Why"]).astype({"Line": "Int64"})


def new_disavow_file(review: Review, links: pd.DataFrame, existing: DisavowFile = NO_FILE) -> NewDisavowFile:
    """Return the existing file with what was decided: what is disavowed is added, what is kept is removed.

    A domain that many owners share, or that covers something kept, is not written: of it, the links (columns
    referring_url, referring_domain, state) that are disavowed are named one by one.
    Raises FileProblem beyond Google's limits.
    """
    keeps = Keeps.of(review.kept_domains, review.kept_urls)
    whole = [
        domain
        for domain in map(idna_host, review.disavowed_domains)
        if not owners_share(domain) and not keeps.within(parse_line(0, f"domain:{domain}"))
    ]
    single = links[links["state"].eq(DISAVOW.word) & ~links["referring_domain"].isin(whole)]
    merged = merge(
        existing,
        review.disavowed_domains,
        dict.fromkeys([*review.disavowed_urls, *single["referring_url"]]),
        withdrawn=review.kept_domains,
        withdrawn_urls=review.kept_urls,
        heading=HEADING,
    )
    return NewDisavowFile(existing, merged.file, merged.dropped)
