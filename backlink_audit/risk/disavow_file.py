"""Disavow files after Google's rules: the lines of an existing one, what is broken in them, and the file written.

The rules (Search Console help, “Disavow links to your site”): UTF-8 or 7-bit ASCII; one URL or `domain:example.com` a
line; `#` begins a comment line; at most 100,000 lines, blank ones and comments counted, and 2 MB; a URL has at most
2,048 characters; after `domain:` comes neither scheme nor path.
"""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from backlink_audit.errors import FileProblem, UnreadableFile
from backlink_audit.text.urls import idna_host, institution_of, owners_share

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
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
UTF_8, UTF_16, WINDOWS = "UTF-8", "UTF-16", "Windows-1252"


@dataclass(frozen=True)
class Line:
    """One line of a disavow file; `value`: the domain or URL, its host in lower case; `why`: what is broken."""

    number: int
    text: str
    kind: Kind
    value: str = ""
    why: str = ""

    @property
    def is_entry(self) -> bool:
        return self.kind in ("domain", "url")


@dataclass(frozen=True)
class DisavowFile:
    """A disavow file's lines in order; `notes` say what was unusual about its bytes."""

    lines: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def domains(self) -> frozenset[str]:
        return frozenset(line.value for line in self.lines if line.kind == "domain")

    @property
    def urls(self) -> frozenset[str]:
        return frozenset(line.value for line in self.lines if line.kind == "url")

    @property
    def comments(self) -> int:
        return sum(line.kind == "comment" for line in self.lines)

    @property
    def broken(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.kind == "broken")

    @property
    def text(self) -> str:
        return "".join(f"{line.text}\n" for line in self.lines)


def parse_disavow_file(data: bytes, name: str = FILE_NAME) -> DisavowFile:
    """Read a disavow file: any line ends, with or without byte order mark, UTF-16 too.

    Raises UnreadableFile (the bytes are no text), FileProblem (more lines or bytes (as UTF-8) than Google takes).
    """
    text, encoding = read_text_file(data, name, "a disavow file is plain text")
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
    '“domain:” must not be followed by http:// or https://; write “domain:example.com”'
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
            Line(number, text, "broken", why=why)
            if why
            else Line(number, f"domain:{host.lower().rstrip('.')}", "domain", idna_host(host))
        )
    why = _wrong_with_url(entry)
    return Line(number, text, "broken", why=why) if why else Line(number, entry, "url", _url_key(entry))


def write(file: DisavowFile) -> bytes:
    """Return the file as UTF-8 with plain line ends. Raises FileProblem if it breaks one of Google's rules."""
    check_limits([line.text for line in file.lines], FILE_NAME)
    if file.broken:
        line = file.broken[0]
        raise FileProblem(FILE_NAME, f"line {line.number} is invalid: {line.why}.")
    return file.text.encode()


def check_limits(lines: Sequence[str], name: str) -> None:
    """Raise FileProblem if there are more lines or bytes than Google takes."""
    if len(lines) > MOST_LINES:
        raise FileProblem(
            name,
            f"it has {len(lines):,} lines, but Google allows at most {MOST_LINES:,}, including comments and empty "
            "lines.",
        )
    size = sum(len(line.encode(errors="replace")) + 1 for line in lines)
    if size > MOST_BYTES:
        raise FileProblem(name, f"it has {size:,} bytes, but Google allows at most {MOST_BYTES:,} (2 MB).")


def _encoding_note(encoding: str) -> tuple[str, ...]:
    if encoding == UTF_8:
        return ()
    was = "in UTF-16" if encoding == UTF_16 else f"not in UTF-8 and was read as {encoding}"
    return (f"It was {was}; it is now written as UTF-8, as Google requires.",)


def _wrong_with_domain(host: str) -> str:
    bare = re.split(r"[/?#:\s]", _WEB_SCHEME.sub("", host))[0]
    instead = f"; write “domain:{bare}”" if _is_host(bare) else ""
    if not host:
        return "there is no domain after “domain:”"
    if "://" in host or host.startswith("//"):
        return f"“domain:” must not be followed by http:// or https://{instead}"
    if "/" in host or "?" in host:
        return f"“domain:” must not be followed by a path, because it disavows the whole domain{instead}"
    if re.search(r"\s", host):
        return f"there is more than one word; write comments on a separate line{instead}"
    if "*" in host:
        return "wildcards are not allowed; a domain always includes its subdomains"
    if not _is_host(host):
        return f"“{host}” is not a domain"
    return never_whole(host)


def never_whole(host: str) -> str:
    """Return why a host is never disavowed as a whole, whatever was decided; "" if it may be.

    >>> never_whole("google.ru"), never_whole("spam.example")
    ('“google.ru” is a search engine, which is never disavowed as a whole; write single URLs', '')
    """
    if owners_share(host):
        return f"“{host}” is shared by many site owners; write a subdomain or single URLs"
    what = institution_of(host)
    return f"“{host}” is {what}, which is never disavowed as a whole; write single URLs" if what else ""


def _wrong_with_url(entry: str) -> str:
    if len(entry) > LONGEST_URL:
        return f"the URL has {len(entry):,} characters, but at most {LONGEST_URL:,} are allowed"
    if re.search(r"\s", entry):
        return "it contains a space; write one URL or “domain:example.com” per line, and comments on separate lines"
    if not _WEB_SCHEME.match(entry):
        bare = entry.partition("/")[0]
        instead = f"; for the whole domain write “domain:{bare}”" if _is_host(bare) else ""
        return f"it must be a URL with http:// or https://, or “domain:example.com”{instead}"
    return "" if _is_host(host_of(entry)) else "the URL has no valid host"


def _is_host(host: str) -> bool:
    labels = idna_host(host).split(".")
    return len(labels) > 1 and all(_LABEL.fullmatch(label) for label in labels) and len(host) <= 253


def host_of(url: str) -> str:
    """Return a URL's host in IDNA, in lower case; "" if it has none."""
    try:
        return idna_host(urlsplit(url).hostname or "")
    except ValueError:
        return ""


def _url_key(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower()).geturl()


def read_text_file(data: bytes, name: str, instead: str) -> tuple[str, str]:
    r"""Return the text and the encoding it was in: UTF_8, UTF_16 or WINDOWS (as Excel on Windows saves csv).

    Without byte order marks before the text, however many: what is written again is read as it was. `instead`: what the
    file should be, for the sentence. Raises UnreadableFile for bytes that are no text.

    >>> read_text_file("é".encode("utf-16"), "a.csv", "a csv"), read_text_file(b"\xe9", "a.csv", "a csv")
    (('é', 'UTF-16'), ('é', 'Windows-1252'))
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    encoding = _MARKS.get(mark, "utf-8")
    try:
        text, found = data[len(mark) :].decode(encoding), UTF_8 if encoding == "utf-8" else UTF_16
    except UnicodeDecodeError:
        if mark:
            raise UnreadableFile(name, f"it is marked as {encoding.upper()}, but is damaged.") from None
        text, found = data.decode("cp1252", errors="replace"), WINDOWS
    if "\0" in text:
        raise UnreadableFile(name, f"this is not a text file; {instead}.")
    return text.lstrip("\ufeff"), found
