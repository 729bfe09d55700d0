"""The disavow file that follows from a review: hold back -> merge into the existing one -> the bytes to upload.

What looks worth keeping is held back unless it is ticked, and a comment at the head of the file says so.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import pandas as pd

from backlink_audit.analysis.risk.disavow import Keeps, covered_by, merge
from backlink_audit.analysis.risk.disavow_file import (
    FILE_NAME,
    DisavowFile,
    Line,
    check_limits,
    host_of,
    parse_disavow_file,
    parse_line,
    write,
)
from backlink_audit.analysis.risk.review import Review
from backlink_audit.labels import DISAVOW
from backlink_audit.text.urls.parts import idna_host, owners_share
from backlink_audit.wording import count

__all__ = ["NO_FILE", "DisavowFile", "NewDisavowFile", "new_disavow_file", "parse_disavow_file"]

HEADING = "Added by Backlink Audit"
"""The comment above the lines that are added to a disavow file."""

NO_FILE = DisavowFile()
"""What there is before the first disavow file."""
NOT_DISAVOWED, ON_PURPOSE = "Not disavowed: ", "Disavowed on purpose: "
OUR_NOTE = re.compile(rf"# (?:{NOT_DISAVOWED}|{ON_PURPOSE})")
MOST_NOTES = 500
"""Domains of each kind that the file's head names; the screen has all."""


@dataclass(frozen=True, eq=False)
class NewDisavowFile:
    """A disavow file to upload in place of the existing one; `dropped` are the lines that did not get into it.

    Of the domains that look worth keeping, each with its reasons: `held_back` were not ticked and are left out,
    `on_purpose` were, and are in the file.
    """

    existing: DisavowFile
    file: DisavowFile
    dropped: tuple[Line, ...]
    held_back: Mapping[str, str]
    on_purpose: Mapping[str, str]

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


def new_disavow_file(
    review: Review,
    links: pd.DataFrame,
    existing: DisavowFile = NO_FILE,
    guarded: Mapping[str, str] = MappingProxyType({}),
    ticked: Collection[str] = (),
) -> NewDisavowFile:
    """Return the existing file with what was decided: what is disavowed is added, what is kept is removed.

    A domain that many owners share, or that covers something kept, is not written: of it, the links (columns
    referring_url, referring_key, referring_domain) that are disavowed are named one by one. `guarded`: the domains
    that look worth keeping, and why; what would newly disavow one of them is left out unless it is `ticked`.
    Raises FileProblem beyond Google's limits.
    """
    touched = _newly_disavowed(review, existing, guarded)
    held_back = {site: guarded[site] for site in guarded if site in touched and site not in ticked}
    on_purpose = {site: guarded[site] for site in guarded if site in touched and site in ticked}
    left = [item for site in held_back for item in touched[site]]
    review = Review({key: one for key, one in review.decisions.items() if key not in set(left)})
    keeps = Keeps.of(review.kept_domains, review.kept_urls)
    whole = [
        domain
        for domain in map(idna_host, review.disavowed_domains)
        if not owners_share(domain) and not keeps.within(parse_line(0, f"domain:{domain}"))
    ]
    disavowed = review.states_of_links(links) == DISAVOW.word
    single = links[disavowed & ~links["referring_domain"].isin(whole)]
    merged = merge(
        DisavowFile(tuple(line for line in existing.lines if not OUR_NOTE.match(line.text))),
        review.disavowed_domains,
        dict.fromkeys([*review.disavowed_urls, *single["referring_url"]]),
        withdrawn=review.kept_domains,
        withdrawn_urls=review.kept_urls,
        heading=HEADING,
    )
    notes = [*_notes(NOT_DISAVOWED, held_back), *_notes(ON_PURPOSE, on_purpose)]
    return NewDisavowFile(existing, _headed(merged.file, notes), merged.dropped, held_back, on_purpose)


def _newly_disavowed(
    review: Review, existing: DisavowFile, guarded: Mapping[str, str]
) -> dict[str, list[tuple[str, str]]]:
    """Return the guarded domains of which the review disavows something that the existing file does not.

    Of each, the keys of those decisions.
    """
    above = {site.split(".", start)[-1]: site for site in guarded for start in range(1, site.count(".") + 1)}
    found: dict[str, list[tuple[str, str]]] = {}
    for (scope, key), one in review.decisions.items():
        host = idna_host(one.item.strip()) if scope == "domain" else host_of(one.item)
        site = covered_by(host, guarded) or (above.get(host, "") if scope == "domain" else "")
        known = covered_by(host, existing.domains) or (scope == "URL" and one.item in existing.urls)
        if one.state == DISAVOW.word and site and not known:
            found.setdefault(site, []).append((scope, key))
    return found


def _notes(beginning: str, sites: Mapping[str, str]) -> list[str]:
    more = len(sites) - MOST_NOTES
    named = [f"{site} looks worth keeping ({why})" for site, why in list(sites.items())[:MOST_NOTES]]
    return [f"# {beginning}{words}" for words in [*named, *([count(more, "more domain")] if more > 0 else [])]]


def _headed(file: DisavowFile, notes: Iterable[str]) -> DisavowFile:
    """Return the file with comments at its head. Raises FileProblem beyond Google's limits."""
    texts = [*notes, *(line.text for line in file.lines)]
    check_limits(texts, FILE_NAME)
    return DisavowFile(tuple(parse_line(number, text) for number, text in enumerate(texts, 1)))
