"""A redirect map as the files that servers read: Apache (.htaccess), nginx (map) and hosts that read _redirects.

Only the redirects of at least the chosen confidence are rules; the others are comments. Rules with a query
string come first, as the same path without one would catch them.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from backlink_audit.pipelines.redirects.addresses import encoded
from backlink_audit.pipelines.redirects.nginx import nginx
from backlink_audit.pipelines.redirects.result import Redirects
from backlink_audit.pipelines.redirects.rules import Rule, Written, as_bytes, choose_rules, pattern, sure_enough
from backlink_audit.wording import count

LONGEST_COMMENT = 2_000
"""Characters: nginx refuses a line of comment of 4,096 bytes."""
NO_QUERY, NEARLY = "not of the form name=value", "a page of the new site has nearly this address"


@dataclass(frozen=True)
class ServerFile:
    """What a server reads, and in sentences what is to be known of it."""

    data: bytes
    notes: tuple[str, ...]


def server_file(kind: str, redirects: Redirects) -> ServerFile:
    """Return the map as the file of a kind (`WRITERS`)."""
    name, writer = WRITERS[kind]
    chosen = choose_rules(redirects)
    written = writer(chosen.rules)
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


def apache(rules: Sequence[Rule]) -> Written:
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
    return Written(lines)


def hosted(rules: Sequence[Rule]) -> Written:
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
    queried = sum(bool(rule.query) for rule in rules if rule.old_url not in refused)
    notes = (f"_redirects: {count(queried, 'rule')} with a query; Netlify reads them, Cloudflare Pages does not.",)
    return Written(lines, refused, notes if queried else ())


WRITERS: Mapping[str, tuple[str, Callable[[Sequence[Rule]], Written]]] = {
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
