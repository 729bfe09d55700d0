"""The next disavow file: the existing one with what was decided merged in, and why a line did not get into it.

An upload to Google replaces the former file, so the new one must contain everything.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from backlink_audit.analysis.risk.disavow_file import FILE_NAME, DisavowFile, Line, check_limits, host_of, parse_line
from backlink_audit.text.urls.parts import idna_host, normalise_url, owners_share, registrable_domain


@dataclass(frozen=True)
class Merged:
    """A merged file that keeps the rules, and each line that did not get into it, with why."""

    file: DisavowFile
    dropped: tuple[Line, ...]


@dataclass(frozen=True)
class Keeps:
    """What must not be disavowed: domains, normalised URLs, and by host one of them as it was written."""

    domains: frozenset[str]
    urls: frozenset[str]
    hosts: Mapping[str, str]

    @classmethod
    def of(cls, domains: Iterable[str], urls: Iterable[str]) -> "Keeps":
        """Collect them as they are compared: hosts in IDNA, URLs normalised."""
        urls = list(urls)
        sites = frozenset(map(idna_host, domains))
        return cls(
            sites,
            frozenset(map(normalise_url, urls)),
            {host_of(url): url for url in urls} | {site: site for site in sites},
        )

    def withdrawal(self, line: Line) -> str:
        """Return why an entry of the existing file leaves it; "" if it does not."""
        if line.kind == "url" and normalise_url(line.value) in self.urls:
            return "you set this page to “keep”"
        host = line.value if line.kind == "domain" else host_of(line.value)
        kept = covered_by(host, self.domains) if line.is_entry else ""
        if kept and (kept == host or registrable_domain(host) == kept or not owners_share(kept)):
            return f"you set {kept} to “keep”"
        return self.within(line)

    @cached_property
    def _hosts_under(self) -> Mapping[str, str]:
        """Of each domain that covers something kept, one such thing."""
        return {
            host.split(".", start)[-1]: kept
            for host, kept in self.hosts.items()
            for start in range(host.count(".") + 1)
        }

    def within(self, line: Line) -> str:
        """Return why a domain cannot be disavowed: what is kept would be too; "" if it can."""
        kept = self._hosts_under.get(line.value) if line.kind == "domain" else None
        if kept == line.value:
            return f"you set {kept} to “keep”"
        return f"it covers {kept}, which you set to “keep”" if kept else ""


def merge(
    existing: DisavowFile,
    domains: Iterable[str] = (),
    urls: Iterable[str] = (),
    withdrawn: Collection[str] = (),
    withdrawn_urls: Iterable[str] = (),
    heading: str = "",
) -> Merged:
    """Add domains and URLs to a file, and take out repeats and whatever a disavowed domain covers already.

    The file's lines keep their order and its comments stay; a broken line becomes a comment that says why. Entries of
    the `withdrawn` domains and the `withdrawn_urls` leave, and so does a domain that covers one of them, new ones too.
    New lines follow at the end, in the given order, under `heading` as a comment; what is added is added, even a single
    URL of a withdrawn domain.
    Raises FileProblem if the result is beyond Google's limits.
    """
    keeps = Keeps.of(withdrawn, withdrawn_urls)
    new = [parse_line(0, f"domain:{domain}") for domain in domains] + [parse_line(0, url) for url in urls]
    withdrawals = [keeps.withdrawal(line) for line in existing.lines] + [keeps.within(line) for line in new]
    kept: list[Line] = []
    dropped: list[Line] = []
    added: list[Line] = []
    lines = [*existing.lines, *new]
    staying = zip(lines, withdrawals, strict=True)
    covering = {line.value for line, why in staying if line.kind == "domain" and not why}
    seen: set[tuple[str, str]] = set()
    for place, (line, withdrawal) in enumerate(zip(lines, withdrawals, strict=True)):
        target = kept if place < len(existing.lines) else added
        why = withdrawal or _not_needed(line, covering, seen)
        if why:
            dropped.append(Line(line.number, line.text, line.kind, line.value, why))
        elif line.kind == "broken":
            dropped.append(line)
            kept.extend([_as_comment(line)] if target is kept else [])  # what was not in the file needs no note there
        else:
            target.append(line)
            seen.add((line.kind, line.value))
    if added and heading:
        added = [parse_line(0, f"# {line}") for line in heading.splitlines()] + added
    texts = [line.text for line in (*kept, *added)]
    check_limits(texts, FILE_NAME)
    return Merged(DisavowFile(tuple(parse_line(number, text) for number, text in enumerate(texts, 1))), tuple(dropped))


def covered_by(host: str, domains: Collection[str]) -> str:
    """Return which of the domains a host is, or is under; "" if none.

    >>> covered_by("blog.example.com", {"example.com"}), covered_by("notexample.com", {"example.com"})
    ('example.com', '')
    """
    labels = host.split(".")
    parents = (".".join(labels[start:]) for start in range(len(labels)))
    return next((parent for parent in parents if parent in domains), "")


def covering_entries(links: pd.DataFrame, file: DisavowFile) -> pd.Series:
    """Return the line of a disavow file that disavows each link, "" where none does; same index.

    `links` has referring_url and referring_key, the normalised address. A domain covers its subdomains.
    """
    urls = {normalise_url(url): url for url in file.urls}
    domains, by_host = file.domains, dict[str, str]()
    found = []
    for url, key in zip(links["referring_url"], links["referring_key"], strict=True):
        host = host_of(url)
        if host not in by_host:
            domain = covered_by(host, domains)
            by_host[host] = f"domain:{domain}" if domain else ""
        found.append(by_host[host] or urls.get(key, ""))
    return pd.Series(found, index=links.index, dtype="str")


def _not_needed(line: Line, covering: Collection[str], seen: Collection[tuple[str, str]]) -> str:
    """Return why an entry need not be in the file; "" if it must."""
    if not line.is_entry:
        return ""
    if (line.kind, line.value) in seen:
        return "it is already in the file"
    host = line.value if line.kind == "domain" else host_of(line.value)
    wider = host.partition(".")[2] if line.kind == "domain" else host
    if domain := covered_by(wider, covering):
        return f"“domain:{domain}” covers it"
    return ""


def _as_comment(line: Line) -> Line:
    return parse_line(line.number, f"# Line {line.number} is not included ({line.why}): {' '.join(line.text.split())}")
