"""The digest of a watched site as a file: Markdown, HTML or JSON. Text of third parties is escaped in each."""

import json
import re
from collections.abc import Callable

from jinja2 import Environment, PackageLoader

from backlink_audit.projects.watch import LISTED, Watched
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
    lines += [f"- **Limit crossed:** {escaped(one.sentence)}" for one in watched.crossed]
    lines += ["", "| Figure | Now | Before | Change |", "|---|---:|---:|---:|"]
    lines += [f"| {' | '.join(map(escaped, row))} |" for row in figure_rows(watched.snapshot.figures, watched.before)]
    lost, new = watched.lost_to_protect, watched.new_domains
    if len(lost):
        lines += ["", "## Lost links that were worth protecting", ""]
        lines += [
            f"- {escaped(one['referring_url'])} to {escaped(one['target_url'])}, anchor “{escaped(one['anchor'])}”"
            for one in lost.head(LISTED).to_dict("records")
        ]
        lines += ["", more(len(lost))] if len(lost) > LISTED else []
    if len(new):
        lines += ["", "## New referring domains", ""]
        lines += [
            f"- {escaped(one['referring_domain'])} ({count(one['links_new'], 'link')})"
            for one in new.head(LISTED).to_dict("records")
        ]
        lines += ["", more(len(new))] if len(new) > LISTED else []
    return "\n".join([*lines, "", *(escaped(note) for note in watched.notes), ""])


def as_html(watched: Watched) -> str:
    """Return the digest as one HTML page that asks for nothing from anywhere."""
    environment = Environment(loader=PackageLoader("backlink_audit.projects", "templates"), autoescape=True)
    template = environment.get_template("digest.html")
    return template.render(
        watched=watched, rows=figure_rows(watched.snapshot.figures, watched.before), listed=LISTED, more=more
    )


def more(rows: int) -> str:
    """Say how many rows of a list are not shown."""
    return f"and {rows - LISTED:,} more."


def escaped(text: str) -> str:
    r"""Return text with what Markdown would read as formatting, a link, a picture or HTML made inert, on one line.

    >>> print(escaped("![x](https://a.example)\n<b>"))
    !\[x\](https://a.example) \<b\>
    """
    return re.sub(r"([\\`*_\[\]<>|#&~$])", r"\\\1", " ".join(text.split()))
