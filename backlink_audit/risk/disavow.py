"""The next disavow file: the existing one with what was decided merged in, and why a line did not get into it.

An upload to Google replaces the former file, so the new one must contain everything.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import pandas as pd

from backlink_audit.labels import DISAVOW, PRAISE
from backlink_audit.risk.disavow_file import (
    FILE_NAME,
    DisavowFile,
    Line,
    check_limits,
    host_of,
    never_whole,
    parse_line,
    write,
)
from backlink_audit.risk.review import Review
from backlink_audit.text.urls import (
    idna_host,
    institution_of,
    map_distinct,
    normalise_url,
    owners_share,
    registrable_domain,
)
from backlink_audit.wording import by_number, count

HEADING = "Added by Backlink Audit"  # the comment above the lines that are added to a disavow file

NO_FILE = DisavowFile()  # what there is before the first disavow file
NOT_DISAVOWED, ON_PURPOSE = "Not disavowed: ", "Disavowed on purpose: "
OUR_NOTE = re.compile(rf"# (?:{NOT_DISAVOWED}|{ON_PURPOSE})")
MOST_NOTES = 500  # domains of each kind that the file's head names; the screen has all


@dataclass(frozen=True)
class Merged:
    """A merged file that keeps the rules, and each line that did not get into it, with why."""

    file: DisavowFile
    dropped: tuple[Line, ...]


@dataclass(frozen=True)
class Keeps:
    """What must not be disavowed: domains, normalised URLs, by host one of them as it was written; the own sites."""

    domains: frozenset[str]
    urls: frozenset[str]
    hosts: Mapping[str, str]
    own: frozenset[str] = frozenset()

    @classmethod
    def of(cls, domains: Iterable[str], urls: Iterable[str], own: Iterable[str] = ()) -> "Keeps":
        """Collect them as they are compared: hosts in IDNA, URLs normalised."""
        urls = list(urls)
        sites = frozenset(map(idna_host, domains))
        return cls(
            sites,
            frozenset(map(normalise_url, urls)),
            {host_of(url): url for url in urls} | {site: site for site in sites},
            frozenset(map(idna_host, own)) - {""},
        )

    def own_site(self, line: Line) -> str:
        """Return why an entry is never written, whatever was decided: it is about the user's own site; "" if not."""
        host = line.value if line.kind == "domain" else host_of(line.value)
        own = covered_by(host, self.own) if line.is_entry else ""
        if line.kind == "domain" and not own:
            own = next((site for site in self.own if site.endswith(f".{host}")), "")
        return f"{own} is your own site" if own else ""

    def withdrawal(self, line: Line) -> str:
        """Return why an entry of the existing file leaves it; "" if it does not."""
        if own := self.own_site(line):
            return own
        if line.kind == "url" and normalise_url(line.value) in self.urls:
            return "you set this page to “keep”"
        host = line.value if line.kind == "domain" else host_of(line.value)
        kept = covered_by(host, self.domains) if line.is_entry else ""
        if kept and (kept == host or registrable_domain(host) == kept or not owners_share(kept)):
            return f"you set {kept} to “keep”"
        return self.within(line)

    @cached_property
    def _hosts_under(self) -> Mapping[str, str]:
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
    own: Iterable[str] = (),
) -> Merged:
    """Add domains and URLs to a file, and take out repeats and whatever a disavowed domain covers already.

    The file's lines keep their order and its comments stay; a broken line becomes a comment that says why. Entries of
    the `withdrawn` domains and the `withdrawn_urls` leave, and so does a domain that covers one of them, new ones too.
    New lines follow at the end, in the given order, under `heading` as a comment; what is added is added, even a single
    URL of a withdrawn domain. Nothing about one of the `own` sites is in it, nor a host that is `never_whole`.
    Raises FileProblem if the result is beyond Google's limits.
    """
    keeps = Keeps.of(withdrawn, withdrawn_urls, own)
    new = [parse_line(0, f"domain:{domain}") for domain in domains] + [parse_line(0, url) for url in urls]
    withdrawals = [keeps.withdrawal(line) for line in existing.lines] + [
        keeps.own_site(line) or keeps.within(line) for line in new
    ]
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

    @property
    def why_dropped(self) -> list[str]:
        return [f"{line.text} ({line.why})" for line in self.dropped]

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
    own: Iterable[str] = (),
) -> NewDisavowFile:
    """Return the existing file with what was decided: what is disavowed is added, what is kept is removed.

    A domain that many owners share, or that covers something kept, is not written: of it, the links (columns
    referring_url, referring_key, referring_domain) that are disavowed are named one by one. `guarded`: the domains
    that look worth keeping, and why; what would newly disavow one of them is left out unless it is `ticked`. Whatever
    is decided or ticked, no line is about the links' targets or one of the `own` sites, and none disavows a search
    engine, a shortener, a platform, a newspaper, an authority or the like as a whole.
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
        if not never_whole(domain) and not keeps.within(parse_line(0, f"domain:{domain}"))
    ]
    disavowed = review.states_of_links(links) == DISAVOW.word
    # Of a site of many the disavowed pages are named; of a newspaper or the like only those chosen one by one.
    single = links[disavowed & ~links["referring_domain"].isin(whole)]
    single = single[map_distinct(single["referring_url"].map(host_of), institution_of) == ""]
    merged = merge(
        DisavowFile(tuple(line for line in existing.lines if not OUR_NOTE.match(line.text))),
        review.disavowed_domains,
        dict.fromkeys([*review.disavowed_urls, *single["referring_url"]]),
        withdrawn=review.kept_domains,
        withdrawn_urls=review.kept_urls,
        heading=HEADING,
        own={*links["target_domain"], *map(registrable_domain, own)},
    )
    hosts = {line.value if line.kind == "domain" else host_of(line.value) for line in merged.file.lines}
    written = {covered_by(host, on_purpose) for host in hosts} | {
        covered_by(site, hosts) and site for site in on_purpose
    }
    on_purpose = {site: why for site, why in on_purpose.items() if site in written}
    notes = [*_notes(NOT_DISAVOWED, held_back), *_notes(ON_PURPOSE, on_purpose)]
    return NewDisavowFile(existing, _headed(merged.file, notes), merged.dropped, held_back, on_purpose)


def _newly_disavowed(
    review: Review, existing: DisavowFile, guarded: Mapping[str, str]
) -> dict[str, list[tuple[str, str]]]:
    """Return by guarded domain the keys of decisions to disavow what the existing file does not."""
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
    texts = [*notes, *(line.text for line in file.lines)]
    check_limits(texts, FILE_NAME)
    return DisavowFile(tuple(parse_line(number, text) for number, text in enumerate(texts, 1)))


@dataclass(frozen=True, eq=False)
class SentFile:
    """The disavow file that Google has, compared with live links (referring_url, referring_domain, referring_key)."""

    file: DisavowFile
    live: pd.DataFrame

    @cached_property
    def links(self) -> pd.DataFrame:
        """The live links that the file disavows, with entry: its line."""
        found = self.live.assign(entry=covering_entries(self.live, self.file))
        return found[found["entry"] != ""]

    @property
    def still_linking(self) -> int:
        return int(self.links["entry"].nunique())

    @cached_property
    def domains(self) -> pd.DataFrame:
        """One row per referring domain that is disavowed and still links: entry, links; the most links first."""
        counted = self.links.groupby("referring_domain", as_index=False).agg(
            entry=("entry", "first"), links=("entry", "size"), referring_url=("referring_url", "first")
        )
        return counted.sort_values("links", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def good(self) -> pd.DataFrame:
        """The disavowed links that are worth keeping, the best verdict first; empty where no audit judged them."""
        if "verdict" not in self.links:
            return self.links.head(0)
        order = {label.word: place for place, label in enumerate(PRAISE)}
        good = self.links[self.links["verdict"].isin(list(order))]
        return good.iloc[good["verdict"].map(order).argsort(kind="stable")]

    @property
    def figures(self) -> dict[str, int | None]:
        """The answer as plain data; good_links is None where no audit judged the links."""
        return {
            "domains": len(self.file.domains),
            "urls": len(self.file.urls),
            "still_linking": self.still_linking,
            "live_links": len(self.links),
            "good_links": len(self.good) if "verdict" in self.links else None,
        }

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        entries, good = len(self.file.domains) + len(self.file.urls), len(self.good)
        found = (
            f"Of {count(entries, 'line')} in the disavow file, {self.still_linking:,} "
            f"{by_number(self.still_linking, 'is', 'are')} about links that still exist "
            f"({count(len(self.links), 'live link')})"
        )
        if "verdict" not in self.links:
            return f"{found}; run the audit to see which are good."
        return f"{found}; {good or 'none'} of these {by_number(good, 'is', 'are')} worth keeping."
