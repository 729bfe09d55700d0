"""Every text that Streamlit reads as markdown is ours, or went through show.plain: read from the code.

What may have a file's words in it (a variable, an attribute, what a function returned) is not written into a label, a
caption or a notice as it is.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FILES = sorted([ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "backlink_audit" / "ui").rglob("*.py")])
MARKUP = {
    *("markdown", "caption", "info", "warning", "error", "success", "write", "title", "header", "subheader", "toast"),
    *("expander", "spinner", "status", "popover", "metric", "button", "form_submit_button", "download_button", "radio"),
    *("link_button", "page_link", "checkbox", "toggle", "selectbox", "multiselect", "segmented_control", "pills"),
    *("slider", "select_slider", "text_input", "text_area", "number_input", "date_input", "file_uploader", "badge"),
    *("dialog", "progress", "latex", "html"),
}
"""What of Streamlit shows its first argument, its label, its help or its text as markdown."""
NAMED = {"label", "body", "help", "text", "delta", "caption"}
SHOWN_AS_GIVEN = {
    "outreach_desk.py": {"words", "name"},
    "home.py": {"page.gives", "page.path", "page.title", "section"},
    "inputs.py": {
        "ROLES[role].label",
        "title",
        "entry",
        "field.label",
        "label",
        "other",
        "size",
        "other.name",
        "other.languages",
    },
    "internal_links.py": {"end", "reason", "sheet.name", "title"},
    "jobs.py": {"label", "job.share or 0.0"},
    "menu.py": {"title"},
    "profile.py": {"texts.tool"},
    "report.py": {"place.capitalize()"},
    "risk.py": {"label", "words", "_summary(file)"},
    "show.py": {"words"},
    "uploads.py": {
        *("kind.label", "kind.bring", "label", "page.path", "page.title", "column.label", "column.help or None"),
        *("ROLES[role].label", "role.label", "table.column(name).label"),
    },
    "worktable.py": {"noun", "noun.capitalize()", "label", "sheet.noun"},
}
"""By file: our texts in variables. To add one is to state that no word of a file can be in it."""
OUR_WORDS = {
    *("plain", "count", "part_of", "in_words", "as_text", "len", "int", "round", "summary", "uncapitalised", "needs"),
    *("name_in_browser", "percent", "min", "max", "link", "in_its_sentence", "_as_table", "_mark"),
}
"""Functions that return our own words and numbers, or text that is no markup any more."""
OUR_DATA = {"menu", "labels", "glossary", "asked"}


def texts(path: Path) -> Iterator[tuple[int, ast.expr, dict[str, list[ast.expr]]]]:
    """Yield each shown text of a module: line, expression, and what the names around it were given."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for scope in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]:
        given = assigned(tree) | (assigned(scope) if scope is not tree else {})
        for call in own_calls(scope):
            if is_streamlit(call.func):
                shown = [*call.args[:1], *(word.value for word in call.keywords if word.arg in NAMED)]
                yield from ((call.lineno, text, given) for text in shown)


def own_calls(scope: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls in a scope that are in no function inside it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            waiting += node.decorator_list
            continue
        if isinstance(node, ast.Call):
            yield node
        waiting += ast.iter_child_nodes(node)


def is_streamlit(called: ast.expr) -> bool:
    """Whether a call goes to st.caption and its like, also as `(st.info if a else st.error)(…)` and `box.error(…)`."""
    if isinstance(called, ast.IfExp):
        return is_streamlit(called.body)
    return isinstance(called, ast.Attribute) and called.attr in MARKUP and "log" not in ast.unparse(called.value)


def assigned(scope: ast.AST) -> dict[str, list[ast.expr]]:
    """Return by name what is assigned to it; a name that a loop or an argument gives is left as it is: unknown."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = paired(target, node.value) or [(target, node.value)]
                for name, value in pairs:
                    for one in ast.walk(name):
                        if isinstance(one, ast.Name):
                            found.setdefault(one.id, []).append(value if isinstance(name, ast.Name) else one)
        elif isinstance(node, (ast.For, ast.comprehension)):
            unknown = {one.id: one for one in ast.walk(node.target) if isinstance(one, ast.Name)}
            found |= {name: [*found.get(name, []), one] for name, one in unknown.items()}
        elif isinstance(node, ast.arg):
            found.setdefault(node.arg, []).append(ast.Name(node.arg))
    return found


def paired(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Return each name of a tuple with its value; nothing where the two are not tuples of one length."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return []


def is_ours(text: ast.expr, given: dict[str, list[ast.expr]], file: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a text can have nothing in it but our own words, numbers, and what was made plain."""
    if ast.unparse(text) in SHOWN_AS_GIVEN.get(file, set()):
        return True
    if isinstance(text, ast.Name) and not text.id.isupper():
        values = given.get(text.id, []) if text.id not in seen else []
        return bool(values) and all(is_ours(value, given, file, seen | {text.id}) for value in values)
    parts = inside(text)
    return parts is not None and all(is_ours(part, given, file, seen) for part in parts)


def inside(text: ast.expr) -> list[ast.expr] | None:  # noqa: C901 (one line for each kind of expression)
    """Return the parts of an expression that all have to be ours; None: nobody knows what is in it."""
    match text:
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=form)])) if (
            str(form)[-1] in ",dfg%"
        ):
            return []
        case ast.JoinedStr(values=parts) | ast.BoolOp(values=parts):
            return parts
        case ast.FormattedValue(value=value):
            return [value]
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.IfExp(body=body, orelse=other):
            return [body, other]
        case ast.Call(func=ast.Attribute(attr="join"), args=parts):
            return parts
        case ast.GeneratorExp(elt=element) | ast.ListComp(elt=element):
            return [element]
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="format"), keywords=words) if name.isupper():
            return [word.value for word in words]
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)) if name in OUR_WORDS:
            return []
        case ast.Subscript(value=ast.Name(id=name)) | ast.Name(id=name) if name.isupper():
            return []
        case ast.Attribute() if re.split(r"[.(]", ast.unparse(text))[0] in OUR_DATA:
            return []
    return [] if isinstance(text, ast.Constant) else None


def test_what_is_shown_as_markdown_is_ours_or_made_plain():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {ast.unparse(text)}"
        for path in FILES
        for line, text, given in texts(path)
        if not is_ours(text, given, path.name)
    ]
    assert not found, "write show.plain(…) around these"


@pytest.mark.parametrize(
    "code",
    [
        "def f(export):\n    st.caption(export.name)",
        "def f(name):\n    st.markdown(f'**{name}**')",
        "def f(names):\n    for name in names:\n        st.info(name)",
        "def f(problem):\n    (st.info if problem else st.error)(str(problem))",
        "def f(x):\n    with left:\n        box.expander('Files: ' + x)",
        "def f(x):\n    y = x.title\n    st.metric('Links', 1, help=y)",
    ],
)
def test_a_word_of_a_file_that_is_shown_as_it_is_is_found(tmp_path, code):
    (tmp_path / "page.py").write_text(code)
    found = list(texts(tmp_path / "page.py"))
    assert not all(is_ours(text, given, "page.py") for _, text, given in found)
