"""Disavow files after Google's rules: read an existing one, merge in what was decided, say what changes, write.

The rules (Search Console help, “Disavow links to your site”): UTF-8 or 7-bit ASCII; one URL or `domain:example.com` a
line; `#` begins a comment line; at most 100,000 lines, blank ones and comments counted, and 2 MB; a URL has at most
2,048 characters; after `domain:` stands neither scheme nor path. An upload replaces the former file, so the new one
must hold everything.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from urllib.parse import urlsplit

from backlink_audit.analysis.saved_text import UTF_8, UTF_16, read_saved_text
from backlink_audit.errors import FileProblem
from backlink_audit.text.urls import idna_host, normalise_url, owners_share, registrable_domain

MOST_LINES = 100_000
MOST_BYTES = 2_000_000
"""2 MB in the stricter of its two readings (the other is 2,097,152), so that a file passes under both."""
LONGEST_URL = 2_048
FILE_NAME = "disavow.txt"

Kind = Literal["domain", "url", "comment", "blank", "broken"]

_LINE_END = re.compile(r"\r\n|\r|\n")
_LABEL = re.compile(r"(?!-)[\w-]{1,63}(?<!-)")
_DOMAIN = re.compile(r"domain:(.*)", re.IGNORECASE | re.DOTALL)
_WEB_SCHEME = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """One line of a disavow file.

    `value` is the domain, or the URL with its host in lower case; `why` says what is broken.
    """

    number: int
    text: str
    kind: Kind
    value: str = ""
    why: str = ""

    @property
    def is_entry(self) -> bool:
        """Whether the line disavows something."""
        return self.kind in ("domain", "url")


@dataclass(frozen=True)
class DisavowFile:
    """A disavow file's lines in order; `notes` say what was unusual about its bytes."""

    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def domains(self) -> frozenset[str]:
        """The domains it disavows."""
        return frozenset(line.value for line in self.lines if line.kind == "domain")

    @property
    def urls(self) -> frozenset[str]:
        """The single URLs it disavows."""
        return frozenset(line.value for line in self.lines if line.kind == "url")

    @property
    def comments(self) -> int:
        """How many comment lines it has."""
        return sum(line.kind == "comment" for line in self.lines)

    @property
    def broken(self) -> tuple[Line, ...]:
        """The lines that Google would refuse."""
        return tuple(line for line in self.lines if line.kind == "broken")

    @property
    def text(self) -> str:
        """The file's text, each line ended."""
        return "".join(f"{line.text}\n" for line in self.lines)


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
            {_host(url): url for url in urls} | {site: site for site in sites},
        )

    def withdrawal(self, line: Line) -> str:
        """Return why an entry of the existing file leaves it; "" if it does not."""
        if line.kind == "url" and normalise_url(line.value) in self.urls:
            return "you keep this page"
        host = line.value if line.kind == "domain" else _host(line.value)
        kept = covered_by(host, self.domains) if line.is_entry else ""
        if kept and (kept == host or registrable_domain(host) == kept or not owners_share(kept)):
            return f"you keep {kept}"
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
            return f"you keep {kept}"
        return f"it covers {kept}, which you keep" if kept else ""


def parse_disavow_file(data: bytes, name: str = FILE_NAME) -> DisavowFile:
    """Read a disavow file: any line ends, with or without byte order mark, UTF-16 too.

    Raises:
        UnreadableFile: the bytes are no text.
        FileProblem: more lines or bytes (as UTF-8) than Google takes.
    """
    text, encoding = read_saved_text(data, name, "a disavow file is plain text")
    lines = _LINE_END.split(text)
    if lines and not lines[-1]:
        lines.pop()
    check_limits(lines, name)
    return DisavowFile(
        tuple(parse_line(number, line) for number, line in enumerate(lines, 1)), _encoding_note(encoding)
    )


def parse_line(number: int, text: str) -> Line:
    """Return what one line is.

    >>> parse_line(1, "domain:Example.com").value, parse_line(2, "# why").kind, parse_line(3, " ").kind
    ('example.com', 'comment', 'blank')
    >>> parse_line(4, "domain:https://example.com/path").why
    'after “domain:” stands a scheme; write “domain:example.com”'
    """
    entry = text.strip().lstrip("\ufeff")
    if not entry:
        return Line(number, "", "blank")
    if entry.startswith("#"):
        return Line(number, entry, "comment")
    domain = _DOMAIN.fullmatch(entry)
    if domain:
        host = domain[1].strip()
        why = _wrong_with_domain(host)
        return (
            Line(number, text, "broken", why=why) if why else Line(number, f"domain:{host}", "domain", idna_host(host))
        )
    why = _wrong_with_url(entry)
    return Line(number, text, "broken", why=why) if why else Line(number, entry, "url", _url_key(entry))


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
            kept.extend(
                [_as_comment(line)] if target is kept else []
            )  # what was not in the file need not be told there
        else:
            target.append(line)
            seen.add((line.kind, line.value))
    if added and heading:
        added = [parse_line(0, f"# {line}") for line in heading.splitlines()] + added
    texts = [line.text for line in (*kept, *added)]
    check_limits(texts, FILE_NAME)
    return Merged(DisavowFile(tuple(parse_line(number, text) for number, text in enumerate(texts, 1))), tuple(dropped))


def write(file: DisavowFile) -> bytes:
    """Return the file as UTF-8 with plain line ends. Raises FileProblem if it breaks one of Google's rules."""
    check_limits([line.text for line in file.lines], FILE_NAME)
    if file.broken:
        line = file.broken[0]
        raise FileProblem(FILE_NAME, f"line {line.number} is broken: {line.why}.")
    return file.text.encode()


def check_limits(lines: Sequence[str], name: str) -> None:
    """Raise FileProblem if there are more lines or bytes than Google takes."""
    if len(lines) > MOST_LINES:
        raise FileProblem(
            name,
            f"it has {len(lines):,} lines, but Google takes at most {MOST_LINES:,}, comments and blank lines counted.",
        )
    size = sum(len(line.encode(errors="replace")) + 1 for line in lines)
    if size > MOST_BYTES:
        raise FileProblem(name, f"it has {size:,} bytes, but Google takes at most {MOST_BYTES:,} (2 MB).")


def covered_by(host: str, domains: Collection[str]) -> str:
    """Return which of the domains a host is, or is under; "" if none.

    >>> covered_by("blog.example.com", {"example.com"}), covered_by("notexample.com", {"example.com"})
    ('example.com', '')
    """
    labels = host.split(".")
    parents = (".".join(labels[start:]) for start in range(len(labels)))
    return next((parent for parent in parents if parent in domains), "")


def _not_needed(line: Line, covering: Collection[str], seen: Collection[tuple[str, str]]) -> str:
    """Return why an entry need not be in the file; "" if it must."""
    if not line.is_entry:
        return ""
    if (line.kind, line.value) in seen:
        return "it is there already"
    host = line.value if line.kind == "domain" else _host(line.value)
    wider = host.partition(".")[2] if line.kind == "domain" else host
    if domain := covered_by(wider, covering):
        return f"“domain:{domain}” covers it"
    return ""


def _as_comment(line: Line) -> Line:
    return parse_line(line.number, f"# Line {line.number} was left out ({line.why}): {' '.join(line.text.split())}")


def _encoding_note(encoding: str) -> tuple[str, ...]:
    """Return a note on a file that Google would not take as it was."""
    if encoding == UTF_8:
        return ()
    was = "in UTF-16" if encoding == UTF_16 else f"not in UTF-8 and was read as {encoding}"
    return (f"It was {was}; it is written as UTF-8, which Google asks for.",)


def _wrong_with_domain(host: str) -> str:
    """Return what is wrong with the text after `domain:`; "" if nothing."""
    bare = re.split(r"[/?#:\s]", _WEB_SCHEME.sub("", host))[0]
    instead = f"; write “domain:{bare}”" if _is_host(bare) else ""
    if not host:
        return "there is no domain after “domain:”"
    if "://" in host or host.startswith("//"):
        return f"after “domain:” stands a scheme{instead}"
    if "/" in host or "?" in host:
        return f"after “domain:” stands a path, but only whole domains can be disavowed so{instead}"
    if re.search(r"\s", host):
        return f"there is more than one word; a comment needs a line of its own{instead}"
    if "*" in host:
        return "wildcards are not allowed; a domain includes its subdomains"
    if not _is_host(host):
        return f"“{host}” is not a domain"
    return f"“{host}” belongs to many owners; write one of its hosts, or single URLs" if owners_share(host) else ""


def _wrong_with_url(entry: str) -> str:
    """Return what is wrong with a line that is neither blank, a comment nor a domain; "" if nothing."""
    if len(entry) > LONGEST_URL:
        return f"the URL has {len(entry):,} characters, but at most {LONGEST_URL:,} are allowed"
    if re.search(r"\s", entry):
        return "there is a space in it; one URL or “domain:example.com” a line, comments on lines of their own"
    if not _WEB_SCHEME.match(entry):
        bare = entry.partition("/")[0]
        instead = f"; for the whole domain write “domain:{bare}”" if _is_host(bare) else ""
        return f"it is neither a URL that begins with http:// or https:// nor “domain:example.com”{instead}"
    return "" if _is_host(_host(entry)) else "the URL has no valid host"


def _is_host(host: str) -> bool:
    labels = idna_host(host).split(".")
    return len(labels) > 1 and all(_LABEL.fullmatch(label) for label in labels) and len(host) <= 253


def _host(url: str) -> str:
    try:
        return idna_host(urlsplit(url).hostname or "")
    except ValueError:
        return ""


def _url_key(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower()).geturl()
