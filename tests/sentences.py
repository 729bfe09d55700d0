"""Every sentence of the app and the terminal, once: `python -m tests.sentences`.

For who reads them all with fresh eyes. Taken from the code's own strings, so that none is missed; what is shown never,
as patterns, keys and column names, is left out by its form.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.house import ROOT

SHOWN = ("app.py", "pages", "backlink_audit")
QUAINT = (
    *("worth a look", "want a look", "does not tell", "be told", "is told", "on topic", "none of 2", "speaks against"),
    *("hidden link", "other way round", "over a redirect", "endless loop", "to everybody", "plain headers"),
    *("going on without", "dated post", "buyers search", "packs otherwise", "are not known"),
    *("less sharp", "trustworthy", "names drawn", "no thickness", "too little authority", "closer than only"),
    *("one gets", "put on words", "path holds", "are parted by", "work out", "put aside", "take back", "not a look"),
    *("without a look", "stands for a page", "stand for a page", "stands for the", "by hand then", "of chance"),
    *("as it was elsewhere", "goes on where", "is no picture", "this is a picture", "joins it", "meanwhile"),
    *("set aside", "left out", "win back", "winning back", "written by visitors", "visitors wrote", "in a circle"),
    *("link stands", "stands on", "page answers", "that answers", "bare address", "its address has", "does not answer"),
    *("this machine", "made here", "by hand", "whoever", "one a line", "would be downloaded", "to draw", "are drawn"),
    *(
        "put on the desk",
        "off the desk",
        "tick the box",
        "holds every",
        "limit crossed",
        "is called lost",
        "put it back",
    ),
    *("you now keep", "do it again", "equally long", "emails for this choice"),
    *("judge the links", "links judged", "look for risk", "which of them", "many owners"),
)
"""What a reader whose first language is another stumbles over; a test looks for them. Add what you rewrite."""
NEVER_SHOWN = {"schema_of_store.py", "migrations"}
"""Their texts describe the columns of the store, and no reader sees them."""
GAP = "{…}"
"""Shown in place of what the code fills in."""


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the words of each text in a module that a reader may see: docstrings and keys are not."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unseen = {id(part) for node in ast.walk(tree) for part in _unseen(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            words = "".join(_part(value) for value in node.values)
            unseen |= {id(part) for part in ast.walk(node)} - {id(node)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value
        else:
            continue
        if id(node) not in unseen and is_shown(words):
            yield node.lineno, " ".join(words.split())


def is_shown(words: str) -> bool:
    """Return whether a text has the form of words for a reader: a blank between words, or a capital at its beginning.

    >>> is_shown("No links match the filters."), is_shown("Verdict"), is_shown("url_rating"), is_shown("^https?://(.*)$")
    (True, True, False, False)
    """
    plain = words.replace(GAP, " ").strip()
    if len(plain) < 2 or any(mark in plain for mark in ("\\", "://(", "(?", "=>", "{{", "};")):
        return False
    return plain[0].isupper() and plain.isalpha() or (" " in plain and any(letter.islower() for letter in plain))


def _part(value: ast.AST) -> str:
    return str(value.value) if isinstance(value, ast.Constant) else GAP


def _unseen(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the texts in a node that no reader sees: docstrings, and those alone beneath a name."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value


def modules() -> Iterator[Path]:
    """Yield the modules whose texts are shown."""
    for name in SHOWN:
        path = ROOT / name
        found = [path] if path.is_file() else sorted(path.rglob("*.py"))
        yield from (module for module in found if not NEVER_SHOWN & set(module.parts))


def main() -> None:
    """Print each text once, under the first module that has it."""
    seen: set[str] = set()
    for path in modules():
        new = [(line, words) for line, words in sentences(path) if words not in seen]
        seen |= {words for _, words in new}
        if new:
            sys.stdout.write(f"\n{path.relative_to(ROOT).as_posix()}\n")
        for line, words in sorted(new):
            sys.stdout.write(f"{line:5}  {words}\n")


if __name__ == "__main__":
    main()
