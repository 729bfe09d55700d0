"""What software calls its pages, in their URLs: shapes that need no word of a language (`page_shapes.csv`)."""

from functools import cache

from backlink_audit.text.word_lists import read_list

VISITORS = "visitors"
"""The shapes of pages that a site's visitors write: forums, comments, guest books, archives of mails."""
MEMBERS = "members"
"""Profiles."""
FILES = "spam"
"""Folders for files that hold pages after a break-in, and pages that a program wrote."""

SERVICES = "service"
"""Logins, job advertisements, legal notices, storage buckets: a link there says nothing of its host's good opinion."""


@cache
def shape_pattern(kind: str) -> str:
    """Return the pattern (RE2) of all shapes of a kind of page; it does not say that case is ignored."""
    return "|".join(row["pattern"] for row in read_list("page_shapes") if row["kind"] == kind)
