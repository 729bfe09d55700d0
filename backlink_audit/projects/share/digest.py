"""The digest of a watched site as a file: Markdown, HTML or JSON. Text of third parties is escaped in each."""

import json
import re
from collections.abc import Callable

from jinja2 import Environment, PackageLoader

from backlink_audit.projects.share.watch import LISTED, Watched
from backlink_audit.report.figures import figure_rows
from backlink_audit.wording import count

SUFFIXES = (".md", ".html", ".json")


def digest(watched: Watched, suffix: str) -> bytes:
    """Return the digest in the form that the suffix names, UTF-8."""
    forms: dict[str, Callable[[Watched], str]] = {".md": as_markdown, ".html": as_html, ".json": as_json}
    return forms[suffix.lower()](watched).encode("utf-8", "replace")


def as_json(watched: Watched) -> str:
    """Return the digest as JSON: project, site, date, file, figures, changes, crossed."""
    return json.dumps(watched.data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_markdown(watched: Watched) -> str:
    """Return the digest as Markdown, for a message or an issue."""
    lines = [f"# {escaped(watched.project.name)}, {watched.snapshot.day}", "", escaped(watched.headline), ""]
    lines += [f"- **Alert:** {escaped(one.sentence)}" for one in watched.crossed]
    lines += ["", "| Metric | Now | Before | Change |", "|---|---:|---:|---:|"]
    lines += [f"| {' | '.join(map(escaped, row))} |" for row in figure_rows(watched.snapshot.figures, watched.before)]
    for title, rows, more in lists(watched):
        lines += ["", f"## {title}", "", *(f"- {escaped(row)}" for row in rows)]
        lines += ["", more] if more else []
    return "\n".join([*lines, "", *(escaped(note) for note in watched.notes), ""])


def as_html(watched: Watched) -> str:
    """Return the digest as one HTML page that asks for nothing from anywhere."""
    environment = Environment(loader=PackageLoader("backlink_audit.projects.share", "templates"), autoescape=True)
    template = environment.get_template("digest.html")
    rows = figure_rows(watched.snapshot.figures, watched.before)
    return template.render(watched=watched, rows=rows, lists=lists(watched))


def lists(watched: Watched) -> list[tuple[str, list[str], str]]:
    """Return what is listed: each list's title, its rows in words, and how many are not shown; none without rows."""
    lost, new = watched.lost_to_protect, watched.new_domains
    links = [
        f"{one['referring_url']} to {one['target_url']}, anchor “{one['anchor']}”"
        for one in lost.head(LISTED).to_dict("records")
    ]
    domains = [
        f"{one['referring_domain']} ({count(one['links_new'], 'link')})" for one in new.head(LISTED).to_dict("records")
    ]
    found = (("Lost links with the verdict Protect", links, lost), ("New referring domains", domains, new))
    return [
        (title, rows, f"and {len(table) - LISTED:,} more." if len(table) > LISTED else "")
        for title, rows, table in found
        if rows
    ]


def escaped(text: str) -> str:
    r"""Return text with what Markdown would read as formatting, a link, a picture or HTML made inert, on one line.

    >>> print(escaped("![x](https://a.example)\n<b>"))
    !\[x\](https://a.example) \<b\>
    """
    return re.sub(r"([\\`*_\[\]<>|#&~$])", r"\\\1", " ".join(text.split()))
