"""Pages that soon grow old: release notes, upgrade guides, and pages of a day."""

import regex

_DATED = regex.compile(
    r"(?:release|upgrade|upgrading|migration)[ _-](?:notes?|guides?|logs?|from|to)\b|\bchange[ _-]?log\b|\breleases?\b"
    r"|\bwhat.?s[ _-]new\b|\bversionshinweise\b|\bnotes?[ _-]de[ _-](?:version|publication)\b"
    r"|\bnotas?[ _-]de[ _-](?:la[ _-])?versi[oó]n\b|\bv?\d+\.\d+(?:\.(?:\d+|x))?\b|\bv\d+\b"
    r"|\b(?:19|20)\d\d[-/_.](?:0?[1-9]|1[0-2])\b",
    regex.I,
)


def is_dated(title: str, path: str) -> bool:
    """Whether a page's title, or the path of its address, says that it is about one version or one day.

    >>> is_dated("Release notes", "/notes"), is_dated("Upgrading", "/docs/upgrading-1.4-1.5"), is_dated("Vans", "/")
    (True, True, False)
    """
    return _DATED.search(title) is not None or _DATED.search(path) is not None
