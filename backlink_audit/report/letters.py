"""Letters to prospects as files: drafts for a mail program (.eml), and one table for a mail merge."""

import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from io import BytesIO

import pandas as pd

_SUBJECT = re.compile(r"\s*subject:[ \t]*(.*)(?:\n|$)", re.IGNORECASE)
LONGEST_ADDRESS = 254  # Characters (RFC 5321)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_UNSEEN_IN_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]+")
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # Of the files in an archive, so that the same letters are the same file


@dataclass(frozen=True)
class Letter:
    """A letter to one site. `to`: an e-mail address that a header can have, "" where it is not known."""

    domain: str
    to: str
    subject: str
    body: str


def letter_of(domain: str, to: str, pitch: str) -> Letter:
    r"""Return a pitch as a letter: a first line "Subject: …" becomes its subject, the rest its body.

    Line breaks and signs that nobody sees leave the subject, where they would begin another header; "=?" is broken,
    since it would begin a word in code (RFC 2047) that may contain a line break. An address that is none is left out.

    >>> letter_of("a.example", "", "Subject: A source\n\nHello")
    Letter(domain='a.example', to='', subject='A source', body='Hello\n')
    """
    pitch = _UNSEEN_IN_TEXT.sub(" ", pitch.replace("\r\n", "\n").replace("\r", "\n"))
    found = _SUBJECT.match(pitch)
    subject = " ".join(_UNSEEN.sub(" ", found[1]).split()).replace("=?", "= ?") if found else ""
    return Letter(domain, str(address_of(to) or ""), subject, f"{(pitch[found.end() :] if found else pitch).strip()}\n")


def address_of(text: str) -> Address | None:
    r"""Return an e-mail address as a mail's header has it, its domain in IDNA; None for what is none.

    Refused too: what means other letters there ("=?"), names that are not ASCII, and domains that IDNA 2003, which
    Python has, spells as another one (straße is strasse in it).

    >>> str(address_of("ann@a.example")), str(address_of("ann@bücher.example"))
    ('ann@a.example', 'ann@xn--bcher-kva.example')
    >>> [address_of(text) for text in ("ann", "ann@a.example\nBcc: all@a.example", "änn@a.example", "a@straße.example")]
    [None, None, None, None]
    """
    if len(text) > LONGEST_ADDRESS:
        return None
    try:
        found = Address(addr_spec=text)
        domain = found.domain.encode("idna").decode()
        same = found.domain.isascii() or domain.encode().decode("idna") == found.domain.lower()
    except (ValueError, HeaderParseError, IndexError, RecursionError):
        return None
    if not (same and found.username and found.username.isascii() and "." in domain):
        return None
    return Address(username=found.username, domain=domain) if text.isprintable() and "=?" not in text else None


def as_eml(letter: Letter) -> bytes:
    """Return a letter as a draft that mail programs open to be sent (RFC 5322; X-Unsent is what Outlook asks for)."""
    message = EmailMessage(policy=SMTP)
    if letter.to:
        message["To"] = letter.to
    message["Subject"] = letter.subject
    message["X-Unsent"] = "1"
    message.set_content(letter.body)
    return message.as_bytes()


def as_archive(letters: Iterable[Letter]) -> bytes:
    """Return a zip of drafts, one .eml for each letter, by the name of its domain."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for letter in letters:
            name = re.sub(r"[^\w.-]", "_", letter.domain)
            archive.writestr(zipfile.ZipInfo(f"{name}.eml", _FIXED_TIME), as_eml(letter))
    return target.getvalue()


def as_table(letters: Iterable[Letter]) -> pd.DataFrame:
    """Return the letters as the table of a mail merge: Domain, To, Subject, Body."""
    rows = [(one.domain, one.to, one.subject, one.body) for one in letters]
    return pd.DataFrame(rows, columns=["Domain", "To", "Subject", "Body"], dtype="str")
