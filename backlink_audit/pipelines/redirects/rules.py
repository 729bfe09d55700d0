"""Which redirects become rules, how each is matched, and which cannot be one."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backlink_audit.labels import CONFIDENCES
from backlink_audit.pipelines.redirects.addresses import Address, Living, address_of, encoded
from backlink_audit.pipelines.redirects.result import Redirects

SAME, ITSELF, CONTROL = "same address as a rule above", "a page of the new site has this address", "control characters"
"""Why a redirect of the wanted confidence is no rule."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Rule:
    """One redirect: the old address, the new URL, and the old URL as it was given.

    Upper and lower case are one. Without a query every query is meant. `exact`: neither, for a page of the new site
    has nearly the same address.
    """

    path: str
    query: str
    target: str
    exact: bool
    old_url: str


@dataclass(frozen=True)
class Chosen:
    """The rules, those with a query first, and of the other redirects why they are none, by old URL."""

    rules: tuple[Rule, ...]
    others: Mapping[str, str]


@dataclass(frozen=True)
class Written:
    """The lines of a server's file, which rules it cannot have, by old URL, and in sentences what it needs."""

    lines: Sequence[str]
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def choose_rules(redirects: Redirects) -> Chosen:
    """Return the redirects that are sure enough as rules, each address once: that of the row at the top counts."""
    wanted = sure_enough(redirects)
    living = Living(redirects.sites.living["url"])
    rules: dict[tuple[Address, bool], Rule] = {}
    others: dict[str, str] = {}
    columns = (redirects.table[name] for name in ("old_url", "new_url", "confidence"))
    for old, new, confidence in zip(*columns, strict=True):
        address = address_of(old)
        key = living.key(old)
        why = confidence if confidence not in wanted or not new else ""
        why = why or (CONTROL if _CONTROL.search(address.path) else "")
        why = why or (ITSELF if living.has(old, address) else "")
        why = why or (SAME if key in rules else "")
        if why:
            others[old] = why
        else:
            rules[key] = Rule(*address, encoded(new if "://" in new else f"https://{new}"), key[1], old)
    return Chosen(tuple(sorted(rules.values(), key=lambda rule: not rule.query)), others)


def sure_enough(redirects: Redirects) -> list[str]:
    """Return the confidences from which on redirects are rules."""
    words = [label.word for label in CONFIDENCES]
    return words[: words.index(redirects.settings.served) + 1]


def slashes(path: str) -> tuple[str, ...]:
    """Return a path without and with a slash at its end."""
    return (path, f"{path}/") if path else ("/",)


def pattern(text: str) -> str:
    r"""Return a text as a regular expression inside quotes, with what the quotes would end or change in hexadecimal.

    >>> pattern('a "b" (ä).html')
    'a\\x20\\x22b\\x22\\x20\\(\\xc3\\xa4\\)\\.html'
    """
    return "".join(_matched(letter) for letter in text)


def _matched(letter: str) -> str:
    if letter in '"\\ %' or not letter.isascii():
        return "".join(rf"\x{byte:02x}" for byte in as_bytes(letter))
    return re.escape(letter)


def as_bytes(text: str) -> bytes:
    """Return a text as UTF-8, what is none as it was."""
    return text.encode("utf-8", "surrogateescape")
