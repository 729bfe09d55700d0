"""A redirect map as the files that servers read: Apache (.htaccess), nginx (map) and hosts that read _redirects.

Only the redirects of at least the chosen confidence are rules; the others are comments. Rules with a query
string come first, as the same path without one would catch them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from backlink_audit.labels import CONFIDENCES
from backlink_audit.pipelines.redirects.result import Redirects

_KEPT = "/:@!$&'()*+,;=~-._"
"""Characters of a path that a URL has as they are."""
_CONTROL = re.compile(r"[\x00-\x20\x7f]")


@dataclass(frozen=True)
class Rule:
    """One redirect: the old path (decoded, without a slash at its end) and query (as it is), and the new URL."""

    path: str
    query: str
    target: str


def apache(redirects: Redirects) -> str:
    """Return the map as .htaccess, for mod_rewrite."""
    lines = ["RewriteEngine On"]
    for rule in _rules(redirects):
        if rule.query:
            lines.append(f'RewriteCond "%{{QUERY_STRING}}" "^{_regex(rule.query)}$"')
        flags = "R=301,L,NE,QSD" if rule.query else "R=301,L,NE"
        path = _regex(rule.path.lstrip("/"))
        lines.append(f'RewriteRule "^{path}/?$" "{_substitution(rule.target)}" [{flags}]')
    return _file("Apache", lines, redirects)


def nginx(redirects: Redirects) -> str:
    """Return the map as two maps for nginx: by the address with its query string, else by the path."""
    by_path, by_address = ["map $uri $redirect_by_path {", '    default "";'], []
    by_address += ["map $request_uri $redirect_to {", "    default $redirect_by_path;"]
    for rule in _rules(redirects):
        target = _quoted(rule.target.replace("$", "%24"))
        if rule.query:
            forms = {f"{_encoded(path)}?{rule.query}" for path in _slashes(rule.path)}
            by_address += [f"    {_quoted(form)} {target};" for form in sorted(forms)]
        else:
            by_path += [f"    {_quoted(path)} {target};" for path in _slashes(rule.path)]
    note = [
        "# Include this file in the http block, and add to the server block:",
        "#     if ($redirect_to) { return 301 $redirect_to; }",
        "# Long URLs may need a larger map_hash_bucket_size.",
    ]
    return _file("nginx", [*note, *by_path, "}", *by_address, "}"], redirects)


def hosted(redirects: Redirects) -> str:
    """Return the map as a _redirects file, as Netlify, Cloudflare Pages and others read it."""
    lines = []
    for rule in _rules(redirects):
        path = _encoded(rule.path or "/").replace("*", "%2A").replace(":", "%3A")
        query = [pair.replace(":", "%3A").replace("*", "%2A") for pair in rule.query.split("&") if pair]
        lines.append(" ".join([path, *query, rule.target, "301"]))
    return _file("_redirects", lines, redirects)


WRITERS: Mapping[str, Callable[[Redirects], str]] = {".htaccess": apache, ".map": nginx, "_redirects": hosted}
"""What ends a file's name -> who writes it."""


def _rules(redirects: Redirects) -> Iterator[Rule]:
    """Yield the redirects that are sure enough, those with a query string first, each address once."""
    wanted = _sure_enough(redirects)
    table = redirects.table[redirects.table["confidence"].isin(wanted) & (redirects.table["new_url"] != "")]
    rules = [_rule(old, new) for old, new in zip(table["old_url"], table["new_url"], strict=True)]
    seen: set[tuple[str, str]] = set()
    for rule in sorted(rules, key=lambda rule: not rule.query):
        if (rule.path, rule.query) not in seen:
            seen.add((rule.path, rule.query))
            yield rule


def _rule(old: str, new: str) -> Rule:
    parts = urlsplit(old if "://" in old else f"//{old}")
    path = unquote(parts.path).rstrip("/")
    return Rule(_without_control(path), _safe(parts.query), _target(new))


def _target(url: str) -> str:
    """Return a new URL with everything encoded that is no character of a URL."""
    return _safe(url if "://" in url else f"https://{url}")


def _safe(text: str) -> str:
    return quote(text, safe="%/:?#[]@!$&'()*+,;=~-._")


def _encoded(path: str) -> str:
    return quote(path, safe=_KEPT)


def _without_control(text: str) -> str:
    """Return the text without what would end a line; a space stays."""
    return "".join(" " if letter == " " else _CONTROL.sub("", letter) for letter in text)


def _slashes(path: str) -> Iterable[str]:
    """Return a path without and with a slash at its end."""
    return (path, f"{path}/") if path else ("/",)


def _regex(text: str) -> str:
    r"""Return a text as a regular expression inside quotes, with what the quotes would end or change in hexadecimal.

    >>> _regex('a "b" (c).html')
    'a\\x20\\x22b\\x22\\x20\\(c\\)\\.html'
    """
    hexed = {'"': r"\x22", "\\": r"\x5c", " ": r"\x20", "%": r"\x25"}
    return "".join(hexed.get(letter) or re.escape(letter) for letter in text)


def _substitution(url: str) -> str:
    r"""Return a URL in which mod_rewrite finds no reference to what was matched.

    >>> _substitution("https://shop.example/a%20b$1")
    'https://shop.example/a\\%20b\\$1'
    """
    return url.replace("%", r"\%").replace("$", r"\$")


def _quoted(text: str) -> str:
    r"""Return a text as nginx reads it in quotes.

    >>> print(_quoted('/a "b"'))
    "/a \"b\""
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _sure_enough(redirects: Redirects) -> list[str]:
    words = [label.word for label in CONFIDENCES]
    return words[: words.index(redirects.settings.served) + 1]


def _file(server: str, lines: list[str], redirects: Redirects) -> str:
    """Return the lines under a title, and the redirects that are not sure enough as comments beneath them."""
    wanted = _sure_enough(redirects)
    rest = redirects.table[~redirects.table["confidence"].isin(wanted)]
    comments = [
        f"# {confidence}: {_safe(old)} {_safe(new)}".rstrip()
        for confidence, old, new in zip(rest["confidence"], rest["old_url"], rest["new_url"], strict=True)
    ]
    title = f"# {redirects.headline} ({server}; rules: {', '.join(wanted)})"
    return "\n".join([title, *lines, *comments]) + "\n"
