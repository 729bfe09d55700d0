"""Which redirects become rules, how each is matched, and which cannot be one."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from backlink_audit.labels import CONFIDENCES
from backlink_audit.redirects.matching import Rewriting, path_of
from backlink_audit.redirects.result import Redirects
from backlink_audit.wording import count

SAME, ITSELF, CONTROL = "same address as a rule above", "a page of the new site has this address", "control characters"
"""Why a redirect of the wanted confidence is no rule."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
LONGEST_WORD = 4_000
"""nginx refuses a word of 4,096 bytes or more in its configuration; in bytes, with room for the quotes."""
POINTER, DEFAULT_BUCKET, DEFAULT_ENTRIES = 8, 64, 2_048
"""Bytes of a pointer; and what nginx takes for map_hash_bucket_size and map_hash_max_size if nobody says."""
TOO_LONG = "too long for nginx"
LONGEST_COMMENT = 2_000  # characters: nginx refuses a line of comment of 4,096 bytes
NO_QUERY, NEARLY = "not of the form name=value", "a page of the new site has nearly this address"
_SLASHES = re.compile("/{2,}")
_CAPITALS = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


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
    patterns: tuple[Rewriting, ...] = ()
    """Rewritings that serve all their pages by one pattern; these are no rules of their own."""


@dataclass(frozen=True)
class Written:
    """The lines of a server's file, which rules it cannot have, by old URL, and in sentences what it needs."""

    lines: Sequence[str]
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def choose_rules(redirects: Redirects, *, with_ends: bool = True) -> Chosen:
    """Return the redirects that are sure enough as rules, each address once: that of the row at the top counts."""
    wanted = sure_enough(redirects)
    living = Living(redirects.sites.living["url"])
    rules: dict[tuple[Address, bool], Rule] = {}
    others: dict[str, str] = {}
    patterns = tuple(
        one for one in redirects.rewritings if one.is_pattern and (with_ends or not one.behind + one.new_behind)
    )
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
        elif not address.query and any(_serves(one, address.path, new) for one in patterns):
            continue
        else:
            rules[key] = Rule(*address, encoded(new if "://" in new else f"https://{new}"), key[1], old)
    return Chosen(tuple(sorted(rules.values(), key=lambda rule: not rule.query)), others, patterns)


def _serves(rewriting: Rewriting, path: str, new: str) -> bool:
    found = rewriting.applied(path)
    return found is not None and found == path_of(new)


def sure_enough(redirects: Redirects) -> list[str]:
    """Return the confidences from which on redirects are rules."""
    words = [label.word for label in CONFIDENCES]
    return words[: words.index(redirects.settings.served) + 1]


def slashes(path: str) -> tuple[str, ...]:
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
    return text.encode("utf-8", "surrogateescape")


def nginx(rules: Sequence[Rule], rewritings: Sequence[Rewriting] = ()) -> Written:
    """Return the rules as two maps: by the path with the query, else by the path alone."""
    by_path: list[str] = []
    by_address: list[str] = []
    patterns, refused = [], {}
    keys: list[str] = []
    for rule in rules:
        target = _quoted(rule.target.replace("$", "%24"))
        if max(len(as_bytes(text)) for text in (target, *_words(rule))) > LONGEST_WORD:
            refused[rule.old_url] = TOO_LONG
            continue
        if rule.exact:
            patterns += [f"    {word} {target};" for word in _words(rule)]
            continue
        keys += _keys(rule)
        (by_address if rule.query else by_path).extend(f"    {word} {target};" for word in _words(rule))
    sizes, notes = _sizes(keys)
    lines = [
        "# Include this file in the http block, and add to the server block:",
        "#     if ($redirect_to) { return 301 $redirect_to; }",
        *sizes,
        "map $uri $redirect_by_path {",
        '    default "";',
        *by_path,
        *(
            f'    "~^{pattern(one.before)}(?<kept>{_kept(one)}){pattern(one.behind)}/?$" '
            f'"{encoded(one.host + one.new_before)}${{kept}}{encoded(one.new_behind)}";'
            for one in rewritings
        ),
        "}",
        'map "$uri?$args" $redirect_to {',
        "    default $redirect_by_path;",
        *by_address,
        *patterns,
        "}",
    ]
    return Written(lines, refused, notes)


def bucket_size(keys: Sequence[str]) -> int:
    """Return the map_hash_bucket_size that the longest key needs: a power of two, in bytes.

    nginx keeps of each key two pointers, its length and its bytes, filled up to a pointer's size.

    >>> bucket_size(["/chairs"]), bucket_size(["/" + "a" * 46]), bucket_size(["/" + "ä" * 100])
    (64, 128, 256)
    """
    longest = max((len(as_bytes(key)) for key in keys), default=0)
    needed = 2 * POINTER + -(-(longest + 2) // POINTER) * POINTER
    return max(DEFAULT_BUCKET, 1 << (needed - 1).bit_length())


def _sizes(keys: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Return the directives that the maps need, and the sentence about them; none where nginx's own sizes do."""
    bucket, entries = bucket_size(keys), 1 << (2 * len(keys)).bit_length()
    if bucket == DEFAULT_BUCKET and entries <= DEFAULT_ENTRIES:
        return [], ()
    longest = max(len(as_bytes(key)) for key in keys)
    entries = max(entries, DEFAULT_ENTRIES)
    asked = f"map_hash_bucket_size {bucket} and map_hash_max_size {entries}"
    cure = "If nginx -t says “duplicate”, set them above all maps in nginx.conf instead and delete them here."
    lines = [
        f"# {len(keys):,} addresses, the longest of {longest:,} bytes, need these sizes. {cure}",
        f"map_hash_bucket_size {bucket};",
        f"map_hash_max_size {entries};",
    ]
    return lines, (f"nginx: these rules need {asked}; the file sets both. {cure.replace('here', 'in the file')}",)


def _keys(rule: Rule) -> Iterator[str]:
    query = f"?{rule.query}" if rule.query else ""
    return (path + query for path in slashes(rule.path))


def _words(rule: Rule) -> list[str]:
    if rule.exact:
        return [_quoted(rf"~^{pattern(rule.path)}/?\?{pattern(rule.query)}$")]
    return [_quoted(key) for key in _keys(rule)]


def _quoted(text: str) -> str:
    r"""Return a text as nginx reads it in quotes.

    >>> print(_quoted('/a "b"'))
    "/a \"b\""
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(frozen=True)
class ServerFile:
    """What a server reads, and in sentences what is to be known of it."""

    data: bytes
    notes: tuple[str, ...]


def server_file(kind: str, redirects: Redirects) -> ServerFile:
    """Return the map as the file of a kind (`WRITERS`)."""
    name, writer = WRITERS[kind]
    chosen = choose_rules(redirects, with_ends=kind != "_redirects")
    written = writer(chosen.rules, chosen.patterns)
    table, wanted = redirects.table, sure_enough(redirects)
    others = {**chosen.others, **written.refused}
    left_out = [
        (others[old], old, new) for old, new in zip(table["old_url"], table["new_url"], strict=True) if old in others
    ]
    comments = [f"# {why}: {encoded(old)} {encoded(new)}".rstrip()[:LONGEST_COMMENT] for why, old, new in left_out]
    title = f"# {redirects.headline} ({name}; rules: {', '.join(wanted)})"
    reasons = Counter(why for why, *_ in left_out)
    notes = [
        f"{name}: {count(number, 'redirect')} without a rule ({why}); the file lists them as comments."
        for why, number in reasons.items()
        if why not in set(redirects.table["confidence"])
    ]
    return ServerFile(as_bytes("\n".join([title, *written.lines, *comments]) + "\n"), (*written.notes, *notes))


def _kept(rewriting: Rewriting) -> str:
    return ".+?" if rewriting.is_deep else "[^/]+?"


def apache(rules: Sequence[Rule], rewritings: Sequence[Rewriting] = ()) -> Written:
    """Return the rules as .htaccess, for mod_rewrite."""
    lines = ["RewriteEngine On"]
    for rule in rules:
        any_case = "" if rule.exact else "NC"
        if rule.query or rule.exact:
            lines.append(
                f'RewriteCond "%{{QUERY_STRING}}" "^{pattern(rule.query)}$"' + f" [{any_case}]" * bool(any_case)
            )
        flags = ",".join(filter(None, ("R=301,L,NE", "QSD" if rule.query else "", any_case)))
        path = pattern(rule.path.lstrip("/"))
        lines.append(f'RewriteRule "^{path}/?$" "{_substitution(rule.target)}" [{flags}]')
    for one in rewritings:
        matched = f"^{pattern(one.before.lstrip('/'))}({_kept(one)}){pattern(one.behind)}/?$"
        target = f"{_substitution(encoded(one.host + one.new_before))}$1{_substitution(encoded(one.new_behind))}"
        lines.append(f'RewriteRule "{matched}" "{target}" [R=301,L,NE]')
    return Written(lines)


def hosted(rules: Sequence[Rule], rewritings: Sequence[Rewriting] = ()) -> Written:
    """Return the rules as a _redirects file, as Netlify, Cloudflare Pages and others read it."""
    lines, refused = [], {}
    for rule in rules:
        pairs = [pair for pair in rule.query.split("&") if pair]
        names = {pair.partition("=")[0] for pair in pairs}
        if (rule.exact and not pairs) or len(names) < len(pairs) or not all("=" in pair for pair in pairs):
            refused[rule.old_url] = NO_QUERY if pairs else NEARLY
            continue
        path = quote(rule.path or "/", safe="/@!$&'()+,;=~-._", errors="surrogateescape")
        query = [pair.replace(":", "%3A").replace("*", "%2A") for pair in pairs]
        lines.append(" ".join([path, *query, rule.target, "301"]))
    lines += [f"{encoded(one.before)}* {encoded(one.host + one.new_before)}:splat 301" for one in rewritings]
    queried = sum(bool(rule.query) for rule in rules if rule.old_url not in refused)
    notes = (f"_redirects: {count(queried, 'rule')} with a query; Netlify reads them, Cloudflare Pages does not.",)
    return Written(lines, refused, notes if queried else ())


WRITERS: Mapping[str, tuple[str, Callable[[Sequence[Rule], Sequence[Rewriting]], Written]]] = {
    ".htaccess": ("Apache", apache),
    ".map": ("nginx", nginx),
    "_redirects": ("_redirects", hosted),
}
"""What ends a file's name -> the server's name, and who writes it."""


def _substitution(url: str) -> str:
    r"""Return a URL in which mod_rewrite finds no reference to what was matched.

    >>> _substitution("https://shop.example/a%20b$1")
    'https://shop.example/a\\%20b\\$1'
    """
    return url.replace("%", r"\%").replace("$", r"\$")


class Address(NamedTuple):
    """What of a URL reaches a rule: the path, decoded and without a slash at its end, and the query as it is written.

    Bytes of a path that are no UTF-8 are kept as surrogates.
    """

    path: str
    query: str

    @property
    def folded(self) -> "Address":
        return Address(self.path.translate(_CAPITALS), self.query.translate(_CAPITALS))


def address_of(url: str) -> Address:
    """Return what a rule sees of a URL.

    >>> address_of("https://shop.example//Caf%c3%A9/?ID=1#top")
    Address(path='/Café', query='ID=1')
    """
    parts = urlsplit(url if "://" in url else f"//{url}")
    path = unquote(parts.path, errors="surrogateescape")
    return Address(_SLASHES.sub("/", path).rstrip("/"), encoded(parts.query))


def encoded(text: str) -> str:
    """Return a URL or a part of it with everything encoded that is no character of a URL.

    >>> encoded("/stühle 1?a=%20b")
    '/st%C3%BChle%201?a=%20b'
    """
    return quote(text, safe="%/:?#[]@!$&'()*+,;=~-._")


def host_of(url: str) -> str:
    """Return the host of a URL in lower case, without www.

    >>> host_of("http://www.Shop.example:80/a")
    'shop.example'
    """
    host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    return host.removeprefix("www.")


class Living:
    """The addresses of the new site's pages, which no rule may catch."""

    def __init__(self, urls: Iterable[str]) -> None:
        seen = [(host_of(url), address_of(url)) for url in urls]
        self._paths = {(host, one.folded.path) for host, one in seen}
        self._folded = {(host, one.folded) for host, one in seen}
        self._same = set(seen)

    def is_like(self, url: str, address: Address) -> bool:
        """Return whether a rule that ignores case, and without a query any query, would catch a living page."""
        host, folded = host_of(url), address.folded
        return (host, folded) in self._folded if address.query else (host, folded.path) in self._paths

    def key(self, url: str) -> tuple[Address, bool]:
        """Return what two old URLs share that can have one rule alone: their address, and whether case counts in it."""
        address = address_of(url)
        exact = self.is_like(url, address)
        return (address if exact else address.folded), exact

    def has(self, url: str, address: Address) -> bool:
        return (host_of(url), address) in self._same
